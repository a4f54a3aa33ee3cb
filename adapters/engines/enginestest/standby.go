package enginestest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"bitacora/adapters/engines"
)

// Replicated is a PostgreSQL of one test with a standby that follows it by streaming replication,
// asynchronously until [Replicated.Synchronous] is called.
type Replicated struct {
	// URL leads to the primary's database, and after [Replicated.FailOver] to that of the standby.
	URL string
	// Hosts names both servers, first the standby.
	Hosts string
	// PrimaryURL and StandbyURL lead to the two, whatever they have become.
	PrimaryURL, StandbyURL string

	primary Supervised
	proxy   *proxy
	// conninfo is how the standby reaches the primary.
	conninfo string
}

// standbyPatience bounds every wait for the standby.
const standbyPatience = time.Minute

// Replication starts a primary and its standby. They stop when the test ends.
func Replication(t testing.TB) *Replicated {
	t.Helper()
	dir, err := tempDir()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	primary := supervise(t, dir, engines.Config{ClickHouseURL: elsewhere})
	r := &Replicated{primary: primary, PrimaryURL: primary.Endpoints().DatabaseURL}
	r.startStandby(t, filepath.Join(dir, "standby"))
	r.proxy = startProxy(t, hostOf(t, r.PrimaryURL))
	r.URL = at(t, r.PrimaryURL, r.proxy.address())
	r.Hosts = at(t, r.PrimaryURL, hostOf(t, r.StandbyURL)+","+hostOf(t, r.PrimaryURL))
	return r
}

// Synchronous lets every commit wait for the standby from now on.
func (r *Replicated) Synchronous(t testing.TB) {
	t.Helper()
	execute(t, r.PrimaryURL, "ALTER SYSTEM SET synchronous_standby_names = 'standby'")
	execute(t, r.PrimaryURL, "SELECT pg_reload_conf()")
	until(t, r.PrimaryURL, "SELECT EXISTS (SELECT FROM pg_stat_replication WHERE sync_state = 'sync')")
}

// CutOff lets the standby hold all that the primary has committed so far, and nothing after it.
func (r *Replicated) CutOff(t testing.TB) {
	t.Helper()
	var end string
	ask(t, r.PrimaryURL, "SELECT pg_current_wal_lsn()::text", &end)
	until(t, r.StandbyURL, "SELECT pg_last_wal_replay_lsn() >= '"+end+"'::pg_lsn")
	execute(t, r.StandbyURL, "ALTER SYSTEM SET primary_conninfo = ''")
	execute(t, r.StandbyURL, "SELECT pg_reload_conf()")
	until(t, r.StandbyURL, "SELECT NOT EXISTS (SELECT FROM pg_stat_wal_receiver)")
}

// Reconnect lets the standby go on after [Replicated.CutOff].
func (r *Replicated) Reconnect(t testing.TB) {
	t.Helper()
	execute(t, r.StandbyURL, "ALTER SYSTEM SET primary_conninfo = '"+r.conninfo+"'")
	execute(t, r.StandbyURL, "SELECT pg_reload_conf()")
	until(t, r.StandbyURL, "SELECT EXISTS (SELECT FROM pg_stat_wal_receiver WHERE status = 'streaming')")
}

// FailOver cuts all connections off, kills the primary, promotes the standby, and sends connections
// there.
func (r *Replicated) FailOver(t testing.TB) {
	t.Helper()
	r.proxy.redirect("")
	_ = syscall.Kill(r.primary.PID(engines.Postgres), syscall.SIGKILL)
	if err := r.primary.Stop(context.Background()); err != nil {
		t.Fatal(err)
	}
	r.Promote(t)
}

// Promote makes the standby a primary, whatever became of the one before, and sends connections there.
func (r *Replicated) Promote(t testing.TB) {
	t.Helper()
	execute(t, r.StandbyURL, "SELECT pg_promote()")
	until(t, r.StandbyURL, "SELECT NOT pg_is_in_recovery()")
	r.proxy.redirect(hostOf(t, r.StandbyURL))
}

// HangPrimary stops the primary as it is: it takes connections and answers nothing.
func (r *Replicated) HangPrimary(t testing.TB) {
	t.Helper()
	Hang(t, r.primary.PID(engines.Postgres))
}

// Mislead sends those who connect through [Replicated.URL] from now on to the standby, or to the
// primary again. Whoever is connected stays so.
func (r *Replicated) Mislead(t testing.TB, toStandby bool) {
	t.Helper()
	to := r.PrimaryURL
	if toStandby {
		to = r.StandbyURL
	}
	r.proxy.lead(hostOf(t, to))
}

