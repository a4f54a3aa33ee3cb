package postgres

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"bitacora/projections/builds"
)

var (
	sqlPauseLock    = query("pause_lock")
	sqlPauseSet     = query("pause_set")
	sqlPauseRenew   = query("pause_renew")
	sqlPauseRelease = query("pause_release")
	sqlPauseReached = query("pause_reached")
)

// pauseTime is how long projections stay paused for a process that vanished.
const pauseTime = 10 * time.Second

// Pause stops projections at one position that all of them have applied, runs work there, and
// lets them go on. Each must be followed by some process; [builds.ErrNotFollowed] says that one
// never was. The work's context ends when the pause was lost.
func (db *DB) Pause(ctx context.Context, names []string, work func(ctx context.Context, position int64) error) error {
	position, err := db.beginPause(ctx, names)
	if err != nil {
		return fmt.Errorf("pause projections %v: %w", names, err)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	var renewing sync.WaitGroup
	renewing.Go(func() {
		if err := db.renewPause(ctx, names, position); err != nil {
			cancel(err)
		}
	})
	defer func() {
		cancel(nil)
		renewing.Wait()
		ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer stop()
		_, _ = db.pool.Exec(ctx, sqlPauseRelease, names, position)
	}()
	if err := db.awaitPause(ctx, names, position); err != nil {
		return fmt.Errorf("pause projections %v at %d: %w", names, position, err)
	}
	if err := work(ctx, position); err != nil {
		return err
	}
	return context.Cause(ctx)
}

func (db *DB) beginPause(ctx context.Context, names []string) (position int64, err error) {
	err = pgx.BeginFunc(ctx, db.pool, func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, sqlPauseLock, names)
		if err != nil {
			return err
		}
		var writeAhead int64
		var paused *bool
		tag, err := pgx.ForEachRow(rows, []any{&writeAhead, &paused}, func() error {
			if paused != nil && *paused {
				return builds.ErrBusy
			}
			position = max(position, writeAhead)
			return nil
		})
		if err != nil {
			return err
		}
		if tag.RowsAffected() != int64(len(names)) {
			return fmt.Errorf("%w: %w", ErrNotFound, builds.ErrNotFollowed)
		}
		_, err = tx.Exec(ctx, sqlPauseSet, names, position, pauseTime)
		return err
	})
	return position, err
}

func (db *DB) renewPause(ctx context.Context, names []string, position int64) error {
	tick := time.NewTicker(pauseTime / 5)
	defer tick.Stop()
	for renewed := time.Now(); ; {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		asked := time.Now()
		tag, err := db.pool.Exec(ctx, sqlPauseRenew, names, position, pauseTime)
		switch {
		case ctx.Err() != nil:
			return nil
		case err == nil && tag.RowsAffected() != int64(len(names)):
			return errors.New("the pause was lost")
		case err == nil:
			renewed = asked
		case time.Since(renewed) > pauseTime/2:
			return fmt.Errorf("renew pause: %w", err)
		}
	}
}

func (db *DB) awaitPause(ctx context.Context, names []string, position int64) error {
	for {
		var arrived int
		if err := db.pool.QueryRow(ctx, sqlPauseReached, names, position).Scan(&arrived); err != nil {
			return err
		}
		if arrived == len(names) {
			return nil
		}
		sleep(ctx, 20*time.Millisecond, nil)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
}

// WithLease runs work that one process at a time may do. It gives [builds.ErrBusy] and the
// owner's name while another does it. The work's context ends when the lease was lost.
func (db *DB) WithLease(ctx context.Context, name string, work func(context.Context) error) error {
	l := &lease{pool: db.pool, name: name, owner: ownerName(), ttl: pauseTime}
	ok, err := l.acquire(ctx)
	if err != nil {
		return err
	}
	if !ok {
		var owner string
		_ = db.pool.QueryRow(ctx, "SELECT owner FROM leases WHERE name = $1", name).Scan(&owner)
		return fmt.Errorf("%s: %w: %s", name, builds.ErrBusy, owner)
	}
	defer l.release(ctx)
	ctx, cancel := context.WithCancelCause(ctx)
	var renewing sync.WaitGroup
	renewing.Go(func() {
		if err := l.keep(ctx); err != nil {
			cancel(err)
		}
	})
	defer renewing.Wait()
	defer cancel(nil)
	if err := work(ctx); err != nil {
		return errors.Join(err, lost(ctx))
	}
	return nil
}

// lost says why a context was ended from within, nil when it was not.
func lost(ctx context.Context) error {
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, context.Canceled) {
		return cause
	}
	return nil
}
