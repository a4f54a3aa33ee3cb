// Package chserver is the program around libchdb.so, which holds ClickHouse's whole server.
//
// It is a process of its own, because the engine crashes, runs out of memory and counts memory
// as a whole process, and has one data directory. [Run] first gives up what the process does
// not need, then serves the public address with a [http.Server], the front, which lets nobody
// through to the engine but users with a password. What the front sends carries a secret that
// the engine's every rule asks for.
package chserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"bitacora/adapters/clickhouse/access"
	"bitacora/adapters/engines/analysts"
	"bitacora/adapters/engines/questions"
)

// Options are the command line of cmd/chserver, with paths made absolute.
type Options struct {
	Library string // the file libchdb.so
	Data    string // a directory
	// Questions is the directory in which it is kept who asked; empty: it is not.
	Questions string
	// Analysts is the directory of the named analysts' accounts; empty: there are none.
	Analysts analysts.Directory
	// Database is the analysts' database, which is created if missing.
	Database string
	// Zone is that of the analysts' sessions, an IANA name; empty: UTC, as the engine's.
	Zone      string
	Listen    netip.AddrPort // on loopback
	MaxMemory uint64         // of the engine, in bytes
	UID, GID  int            // to become when started as root; -1 to stay
	// Cluster is what the engine is a node of; the zero value is none.
	Cluster Cluster
	// EnginePort is the engine's own, behind Listen; 0 until Run has executed the program again.
	EnginePort uint64
}

func (o Options) engineDir() string { return filepath.Join(o.Data, "engine") }

func (o Options) engineAddress() string { return fmt.Sprintf("127.0.0.1:%d", o.EnginePort) }

// Run serves until standard input ends or a signal comes. The caller is the program's main
// goroutine, locked to its thread.
func Run(o Options) error {
	if o.EnginePort == 0 {
		return execConfined(o)
	}
	return serve(o)
}

func serve(o Options) error {
	signals, forget := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer forget()
	ctx, stop := context.WithCancel(signals)
	defer stop()
	// The engine gets another standard input.
	in, err := unix.FcntlInt(os.Stdin.Fd(), unix.F_DUPFD_CLOEXEC, 3)
	if err != nil {
		return fmt.Errorf("keep standard input: %w", err)
	}
	input := os.NewFile(uintptr(in), "standard input")
	var passwords map[string]string
	if err := json.NewDecoder(input).Decode(&passwords); err != nil {
		return fmt.Errorf("read the users' passwords from standard input: %w", err)
	}
	if passwords[access.App] == "" {
		return fmt.Errorf("no password for %q on standard input", access.App)
	}
	named := nameUsers(passwords, o.Analysts)
	// Executed again through /proc, it would be called "exe".
	if err := unix.Prctl(unix.PR_SET_NAME, uintptr(unsafe.Pointer(unsafe.StringData("chserver\x00"))), 0, 0, 0); err != nil {
		return fmt.Errorf("name the process: %w", err)
	}
	// Its own entries in /proc, with what it holds open, are other programs' to read otherwise.
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		return fmt.Errorf("close /proc/self: %w", err)
	}
	syscall.Umask(0o077)
	listener, err := listen(o.Listen.String())
	if err != nil {
		return fmt.Errorf("serve ClickHouse: %w", err)
	}
	if o.Cluster.Name != "" {
		// The engine would only wait, and not say for what.
		own, err := listen(fmt.Sprintf("127.0.0.1:%d", o.Cluster.Port))
		if err != nil {
			return fmt.Errorf("serve the native protocol: %w", err)
		}
		_ = own.Close()
	}
	e, err := newEngine(o, passwords)
	if err != nil {
		return err
	}
	var asked *questions.Record
	if o.Questions != "" {
		asked = questions.NewRecord(o.Questions)
	}
	front := newFront(o.engineAddress(), e.secret, asked, named, o.limits())
	go func() { fail(serveFront(front, listener, e)) }()
	go func() {
		_, _ = io.Copy(io.Discard, input)
		stop()
	}()
	context.AfterFunc(ctx, func() {
		// The supervisor kills after 8 s.
		time.AfterFunc(7500*time.Millisecond, func() { fail(errors.New("the engine did not end in time")) })
		// Running requests may end by themselves. The engine then takes 5 s for those that do not.
		grace, done := context.WithTimeout(context.Background(), time.Second)
		defer done()
		if front.Shutdown(grace) != nil {
			_ = front.Close()
		}
		_ = e.input.Close()
	})
	if err := e.run(); err != nil {
		return err
	}
	if ctx.Err() == nil {
		fail(errors.New("the engine ended"))
	}
	return nil
}

// listenPatience is how long an address may still be taken by what tried it before.
const listenPatience = 2 * time.Second

// listen waits for an address that is free but for a copy of the socket by which the starting program
// tried it: whatever that program starts in the same moment has one, until it is a program of its own.
func listen(addr string) (net.Listener, error) {
	for until := time.Now().Add(listenPatience); ; time.Sleep(20 * time.Millisecond) {
		l, err := net.Listen("tcp", addr)
		if !errors.Is(err, syscall.EADDRINUSE) || time.Now().After(until) {
			return l, err
		}
	}
}

// serveFront serves the public address as soon as the engine answers.
func serveFront(front *http.Server, listener net.Listener, e *engine) error {
	e.wait()
	if err := e.hide(); err != nil {
		return err
	}
	if err := front.Serve(httpOnly{listener}); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve: %w", err)
	}
	return nil
}

// fail ends the process where there is an error, which another start may help.
func fail(err error) {
	if err != nil {
		fmt.Fprintf(os.Stderr, "chserver: %v\n", err)
		os.Exit(1)
	}
}
