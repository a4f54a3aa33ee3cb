package postgres

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
)

// connector opens a connection of its own, outside the pool.
type connector func(context.Context) (*pgx.Conn, error)

const (
	// callTimeout bounds one call, here and in Postgres: a connection that hangs is given up.
	callTimeout = 10 * time.Second
	// patience is how long a group is retried while Postgres cannot be reached. A full disk is not
	// waited for.
	patience = 5 * time.Second
)

var errClosed = errors.New("the log is closed")

// writer appends in groups: one goroutine with one connection takes whatever is queued,
// stores it in one transaction and answers all. Under load the cost of a commit is shared;
// a lone caller waits for nobody.
type writer struct {
	connect connector
	breaker *breaker
	logger  *slog.Logger
	queue   chan *pending
	stop    context.CancelFunc
	done    chan struct{}
	conn    *pgx.Conn

	events, groups, busy atomic.Int64
}

// AppendStats is what a process has appended since it began.
type AppendStats struct {
	Events, Groups int64
	// Busy is the time spent in appending groups, Queued how many requests wait now.
	Busy   time.Duration
	Queued int
}

// Stats counts the appends of this process.
func (l *Log) Stats() AppendStats {
	w := l.writer
	return AppendStats{Events: w.events.Load(), Groups: w.groups.Load(), Busy: time.Duration(w.busy.Load()), Queued: len(w.queue)}
}

// pending is a request that waits for its answer.
type pending struct {
	ctx     context.Context
	request *request
	answer  chan answered
}

type answered struct {
	appendResult
	err error
}

func newWriter(connect connector, b *breaker, logger *slog.Logger) *writer {
	ctx, stop := context.WithCancel(context.Background())
	w := &writer{
		connect: connect,
		breaker: b,
		logger:  logger,
		queue:   make(chan *pending, 4*groupEvents),
		stop:    stop,
		done:    make(chan struct{}),
	}
	go w.run(ctx)
	return w
}

// enqueue queues a request; what is queued first is stored first.
func (w *writer) enqueue(ctx context.Context, r *request) (*pending, error) {
	p := &pending{ctx: ctx, request: r, answer: make(chan answered, 1)}
	select {
	case w.queue <- p:
		return p, nil
	case <-w.done:
		return nil, errClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// await waits for the answer to a queued request, at most as long as ctx.
func (w *writer) await(ctx context.Context, p *pending) (appendResult, error) {
	select {
	case a := <-p.answer:
		return a.appendResult, a.err
	case <-w.done:
		// The answer may have come with the end.
		select {
		case a := <-p.answer:
			return a.appendResult, a.err
		default:
			return appendResult{}, errClosed
		}
	case <-ctx.Done():
		return appendResult{}, ctx.Err()
	}
}

func (w *writer) close() {
	w.stop()
	<-w.done
}

func (w *writer) run(ctx context.Context) {
	defer close(w.done)
	defer w.disconnect()
	var left *pending
	for {
		first := left
		if left = nil; first == nil {
			select {
			case <-ctx.Done():
				return
			case first = <-w.queue:
			}
		}
		var g group
		g.add(first)
		left = w.fill(&g)
		w.store(ctx, g.requests)
	}
}

// fill adds what is queued to a group and gives back the request that did not fit.
func (w *writer) fill(g *group) (left *pending) {
	for {
		select {
		case p := <-w.queue:
			if !g.add(p) {
				return p
			}
		default:
			return nil
		}
	}
}

// store appends requests and answers each. Where a group fails as a whole, its halves are
// tried, so that one bad request fails alone.
func (w *writer) store(ctx context.Context, requests []*pending) {
	requests = waiting(requests)
	if len(requests) == 0 {
		return
	}
	began := time.Now()
	answers, err := w.persist(ctx, requests)
	switch {
	case err == nil:
		w.count(requests, answers, time.Since(began))
		for i, p := range requests {
			p.answer <- answered{appendResult: answers[i]}
		}
	case len(requests) > 1 && !Unavailable(err) && ctx.Err() == nil:
		half := len(requests) / 2
		w.store(ctx, requests[:half])
		w.store(ctx, requests[half:])
	default:
		for _, p := range requests {
			p.answer <- answered{err: err}
		}
	}
}

func (w *writer) count(requests []*pending, answers []appendResult, took time.Duration) {
	for i, a := range answers {
		if a.outcome == "stored" {
			w.events.Add(int64(len(requests[i].request.events)))
		}
	}
	w.groups.Add(1)
	w.busy.Add(int64(took))
}

// waiting drops the requests whose callers have left.
func waiting(requests []*pending) []*pending {
	var still []*pending
	for _, p := range requests {
		if p.ctx.Err() == nil {
			still = append(still, p)
		}
	}
	return still
}

// persist calls append_events, and again while the connection is lost: whether a broken
// call was committed does not matter, since repeating it finds what was stored.
func (w *writer) persist(ctx context.Context, requests []*pending) ([]appendResult, error) {
	until := time.Now().Add(patience)
	for pause := 10 * time.Millisecond; ; pause = min(2*pause, 500*time.Millisecond) {
		answers, err := w.call(ctx, requests)
		w.breaker.noteStored(w.waited(err), w.logger)
		if err == nil || !w.lost(err) || slices.Contains([]string{diskFull, ioError}, sqlState(err)) {
			return answers, err
		}
		w.disconnect()
		if ctx.Err() != nil {
			return nil, errClosed
		}
		if time.Now().After(until) {
			return nil, fmt.Errorf("%w: %w", ErrUnavailable, err)
		}
		w.logger.Warn("log connection lost, trying again", "error", err)
		select {
		case <-ctx.Done():
		case <-time.After(pause):
		}
	}
}

// waited says of a call that was sent and not answered in time that nothing is stored: another one
// has the append lock, or a synchronous standby is waited for.
func (w *writer) waited(err error) error {
	if w.conn != nil && errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("%w: an append was not answered within %v: %w", ErrReadOnly, callTimeout, err)
	}
	return err
}

// lost says that a call failed for a reason outside of its requests.
func (w *writer) lost(err error) bool {
	return Unavailable(err) || w.conn == nil || w.conn.IsClosed()
}

func (w *writer) call(ctx context.Context, requests []*pending) ([]appendResult, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	if w.conn == nil {
		conn, err := w.connect(ctx)
		if err != nil {
			return nil, err
		}
		w.conn = conn
	}
	answers, err := collect(ctx, w.conn, query("append"), scanResult, arguments(requests)...)
	if err == nil && len(answers) != len(requests) {
		err = fmt.Errorf("%d requests got %d answers", len(requests), len(answers))
	}
	return answers, err
}

func (w *writer) disconnect() {
	hangUp(w.conn)
	w.conn = nil
}
