package postgres

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"bitacora/domain/event"
)

// ErrForeignReplica: what a replica holds is not what the log holds.
var ErrForeignReplica = errors.New("the replica is of another log, or of a primary whose place a standby has taken")

// replica is a standby from which events are read. What it cannot give, the primary does.
type replica struct {
	pool   *pgxpool.Pool
	logger *slog.Logger

	mu sync.Mutex
	// restsUntil is when it is tried again; zero while it answers.
	restsUntil time.Time
}

// replicaRest is how long a replica is left alone that failed.
const replicaRest = 30 * time.Second

// UseReplica lets [DB.History] read events from the server that url names. It is connected to when
// it is needed.
func (db *DB) UseReplica(ctx context.Context, url string) error {
	config, err := parse(url)
	if err != nil {
		return fmt.Errorf("open replica: %w", err)
	}
	config.AfterConnect = takeRole
	config.PingTimeout = pingTimeout
	config.ConnConfig.RuntimeParams["client_connection_check_interval"] = milliseconds(clientCheck)
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return fmt.Errorf("open replica: %w", err)
	}
	db.replica = &replica{pool: pool, logger: db.logger}
	return nil
}

// History is the log for whoever reads all of it: the events come from the replica as far as that
// has them, the rest and all keys from the primary. A replica may lag: its log is the beginning of
// the primary's, since positions are dense and in the order of commits. Keys may not: those of
// people who were erased would come back.
type History struct {
	log     *Log
	replica *replica
}

// History reads from the replica that [DB.UseReplica] named, or from the primary alone.
func (db *DB) History() *History { return &History{db.log, db.replica} }

// Head is that of the log, see [Log.Head].
func (h *History) Head(ctx context.Context) (int64, error) { return h.log.Head(ctx) }

// Scan is [Log.Scan].
func (h *History) Scan(ctx context.Context, after, through int64, limit int) ([]event.Recorded, error) {
	rows := h.replicated(ctx, after, through, limit)
	if len(rows) == 0 {
		return h.log.Scan(ctx, after, through, limit)
	}
	keys, err := h.log.keys.fetch(ctx, sealedStreams(rows))
	if err != nil {
		return nil, fmt.Errorf("scan log after %d: %w", after, err)
	}
	return readAll(rows, keys), nil
}

// ScanClear is [Log.ScanClear].
func (h *History) ScanClear(ctx context.Context, after, through int64, limit int) ([]event.Recorded, error) {
	rows := h.replicated(ctx, after, through, limit)
	if len(rows) == 0 {
		return h.log.ScanClear(ctx, after, through, limit)
	}
	return clearAll(rows), nil
}

// replicated gives rows of the replica that the primary has as well; none where it has or is none.
func (h *History) replicated(ctx context.Context, after, through int64, limit int) []row {
	r := h.replica
	if r == nil || r.rests() {
		return nil
	}
	rows, err := r.read(ctx, after, through, limit)
	if err == nil && len(rows) > 0 {
		err = h.log.holds(ctx, &rows[len(rows)-1])
	}
	if ctx.Err() != nil {
		return nil
	}
	r.note(err)
	if err != nil {
		return nil
	}
	return rows
}

// holds says whether a row of another copy is of this log. So are those before it, then: whoever
// stored it at that moment stored it after them.
func (l *Log) holds(ctx context.Context, r *row) error {
	var same bool
	if err := l.pool.QueryRow(ctx, query("holds"), r.position, r.id, r.recordedAt).Scan(&same); err != nil {
		return fmt.Errorf("compare event %d: %w", r.position, err)
	}
	if !same {
		return fmt.Errorf("event %d: %w", r.position, ErrForeignReplica)
	}
	return nil
}

func (r *replica) read(ctx context.Context, after, through int64, limit int) ([]row, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	found, err := r.pool.Query(ctx, query("scan"), after, through, limit, scanBytes)
	if err != nil {
		return nil, err
	}
	return readRows(found, int(max(0, min(int64(limit), through-after))))
}

func (r *replica) rests() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return time.Now().Before(r.restsUntil)
}

// note takes down whether the replica gave what it was asked for.
func (r *replica) note(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	rested := !r.restsUntil.IsZero()
	switch {
	case err != nil:
		r.restsUntil = time.Now().Add(replicaRest)
		if !rested {
			r.logger.Warn("events are read from the primary instead of the replica", "error", err)
		}
	case rested:
		r.restsUntil = time.Time{}
		r.logger.Info("events are read from the replica again")
	}
}

// CheckReplica says how many events the replica lacks. The error wraps [ErrForeignReplica] where it
// holds others.
func (db *DB) CheckReplica(ctx context.Context) (lag int64, err error) {
	var has int64
	if err := db.replica.pool.QueryRow(ctx, query("head")).Scan(&has); err != nil {
		return 0, fmt.Errorf("ask the replica: %w", err)
	}
	if has > 0 {
		rows, err := db.replica.read(ctx, has-1, has, 1)
		if err == nil && len(rows) == 0 {
			err = fmt.Errorf("event %d: %w", has, ErrForeignReplica)
		}
		if err == nil {
			err = db.log.holds(ctx, &rows[0])
		}
		if err != nil {
			return 0, fmt.Errorf("ask the replica: %w", err)
		}
	}
	head, err := db.log.Head(ctx)
	return head - has, err
}

func (r *replica) close() {
	if r != nil {
		r.pool.Close()
	}
}
