package engines

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"
)

const (
	// readyPatience has room for the replay of a long write-ahead log.
	readyPatience = 5 * time.Minute
	firstTries    = 3
	maxFailures   = 8
	shortestPause = 100 * time.Millisecond
	longestPause  = 5 * time.Second
	// steady is how long an engine has to answer before its end no longer counts as one more failure in a row.
	steady = time.Second
)

// engine is what a child runs.
type engine interface {
	// command describes the next run; its output goes to out.
	command(out *journal) (*exec.Cmd, error)
	// ready returns when the engine answers.
	ready(ctx context.Context) error
	// farewell is the order of signals that end it, the mildest first; SIGKILL follows by itself.
	farewell() []step
}

// step is a signal and the time a process gets to follow it.
type step struct {
	signal   syscall.Signal
	patience time.Duration
}

// permanent marks an error of a first start that another try cannot mend.
type permanent struct{ error }

func (p permanent) Unwrap() error { return p.error }

// child keeps one engine running.
type child struct {
	name    string
	engine  engine
	log     *slog.Logger
	journal *journal
	// pause is the first pause before a restart; each further one is twice as long.
	pause time.Duration
	// spawned is told every new process, failed that there will be no other.
	spawned func(pid int) error
	failed  func(error)

	cancel context.CancelFunc
	ended  chan struct{}
	hurry  chan struct{}
}

func newChild(name string, e engine, log *slog.Logger, logFile string) *child {
	return &child{
		name: name, engine: e, log: log, journal: &journal{path: logFile},
		pause: shortestPause, hurry: make(chan struct{}),
	}
}

// start brings the engine up and keeps it up until stop.
func (c *child) start(ctx context.Context) error {
	begin := time.Now()
	p, err := c.launch(ctx)
	for try := 1; err != nil && try < firstTries && !errors.As(err, &permanent{}) && ctx.Err() == nil; try++ {
		c.log.Debug("engine did not start, trying again", "error", err)
		pause(ctx, c.pause<<try)
		p, err = c.launch(ctx)
	}
	if err != nil {
		return err
	}
	c.log.Info("engine ready", "pid", p.cmd.Process.Pid, "took", time.Since(begin).Round(time.Millisecond))
	keepCtx, cancel := context.WithCancel(context.Background())
	c.cancel, c.ended = cancel, make(chan struct{})
	go c.keep(keepCtx, p)
	return nil
}

// keep restarts the engine whenever it ends.
func (c *child) keep(ctx context.Context, p *process) {
	defer close(c.ended)
	failures := 0
	for {
		since := time.Now()
		select {
		case <-ctx.Done():
			c.end(p)
			return
		case <-p.exited:
		}
		if time.Since(since) >= steady {
			failures = 0
		}
		err := c.fault(p)
		for p = nil; p == nil; {
			failures++
			if failures > maxFailures {
				err = fmt.Errorf("%s does not stay up: %w", c.name, err)
				c.log.Error("engine given up", "error", err)
				c.failed(err)
				return
			}
			wait := min(c.pause<<(failures-1), longestPause)
			c.log.Warn("engine ended, starting it again", "error", err, "pause", wait)
			pause(ctx, wait)
			if p, err = c.launch(ctx); ctx.Err() != nil {
				if p != nil {
					c.end(p)
				}
				return
			}
		}
		c.log.Info("engine ready again", "pid", p.cmd.Process.Pid)
	}
}

// launch runs the engine once and returns when it answers.
func (c *child) launch(ctx context.Context) (*process, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	c.journal.begin()
	cmd, err := c.engine.command(c.journal)
	if err != nil {
		return nil, err
	}
	p, err := spawn(cmd)
	if err != nil {
		return nil, permanent{startFault(c.name, cmd, err)}
	}
	if err := c.spawned(p.cmd.Process.Pid); err != nil {
		c.end(p)
		return nil, err
	}
	readyCtx, cancel := context.WithTimeout(ctx, readyPatience)
	defer cancel()
	go func() {
		select {
		case <-p.exited:
			cancel()
		case <-readyCtx.Done():
		}
	}()
	if err := c.engine.ready(readyCtx); err != nil {
		if p.over() {
			return nil, c.fault(p)
		}
		c.end(p)
		if errors.As(err, &permanent{}) {
			return nil, err
		}
		return nil, fmt.Errorf("wait for %s: %w", c.name, err)
	}
	return p, nil
}

// fault says in one sentence how a run ended.
func (c *child) fault(p *process) error {
	tail := c.journal.tail()
	if sentence := diskFault(tail, filepath.Dir(c.journal.path)); sentence != "" {
		return errors.New(c.name + " stopped: " + sentence)
	}
	// chserver ends with status 2 and a sentence when its surroundings, not it, are the problem; a Go
	// program that panics ends with 2 as well.
	said := lastLines(tail, 1)
	if exit := new(exec.ExitError); errors.As(p.err, &exit) && exit.ExitCode() == 2 && strings.HasPrefix(said, "chserver: ") {
		return permanent{errors.New("ClickHouse cannot start: " + strings.TrimPrefix(said, "chserver: "))}
	}
	how := "exit status 0"
	if p.err != nil {
		how = p.err.Error()
	}
	if said = lastLines(tail, 3); said != "" {
		return fmt.Errorf("%s ended (%s), its last words: %s", c.name, how, said)
	}
	return fmt.Errorf("%s ended (%s)", c.name, how)
}

// stop ends the engine and returns when its process is gone. When ctx ends first, the process is killed.
func (c *child) stop(ctx context.Context) {
	if c.cancel == nil {
		return
	}
	defer context.AfterFunc(ctx, func() { close(c.hurry) })()
	c.cancel()
	<-c.ended
}

// end makes a process go, by ever stronger signals.
func (c *child) end(p *process) {
	for _, s := range c.engine.farewell() {
		p.signal(s.signal)
		select {
		case <-p.exited:
			return
		case <-c.hurry:
		case <-time.After(s.patience):
		}
	}
	p.signal(syscall.SIGKILL)
	<-p.exited
}

// process is one run of a program, reaped as soon as it ends.
type process struct {
	cmd    *exec.Cmd
	exited chan struct{}
	err    error
}

// spawn starts cmd in a process group of its own. The starting goroutine keeps its thread until the
// process has ended, because the kernel ties the parent-death signal to the thread, not to the process.
func spawn(cmd *exec.Cmd) (*process, error) {
	p := &process{cmd: cmd, exited: make(chan struct{})}
	cmd.WaitDelay = 2 * time.Second
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			p.err = cmd.Wait()
			close(p.exited)
		}
	}()
	if err := <-started; err != nil {
		return nil, err
	}
	return p, nil
}

func (p *process) over() bool {
	select {
	case <-p.exited:
		return true
	default:
		return false
	}
}

func (p *process) signal(s syscall.Signal) {
	if !p.over() {
		// A process that has just ended needs no signal.
		_ = p.cmd.Process.Signal(s)
	}
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
