package chserver

import (
	"crypto/rand"
	"embed"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"text/template"
	"time"

	"github.com/ebitengine/purego"
	"golang.org/x/sys/unix"

	"bitacora/adapters/clickhouse/access"
	"bitacora/domain/fault"
)

//go:embed config.xml
var configFile string

var configTemplate = template.Must(template.New("config.xml").Parse(configFile))

// secretHeader carries the secret without which the engine answers no request. It begins as it
// does because no query reads such headers, whatever settings it brings: others can be read
// with getClientHTTPHeader.
const secretHeader = "X-ClickHouse-Front-Secret"

// closedFunctions replace the engine's own of the same names, which reach every file of the data
// directory, with the tables that their caller may not read, and ask for no grant.
//
//go:embed user_defined
var closedFunctions embed.FS

// engine is ClickHouse's server on a port of its own.
type engine struct {
	Options
	secret string
	config *os.File // in memory, until hide
	input  *os.File // leads to the engine's standard input: it runs until this is closed
}

// newEngine writes the configuration, with the secret and the hashes of the passwords, where
// no file system has it.
func newEngine(o Options, passwords map[string]string) (*engine, error) {
	users, err := access.UsersFile(passwords, o.Database, o.limits())
	if err != nil {
		return nil, err
	}
	functions := filepath.Join(o.engineDir(), "user_defined")
	// What was declared of the workload is made anew by [engine.run].
	if err := errors.Join(os.RemoveAll(filepath.Join(o.engineDir(), "workload")), os.RemoveAll(functions), os.Mkdir(functions, 0o700), os.CopyFS(o.engineDir(), closedFunctions)); err != nil {
		return nil, fmt.Errorf("close functions: %w", err)
	}
	fd, err := unix.MemfdCreate("config.xml", unix.MFD_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("make room for the configuration: %w", err)
	}
	e := &engine{Options: o, secret: rand.Text(), config: os.NewFile(uintptr(fd), "config.xml")}
	if err := configTemplate.Execute(e.config, map[string]any{
		"self": descriptor(fd), "header": secretHeader, "secret": e.secret, "pages": pages, "path": o.engineDir(), "port": o.EnginePort,
		"memory": o.MaxMemory, "cache": o.MaxMemory / 16, "users": users,
		"cluster": o.Cluster, "user": access.App, "password": passwords[access.App],
	}); err != nil {
		return nil, fmt.Errorf("write configuration: %w", err)
	}
	input := os.Pipe
	if o.Cluster.Name != "" {
		input = Terminal
	}
	var stdin *os.File
	if stdin, e.input, err = input(); err != nil {
		return nil, fmt.Errorf("make a standard input: %w", err)
	}
	defer stdin.Close()
	err = unix.Dup2(int(stdin.Fd()), 0)
	return e, fault.Wrap(err, "take a standard input")
}

func (o Options) limits() access.Limits {
	return access.Limits{Memory: o.MaxMemory, Zone: o.Zone, Processors: runtime.GOMAXPROCS(0)}
}

// run starts the engine and returns when it has ended. What made it end it says on standard error.
func (e *engine) run() error {
	listen, as := "SYSTEM START LISTEN HTTP;", "--multiquery"
	if e.Cluster.Name != "" {
		// HTTP comes last, as it is there that the engine is asked whether it is ready.
		listen, as = "SYSTEM START LISTEN TCP;"+listen, "--interactive"
	}
	return Execute(e.Library, "--config-file="+descriptor(int(e.config.Fd())), as, "--query",
		"CREATE DATABASE IF NOT EXISTS `"+strings.NewReplacer(`\`, `\\`, "`", "\\`").Replace(e.Database)+"`;"+
			strings.Join(e.limits().Workloads(), ";")+";"+
			listen+
			"SELECT count() FROM file('-', LineAsString) FORMAT Null")
}

// Execute runs the ClickHouse of a library with arguments, until it ends.
func Execute(library string, arguments ...string) error {
	loaded, err := purego.Dlopen(library, purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		return fmt.Errorf("load library: %w", err)
	}
	symbol, err := purego.Dlsym(loaded, "chdb_query_cmdline")
	if err != nil {
		return fmt.Errorf("load library: %w", err)
	}
	var cmdline func(argc int32, argv **byte) uintptr
	purego.RegisterFunc(&cmdline, symbol)
	argv, err := syscall.SlicePtrFromStrings(append([]string{"clickhouse"}, arguments...))
	if err != nil {
		return fmt.Errorf("name the database: %w", err)
	}
	cmdline(int32(len(argv)-1), &argv[0])
	runtime.KeepAlive(argv)
	return nil
}

// wait returns when the engine answers and has begun all that it does until its end.
func (e *engine) wait() {
	// The engine's end would wait for a connection that is kept.
	ping := &http.Request{URL: &url.URL{Scheme: "http", Host: e.engineAddress(), Path: "/ping"}, Header: http.Header{}, Close: true}
	ping.Header.Set(secretHeader, e.secret)
	for {
		response, err := http.DefaultClient.Do(ping)
		if err == nil {
			response.Body.Close()
			if response.StatusCode == http.StatusOK {
				break
			}
		}
		time.Sleep(10 * time.Millisecond)
	}
	// The last statement, which opens pipes too, runs when it has read something.
	_, _ = e.input.WriteString("\n")
	for {
		left, err := unix.IoctlGetInt(0, unix.TIOCINQ)
		if err != nil || left == 0 {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// hide keeps from the function file(), which reads what the process has open, the
// configuration, which the engine has read by the time it answers, and the pipes, of which a
// question would wait for ever, or take what is another's.
func (e *engine) hide() error {
	if err := e.config.Close(); err != nil {
		return fmt.Errorf("close configuration: %w", err)
	}
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return fmt.Errorf("list open files: %w", err)
	}
	for _, entry := range entries {
		fd, err := strconv.Atoi(entry.Name())
		if err != nil {
			return fmt.Errorf("list open files: %w", err)
		}
		var info unix.Stat_t
		if unix.Fstat(fd, &info) != nil || info.Mode&unix.S_IFMT != unix.S_IFIFO || int(info.Uid) != os.Getuid() {
			continue
		}
		if err := unix.Fchmod(fd, 0); err != nil {
			return fmt.Errorf("close pipe to others: %w", err)
		}
	}
	return nil
}

func descriptor(fd int) string { return fmt.Sprintf("/proc/self/fd/%d", fd) }
