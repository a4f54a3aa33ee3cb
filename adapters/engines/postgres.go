package engines

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// postgresMajor is the version of the npm package's data format.
const postgresMajor = "18"

// postgres is the embedded PostgreSQL of one home.
type postgres struct {
	home   home
	pack   string
	native string
	// passwords are those of the roles.
	passwords map[string]string
	superuser bool
	volatile  bool
	port      int
}

func newPostgres(cfg Config, h home, pack string, keys secrets) *postgres {
	passwords := map[string]string{superuser: keys.Postgres, owner: keys.Owner, worker: keys.Worker, replicator: keys.Replicator}
	return &postgres{home: h, pack: pack, passwords: passwords, superuser: cfg.Superuser, volatile: cfg.Volatile}
}

func (p *postgres) url(role, database string) string {
	u := url.URL{
		Scheme:   "postgres",
		User:     url.UserPassword(role, p.passwords[role]),
		Host:     net.JoinHostPort("127.0.0.1", strconv.Itoa(p.port)),
		Path:     database,
		RawQuery: "sslmode=disable",
	}
	return u.String()
}

func (p *postgres) data() string { return p.home.path(Postgres, "data") }

// prepare makes programs, libraries and data directory ready and picks a port.
func (p *postgres) prepare(ctx context.Context) error {
	var err error
	if p.native, err = installPostgres(p.home, p.pack); err != nil {
		return err
	}
	version, err := os.ReadFile(filepath.Join(p.data(), "PG_VERSION"))
	switch major := strings.TrimSpace(string(version)); {
	case errors.Is(err, fs.ErrNotExist):
		if err := p.initialise(ctx); err != nil {
			return err
		}
	case err != nil:
		return fileError(p.data(), err)
	case major != postgresMajor:
		return fmt.Errorf("%s was written by PostgreSQL %s and this program runs %s: name another directory in BITACORA_DATA_DIR and import the log there", p.data(), major, postgresMajor)
	}
	p.port, err = freePort()
	return err
}

// initialise makes the cluster under another name first, so that an interrupted start leaves nothing half made.
func (p *postgres) initialise(ctx context.Context) error {
	draft := p.home.path(Postgres, "data.partial")
	if err := os.RemoveAll(draft); err != nil {
		return fileError(draft, err)
	}
	if err := p.home.privateDir(Postgres, "data.partial"); err != nil {
		return err
	}
	passwordFile := p.home.path(Postgres, "password")
	if err := writeSecret(passwordFile, []byte(p.passwords[superuser])); err != nil {
		return err
	}
	defer os.Remove(passwordFile)
	if err := p.home.own(passwordFile); err != nil {
		return err
	}
	args := []string{"-D", draft, "-U", superuser, "-A", "scram-sha-256", "--pwfile", passwordFile, "-E", "UTF8",
		"--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C", "--data-checksums"}
	if p.volatile {
		args = append(args, "--no-sync")
	}
	out := &output{path: p.home.path(Postgres, "postgres.log")}
	cmd := p.program("initdb", out, syscall.SIGKILL, args...)
	run, err := spawn(cmd)
	if err != nil {
		return startError("PostgreSQL", cmd, err)
	}
	select {
	case <-run.exited:
	case <-ctx.Done():
		run.signal(syscall.SIGKILL)
		<-run.exited
		return fmt.Errorf("make the PostgreSQL cluster: %w", context.Cause(ctx))
	}
	if run.err != nil {
		switch sentence := diskSentence(out.tail(), p.home.path(Postgres)); {
		case sentence != "":
			return errors.New("the PostgreSQL cluster could not be made: " + sentence)
		case strings.Contains(out.tail(), "could not look up effective user ID"):
			return errors.New("PostgreSQL runs only as a user with a name, and the engines' user has no entry in /etc/passwd: start as another user, or " + useServer(Postgres))
		}
		return fmt.Errorf("make the PostgreSQL cluster: %w: %s", run.err, lastLines(out.tail(), 3))
	}
	if err := os.Rename(draft, p.data()); err != nil {
		return fileError(p.data(), err)
	}
	return nil
}

func (p *postgres) program(name string, out *output, death syscall.Signal, args ...string) *exec.Cmd {
	lib := p.home.path(Postgres, "lib")
	cmd := exec.Command(filepath.Join(p.native, "bin", name), args...)
	cmd.Dir = "/"
	// Both directories are needed: a library's own dependencies are not looked for where the program's are.
	cmd.Env = []string{libraryPath + "=" + lib + ":" + filepath.Join(p.native, "lib"), "LC_ALL=C", "TZ=UTC"}
	cmd.Stdout, cmd.Stderr = out, out
	cmd.SysProcAttr = childAttributes(p.home.user, death)
	return cmd
}

