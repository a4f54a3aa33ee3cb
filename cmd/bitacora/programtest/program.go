// Package programtest is the kit of tests of the whole program.
package programtest

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
	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/settings"
)

// Program is a running "bitacora serve" on data of its own, as an operator has it.
type Program struct {
	T       testing.TB
	Dir     string
	Addr    string
	Metrics string
	Environ []string
	// Programs is the directory of another build of them; empty: that of this checkout.
	Programs string
	// Does is the command that it runs; empty: serve.
	Does string
	// NeedsClickHouse says that it is not ready before ClickHouse answers.
	NeedsClickHouse bool
	Running         *exec.Cmd
	ended           chan struct{}
	Output          *bytes.Buffer
}

// Binaries builds the programs, and gives their directory.
var Binaries = sync.OnceValues(func() (dir string, err error) {
	return enginestest.Build("programs", "-tags", "nodynamic", "./cmd/bitacora", "./cmd/chserver")
})

// Main runs the tests of a package, and takes away what they started.
func Main(m *testing.M) { enginestest.Main(m) }

// NewProgram prepares a program on databases of its own within the engines that the tests of this process
// share; nothing of it runs yet.
func NewProgram(t testing.TB, settings ...string) *Program {
	t.Helper()
	p := NewEmbedded(t, append(servers(t), settings...)...)
	p.NeedsClickHouse = true
	p.Environ = append(p.Environ, "BITACORA_KEYS_DIR="+filepath.Join(p.Dir, "data", "keys"))
	return p
}

// servers are databases of engines that go on while the program rests.
func servers(t testing.TB) (settings []string) {
	t.Helper()
	return []string{"BITACORA_DATABASE_URL=" + postgrestest.Database(t), "BITACORA_CLICKHOUSE_URL=" + enginestest.ClickHouse(t)}
}

// NewEmbedded prepares a program with free ports, which starts engines of its own unless more settings name
// others: for what kills engines, looks at their files or is about them. Nothing runs yet.
func NewEmbedded(t testing.TB, more ...string) *Program {
	t.Helper()
	dir, err := os.MkdirTemp("", "bitacora-test-")
	if err != nil {
		t.Fatal(err)
	}
	// Under root the engines run as another user, who has to get in.
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	p := &Program{T: t, Dir: dir, Addr: FreeAddr(t), Metrics: FreeAddr(t), NeedsClickHouse: !slices.ContainsFunc(more, func(v string) bool { return strings.HasPrefix(v, "BITACORA_CLICKHOUSE_URL=") })}
	p.Environ = append(withoutSettings(os.Environ()), settings.ConfigVariable+"="+settings.NoConfig,
		"BITACORA_DATA_DIR="+filepath.Join(dir, "data"), "BITACORA_ADDR="+p.Addr, "BITACORA_METRICS_ADDR="+p.Metrics, "BITACORA_CLICKHOUSE_ADDR="+FreeAddr(t),
		"BITACORA_THROTTLE=off", "BITACORA_LOG_LEVEL=warn",
		// The disk of a busy machine rests for seconds; what that means for visitors is tested by itself.
		"BITACORA_STORE_TIMEOUT=15s")
	p.Environ = append(p.Environ, more...)
	t.Cleanup(func() {
		p.Stop()
		os.RemoveAll(dir)
	})
	return p
}

func withoutSettings(environ []string) []string {
	return slices.DeleteFunc(environ, func(v string) bool { return strings.HasPrefix(v, "BITACORA_") })
}

// givenPorts are the ports that [FreeAddr] gave: tests run side by side.
var givenPorts sync.Map

