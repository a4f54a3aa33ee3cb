package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"bitacora/adapters/clickhouse/access"
)

const (
	// stopGrace is what running requests get to end by themselves.
	stopGrace = 2 * time.Second
	// stopLimit is when an orderly stop is given up.
	stopLimit = 7500 * time.Millisecond
)

// serve runs the engine and the front until standard input ends or a signal comes.
func serve(o options) error {
	stop := make(chan os.Signal, 2)
	signal.Notify(stop, syscall.SIGTERM, syscall.SIGINT)
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
	// Executed again through /proc, it would be called "exe".
	if err := unix.Prctl(unix.PR_SET_NAME, uintptr(unsafe.Pointer(&[]byte("chserver\x00")[0])), 0, 0, 0); err != nil {
		return fmt.Errorf("name the process: %w", err)
	}
	// Its own entries in /proc, with what it holds open, are other programs' to read otherwise.
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		return fmt.Errorf("close /proc/self: %w", err)
	}
	syscall.Umask(0o077)
	listener, err := net.Listen("tcp", o.listen)
	if errors.Is(err, syscall.EADDRINUSE) {
		return fmt.Errorf("listen on %s: the port is taken", o.listen)
	}
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	e, err := newEngine(o, passwords)
	if err != nil {
		return err
	}
	front := newFront(e)
	go open(e, front, listener)
	go func() {
		_, _ = io.Copy(io.Discard, input)
		stop <- syscall.SIGTERM
	}()
	var stopping atomic.Bool
	go func() {
		<-stop
		stopping.Store(true)
		time.AfterFunc(stopLimit, func() { fail(errors.New("the engine did not end in time")) })
		stopFront(front, stopGrace)
		_ = e.stop()
	}()
	if err := e.run(); err != nil {
		return err
	}
	if !stopping.Load() {
		fail(errors.New("the engine ended"))
	}
	return nil
}

// fail ends the process, which another start may help.
func fail(err error) {
	fmt.Fprintf(os.Stderr, "chserver: %v\n", err)
	os.Exit(1)
}

// open serves the public address as soon as the engine answers.
func open(e *engine, front *http.Server, listener net.Listener) {
	if err := e.wait(); err != nil {
		fail(err)
	}
	if err := e.hide(); err != nil {
		fail(err)
	}
	if err := front.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		fail(fmt.Errorf("serve: %w", err))
	}
}