func (p *postgres) command(out *output) (*exec.Cmd, error) {
	if err := p.clearPIDFile(); err != nil {
		return nil, err
	}
	settings := []string{
		"listen_addresses=127.0.0.1", "port=" + strconv.Itoa(p.port),
		// A socket's path may not be longer than 107 bytes; a data directory's may.
		"unix_socket_directories=",
		"timezone=UTC", "log_timezone=UTC", "cluster_name=bitacora", "log_checkpoints=off",
		"shared_buffers=128MB", "max_connections=100", "work_mem=8MB", "maintenance_work_mem=64MB",
		// What is kept for a copy elsewhere while its place is away may not fill this disk.
		"max_slot_wal_keep_size=4GB",
	}
	if p.volatile {
		settings = append(settings, "fsync=off", "synchronous_commit=off", "full_page_writes=off", "shared_buffers=32MB",
			"autovacuum=off", "io_method=sync", "max_wal_size=4GB", "checkpoint_timeout=1h")
	}
	args := []string{"-D", p.data()}
	for _, s := range settings {
		args = append(args, "-c", s)
	}
	return p.program("postgres", out, syscall.SIGQUIT, args...), nil
}

// clearPIDFile removes what a killed postmaster left behind: its file, and the backends that did not follow
// it because they hang. Their shared memory would keep every new postmaster out. PostgreSQL itself would take a
// zombie, or another program that was given the same id, for a living postmaster.
func (p *postgres) clearPIDFile() error {
	path := filepath.Join(p.data(), "postmaster.pid")
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fileError(path, err)
	}
	real, err := filepath.EvalSymlinks(p.data())
	if err != nil {
		return fileError(p.data(), err)
	}
	first, _, _ := strings.Cut(string(text), "\n")
	if pid, err := strconv.Atoi(strings.TrimSpace(first)); err == nil && worksIn(pid, real) {
		return permanent{fmt.Errorf("PostgreSQL process %d already works on %s: stop it, or name another directory in BITACORA_DATA_DIR", pid, p.data())}
	}
	if err := endOrphans(real); err != nil {
		return err
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fileError(path, err)
	}
	return nil
}

// endOrphans kills the backends of a postmaster that is gone.
func endOrphans(dir string) error {
	const patience = 5 * time.Second
	for end := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		left := backendsIn(dir)
		if len(left) == 0 {
			return nil
		}
		if time.Now().After(end) {
			return permanent{fmt.Errorf("the processes %v of an earlier PostgreSQL in %s do not end: stop them, or name another directory in BITACORA_DATA_DIR", left, dir)}
		}
		for _, pid := range left {
			_ = syscall.Kill(pid, syscall.SIGKILL) // whether it is gone is looked at
		}
	}
}

func (p *postgres) ready(ctx context.Context) error {
	for {
		conn, err := pgx.Connect(ctx, p.url(superuser, "postgres"))
		if err == nil {
			return conn.Close(ctx)
		}
		if refused := new(pgconn.PgError); errors.As(err, &refused) && refused.Code == "28P01" {
			return permanent{fmt.Errorf("the password in %s is not that of the databases beside it: bring the right file back", p.home.path("secrets.json"))}
		}
		if ctx.Err() != nil {
			return err
		}
		pause(ctx, 15*time.Millisecond)
	}
}

func (p *postgres) createDatabase(ctx context.Context) error {
	conn, err := pgx.Connect(ctx, p.url(superuser, "postgres"))
	if err != nil {
		return fmt.Errorf("connect to the embedded PostgreSQL: %w", err)
	}
	defer conn.Close(ctx)
	var exists bool
	if err := conn.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)", Database).Scan(&exists); err != nil {
		return fmt.Errorf("look for the database: %w", err)
	}
	if !exists {
		if _, err := conn.Exec(ctx, "CREATE DATABASE "+Database); err != nil {
			return fmt.Errorf("create the database: %w", err)
		}
	}
	return nil
}

// freePort finds a port nobody listens on, below the range from which systems take ports for outgoing
// connections, so that it is still free when a killed engine wants it back.
func freePort() (int, error) {
	for range 100 {
		port := 15_000 + rand.IntN(15_000)
		l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
		if err == nil {
			return port, l.Close()
		}
	}
	return 0, errors.New("find a free port on 127.0.0.1: 100 random ones between 15000 and 30000 were taken")
}
