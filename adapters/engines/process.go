package engines

import (
	"context"
	"os/exec"
	"runtime"
	"syscall"
	"time"
)

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
