package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"bitacora/adapters/engines/enginestest"
	"bitacora/adapters/httpapi/contract"
	"bitacora/adapters/postgres/postgrestest"
)

// program is a running "bitacora serve" on data of its own, as an operator has it.
type program struct {
	t       testing.TB
	dir     string
	addr    string
	metrics string
	environ []string
	// programs is the directory of another build of them; empty: that of this checkout.
	programs string
	// does is the command that it runs; empty: serve.
	does string
	// needsClickHouse says that it is not ready before ClickHouse answers.
	needsClickHouse bool
	running         *exec.Cmd
	ended           chan struct{}
	output          *bytes.Buffer
}

// built is where the programs of these tests are; empty until a test needs them.
var built string

// binaries builds the programs once for all tests of this process.
var binaries = sync.OnceValues(func() (dir string, err error) {
	if built, err = os.MkdirTemp("", "bitacora-bin-"); err != nil {
		return "", err
	}
	if err := os.Chmod(built, 0o755); err != nil {
		return "", err
	}
	build := exec.Command("go", "build", "-tags", "nodynamic", "-o", built+"/", "bitacora/cmd/bitacora", "bitacora/cmd/chserver")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build programs: %w\n%s", err, out)
	}
	return built, nil
})

func TestMain(m *testing.M) {
	enginestest.Main(m)
	if built != "" {
		os.RemoveAll(built)
	}
}

// newProgram prepares a program on databases of its own within the engines that the tests of this process
// share; nothing of it runs yet.
func newProgram(t testing.TB, settings ...string) *program {
	t.Helper()
	p := newEmbedded(t, append(servers(t), settings...)...)
	p.needsClickHouse = true
	p.environ = append(p.environ, "BITACORA_KEYS_DIR="+filepath.Join(p.dir, "data", "keys"))
	return p
}

// servers are databases of engines that go on while the program rests.
func servers(t testing.TB) (settings []string) {
	t.Helper()
	return []string{"BITACORA_DATABASE_URL=" + postgrestest.Database(t), "BITACORA_CLICKHOUSE_URL=" + enginestest.ClickHouse(t)}
}

// newEmbedded prepares a program with free ports, which starts engines of its own unless settings name
// others: for what kills engines, looks at their files or is about them. Nothing runs yet.
func newEmbedded(t testing.TB, settings ...string) *program {
	t.Helper()
	dir, err := os.MkdirTemp("", "bitacora-test-")
	if err != nil {
		t.Fatal(err)
	}
	// Under root the engines run as another user, who has to get in.
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	p := &program{t: t, dir: dir, addr: freeAddr(t), metrics: freeAddr(t), needsClickHouse: !slices.ContainsFunc(settings, func(v string) bool { return strings.HasPrefix(v, "BITACORA_CLICKHOUSE_URL=") })}
	p.environ = append(withoutSettings(os.Environ()), configVariable+"="+noConfig,
		"BITACORA_DATA_DIR="+filepath.Join(dir, "data"), "BITACORA_ADDR="+p.addr, "BITACORA_METRICS_ADDR="+p.metrics, "BITACORA_CLICKHOUSE_ADDR="+freeAddr(t),
		"BITACORA_THROTTLE=off", "BITACORA_LOG_LEVEL=warn",
		// The disk of a busy machine rests for seconds; what that means for visitors is tested by itself.
		"BITACORA_STORE_TIMEOUT=15s")
	p.environ = append(p.environ, settings...)
	t.Cleanup(func() {
		p.stop()
		os.RemoveAll(dir)
	})
	return p
}

// clinicSetting has a program work for the clinic of a file.
func clinicSetting(t testing.TB, text string) (setting string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "clinic.json")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return "BITACORA_CLINIC_FILE=" + file
}

// withForm is the file of a clinic that has a scheduling form.
const withForm = `{"links": {"booking": "https://reservas.clinica.test/"}}`

func withoutSettings(environ []string) []string {
	return slices.DeleteFunc(environ, func(v string) bool { return strings.HasPrefix(v, "BITACORA_") })
}

// givenPorts are the ports that [freeAddr] gave: tests run side by side.
var givenPorts sync.Map