// startStandby copies the primary's directory while it runs and starts a server on the copy.
func (r *Replicated) startStandby(t testing.TB, dir string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), standbyPatience)
	defer cancel()
	conn, err := pgx.Connect(ctx, r.PrimaryURL)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	var source, label string
	if err := conn.QueryRow(ctx, "SELECT current_setting('data_directory') FROM pg_backup_start('standby', fast => true)").Scan(&source); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(source)
	if err != nil {
		t.Fatal(err)
	}
	owner := info.Sys().(*syscall.Stat_t)
	if err := copyRunning(source, dir); err != nil {
		t.Fatalf("copy the primary: %v", err)
	}
	if err := conn.QueryRow(ctx, "SELECT labelfile FROM pg_backup_stop(false)").Scan(&label); err != nil {
		t.Fatal(err)
	}
	from := conn.Config()
	r.conninfo = fmt.Sprintf("host=%s port=%d user=%s password=%s application_name=standby", from.Host, from.Port, from.User, from.Password)
	settings := "primary_conninfo = '" + r.conninfo + "'\n"
	for name, text := range map[string]string{"backup_label": label, "standby.signal": "", "postgresql.auto.conf": settings} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		return errors.Join(err, os.Lchown(path, int(owner.Uid), int(owner.Gid)))
	}); err != nil {
		t.Fatal(err)
	}
	r.StandbyURL = r.runStandby(t, dir, &syscall.Credential{Uid: owner.Uid, Gid: owner.Gid})
	until(t, r.StandbyURL, "SELECT EXISTS (SELECT FROM pg_stat_wal_receiver WHERE status = 'streaming')")
}

// runStandby starts the program that the primary runs, under the same user, on another directory.
func (r *Replicated) runStandby(t testing.TB, dir string, as *syscall.Credential) (url string) {
	t.Helper()
	process := filepath.Join("/proc", strconv.Itoa(r.primary.PID(engines.Postgres)))
	program, err := os.Readlink(filepath.Join(process, "exe"))
	if err != nil {
		t.Fatal(err)
	}
	environ, err := os.ReadFile(filepath.Join(process, "environ"))
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	l.Close()
	_, port, _ := net.SplitHostPort(address)
	c := exec.Command(program, "-D", dir, "-c", "listen_addresses=127.0.0.1", "-c", "port="+port, "-c", "unix_socket_directories=", "-c", "fsync=off")
	c.Env = strings.FieldsFunc(string(environ), func(r rune) bool { return r == 0 })
	c.Dir = "/"
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if os.Geteuid() == 0 {
		c.SysProcAttr.Credential = as
	}
	if err := c.Start(); err != nil {
		t.Fatalf("start the standby: %v", err)
	}
	t.Cleanup(func() {
		_ = c.Process.Signal(syscall.SIGQUIT)
		_ = c.Wait()
	})
	return at(t, r.PrimaryURL, address)
}

// copyRunning copies a directory in which files come and go.
func copyRunning(from, to string) error {
	return filepath.WalkDir(from, func(path string, e fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		name, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, name)
		switch {
		case e.IsDir():
			return os.MkdirAll(target, 0o700)
		case name == "postmaster.pid" || name == "postmaster.opts":
			return nil
		}
		data, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return errors.Join(err, os.WriteFile(target, data, 0o600))
	})
}

// proxy forwards the connections of an address to a server that may change.
type proxy struct {
	listener net.Listener
	mu       sync.Mutex
	to       string
	open     map[net.Conn]bool
}

func startProxy(t testing.TB, to string) *proxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{listener: l, to: to, open: map[net.Conn]bool{}}
	t.Cleanup(func() { l.Close(); p.redirect(to) })
	go func() {
		for {
			in, err := l.Accept()
			if err != nil {
				return
			}
			go p.forward(in)
		}
	}()
	return p
}

func (p *proxy) address() string { return p.listener.Addr().String() }

// lead sends connections from now on elsewhere.
func (p *proxy) lead(to string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.to = to
}

// redirect sends connections from now on elsewhere, and ends those there are.
func (p *proxy) redirect(to string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.to = to
	for c := range p.open {
		c.Close()
	}
}

func (p *proxy) forward(in net.Conn) {
	p.mu.Lock()
	out, err := net.Dial("tcp", p.to)
	if err != nil {
		p.mu.Unlock()
		in.Close()
		return
	}
	p.open[in], p.open[out] = true, true
	p.mu.Unlock()
	var both sync.WaitGroup
	for _, way := range [][2]net.Conn{{in, out}, {out, in}} {
		both.Go(func() {
			_, _ = io.Copy(way[0], way[1])
			in.Close()
			out.Close()
		})
	}
	both.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.open, in)
	delete(p.open, out)
}

func hostOf(t testing.TB, address string) string {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return u.Host
}

// at is the same URL on another host.
func at(t testing.TB, address, host string) string {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	u.Host = host
	return u.String()
}

// ask takes the one value that a query gives.
func ask(t testing.TB, url, query string, into any) {
	t.Helper()
	if err := tryAsking(url, query, into); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
}

func tryAsking(url, query string, into any) error {
	ctx, cancel := context.WithTimeout(context.Background(), standbyPatience)
	defer cancel()
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	return conn.QueryRow(ctx, query).Scan(into)
}

// until waits until a query gives true; the server may still be starting.
func until(t testing.TB, url, query string) {
	t.Helper()
	err := errors.New("never asked")
	for began := time.Now(); time.Since(began) < standbyPatience; time.Sleep(50 * time.Millisecond) {
		var yes bool
		if err = tryAsking(url, query, &yes); err == nil && yes {
			return
		}
	}
	t.Fatalf("%s: not within %v: %v", query, standbyPatience, err)
}
