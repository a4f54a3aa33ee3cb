package chserver

import (
	"bitacora/adapters/clickhouse/access"
	"bitacora/adapters/engines/confine"
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// marker is in everything that an analyst may not read, and in no question of one.
const marker = "s3cr3t"

// target is a server with something to keep from its analyst.
type target struct {
	*process
	client *http.Client
	words  *strings.Replacer // what the words of an attack stand for
	calls  atomic.Int64      // connections to HOST

	inside, part, outside string
}

// newTarget keeps a secret beside the data, in the data, in tables that no view shows, in the
// environment of another process, and listens for who calls.
func newTarget(t *testing.T) *target {
	t.Helper()
	data := dataDirectory(t)
	g := &target{process: serveData(t, data)}
	g.client = &http.Client{
		Transport: &http.Transport{MaxIdleConnsPerHost: 64, DisableCompression: true},
		Timeout:   2 * time.Minute,
	}
	t.Cleanup(g.client.CloseIdleConnections)
	g.must(t,
		"CREATE DATABASE build",
		"CREATE TABLE build.hidden (n UInt64, s String) ENGINE = MergeTree ORDER BY n",
		"INSERT INTO build.hidden VALUES (1, '"+marker+" of the hidden table')",
		"CREATE TABLE build.shown (n UInt64, s String) ENGINE = MergeTree ORDER BY n",
		"INSERT INTO build.shown VALUES (1, '"+marker+" of the hidden column'), (2, 'x'), (3, '"+marker+" of the hidden row')",
		"CREATE VIEW bitacora.shown DEFINER = CURRENT_USER SQL SECURITY DEFINER AS SELECT n FROM build.shown WHERE n < 3",
		"CREATE VIEW bitacora.distinct DEFINER = CURRENT_USER SQL SECURITY DEFINER AS SELECT toString(count(DISTINCT s)) AS s FROM build.shown",
		"CREATE VIEW bitacora.asked DEFINER = CURRENT_USER SQL SECURITY DEFINER AS SELECT n FROM build.shown WHERE n >= {low:UInt64} AND n < 3",
		"CREATE TABLE build.broken (n UInt64, s String) ENGINE = MergeTree ORDER BY n",
		"CREATE VIEW bitacora.broken DEFINER = CURRENT_USER SQL SECURITY DEFINER AS SELECT n FROM build.broken",
		"DROP TABLE build.broken",
	)
	g.part = g.must(t, "SELECT path FROM system.parts WHERE table = 'hidden' AND active") + "data.bin"
	g.inside, g.outside = filepath.Join(data, "inside.txt"), filepath.Join(filepath.Dir(data), "outside.txt")
	for _, path := range []string{g.inside, g.outside} {
		if err := os.WriteFile(path, []byte(marker+" of a file\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			g.calls.Add(1)
			_ = connection.Close()
		}
	}()
	g.words = strings.NewReplacer("FRESH", filepath.Join(data, "fresh"), "INSIDE", g.inside, "OUTSIDE", g.outside, "PART", g.part, "HOST", listener.Addr().String(),
		"NEIGHBOUR", fmt.Sprintf("/proc/%d/environ", neighbour(t, g.outside)))
	// What is looked for can be found: its owner reads it.
	for sql, want := range map[string]string{
		"SELECT s FROM build.hidden": marker, "SELECT * FROM file('" + g.inside + "', RawBLOB, 's String')": marker,
		"SELECT * FROM file('" + g.part + "', RawBLOB, 's String')": marker,
	} {
		if got := g.must(t, sql); !strings.Contains(got, want) {
			t.Fatalf("%s: %q", sql, got)
		}
	}
	return g
}

// neighbour is a process of the server's user that has the marker in its environment and the file
// open, in whose directory it works.
func neighbour(t *testing.T, file string) int {
	t.Helper()
	open, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer open.Close()
	c := exec.Command("sleep", "600")
	c.Env, c.Dir, c.ExtraFiles = []string{"SECRET=" + marker}, filepath.Dir(file), []*os.File{open}
	if os.Getuid() == 0 {
		c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Process.Kill()
		_ = c.Wait()
	})
	return c.Process.Pid
}

// ask sends a statement over a connection that is kept. Options are pairs of query parameters.
func (g *target) ask(t *testing.T, user, sql string, options ...string) answer {
	query := url.Values{}
	for i := 0; i < len(options); i += 2 {
		query.Set(options[i], options[i+1])
	}
	r, err := http.NewRequest(http.MethodPost, "http://"+g.address+"/?"+query.Encode(), strings.NewReader(g.words.Replace(sql)))
	if err != nil {
		t.Error(err)
		return answer{}
	}
	r.SetBasicAuth(user, passwords[user])
	response, err := g.client.Do(r)
	if err != nil {
		t.Errorf("%.200s: %v", sql, err)
		return answer{}
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return answer{response.StatusCode, response.Header, string(body), err}
}

// found is what of the secrets is in an answer.
var found = regexp.MustCompile(strings.Join([]string{
	marker, "root:x:", hash(appPassword), hash(analystPassword), appPassword, analystPassword,
	`\b[A-Z2-7]{26}\b`, // what the front shows the engine
}, "|"))

func hash(password string) string {
	sum := sha256.Sum256([]byte(password))
	return hex.EncodeToString(sum[:])
}

// attack asks as the analyst and looks for secrets in all that comes back.
func (g *target) attack(t *testing.T, sql string, options ...string) answer {
	a := g.ask(t, access.Analyst, sql, options...)
	if secret := found.FindString(fmt.Sprint(a.header) + a.body); secret != "" {
		t.Errorf("%s %q showed %s: %.300q", g.words.Replace(sql), options, secret, a.body)
	}
	return a
}

// attacks asks many questions at once.
func (g *target) attacks(t *testing.T, questions []string) {
	t.Helper()
	// As many as one analyst may ask at once, less one that is just ending.
	inParallel(min(8, 2*runtime.NumCPU()), questions, func(sql string) { g.attack(t, sql) })
}

// inParallel calls do with every item, in n goroutines.
func inParallel[T any](n int, items []T, do func(T)) {
	next := make(chan T)
	var work sync.WaitGroup
	for range n {
		work.Go(func() {
			for item := range next {
				do(item)
			}
		})
	}
	for _, item := range items {
		next <- item
	}
	close(next)
	work.Wait()
}

// unharmed says that nothing came of the attacks: no call, no file, no other process.
func (g *target) unharmed(t *testing.T, before map[string]string) {
	t.Helper()
	if calls := g.calls.Load(); calls > 0 {
		t.Errorf("%d connections went out", calls)
	}
	now := g.files(t)
	for path, content := range now {
		if was, there := before[path]; !there || was != content {
			t.Errorf("written: %s", path)
		}
	}
	for path := range before {
		if _, there := now[path]; !there {
			t.Errorf("removed: %s", path)
		}
	}
	g.answersPromptly(t)
}

func (g *target) answersPromptly(t *testing.T) {
	t.Helper()
	select {
	case <-g.ended:
		t.Fatalf("the server ended: %v: %s", g.err, g.log)
	default:
	}
	began := time.Now()
	if got := g.must(t, "SELECT count() FROM build.hidden"); got != "1" {
		t.Errorf("the hidden table has %s rows", got)
	}
	if took := time.Since(began); took > 20*time.Second {
		t.Errorf("the app waited %s", took)
	}
}

// files are those of the data directory and around it, with a sum of what is in them.
func (g *target) files(t *testing.T) map[string]string {
	t.Helper()
	sums := map[string]string{}
	err := filepath.WalkDir(filepath.Dir(g.data), func(path string, entry os.DirEntry, err error) error {
		if errors.Is(err, os.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		content, _ := os.ReadFile(path)
		sums[path] = fmt.Sprintf("%x", sha256.Sum256(content))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return sums
}

func (g *target) lines(t *testing.T, sql string) []string {
	t.Helper()
	return strings.Split(g.must(t, sql), "\n")
}

func requireLandlock(t *testing.T) {
	t.Helper()
	if !confine.Possible() {
		t.Skip("this kernel has no Landlock")
	}
}

// raw sends bytes and gives what comes back for the first request of them.
func (g *target) raw(t *testing.T, text string) answer {
	t.Helper()
	connection, err := net.Dial("tcp", g.address)
	if err != nil {
		return answer{err: err}
	}
	defer connection.Close()
	_ = connection.SetDeadline(time.Now().Add(time.Second))
	if _, err := io.WriteString(connection, text); err != nil {
		return answer{err: err}
	}
	response, err := http.ReadResponse(bufio.NewReader(connection), nil)
	if err != nil {
		return answer{err: err}
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return answer{response.StatusCode, response.Header, string(body), err}
}