// FreeAddr is an address below those that the engines take by themselves and the system gives to
// outgoing connections: one of these could have it while a program that was killed comes back.
func FreeAddr(t testing.TB) string {
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

// Start runs the program and waits until it is ready.
func (p *Program) Start() {
	p.T.Helper()
	p.Launch()
	refused := ""
	p.Eventually("the program is ready", time.Minute, func() error {
		select {
		case <-p.ended:
			// A command that somebody runs beside it may have the databases for a moment.
			if !strings.Contains(p.Output.String(), "in use by process") {
				p.T.Fatalf("the program ended: %v\n%s", p.Running.ProcessState, p.Output)
			}
			refused = p.Output.String()
			p.Launch()
		default:
		}
		var said contract.Readiness
		if err := p.Get("/readyz", "", &said); err != nil {
			return fmt.Errorf("%w\n%s%s", err, refused, p.Output)
		}
		// It serves visitors before ClickHouse answers.
		if said.Clickhouse == contract.ReadinessClickhouseUnavailable && p.NeedsClickHouse {
			return errors.New("ClickHouse does not answer yet")
		}
		return nil
	})
}

// Launch starts the program and does not wait for it.
func (p *Program) Launch() {
	p.T.Helper()
	p.Output = new(bytes.Buffer)
	p.Running = p.Command(cmp.Or(p.Does, "serve"))
	p.Running.Stdout, p.Running.Stderr = p.Output, p.Output
	if err := p.Running.Start(); err != nil {
		p.T.Fatal(err)
	}
	p.ended = make(chan struct{})
	go func() {
		p.Running.Wait()
		close(p.ended)
	}()
}

// Rest waits until the program has nothing to do any more after its start.
func (p *Program) Rest() {
	spent := func() int {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.Running.Process.Pid))
		if err != nil {
			p.T.Fatal(err)
		}
		// After the name in parentheses, the 12th and the 13th field, in hundredths of a second.
		fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
		user, _ := strconv.Atoi(fields[11])
		system, _ := strconv.Atoi(fields[12])
		return user + system
	}
	before := spent()
	p.Eventually("the program rests", time.Minute, func() error {
		time.Sleep(time.Second)
		now := spent()
		busy := now - before
		if before = now; busy > 5 {
			return fmt.Errorf("%d ms of processor in a second", 10*busy)
		}
		return nil
	})
}

// Stop ends the program in order.
func (p *Program) Stop() {
	if p.Running == nil {
		return
	}
	p.Running.Process.Signal(syscall.SIGTERM)
	select {
	case <-p.ended:
	case <-time.After(15 * time.Second):
		p.T.Errorf("the program did not stop in 15 s\n%s", p.Output)
		p.Running.Process.Kill()
		<-p.ended
	}
	p.Running = nil
}

// Kill ends one part of the program at once: "serve" with everything, or an engine.
func (p *Program) Kill(part string) {
	p.T.Helper()
	if part == "serve" {
		p.Running.Process.Kill()
		<-p.ended
		return
	}
	if pid := p.Pid(part); pid > 0 {
		syscall.Kill(pid, syscall.SIGKILL)
	}
}

// Pid is the process of an engine; 0 while there is none.
func (p *Program) Pid(engine string) int {
	p.T.Helper()
	record, err := os.ReadFile(filepath.Join(p.Dir, "data", "engines.json"))
	if err != nil {
		p.T.Fatal(err)
	}
	var engines struct {
		Children map[string]struct{ PID int }
	}
	if err := json.Unmarshal(record, &engines); err != nil {
		p.T.Fatal(err)
	}
	return engines.Children[engine].PID
}

// App opens the program's databases beside it, and begins them where it never ran.
func (p *Program) App() *app.App {
	p.T.Helper()
	a, err := app.ConfigureWith(p.Environ)
	if err == nil {
		err = a.Open(context.Background())
	}
	if err != nil {
		p.T.Fatal(err)
	}
	p.T.Cleanup(func() { a.Close() })
	return a
}

// Here gives this process the program's settings, for commands that run in it.
func (p *Program) Here() {
	p.T.Helper()
	for _, v := range p.Environ {
		if name, value, _ := strings.Cut(v, "="); strings.HasPrefix(name, "BITACORA_") {
			p.T.Setenv(name, value)
		}
	}
}

// Made begins the program's data directory, as its first start does, for commands that need one.
func (p *Program) Made() {
	p.T.Helper()
	if err := p.App().Close(); err != nil {
		p.T.Fatal(err)
	}
}

// Run executes a command of the program beside it and gives its output.
func (p *Program) Run(stdin string, args ...string) (string, error) {
	p.T.Helper()
	c := p.Command(args...)
	c.Stdin = strings.NewReader(stdin)
	out, err := c.CombinedOutput()
	return string(out), err
}

// Begin starts a command of the program beside it.
func (p *Program) Begin(args ...string) *exec.Cmd {
	p.T.Helper()
	c := p.Command(args...)
	if err := c.Start(); err != nil {
		p.T.Fatal(err)
	}
	return c
}

