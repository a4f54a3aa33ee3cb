package engines

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os/exec"
	"path/filepath"
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
	// triedForEver is the pause of an engine that is never given up, once it failed more than maxFailures times.
	triedForEver = 30 * time.Second
	// steady is how long an engine has to answer before its end no longer counts as one more failure in a row.
	steady = time.Second
)

// engine is what a child runs.
type engine interface {
	// command describes the next run; its output goes to out.
	command(out *output) (*exec.Cmd, error)
	// ready returns when the engine answers.
	ready(ctx context.Context) error
}

// stopSignal is a signal and the time a process has to follow it.
type stopSignal struct {
	signal syscall.Signal
	wait   time.Duration
}

// stopSignals end each engine, the mildest first; SIGKILL follows by itself.
var stopSignals = map[string][]stopSignal{
	Postgres:   {{syscall.SIGINT, 5 * time.Second}, {syscall.SIGQUIT, 2 * time.Second}},
	ClickHouse: {{syscall.SIGTERM, 8 * time.Second}},
}

// permanent marks an error of a first start that another try cannot mend.
type permanent struct{ error }

func (p permanent) Unwrap() error { return p.error }

// child keeps one engine running.
type child struct {
	name    string
	engine  engine
	log     *slog.Logger
	output  *output
	signals []stopSignal
	// pause is the first pause before a restart; each further one is twice as long.
	pause time.Duration
	// spawned is called with every new process, failed when there will be no other.
	spawned func(pid int) error
	failed  func(error)
	// lost, if set, keeps it from ever being given up. It is called whenever the engine does not run, with
	// what a run printed that never answered; found when it answers again.
	lost  func(err error, output string)
	found func()
	// answers, if set, returns when the running engine answers; one that takes longer than hungAfter is killed.
	answers func(ctx context.Context) error

	cancel  context.CancelFunc
	ended   chan struct{}
	killNow chan struct{}
}

func newChild(name string, e engine, log *slog.Logger, logFile string) *child {
	return &child{
		name: name, engine: e, log: log, output: &output{path: logFile}, signals: stopSignals[name],
		pause: shortestPause, killNow: make(chan struct{}),
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
	c.begin(p)
	return nil
}

// begin keeps the engine up until stop, from its running process on, or from none.
func (c *child) begin(p *process) {
	ctx, cancel := context.WithCancel(context.Background())
	c.cancel, c.ended = cancel, make(chan struct{})
	go c.keep(ctx, p)
}

// keep restarts the engine whenever it ends.
func (c *child) keep(ctx context.Context, p *process) {
	defer close(c.ended)
	failures, said := 0, ""
	var err error
	for {
		if p != nil {
			since := time.Now()
			go c.killHung(p)
			select {
			case <-ctx.Done():
				c.end(p)
				return
			case <-p.exited:
			}
			if time.Since(since) >= steady {
				failures = 0
			}
			err = c.exitError(p)
		}
		answered := p != nil
		for p = nil; p == nil; answered = false {
			if err != nil {
				failures++
				if c.lost == nil && failures > maxFailures {
					err = fmt.Errorf("%s does not stay up: %w", c.name, err)
					c.log.Error("engine given up", "error", err)
					c.failed(err)
					return
				}
				longest := longestPause
				if failures > maxFailures { // it may be tried for days
					longest = triedForEver
				}
				wait := min(c.pause<<min(failures-1, maxFailures+1), longest)
				if said != err.Error() {
					said = err.Error()
					c.log.Warn("engine does not run, starting it again", "error", err, "pause", wait)
				}
				c.miss(err, answered)
				pause(ctx, wait)
			}
			if p, err = c.launch(ctx); ctx.Err() != nil {
				if p != nil {
					c.end(p)
				}
				return
			}
		}
		said = ""
		if c.found != nil {
			c.found()
		}
		c.log.Info("engine ready", "pid", p.cmd.Process.Pid)
	}
}

// miss tells of an engine that does not run. Answered says that its last run did.
func (c *child) miss(err error, answered bool) {
	if c.lost == nil {
		return
	}
	output := ""
	if !answered {
		output = c.output.tail()
	}
	c.lost(err, output)
}

const (
	// hungAfter is how long a running engine may leave a ping unanswered.
	hungAfter = 30 * time.Second
	// pingEvery is how far apart pings begin.
	pingEvery = 10 * time.Second
)

// killHung ends a process that hangs, so that another one takes its place.
func (c *child) killHung(p *process) {
	if c.answers == nil {
		return
	}
	for {
		select {
		case <-p.exited:
			return
		case <-time.After(pingEvery):
		}
		ctx, cancel := context.WithTimeout(context.Background(), hungAfter)
		err := c.answers(ctx)
		cancel()
		if err != nil && !p.over() {
			c.log.Warn("engine cannot go on, killing it", "error", err)
			p.signal(syscall.SIGKILL)
			return
		}
	}
}

// launch runs the engine once and returns when it answers.
func (c *child) launch(ctx context.Context) (*process, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	c.output.newRun()
	cmd, err := c.engine.command(c.output)
	if err != nil {
		return nil, err
	}
	p, err := spawn(cmd)
	if err != nil {
		return nil, permanent{startError(c.name, cmd, err)}
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
			return nil, c.exitError(p)
		}
		c.end(p)
		if errors.As(err, &permanent{}) {
			return nil, err
		}
		return nil, fmt.Errorf("wait for %s: %w", c.name, err)
	}
	return p, nil
}

// exitError says in one sentence how a run ended.
func (c *child) exitError(p *process) error {
	tail := c.output.tail()
	if sentence := diskSentence(tail, filepath.Dir(c.output.path)); sentence != "" {
		return errors.New(c.name + " stopped: " + sentence)
	}
	// chserver ends with status 2 and a sentence when its surroundings, not it, are the problem; a Go
	// program that panics ends with 2 as well.
	last := lastLines(tail, 1)
	if exit := new(exec.ExitError); errors.As(p.err, &exit) && exit.ExitCode() == 2 && strings.HasPrefix(last, "chserver: ") {
		return permanent{errors.New("ClickHouse cannot start: " + strings.TrimPrefix(last, "chserver: "))}
	}
	how := "exit status 0"
	if p.err != nil {
		how = p.err.Error()
	}
	if last = lastLines(tail, 3); last != "" {
		return fmt.Errorf("%s ended (%s), its last output: %s", c.name, how, last)
	}
	return fmt.Errorf("%s ended (%s)", c.name, how)
}

// stop ends the engine and returns when its process is gone. When ctx ends first, the process is killed.
func (c *child) stop(ctx context.Context) {
	if c.cancel == nil {
		return
	}
	defer context.AfterFunc(ctx, func() { close(c.killNow) })()
	c.cancel()
	<-c.ended
}

// end makes a process go, by ever stronger signals.
func (c *child) end(p *process) {
	for _, s := range c.signals {
		p.signal(s.signal)
		select {
		case <-p.exited:
			return
		case <-c.killNow:
		case <-time.After(s.wait):
		}
	}
	p.signal(syscall.SIGKILL)
	<-p.exited
}
