package engines

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// record is what engines.json says about the supervisor that holds its lock.
type record struct {
	processID
	// Command is how the supervisor was called.
	Command string `json:"command"`
	// Ready says that the endpoints answer.
	Ready bool `json:"ready"`
	// LogAlone says that it left ClickHouse out.
	LogAlone bool `json:"log_alone,omitempty"`
	// Absence says that ClickHouse does not run at the moment.
	Absence   *Absence             `json:"clickhouse_absence,omitempty"`
	Endpoints Endpoints            `json:"endpoints"`
	Children  map[string]processID `json:"children"`
}

// processID names one process: its number is given again, but not with the same start time.
type processID struct {
	PID     int    `json:"pid"`
	Started string `json:"born"`
}

func identify(pid int) processID { return processID{pid, startTime(pid)} }

func (p processID) alive() bool { return p.PID > 0 && p.Started != "" && startTime(p.PID) == p.Started }

// homeLock is the lock on a home and the record of who holds it, in one file, so that the two always agree.
type homeLock struct {
	mu     sync.Mutex
	file   *os.File
	record record
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

// lockHome locks the home. The record names the children that an earlier supervisor has left.
func lockHome(h home) (*homeLock, error) {
	path := h.path("engines.json")
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fileError(path, err)
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.Close()
		if !errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, fmt.Errorf("lock %s: %w", path, err)
		}
		holder, _ := readRecord(h)
		return nil, &inUse{h, holder}
	}
	// Users of engines that ended with their process have nothing to be waited for.
	if err := os.Remove(h.path(usersLock)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		f.Close()
		return nil, fileError(h.path(usersLock), err)
	}
	// A record that a crash has cut short names no children; the engines' own locks then decide.
	left, _ := readRecord(h)
	command := filepath.Base(os.Args[0])
	if len(os.Args) > 1 && !strings.HasPrefix(os.Args[1], "-") {
		command += " " + os.Args[1]
	}
	l := &homeLock{file: f, record: record{processID: identify(os.Getpid()), Command: command, Children: left.Children}}
	if l.record.Children == nil {
		l.record.Children = map[string]processID{}
	}
	if err := l.write(); err != nil {
		f.Close()
		return nil, err
	}
	return l, nil
}

func readRecord(h home) (record, error) {
	var r record
	text, err := os.ReadFile(h.path("engines.json"))
	if err != nil {
		return r, fmt.Errorf("read engines.json: %w", err)
	}
	if err := json.Unmarshal(text, &r); err != nil {
		return record{}, fmt.Errorf("read engines.json: %w", err)
	}
	return r, nil
}

func (l *homeLock) write() error {
	text, err := json.MarshalIndent(l.record, "", "  ")
	if err != nil {
		return fmt.Errorf("encode engines.json: %w", err)
	}
	// Overwriting first needs no room on a full disk.
	if _, err := l.file.WriteAt(text, 0); err != nil {
		return fileError(l.file.Name(), err)
	}
	if err := l.file.Truncate(int64(len(text))); err != nil {
		return fileError(l.file.Name(), err)
	}
	return nil
}

// addChild records a child before anything is asked of it.
func (l *homeLock) addChild(name string, pid int) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.record.Children[name] = identify(pid)
	return l.write()
}

// publish records the endpoints, which answer now.
func (l *homeLock) publish(e Endpoints, logAlone bool) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.record.Ready, l.record.Endpoints, l.record.LogAlone = true, e, logAlone
	return l.write()
}

// miss records that ClickHouse does not run, or with nil that it does.
func (l *homeLock) miss(a *Absence) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.record.Absence = a
	return l.write()
}

// unlock empties the record.
func (l *homeLock) unlock() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := errors.Join(l.file.Truncate(0), l.file.Close()); err != nil {
		return fmt.Errorf("unlock the data directory: %w", err)
	}
	return nil
}

// endLeftovers ends the children of an earlier supervisor that was killed. Most follow it by themselves.
func endLeftovers(ctx context.Context, children map[string]processID, log *slog.Logger) error {
	for name, p := range children {
		if !p.alive() {
			continue
		}
		log.Warn("ending an engine that an earlier process left behind", "engine", name, "pid", p.PID)
		for _, s := range slices.Concat(stopSignals[name], []stopSignal{{syscall.SIGKILL, 5 * time.Second}}) {
			_ = syscall.Kill(p.PID, s.signal)
			for end := time.Now().Add(s.wait); p.alive() && time.Now().Before(end) && ctx.Err() == nil; {
				pause(ctx, 20*time.Millisecond)
			}
		}
		if p.alive() {
			return fmt.Errorf("process %d (%s) of an earlier start does not end: end it by hand", p.PID, name)
		}
	}
	return nil
}
