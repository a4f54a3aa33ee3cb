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
	woken chan struct{}
}

func newListener(connect connector, logger *slog.Logger) *listener {
	ctx, stop := context.WithCancel(context.Background())
	return &listener{connect: connect, logger: logger, ctx: ctx, stop: stop, woken: make(chan struct{})}
}

// next is closed at the next notification.
func (l *listener) next() <-chan struct{} {
	l.start.Do(func() { l.running.Go(l.run) })
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.woken
}

func (l *listener) wake() {
	l.mu.Lock()
	defer l.mu.Unlock()
	close(l.woken)
	l.woken = make(chan struct{})
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
	if _, err := conn.Exec(l.ctx, "LISTEN bitacora_log; LISTEN bitacora_lease"); err != nil {
		return err
	}
	for {
		// What was announced before LISTEN took hold is seen by looking once.
		l.wake()
		if _, err := conn.WaitForNotification(l.ctx); err != nil {
			return err
		}
	}
}
