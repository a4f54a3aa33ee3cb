package postgres

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// listener tells everybody who waits what other processes announce. It needs
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

// What is announced: that the log grew, that a lease was given up, and that a session was ended.
const (
	channelLog      = "bitacora_log"
	channelLease    = "bitacora_lease"
	channelSessions = "bitacora_sessions"
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
	defer hangUp(conn)
	if _, err := conn.Exec(l.ctx, "LISTEN "+channelLog+"; LISTEN "+channelLease+"; LISTEN "+channelSessions); err != nil {
		return err
	}
	// What was announced while nobody listened is seen by looking once.
	l.wake(channelLog)
	l.wake(channelLease)
	l.wake(channelSessions)
	for {
		notified, err := l.wait(conn)
		if err != nil {
			return err
		}
		if notified != nil {
			l.wake(notified.Channel)
		}
	}
}

// quiet is after how long without a notification it is looked whether the server is still there: one
// that is cut off does not say so.
const quiet = 10 * time.Second

// wait gives the next notification, or none after a quiet time at whose end the server answers.
func (l *listener) wait(conn *pgx.Conn) (*pgconn.Notification, error) {
	ctx, cancel := context.WithTimeout(l.ctx, quiet)
	defer cancel()
	notified, err := conn.WaitForNotification(ctx)
	if err == nil || !pgconn.Timeout(err) || l.ctx.Err() != nil {
		return notified, err
	}
	ctx, cancel = context.WithTimeout(l.ctx, pingTimeout)
	defer cancel()
	return nil, conn.Ping(ctx)
}
