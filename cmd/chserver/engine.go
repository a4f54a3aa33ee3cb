package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"
)

// libraryVersion is the only one whose behaviour this program relies on.
const libraryVersion = "26.7.3"

// killInterval is how often a KILL is repeated: one that arrives before its
// query is registered finds nothing and would leave the query running for ever.
const killInterval = 50 * time.Millisecond

// engine is the ClickHouse engine over one data directory. It lives as long as
// its first connection is open.
type engine struct {
	lib  *library
	path string // of the engine's own files
	keep *connection

	displayName, version, timezone string

	settings       map[string]bool // names of all query-level settings
	tableFunctions map[string]bool // in lower case
	formats        map[string]bool // output formats
}

// engineOptions are fixed when the engine starts.
type engineOptions struct {
	path      string
	database  string // created if missing
	backups   string // directory that BACKUP may write to, or empty
	maxMemory uint64 // bytes for the whole engine
}

// startEngine opens the data directory. The library must have been opened and
// its signal handlers turned off before.
func startEngine(lib *library, o engineOptions) (*engine, error) {
	e := &engine{lib: lib, path: o.path}
	arguments := []string{
		fmt.Sprintf("--max_server_memory_usage=%d", o.maxMemory),
		fmt.Sprintf("--mark_cache_size=%d", o.maxMemory/16),
		fmt.Sprintf("--index_mark_cache_size=%d", o.maxMemory/32),
		fmt.Sprintf("--primary_index_cache_size=%d", o.maxMemory/16),
		"--background_pool_size=4",
	}
	if o.backups != "" {
		arguments = append(arguments, "--backups.allowed_path="+o.backups)
	}
	keep, err := e.open(arguments)
	if err != nil {
		return nil, fmt.Errorf("open %s: the engine refused to start", filepath.Dir(o.path))
	}
	e.keep = keep
	if err := e.describe(); err != nil {
		e.close()
		return nil, fmt.Errorf("ask the engine about itself: %w", err)
	}
	if _, err := keep.text("CREATE DATABASE IF NOT EXISTS "+quoteIdentifier(o.database)+" ENGINE = Atomic", "Null"); err != nil {
		e.close()
		return nil, fmt.Errorf("create database: %w", err)
	}
	return e, nil
}

func (e *engine) describe() error {
	self, err := e.keep.text("SELECT displayName(), version(), timezone()", "TSVRaw")
	if err != nil {
		return err
	}
	fields := strings.Split(strings.TrimSuffix(self, "\n"), "\t")
	if len(fields) != 3 {
		return fmt.Errorf("unexpected answer %q", self)
	}
	e.displayName, e.version, e.timezone = fields[0], fields[1], fields[2]
	for _, list := range []struct {
		names *map[string]bool
		sql   string
	}{
		{&e.settings, "SELECT name FROM system.settings"},
		{&e.tableFunctions, "SELECT lower(name) FROM system.table_functions"},
		{&e.formats, "SELECT name FROM system.formats WHERE is_output"},
	} {
		text, err := e.keep.text(list.sql, "TSVRaw")
		if err != nil {
			return err
		}
		*list.names = map[string]bool{}
		for name := range strings.Lines(text) {
			(*list.names)[strings.TrimSuffix(name, "\n")] = true
		}
	}
	return nil
}

// connect opens a connection for one request. The tag names its statements
// for kill.
func (e *engine) connect(tag, database string, settings []setting) (*connection, error) {
	arguments := []string{"--log_comment=" + tag, "--implicit_select=0", "--allow_introspection_functions=0"}
	for _, s := range settings {
		arguments = append(arguments, "--"+s.name+"="+s.value)
	}
	c, err := e.open(arguments)
	if err != nil {
		return nil, e.explainRefusal(settings)
	}
	if _, err := c.text("USE "+quoteIdentifier(database), "Null"); err != nil {
		c.close()
		return nil, err
	}
	return c, nil
}

func (e *engine) open(arguments []string) (*connection, error) {
	argv := newTexts(len(arguments) + 2)
	argv.add("chdb")
	argv.add("--path=" + e.path)
	for _, argument := range arguments {
		argv.add(argument)
	}
	handle := e.lib.connect(int32(len(argv.pointers)), argv.first())
	if handle == nil {
		return nil, exceptionf(codeLogicalError, "no connection to the engine")
	}
	return &connection{lib: e.lib, handle: handle}, nil
}

// explainRefusal finds the setting whose value the engine did not take: a
// refused connection comes without a message.
func (e *engine) explainRefusal(settings []setting) error {
	c, err := e.open(nil)
	if err != nil {
		return err
	}
	defer c.close()
	for _, s := range settings {
		if _, err := c.text("SET "+quoteIdentifier(s.name)+" = "+quoteString(s.value), "Null"); err != nil {
			known := asException(err)
			return &exception{code: known.code, text: known.text + ": while setting '" + s.name + "'"}
		}
	}
	return exceptionf(codeLogicalError, "the engine refused the connection")
}

// killWhenDone stops the statements tagged so once ctx is done, and goes on
// until the caller, whose statement has then returned, calls stop.
func (e *engine) killWhenDone(ctx context.Context, tag string) (stop func()) {
	returned, finished := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(finished)
		select {
		case <-returned:
			return
		case <-ctx.Done():
		}
		c, err := e.open([]string{"--log_comment=kill"})
		if err != nil {
			return
		}
		defer c.close()
		for {
			_, _ = c.text("KILL QUERY WHERE Settings['log_comment'] = "+quoteString(tag)+" ASYNC", "Null")
			select {
			case <-returned:
				return
			case <-time.After(killInterval):
			}
		}
	}()
	return func() {
		close(returned)
		<-finished
	}
}

// close stops the engine. Every other connection must be closed before.
func (e *engine) close() { e.keep.close() }

var (
	identifierEscapes = strings.NewReplacer(`\`, `\\`, "`", "\\`")
	stringEscapes     = strings.NewReplacer(`\`, `\\`, `'`, `\'`)
)

func quoteIdentifier(name string) string { return "`" + identifierEscapes.Replace(name) + "`" }
func quoteString(s string) string        { return "'" + stringEscapes.Replace(s) + "'" }
