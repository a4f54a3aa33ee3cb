package engines

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"
)

// record is what engines.json says about the supervisor that holds its lock.
type record struct {
	mark
	// Command is how the supervisor was called.
	Command string `json:"command"`
	// Ready says that the endpoints answer.
	Ready     bool            `json:"ready"`
	Endpoints Endpoints       `json:"endpoints"`
	Children  map[string]mark `json:"children"`
}

// mark names a process for ever: ids come round again, start times do not.
type mark struct {
	PID  int    `json:"pid"`
	Born string `json:"born"`
}

func markOf(pid int) mark { return mark{pid, born(pid)} }

func (m mark) alive() bool { return m.PID > 0 && m.Born != "" && born(m.PID) == m.Born }

// claim is the lock on a home and the record of who holds it, in one file, so that the two cannot disagree.
type claim struct {
	mu   sync.Mutex
	file *os.File
	rec  record
}

// inUse is the refusal to start a second supervisor on one home.
type inUse struct {
	home   home
	holder record
}

func (e *inUse) Error() string {
	who := "another process"
	if e.holder.PID > 0 {
		who = fmt.Sprintf("process %d (%s)", e.holder.PID, e.holder.Command)
	}
	return fmt.Sprintf("the databases in %s are in use by %s: stop it first, or name another directory in BITACORA_DATA_DIR", e.home.dir, who)
}

// acquire locks the home and tells what the last holder left in the record.
func acquire(h home) (*claim, record, error) {
	path := h.path("engines.json")
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, record{}, placeFault(path, err)
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.Close()
		if !errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, record{}, fmt.Errorf("lock %s: %w", path, err)
		}
		holder, _ := readRecord(h)
		return nil, record{}, &inUse{h, holder}
	}
	// What a crash has cut short says nothing about leftovers; the engines' own locks then decide.
	left, _ := readRecord(h)
	command := filepath.Base(os.Args[0])
	if len(os.Args) > 1 && !strings.HasPrefix(os.Args[1], "-") {
		command += " " + os.Args[1]
	}
	c := &claim{file: f, rec: record{mark: markOf(os.Getpid()), Command: command, Children: left.Children}}
	if c.rec.Children == nil {
		c.rec.Children = map[string]mark{}
	}
	if err := c.write(); err != nil {
		f.Close()
		return nil, record{}, err
	}
	return c, left, nil
}

func readRecord(h home) (record, error) {
	var r record
	text, err := os.ReadFile(h.path("engines.json"))
	if err != nil {
		return r, fmt.Errorf("read the engines' whereabouts: %w", err)
	}
	if err := json.Unmarshal(text, &r); err != nil {
		return record{}, fmt.Errorf("read the engines' whereabouts: %w", err)
	}
	return r, nil
}

func (c *claim) write() error {
	text, err := json.MarshalIndent(c.rec, "", "  ")
	if err != nil {
		return fmt.Errorf("encode the engines' whereabouts: %w", err)
	}
	// Overwriting first needs no room on a full disk.
	if _, err := c.file.WriteAt(text, 0); err != nil {
		return placeFault(c.file.Name(), err)
	}
	if err := c.file.Truncate(int64(len(text))); err != nil {
		return placeFault(c.file.Name(), err)
	}
	return nil
}

// child records a child before anything is asked of it.
func (c *claim) child(name string, pid int) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.rec.Children[name] = markOf(pid)
	return c.write()
}

// ready publishes the endpoints.
func (c *claim) ready(e Endpoints) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.rec.Ready, c.rec.Endpoints = true, e
	return c.write()
}

// release empties the record and gives the lock free.
func (c *claim) release() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := errors.Join(c.file.Truncate(0), c.file.Close()); err != nil {
		return fmt.Errorf("give the data directory free: %w", err)
	}
	return nil
}

// endLeftovers ends the children of an earlier supervisor that was killed. Most follow it by themselves.
func endLeftovers(ctx context.Context, children map[string]mark, log *slog.Logger) error {
	for name, m := range children {
		if !m.alive() {
			continue
		}
		log.Warn("ending an engine that an earlier process left behind", "engine", name, "pid", m.PID)
		for _, s := range []step{{orderly[name], 5 * time.Second}, {syscall.SIGKILL, 5 * time.Second}} {
			_ = syscall.Kill(m.PID, s.signal)
			for end := time.Now().Add(s.patience); m.alive() && time.Now().Before(end) && ctx.Err() == nil; {
				pause(ctx, 20*time.Millisecond)
			}
		}
		if m.alive() {
			return fmt.Errorf("process %d (%s) of an earlier start does not end: end it by hand", m.PID, name)
		}
	}
	return nil
}

// orderly is the signal by which each engine comes to a quick and clean end.
var orderly = map[string]syscall.Signal{Postgres: syscall.SIGINT, ClickHouse: syscall.SIGTERM}