// Command is a command of the program, not yet started.
func (p *Program) Command(args ...string) *exec.Cmd {
	p.T.Helper()
	dir := p.Programs
	if dir == "" {
		var err error
		if dir, err = Binaries(); err != nil {
			p.T.Fatal(err)
		}
	}
	c := exec.Command(filepath.Join(dir, "bitacora"), args...)
	c.Env, c.Dir = p.Environ, projectFolder // above which the engines' packages are found
	return c
}

// projectFolder is where go.mod lies, above the folder that the tests begin in.
var projectFolder = func() string {
	dir, err := os.Getwd()
	for err == nil && dir != "/" {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		dir = filepath.Dir(dir)
	}
	panic("programtest: no go.mod above")
}()

// HTTPClient sends the requests of the tests.
var HTTPClient = &http.Client{Timeout: 20 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 64}}

// Get asks for a path; answers but 200 are errors.
func (p *Program) Get(path, cookie string, into any) error {
	request, err := http.NewRequest(http.MethodGet, "http://"+p.Addr+path, nil)
	if err != nil {
		return err
	}
	return p.Do(request, cookie, into)
}

// Post sends a JSON body; answers but 200 are errors.
func (p *Program) Post(path string, body, into any) error {
	sent, err := json.Marshal(body)
	if err != nil {
		return err
	}
	request, err := http.NewRequest(http.MethodPost, "http://"+p.Addr+path, bytes.NewReader(sent))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	return p.Do(request, "", into)
}

// Do sends a request; answers but 200 are errors.
func (p *Program) Do(request *http.Request, cookie string, into any) error {
	if cookie != "" {
		request.Header.Set("Cookie", cookie)
	}
	answer, err := HTTPClient.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	said, err := io.ReadAll(answer.Body)
	if err != nil {
		return err
	}
	if answer.StatusCode != http.StatusOK {
		return &Refusal{answer.StatusCode, string(said)}
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

// Refusal is an answer other than 200.
type Refusal struct {
	Status int
	Said   string
}

func (r *Refusal) Error() string { return fmt.Sprintf("%d: %s", r.Status, r.Said) }

// SignIn adds an account and gives the cookie of its session.
func (p *Program) SignIn() (cookie string) {
	p.T.Helper()
	if out, err := p.Run(StaffSecret, "staff", "add", StaffEmail, "--password-stdin"); err != nil {
		p.T.Fatalf("add staff: %v\n%s", err, out)
	}
	return p.SignInAgain()
}

// SignInAgain gives the cookie of a session of the account that [Program.SignIn] added.
func (p *Program) SignInAgain() (cookie string) {
	p.T.Helper()
	var header http.Header
	if err := p.Post("/api/auth/login", map[string]string{"username": StaffEmail, "password": StaffSecret}, &header); err != nil {
		p.T.Fatal(err)
	}
	cookie, _, _ = strings.Cut(header.Get("Set-Cookie"), ";")
	return cookie
}

// Eventually tries until it works.
func (p *Program) Eventually(what string, within time.Duration, try func() error) {
	p.T.Helper()
	err := errors.New("never tried")
	for began := time.Now(); time.Since(began) < within; time.Sleep(max(20*time.Millisecond, min(200*time.Millisecond, time.Since(began)/20))) {
		if err = try(); err == nil {
			return
		}
	}
	p.T.Fatalf("%s: not within %v: %v\n%s", what, within, err, p.Output)
}

const (
	StaffEmail, StaffSecret = "ana@clinica.example", "una frase bastante larga"
	WebhookSecret           = "un secreto de al menos treinta y dos"
	// AnswerTime is how long somebody waits for one answer, AnsweredWithin how long they try again.
	AnswerTime     = 20 * time.Second
	AnsweredWithin = 2 * time.Minute
)

// MustRun runs a command that has to succeed.
func (p *Program) MustRun(args ...string) string {
	p.T.Helper()
	out, err := p.Run("", args...)
	if err != nil {
		p.T.Fatalf("bitacora %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

// ExitCode is how a command ended; 0 without an error.
func ExitCode(err error) int {
	var ended *exec.ExitError
	if errors.As(err, &ended) {
		return ended.ExitCode()
	}
	return 0
}
