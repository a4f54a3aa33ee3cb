package main

import (
	"crypto/rand"
	"embed"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"text/template"
	"time"

	"github.com/ebitengine/purego"
	"golang.org/x/sys/unix"

	"bitacora/adapters/clickhouse/access"
)

//go:embed config.xml
var configFile string

var configTemplate = template.Must(template.New("config.xml").Parse(configFile))

// gateHeader carries the secret that lets a request of the front's through to the engine. It
// begins as it does because no query reads such headers, whatever settings it brings: others
// can be read with getClientHTTPHeader.
const gateHeader = "X-ClickHouse-Gate"

// The engine takes a name for one of these functions before it takes it for one of its own.
//
//go:embed user_defined
var closedFunctions embed.FS

// engine is ClickHouse's server on a port of its own.
type engine struct {
	library string
	address string
	secret  string
	config  *os.File // in memory, until hide
	// end is of a pipe whose other is standard input: the engine reads until this one is closed.
	end      *os.File
	database string
}

// newEngine writes the configuration, with the secret and the hashes of the passwords, where
// no file system has it.
func newEngine(o options, passwords map[string]string) (*engine, error) {
	users, err := access.UsersFile(passwords, o.database, access.Limits{Memory: o.maxMemory})
	if err != nil {
		return nil, err
	}
	if err := closeFunctions(enginePath(o)); err != nil {
		return nil, fmt.Errorf("close functions: %w", err)
	}
	e := &engine{
		library: o.library, address: fmt.Sprintf("127.0.0.1:%d", o.enginePort), secret: rand.Text(), database: o.database,
	}
	fd, err := unix.MemfdCreate("config.xml", unix.MFD_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("make room for the configuration: %w", err)
	}
	e.config = os.NewFile(uintptr(fd), "config.xml")
	if err := configTemplate.Execute(e.config, map[string]any{
		"self": descriptor(e.config), "gate": gateHeader, "secret": e.secret, "pages": pages, "path": enginePath(o), "port": o.enginePort,
		"memory": o.maxMemory, "cache": o.maxMemory / 16, "backups": o.backups, "users": users,
	}); err != nil {
		return nil, fmt.Errorf("write configuration: %w", err)
	}
	var life *os.File
	if life, e.end, err = os.Pipe(); err != nil {
		return nil, fmt.Errorf("make pipe: %w", err)
	}
	defer life.Close()
	if err := unix.Dup2(int(life.Fd()), 0); err != nil {
		return nil, fmt.Errorf("make pipe the standard input: %w", err)
	}
	return e, nil
}

// closeFunctions closes the functions that reach every file of the data directory, with the
// tables that their caller may not read, and ask for no grant.
func closeFunctions(engine string) error {
	dir := filepath.Join(engine, "user_defined")
	return errors.Join(os.RemoveAll(dir), os.Mkdir(dir, 0o700), os.CopyFS(engine, closedFunctions))
}

// run starts the engine and returns when it has ended. What made it end it says on standard error.
func (e *engine) run() error {
	library, err := purego.Dlopen(e.library, purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		return fmt.Errorf("load library: %w", err)
	}
	symbol, err := purego.Dlsym(library, "chdb_query_cmdline")
	if err != nil {
		return fmt.Errorf("load library: %w", err)
	}
	var cmdline func(argc int32, argv **byte) uintptr
	purego.RegisterFunc(&cmdline, symbol)
	statements := []string{
		"CREATE DATABASE IF NOT EXISTS `" + strings.NewReplacer(`\`, `\\`, "`", "\\`").Replace(e.database) + "`",
		"SYSTEM START LISTEN HTTP",
		"SELECT count() FROM file('-', LineAsString) FORMAT Null",
	}
	var argv []*byte
	for _, argument := range []string{
		"clickhouse", "--config-file=" + descriptor(e.config), "--multiquery", "--query", strings.Join(statements, "; "),
	} {
		argv = append(argv, &append([]byte(argument), 0)[0])
	}
	cmdline(int32(len(argv)), &append(argv, nil)[0])
	runtime.KeepAlive(argv)
	return nil
}

// wait returns when the engine answers and has begun all that it does until its end.
func (e *engine) wait() error {
	ask, err := http.NewRequest(http.MethodGet, "http://"+e.address+"/ping", nil)
	if err != nil {
		return fmt.Errorf("ping the engine: %w", err)
	}
	ask.Header.Set(gateHeader, e.secret)
	for {
		answer, err := http.DefaultClient.Do(ask)
		if err == nil {
			answer.Body.Close()
			if answer.StatusCode == http.StatusOK {
				break
			}
		}
		time.Sleep(10 * time.Millisecond)
	}
	// The last statement, which opens pipes too, runs when it has read something.
	_, _ = e.end.WriteString("\n")
	for {
		left, err := unix.IoctlGetInt(int(e.end.Fd()), unix.TIOCINQ)
		if err != nil || left == 0 {
			return nil
		}
		time.Sleep(time.Millisecond)
	}
}

// hide keeps from the function file(), which reads what the process holds open, the
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

// stop ends the engine's life.
func (e *engine) stop() error { return e.end.Close() }

func descriptor(file *os.File) string { return fmt.Sprintf("/proc/self/fd/%d", file.Fd()) }

func enginePath(o options) string { return filepath.Join(o.data, "engine") }
