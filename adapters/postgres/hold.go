package postgres

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

var (
	sqlHoldLock    = query("hold_lock")
	sqlHoldSet     = query("hold_set")
	sqlHoldRenew   = query("hold_renew")
	sqlHoldRelease = query("hold_release")
	sqlHoldReached = query("hold_reached")
)

// ErrBusy: another process does this work already.
var ErrBusy = errors.New("another process is at it")

// holdTime is how long projections rest on for a holder that vanished.
const holdTime = 10 * time.Second

// Hold brings projections to rest at one position that all of them have applied, runs work
// there, and lets them go on. They must be followed by somebody. The work's context ends
// when the hold was lost.
func (db *DB) Hold(ctx context.Context, names []string, work func(ctx context.Context, position int64) error) error {
	position, err := db.beginHold(ctx, names)
	if err != nil {
		return fmt.Errorf("hold projections %v: %w", names, err)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	var renewing sync.WaitGroup
	renewing.Go(func() {
		if err := db.keepHold(ctx, names, position); err != nil {
			cancel(err)
		}
	})
	defer func() {
		cancel(nil)
		renewing.Wait()
		ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer stop()
		_, _ = db.pool.Exec(ctx, sqlHoldRelease, names, position)
	}()
	if err := db.awaitHold(ctx, names, position); err != nil {
		return fmt.Errorf("bring projections %v to rest at %d: %w", names, position, err)
	}
	if err := work(ctx, position); err != nil {
		return err
	}
	return context.Cause(ctx)
}

func (db *DB) beginHold(ctx context.Context, names []string) (position int64, err error) {
	err = pgx.BeginFunc(ctx, db.pool, func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, sqlHoldLock, names)
		if err != nil {
			return err
		}
		var announced int64
		var held *bool
		tag, err := pgx.ForEachRow(rows, []any{&announced, &held}, func() error {
			if held != nil && *held {
				return ErrBusy
			}
			position = max(position, announced)
			return nil
		})
		if err != nil {
			return err
		}
		if tag.RowsAffected() != int64(len(names)) {
			return fmt.Errorf("%w: one of them was never followed", ErrNotFound)
		}
		_, err = tx.Exec(ctx, sqlHoldSet, names, position, holdTime)
		return err
	})
	return position, err
}

func (db *DB) keepHold(ctx context.Context, names []string, position int64) error {
	tick := time.NewTicker(holdTime / 5)
	defer tick.Stop()
	for held := time.Now(); ; {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		asked := time.Now()
		tag, err := db.pool.Exec(ctx, sqlHoldRenew, names, position, holdTime)
		switch {
		case ctx.Err() != nil:
			return nil
		case err == nil && tag.RowsAffected() != int64(len(names)):
			return errors.New("the hold was lost")
		case err == nil:
			held = asked
		case time.Since(held) > holdTime/2:
			return fmt.Errorf("renew hold: %w", err)
		}
	}
}

func (db *DB) awaitHold(ctx context.Context, names []string, position int64) error {
	for {
		var arrived int
		if err := db.pool.QueryRow(ctx, sqlHoldReached, names, position).Scan(&arrived); err != nil {
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

// Exclusively runs work that one process at a time may do. It gives [ErrBusy] and the
// owner's name while another does it. The work's context ends when the lease was lost.
func (db *DB) Exclusively(ctx context.Context, name string, work func(context.Context) error) error {
	l := &lease{pool: db.pool, name: name, owner: ownerName(), ttl: holdTime}
	ok, err := l.acquire(ctx)
	if err != nil {
		return err
	}
	if !ok {
		var owner string
		_ = db.pool.QueryRow(ctx, "SELECT owner FROM leases WHERE name = $1", name).Scan(&owner)
		return fmt.Errorf("%s: %w: %s", name, ErrBusy, owner)
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