// freeAddr is an address below those that the engines take by themselves and the system gives to
// outgoing connections: one of these could have it while a program that was killed comes back.
func freeAddr(t testing.TB) string {
	t.Helper()
	for range 1000 {
		port := 10_000 + rand.IntN(5_000)
		if _, taken := givenPorts.LoadOrStore(port, true); taken {
			continue
		}
		l, err := net.Listen("tcp", fmt.Sprint("127.0.0.1:", port))
		if err == nil {
			defer l.Close()
			return l.Addr().String()
		}
	}
	t.Fatal("no port is free")
	return ""
}

// start runs the program and waits until it is ready.
func (p *program) start() {
	p.t.Helper()
	p.launch()
	refused := ""
	p.eventually("the program is ready", time.Minute, func() error {
		select {
		case <-p.ended:
			// A command that somebody runs beside it may have the databases for a moment.
			if !strings.Contains(p.output.String(), "in use by process") {
				p.t.Fatalf("the program ended: %v\n%s", p.running.ProcessState, p.output)
			}
			refused = p.output.String()
			p.launch()
		default:
		}
		var said contract.Readiness
		if err := p.get("/readyz", "", &said); err != nil {
			return fmt.Errorf("%w\n%s%s", err, refused, p.output)
		}
		// It serves visitors before ClickHouse answers.
		if said.Clickhouse == contract.ReadinessClickhouseUnavailable && p.needsClickHouse {
			return errors.New("ClickHouse does not answer yet")
		}
		return nil
	})
}

func (p *program) launch() {
	p.t.Helper()
	p.output = new(bytes.Buffer)
	p.running = p.command(cmp.Or(p.does, "serve"))
	p.running.Stdout, p.running.Stderr = p.output, p.output
	if err := p.running.Start(); err != nil {
		p.t.Fatal(err)
	}
	p.ended = make(chan struct{})
	go func() {
		p.running.Wait()
		close(p.ended)
	}()
}

// rest waits until the program has nothing to do any more after its start.
func (p *program) rest() {
	spent := func() int {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.running.Process.Pid))
		if err != nil {
			p.t.Fatal(err)
		}
		// After the name in parentheses, the 12th and the 13th field, in hundredths of a second.
		fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
		user, _ := strconv.Atoi(fields[11])
		system, _ := strconv.Atoi(fields[12])
		return user + system
	}
	before := spent()
	p.eventually("the program rests", time.Minute, func() error {
		time.Sleep(time.Second)
		now := spent()
		busy := now - before
		if before = now; busy > 5 {
			return fmt.Errorf("%d ms of processor in a second", 10*busy)
		}
		return nil
	})
}

// stop ends the program in order.
func (p *program) stop() {
	if p.running == nil {
		return
	}
	p.running.Process.Signal(syscall.SIGTERM)
	select {
	case <-p.ended:
	case <-time.After(15 * time.Second):
		p.t.Errorf("the program did not stop in 15 s\n%s", p.output)
		p.running.Process.Kill()
		<-p.ended
	}
	p.running = nil
}

// kill ends one part of the program at once: "serve" with everything, or an engine.
func (p *program) kill(part string) {
	p.t.Helper()
	if part == "serve" {
		p.running.Process.Kill()
		<-p.ended
		return
	}
	if pid := p.pid(part); pid > 0 {
		syscall.Kill(pid, syscall.SIGKILL)
	}
}

// pid is the process of an engine; 0 while there is none.
func (p *program) pid(engine string) int {
	p.t.Helper()
	record, err := os.ReadFile(filepath.Join(p.dir, "data", "engines.json"))
	if err != nil {
		p.t.Fatal(err)
	}
	var engines struct {
		Children map[string]struct{ PID int }
	}
	if err := json.Unmarshal(record, &engines); err != nil {
		p.t.Fatal(err)
	}
	return engines.Children[engine].PID
}

// app opens the program's databases beside it, and begins them where it never ran.
func (p *program) app() *app {
	p.t.Helper()
	a, err := configureWith(p.environ)
	if err == nil {
		err = a.open(context.Background())
	}
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { a.close() })
	return a
}

