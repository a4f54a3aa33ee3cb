package postgres

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// listener tells everybody who waits that the log grew or a lease was given up. It needs
// one connection however many wait, and opens it when the first one does. A wake-up may be
// missed while it reconnects: who waits looks for itself now and then.
type listener struct {
	connect connector
	logger  *slog.Logger
	start   sync.Once
	ctx     context.Context
	stop    context.CancelFunc
	running sync.WaitGroup

	mu    sync.Mutex
	woken map[string]chan struct{}
}

// What is announced: that the log grew, and that a lease was given up.
const (
	channelLog   = "bitacora_log"
	channelLease = "bitacora_lease"
)

func newListener(connect connector, logger *slog.Logger) *listener {
	ctx, stop := context.WithCancel(context.Background())
	return &listener{connect: connect, logger: logger, ctx: ctx, stop: stop, woken: map[string]chan struct{}{}}
}

// next is closed at the next notification of a channel. Take it before looking, so that
// nothing falls between looking and waiting.
func (l *listener) next(channel string) <-chan struct{} {
	l.start.Do(func() { l.running.Go(l.run) })
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.woken[channel] == nil {
		l.woken[channel] = make(chan struct{})
	}
	return l.woken[channel]
}

func (l *listener) wake(channel string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if woken := l.woken[channel]; woken != nil {
		close(woken)
		delete(l.woken, channel)
	}
}

func (l *listener) close() {
	l.stop()
	l.start.Do(func() {})
	l.running.Wait()
}

func (l *listener) run() {
	for l.ctx.Err() == nil {
		if err := l.listen(); err != nil && l.ctx.Err() == nil {
			l.logger.Warn("wake-ups interrupted, polling meanwhile", "error", err)
			select {
			case <-l.ctx.Done():
			case <-time.After(time.Second):
			}
		}
	}
}

func (l *listener) listen() error {
	conn, err := l.connect(l.ctx)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(l.ctx))
	if _, err := conn.Exec(l.ctx, "LISTEN "+channelLog+"; LISTEN "+channelLease); err != nil {
		return err
	}
	// What was announced while nobody listened is seen by looking once.
	l.wake(channelLog)
	l.wake(channelLease)
	for {
		notified, err := conn.WaitForNotification(l.ctx)
		if err != nil {
			return err
		}
		l.wake(notified.Channel)
	}
}
