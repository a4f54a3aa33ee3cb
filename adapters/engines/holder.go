package engines

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"syscall"
	"time"
)

// Holder is the process that runs the engines of a data directory.
type Holder struct {
	PID     int
	Command string
	// Engines are the processes of the engines, by their names.
	Engines map[string]int
}

// Holder finds who runs the engines of the data directory now; ok is false where nobody does.
func (cfg Config) Holder() (h Holder, ok bool) {
	cfg = cfg.withDefaults()
	for _, dir := range []string{cfg.DataDir, home{dir: cfg.DataDir}.path(homeLink)} {
		r, err := readRecord(home{dir: dir})
		if err != nil || !r.alive() {
			continue
		}
		h = Holder{PID: r.PID, Command: r.Command, Engines: map[string]int{}}
		for name, p := range r.Children {
			if p.alive() {
				h.Engines[name] = p.PID
			}
		}
		return h, true
	}
	return Holder{}, false
}

// Ended is the end of a process whose engines another one used.
type Ended struct {
	PID     int
	Command string
}

func (e Ended) Error() string {
	return fmt.Sprintf("process %d (%s), whose databases were in use here, has ended", e.PID, e.Command)
}

// Watch gives a context that ends, with an [Ended] as its cause, when another process ends that runs the engines of
// the data directory now: nothing ever answers at their addresses again.
func (cfg Config) Watch(ctx context.Context) context.Context {
	h, ok := cfg.Holder()
	if !ok || h.PID == os.Getpid() || !cfg.Embeds() {
		return ctx
	}
	holder := identify(h.PID)
	ctx, end := context.WithCancelCause(context.WithValue(ctx, watchedKey{}, watched{holder, Ended{h.PID, h.Command}}))
	go func() {
		for holder.alive() && ctx.Err() == nil {
			pause(ctx, time.Second)
		}
		end(Ended{h.PID, h.Command})
	}()
	return ctx
}

type watchedKey struct{}

// watched is a process that [Config.Watch] looks after, with what is said once it has ended.
type watched struct {
	process processID
	ended   Ended
}

// longestEnd is how long a process still counts as running whose engines have ended with it.
const longestEnd = 2 * time.Second

// HasEnded says whether the process has ended that a context of [Config.Watch] depends on: whoever uses its
// databases may meet their end before the context does. Where an error says that a connection broke, that end is
// waited for.
func HasEnded(ctx context.Context, err error) (Ended, bool) {
	w, ok := ctx.Value(watchedKey{}).(watched)
	if !ok {
		return Ended{}, false
	}
	var network net.Error
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.As(err, &network) {
		for begun := time.Now(); w.process.alive() && time.Since(begun) < longestEnd; {
			pause(ctx, longestEnd/20)
		}
	}
	return w.ended, !w.process.alive()
}

// Listener is who listens on an address already.
type Listener struct {
	// PID is 0, and the others are empty, where the process cannot be seen.
	PID     int
	Command string
	// Folder is where it runs.
	Folder string
}

// Listening tries to listen on an address. Where somebody does so already it says who; an error says
// why nobody may.
func Listening(addr string) (who Listener, taken bool, err error) {
	l, err := net.Listen("tcp", addr)
	if err == nil {
		return who, false, l.Close()
	}
	if !errors.Is(err, syscall.EADDRINUSE) {
		return who, false, err
	}
	if _, port, splitErr := net.SplitHostPort(addr); splitErr == nil {
		if n, err := strconv.Atoi(port); err == nil {
			who.PID = listenerOf(n)
			who.Command, who.Folder = commandOf(who.PID), folderOf(who.PID)
		}
	}
	return who, true, nil
}