// here gives this process the program's settings, for commands that run in it.
func (p *program) here() {
	p.t.Helper()
	for _, v := range p.environ {
		if name, value, _ := strings.Cut(v, "="); strings.HasPrefix(name, "BITACORA_") {
			p.t.Setenv(name, value)
		}
	}
}

// made begins the program's data directory, as its first start does, for commands that need one.
func (p *program) made() {
	p.t.Helper()
	if err := p.app().close(); err != nil {
		p.t.Fatal(err)
	}
}

// run executes a command of the program beside it and gives its output.
func (p *program) run(stdin string, args ...string) (string, error) {
	p.t.Helper()
	c := p.command(args...)
	c.Stdin = strings.NewReader(stdin)
	out, err := c.CombinedOutput()
	return string(out), err
}

// begin starts a command of the program beside it.
func (p *program) begin(args ...string) *exec.Cmd {
	p.t.Helper()
	c := p.command(args...)
	if err := c.Start(); err != nil {
		p.t.Fatal(err)
	}
	return c
}

// command is a command of the program, not yet started.
func (p *program) command(args ...string) *exec.Cmd {
	p.t.Helper()
	dir := p.programs
	if dir == "" {
		var err error
		if dir, err = binaries(); err != nil {
			p.t.Fatal(err)
		}
	}
	c := exec.Command(filepath.Join(dir, "bitacora"), args...)
	c.Env, c.Dir = p.environ, "../.." // above which the engines' packages are found
	return c
}

var httpClient = &http.Client{Timeout: 20 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 64}}

// get asks for a path; answers but 200 are errors.
func (p *program) get(path, cookie string, into any) error {
	request, err := http.NewRequest(http.MethodGet, "http://"+p.addr+path, nil)
	if err != nil {
		return err
	}
	return p.do(request, cookie, into)
}

// post sends a JSON body; answers but 200 are errors.
func (p *program) post(path string, body, into any) error {
	sent, err := json.Marshal(body)
	if err != nil {
		return err
	}
	request, err := http.NewRequest(http.MethodPost, "http://"+p.addr+path, bytes.NewReader(sent))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	return p.do(request, "", into)
}

func (p *program) do(request *http.Request, cookie string, into any) error {
	if cookie != "" {
		request.Header.Set("Cookie", cookie)
	}
	answer, err := httpClient.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	said, err := io.ReadAll(answer.Body)
	if err != nil {
		return err
	}
	if answer.StatusCode != http.StatusOK {
		return &refusal{answer.StatusCode, string(said)}
	}
	if keep, ok := into.(*http.Header); ok {
		*keep = answer.Header
		return nil
	}
	if text, ok := into.(*string); ok {
		*text = string(said)
		return nil
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(said, into)
}

// refusal is an answer other than 200.
type refusal struct {
	status int
	said   string
}

func (r *refusal) Error() string { return fmt.Sprintf("%d: %s", r.status, r.said) }

// signIn adds an account and gives the cookie of its session.
func (p *program) signIn() (cookie string) {
	p.t.Helper()
	if out, err := p.run(staffSecret, "staff", "add", staffEmail, "--password-stdin"); err != nil {
		p.t.Fatalf("add staff: %v\n%s", err, out)
	}
	return p.signInAgain()
}

// signInAgain gives the cookie of a session of the account that [program.signIn] added.
func (p *program) signInAgain() (cookie string) {
	p.t.Helper()
	var header http.Header
	if err := p.post("/api/auth/login", map[string]string{"username": staffEmail, "password": staffSecret}, &header); err != nil {
		p.t.Fatal(err)
	}
	cookie, _, _ = strings.Cut(header.Get("Set-Cookie"), ";")
	return cookie
}

// eventually tries until it works.
func (p *program) eventually(what string, within time.Duration, try func() error) {
	p.t.Helper()
	err := errors.New("never tried")
	for began := time.Now(); time.Since(began) < within; time.Sleep(20 * time.Millisecond) {
		if err = try(); err == nil {
			return
		}
	}
	p.t.Fatalf("%s: not within %v: %v\n%s", what, within, err, p.output)
}
