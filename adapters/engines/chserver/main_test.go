package chserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"bitacora/adapters/clickhouse/access"
)

const (
	appPassword     = "app's secret"
	analystPassword = "analyst's secret"
	nobody          = 65534
)

var passwords = map[string]string{access.App: appPassword, access.Analyst: analystPassword}

// The program under test, and one running instance for the tests that leave it
// running.
var (
	program string
	shared  *process
)

func TestMain(m *testing.M) {
	if arguments := os.Getenv("CHSERVER_TEST_PARENT"); arguments != "" {
		parent(strings.Split(arguments, "\n"))
	}
	os.Exit(testMain(m))
}

func testMain(m *testing.M) int {
	dir, err := os.MkdirTemp("", "chserver-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	program = filepath.Join(dir, "chserver")
	build := exec.Command("go", "build", "-o", program, "bitacora/cmd/chserver")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "build: %v\n%s", err, out)
		return 1
	}
	data := filepath.Join(dir, "data")
	if err := makeDataDirectory(data); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	shared, err = startProcess(data)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer shared.end()
	return m.Run()
}

// long leaves a test to "npm run test:long".
func long(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("npm run test:long runs it")
	}
}

// makeDataDirectory makes a directory that the unprivileged server can enter.
func makeDataDirectory(path string) error {
	if err := os.MkdirAll(path, 0o700); err != nil {
		return err
	}
	if os.Getuid() != 0 {
		return nil
	}
	for parent := filepath.Dir(path); parent != filepath.Clean(os.TempDir()) && parent != "/"; parent = filepath.Dir(parent) {
		if err := os.Chmod(parent, 0o711); err != nil {
			return err
		}
	}
	return os.Chown(path, nobody, nobody)
}

// dataDirectory is a fresh one for a test's own server.
func dataDirectory(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "data")
	if err := makeDataDirectory(path); err != nil {
		t.Fatal(err)
	}
	return path
}

// libraryFile finds libchdb.so in the node_modules above.
func libraryFile() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		path := filepath.Join(dir, "node_modules", "@chdb", "lib-linux-x64-gnu", "libchdb.so")
		if _, err := os.Stat(path); err == nil {
			return path, nil
		}
		if dir == filepath.Dir(dir) {
			return "", fmt.Errorf("no node_modules with libchdb.so above the working directory: run npm ci")
		}
		dir = filepath.Dir(dir)
	}
}

// process is a running server.
type process struct {
	command *exec.Cmd
	data    string
	address string
	life    io.Closer // the server's standard input
	log     *lockedBuffer
	ended   chan struct{}
	err     error // of its exit, once ended is closed
}

// arguments are those of a server at a free address.
func arguments(data string) ([]string, error) {
	library, err := libraryFile()
	if err != nil {
		return nil, err
	}
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	list := []string{"--library", library, "--data", data, "--listen", fmt.Sprintf("127.0.0.1:%d", port), "--max-memory", "1500000000", "--zone", "America/Panama"}
	if os.Getuid() == 0 {
		list = append(list, "--uid", fmt.Sprint(nobody), "--gid", fmt.Sprint(nobody))
	}
	return list, nil
}

// startProcess starts a server and waits until it answers. Later arguments win over the
// usual ones.
func startProcess(data string, more ...string) (*process, error) {
	list, err := arguments(data)
	if err != nil {
		return nil, err
	}
	p, err := startArguments(append(list, more...), passwords)
	if p != nil {
		p.data = data
	}
	return p, err
}

func startArguments(list []string, passwords map[string]string) (*process, error) {
	p := &process{command: exec.Command(program, list...), log: &lockedBuffer{}, ended: make(chan struct{})}
	p.address = list[slices.Index(list, "--listen")+1]
	p.command.Env = []string{"PATH=" + os.Getenv("PATH")}
	p.command.Stderr = p.log
	life, err := p.command.StdinPipe()
	if err != nil {
		return nil, err
	}
	p.life = life
	if err := json.NewEncoder(life).Encode(passwords); err != nil {
		return nil, err
	}
	if err := p.command.Start(); err != nil {
		return nil, err
	}
	go func() {
		p.err = p.command.Wait()
		close(p.ended)
	}()
	for {
		select {
		case <-p.ended:
			return p, fmt.Errorf("server ended: %v: %s", p.err, p.log)
		case <-time.After(10 * time.Millisecond):
		}
		answer, err := http.Get("http://" + p.address + "/ping")
		if err == nil {
			answer.Body.Close()
			return p, nil
		}
	}
}

// serveData starts a server of the test's own.
func serveData(t *testing.T, data string, more ...string) *process {
	t.Helper()
	p, err := startProcess(data, more...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.end)
	return p
}

// end stops the server if it still runs.
func (p *process) end() {
	_ = p.life.Close()
	select {
	case <-p.ended:
	case <-time.After(15 * time.Second):
		_ = p.command.Process.Kill()
		<-p.ended
	}
}

type lockedBuffer struct {
	mutex sync.Mutex
	bytes bytes.Buffer
}

func (b *lockedBuffer) Write(data []byte) (int, error) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.bytes.Write(data)
}

func (b *lockedBuffer) String() string {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.bytes.String()
}

// answer is an HTTP response, read to its end.
type answer struct {
	status int
	header http.Header
	body   string
	err    error // of reading the body
}

func (a answer) code() string { return a.header.Get("X-ClickHouse-Exception-Code") }

// post sends a request as curl would. Options are pairs of query parameters.
func (p *process) post(t *testing.T, user, body string, options ...string) answer {
	t.Helper()
	return p.request(t, http.MethodPost, user, strings.NewReader(body), nil, options...)
}

func (p *process) request(t *testing.T, method, user string, body io.Reader, header http.Header, options ...string) answer {
	t.Helper()
	query := url.Values{}
	for i := 0; i < len(options); i += 2 {
		query.Set(options[i], options[i+1])
	}
	r, err := http.NewRequest(method, "http://"+p.address+"/?"+query.Encode(), body)
	if err != nil {
		t.Fatal(err)
	}
	for name, values := range header {
		r.Header[name] = values
	}
	r.SetBasicAuth(user, passwords[user])
	response, err := (&http.Transport{DisableCompression: true, DisableKeepAlives: true}).RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	return answer{response.StatusCode, response.Header, string(text), err}
}

// must runs statements as app and fails the test if one fails.
func (p *process) must(t *testing.T, statements ...string) string {
	t.Helper()
	var last string
	for _, sql := range statements {
		a := p.post(t, access.App, sql)
		if a.status != http.StatusOK {
			t.Fatalf("%s: %d %s", sql, a.status, a.body)
		}
		last = a.body
	}
	return strings.TrimSuffix(last, "\n")
}
