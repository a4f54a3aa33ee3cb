package engines

import (
	"context"
	"log/slog"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// script is an engine for the shell, ready when the file "up" is there.
type script struct {
	text string
	dir  string
}

func (s script) command(out *output) (*exec.Cmd, error) {
	cmd := exec.Command("/bin/sh", "-c", s.text)
	cmd.Dir, cmd.Stdout, cmd.Stderr = s.dir, out, out
	cmd.SysProcAttr = childAttributes(nil, syscall.SIGKILL)
	return cmd, nil
}

func (s script) ready(ctx context.Context) error {
	for {
		if up, err := filepath.Glob(filepath.Join(s.dir, "up")); err != nil || len(up) > 0 {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		pause(ctx, 5*time.Millisecond)
	}
}

// scripted is a child that runs a script, with what it says of itself.
type scripted struct {
	*child
	pid   atomic.Int64 // of the last run
	given chan error   // why there will be no other
}

func newScript(t *testing.T, text string) *scripted {
	t.Helper()
	dir := t.TempDir()
	s := &scripted{
		child: newChild("script", script{text, dir}, slog.New(slog.DiscardHandler), filepath.Join(dir, "log")),
		given: make(chan error, 1),
	}
	s.pause, s.signals = time.Millisecond, []stopSignal{{syscall.SIGTERM, 100 * time.Millisecond}}
	s.spawned = func(pid int) error { s.pid.Store(int64(pid)); return nil }
	s.failed = func(err error) { s.given <- err }
	return s
}

func (s *scripted) runs() bool { return startTime(int(s.pid.Load())) != "" }

func TestChildGivesUp(t *testing.T) {
	t.Parallel()
	c := newScript(t, "test -e up && echo out of luck && exit 3; touch up; sleep 0.1")
	if err := c.start(t.Context()); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-c.given:
		wantSentence(t, err.Error(), "script does not stay up: script ended (exit status 3), its last output: out of luck")
	case <-time.After(time.Minute):
		t.Fatal("never gave up")
	}
	if c.runs() {
		t.Error("still runs")
	}
	c.stop(t.Context())
}

func TestChildThatNeverStarts(t *testing.T) {
	t.Parallel()
	c := newScript(t, "echo one; echo two; echo three; echo four >&2; exit 4")
	err := c.start(t.Context())
	if err == nil {
		t.Fatal("started")
	}
	wantSentence(t, err.Error(), "script ended (exit status 4), its last output: two | three | four")
}

func TestDeafChildIsKilled(t *testing.T) {
	t.Parallel()
	c := newScript(t, "trap '' TERM; touch up; while :; do sleep 0.01; done")
	if err := c.start(t.Context()); err != nil {
		t.Fatal(err)
	}
	if !c.runs() {
		t.Fatal("does not run")
	}
	c.stop(t.Context())
	if c.runs() {
		t.Error("still runs")
	}
}

func TestStopDuringRestart(t *testing.T) {
	t.Parallel()
	c := newScript(t, "touch up; exec sleep 60")
	c.pause = time.Hour
	if err := c.start(t.Context()); err != nil {
		t.Fatal(err)
	}
	kill(t, int(c.pid.Load()))
	c.stop(t.Context())
	if c.runs() {
		t.Error("still runs")
	}
}
