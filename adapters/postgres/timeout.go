package postgres

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type timeoutKey struct{}

// WithTimeout is for the work of a request, whose client waits: under it every statement, every
// wait for a connection and every append ends after a time, and at once while the database is
// known not to answer, see [DB.Watch]. The error is then one that [Unavailable] recognises.
func WithTimeout(ctx context.Context, d time.Duration) context.Context {
	return context.WithValue(ctx, timeoutKey{}, d)
}

// breaker keeps requests from waiting for a database that does not answer.
type breaker struct {
	open    atomic.Bool
	refused atomic.Int64
	// readOnly: it answers and stores nothing. watched: [DB.Watch] finds out when it stores again.
	readOnly, watched atomic.Bool
}

// bounded gives a single step of a request its time: none while the breaker is open.
func (b *breaker) bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	return b.boundedUnless(ctx, b.open.Load())
}

// boundedAppend is bounded for an append, which a database that stores nothing is not asked for.
func (b *breaker) boundedAppend(ctx context.Context) (context.Context, context.CancelFunc) {
	return b.boundedUnless(ctx, b.open.Load() || b.watched.Load() && b.readOnly.Load())
}

func (b *breaker) boundedUnless(ctx context.Context, refuse bool) (context.Context, context.CancelFunc) {
	d, ok := ctx.Value(timeoutKey{}).(time.Duration)
	if !ok {
		return ctx, func() {}
	}
	if refuse {
		b.refused.Add(1)
		d = 0
	}
	return context.WithTimeout(ctx, d)
}

// note takes down whether the database answers.
func (b *breaker) note(err error, logger *slog.Logger) {
	switch was := b.open.Swap(err != nil); {
	case err != nil && !was:
		logger.Error("PostgreSQL does not answer, requests are refused until it does", "error", err)
	case err == nil && was:
		logger.Info("PostgreSQL answers again", "refused", b.refused.Load())
	}
}

// Refused is how many statements and appends were not tried since [Open], because the database
// was known not to answer.
func (db *DB) Refused() int64 { return db.breaker.refused.Load() }

// How long [DB.Watch] waits after an answer, and after none.
const (
	watchPause = time.Second
	lostPause  = 250 * time.Millisecond
)

// Watch looks whether the database answers within a time and stores, again and again until ctx ends, on a
// connection of its own: those of the pool may all be waiting.
func (db *DB) Watch(ctx context.Context, timeout time.Duration) {
	db.breaker.watched.Store(true)
	defer db.breaker.watched.Store(false)
	var conn *pgx.Conn
	for ctx.Err() == nil {
		var err error
		if conn, err = look(ctx, db, conn, timeout); ctx.Err() != nil {
			break
		}
		db.breaker.note(err, db.logger)
		pause := watchPause
		if err != nil {
			pause = lostPause
		}
		select {
		case <-ctx.Done():
		case <-time.After(pause):
		}
	}
	hangUp(conn)
}

// look asks over a connection, or over a new one where that is lost or read-only, and gives it back.
func look(ctx context.Context, db *DB, conn *pgx.Conn, timeout time.Duration) (*pgx.Conn, error) {
	if db.breaker.open.Load() {
		// Nobody waits for this answer, and it may take long to pass over servers that hang.
		timeout = max(timeout, callTimeout)
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	if conn != nil {
		if ask(ctx, db, conn) == nil && !db.breaker.readOnly.Load() {
			return conn, nil
		}
		hangUp(conn)
	}
	conn, err := db.connect(ctx)
	if err == nil {
		err = ask(ctx, db, conn)
	}
	if err != nil {
		hangUp(conn)
		return nil, err
	}
	return conn, nil
}

// hangUp ends a connection without waiting for long that the other side takes note of it.
func hangUp(conn *pgx.Conn) {
	if conn == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	conn.Close(ctx)
}

// deadlines gives pgx the bounded contexts: what a tracer returns at the start of a step is what
// the step runs under.
type deadlines struct{ *breaker }

var (
	_ pgxpool.AcquireTracer = deadlines{}
	_ pgx.QueryTracer       = deadlines{}
	_ pgx.BatchTracer       = deadlines{}
)

type endKey struct{}

func (d deadlines) start(ctx context.Context) context.Context {
	ctx, end := d.bounded(ctx)
	return context.WithValue(ctx, endKey{}, end)
}

func (d deadlines) end(ctx context.Context) {
	if end, ok := ctx.Value(endKey{}).(context.CancelFunc); ok {
		end()
	}
}

// TraceAcquireStart implements [pgxpool.AcquireTracer].
func (d deadlines) TraceAcquireStart(ctx context.Context, _ *pgxpool.Pool, _ pgxpool.TraceAcquireStartData) context.Context {
	return d.start(ctx)
}

// TraceAcquireEnd implements [pgxpool.AcquireTracer].
func (d deadlines) TraceAcquireEnd(ctx context.Context, _ *pgxpool.Pool, _ pgxpool.TraceAcquireEndData) {
	d.end(ctx)
}

// TraceQueryStart implements [pgx.QueryTracer].
func (d deadlines) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	return d.start(ctx)
}

// TraceQueryEnd implements [pgx.QueryTracer].
func (d deadlines) TraceQueryEnd(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryEndData) {
	d.end(ctx)
}

// TraceBatchStart implements [pgx.BatchTracer].
func (d deadlines) TraceBatchStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData) context.Context {
	return d.start(ctx)
}

// TraceBatchQuery implements [pgx.BatchTracer].
func (deadlines) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}

// TraceBatchEnd implements [pgx.BatchTracer].
func (d deadlines) TraceBatchEnd(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchEndData) {
	d.end(ctx)
}
