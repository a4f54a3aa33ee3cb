package postgres

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

var (
	sqlLeaseAcquire = query("lease_acquire")
	sqlLeaseRenew   = query("lease_renew")
	sqlLeaseRelease = query("lease_release")
)

var errLeaseLost = errors.New("lease lost to another owner")

// lease is work that one owner at a time may do, for as long as it keeps renewing.
type lease struct {
	pool  *pgxpool.Pool
	name  string
	owner string
	ttl   time.Duration
	// token tells this ownership from all earlier and later ones.
	token int64
}

// ownerName tells this owner from all others: where it runs, and a name drawn for it.
func ownerName() string {
	host, _ := os.Hostname()
	return fmt.Sprintf("%s/%d/%s", host, os.Getpid(), uuid.NewString())
}

// acquire takes the lease; ok is false while another owner holds it.
func (l *lease) acquire(ctx context.Context) (ok bool, err error) {
	err = l.pool.QueryRow(ctx, sqlLeaseAcquire, l.name, l.owner, l.ttl).Scan(&l.token)
	if errors.Is(err, pgx.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("acquire lease %s: %w", l.name, err)
	}
	return true, nil
}

// keep renews the lease until ctx ends, and says why it could not. It gives up while the
// database still counts the lease as held, so that no two owners work at once.
func (l *lease) keep(ctx context.Context) error {
	held := time.Now()
	tick := time.NewTicker(l.ttl / 4)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		asked := time.Now()
		switch renewed, err := l.renew(ctx); {
		case err == nil && !renewed:
			return errLeaseLost
		case err == nil:
			held = asked
		case time.Since(held) > l.ttl/2:
			return fmt.Errorf("renew lease %s: %w", l.name, err)
		}
	}
}

func (l *lease) renew(ctx context.Context) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, l.ttl/4)
	defer cancel()
	tag, err := l.pool.Exec(ctx, sqlLeaseRenew, l.name, l.token, l.ttl)
	return tag.RowsAffected() == 1, err
}

// release lets the next owner in at once. Where it fails, the lease runs out by itself.
func (l *lease) release(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	_, _ = l.pool.Exec(ctx, sqlLeaseRelease, l.name, l.token)
}

// TryWithLease does some work that one process at a time may do; ok is false where another one is
// doing it. The work's context ends when the lease is lost.
func (db *DB) TryWithLease(ctx context.Context, name string, ttl time.Duration, work func(context.Context) error) (ok bool, err error) {
	l := &lease{pool: db.pool, name: name, owner: ownerName(), ttl: ttl}
	if ok, err = l.acquire(ctx); err != nil || !ok {
		return false, err
	}
	defer l.release(ctx)
	ctx, cancel := context.WithCancelCause(ctx)
	kept := make(chan struct{})
	go func() {
		defer close(kept)
		if err := l.keep(ctx); err != nil {
			cancel(err)
		}
	}()
	defer func() {
		cancel(nil)
		<-kept
	}()
	return true, work(ctx)
}
