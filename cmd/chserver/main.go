// Command chserver is a small ClickHouse server: it loads the ClickHouse engine
// from libchdb.so into its own process and serves it over the ClickHouse HTTP
// interface on a loopback address, so that clickhouse-go, @clickhouse/client,
// curl and BI tools work with it as with a real server.
//
// The users are app, which may do everything, and analyst, who may ask single
// read-only questions that reach neither files nor servers nor other people's
// queries. Sessions, roles, external tables, temporary tables that outlive
// their request and INSERT … SELECT FROM input() do not exist here and are
// refused. As on a real server, an INSERT is stored as a whole up to one block
// (about a million rows or 256 MB); what is larger is stored block by block.
//
// The process reads and writes its data and the backups, and nothing else of the file
// system, where the kernel can hold it to that.
//
// It is a process of its own, because the engine crashes, runs out of memory
// and counts memory as a whole process, and holds one data directory.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// stopLimit is when an orderly stop is given up.
const stopLimit = 7500 * time.Millisecond

func init() {
	// The death signal of the parent belongs to the thread that asks for it,
	// and only the main thread lives as long as the process.
	runtime.LockOSThread()
}

func main() {
	o, err := parseOptions(os.Args[1:])
	if err == nil {
		err = run(o)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "chserver: %v\n", err)
		os.Exit(2)
	}
}

// options are the command line.
type options struct {
	library, data, listen, users, backups, database string

	maxMemory uint64
	uid, gid  int // -1: stay who we are
}

func parseOptions(arguments []string) (options, error) {
	var o options
	flags := flag.NewFlagSet("chserver", flag.ContinueOnError)
	flags.StringVar(&o.library, "library", "", "`file` of libchdb.so (required)")
	flags.StringVar(&o.data, "data", "", "`directory` of the data (required)")
	flags.StringVar(&o.users, "users", "", "`file` with the passwords, {\"app\":\"…\",\"analyst\":\"…\"}, mode 0600 (required)")
	flags.StringVar(&o.listen, "listen", "127.0.0.1:8123", "loopback `address` to listen on; port 0 takes a free one")
	flags.StringVar(&o.backups, "backups", "", "`directory` that BACKUP and RESTORE may use")
	flags.StringVar(&o.database, "database", "bitacora", "`name` of the database that is created and used by default")
	flags.Uint64Var(&o.maxMemory, "max-memory", 2<<30, "memory limit of the engine in `bytes`")
	flags.IntVar(&o.uid, "uid", -1, "user `id` to become when started as root")
	flags.IntVar(&o.gid, "gid", -1, "group `id` to become when started as root")
	if err := flags.Parse(arguments); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			os.Exit(0)
		}
		return o, err
	}
	switch {
	case flags.NArg() > 0:
		return o, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	case o.library == "", o.data == "", o.users == "":
		return o, errors.New("--library, --data and --users are required")
	case (o.uid < 0) != (o.gid < 0):
		return o, errors.New("--uid and --gid go together")
	case o.maxMemory < 256<<20:
		return o, errors.New("--max-memory must be at least 268435456 (256 MB)")
	}
	if host, _, err := net.SplitHostPort(o.listen); err != nil || !net.ParseIP(host).IsLoopback() {
		return o, fmt.Errorf("--listen %s is not a loopback address with a port", o.listen)
	}
	for _, path := range []*string{&o.library, &o.data, &o.users, &o.backups} {
		if *path == "" {
			continue
		}
		absolute, err := filepath.Abs(*path)
		if err != nil {
			return o, fmt.Errorf("resolve %s: %w", *path, err)
		}
		*path = absolute
	}
	return o, nil
}

func run(o options) error {
	log := slog.New(slog.NewJSONHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelInfo}))
	known, err := confined(o)
	if err != nil {
		return err
	}
	stop := make(chan os.Signal, 2)
	signal.Notify(stop, syscall.SIGTERM, syscall.SIGINT)
	listener, err := net.Listen("tcp", o.listen)
	if errors.Is(err, syscall.EADDRINUSE) {
		return fmt.Errorf("listen on %s: the port is taken", o.listen)
	}
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	e, err := start(o)
	if err != nil {
		return err
	}
	s := newServer(e, known, o.database, o.maxMemory, log)
	failed := make(chan error, 1)
	go func() { failed <- s.serve(listener) }()
	if err := announce(listener.Addr().String(), e.version); err != nil {
		log.Warn("nobody reads the ready line", slog.Any("error", err))
	}
	log.Info("ready", slog.String("addr", listener.Addr().String()), slog.String("version", e.version), slog.Int("uid", os.Getuid()))

	select {
	case err := <-failed:
		return fmt.Errorf("serve: %w", err)
	case received := <-stop:
		log.Info("stopping", slog.String("signal", received.String()))
	}
	time.AfterFunc(stopLimit, func() { abandon(log) })
	if !s.stop() {
		abandon(log)
	}
	e.close()
	log.Info("stopped")
	return nil
}

// start brings the engine up: first what may need root, then everything else
// as who the process is going to be.
func start(o options) (*engine, error) {
	// The engine takes its zone from here, and would read configuration files
	// from the home and the current directory.
	os.Setenv("TZ", "UTC")
	os.Setenv("HOME", filepath.Join(o.data, "home"))

	if _, err := os.Stat(o.library); err != nil {
		return nil, fmt.Errorf("load library %s: %w", o.library, plain(err))
	}
	lib, err := openLibrary(o.library)
	if err != nil {
		return nil, err
	}
	if version := lib.version(); version != libraryVersion {
		return nil, fmt.Errorf("load library: %s is version %s, but this program is made for %s", o.library, version, libraryVersion)
	}
	if err := keepGoSignalHandlers(lib); err != nil {
		return nil, err
	}
	if o.uid >= 0 && os.Getuid() == 0 {
		if err := dropPrivileges(o.uid, o.gid); err != nil {
			return nil, err
		}
	}
	// Its own entries in /proc, with the environment, are the engine's to read otherwise.
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		return nil, fmt.Errorf("close /proc/self: %w", err)
	}
	syscall.Umask(0o077)
	directory, err := prepareDirectory(o.data)
	if err != nil {
		return nil, err
	}
	if err := os.Chdir(directory.home); err != nil {
		return nil, fmt.Errorf("enter data directory %s: %w", o.data, plain(err))
	}
	return startEngine(lib, engineOptions{
		path:      directory.engine,
		database:  o.database,
		backups:   o.backups,
		maxMemory: o.maxMemory,
	})
}

// announce prints the one line on standard output that whoever started this
// process waits for.
func announce(address, version string) error {
	return json.NewEncoder(os.Stdout).Encode(struct {
		Event   string `json:"event"`
		Address string `json:"addr"`
		Version string `json:"version"`
	}{"ready", address, version})
}

// abandon ends a process whose statements do not return.
func abandon(log *slog.Logger) {
	log.Error("statements did not end in time")
	os.Exit(1)
}
