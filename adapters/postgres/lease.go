package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"bitacora/domain/fault"
	"bitacora/projections/builds"
	"bitacora/projections/feed"
)

// exclusiveLease is how long work that one process at a time may do stays closed to others
// when its process vanished.
const exclusiveLease = 10 * time.Second

// leases implements [feed.Leases] by the database's clock.
type leases struct{ pool *pgxpool.Pool }

func (l leases) Acquire(ctx context.Context, name, owner string, ttl time.Duration) (token int64, ok bool, err error) {
	err = l.pool.QueryRow(ctx, query("lease_acquire"), name, owner, ttl).Scan(&token)
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, false, nil
	}
	if err != nil {
		return 0, false, fmt.Errorf("acquire lease %s: %w", name, err)
	}
	return token, true, nil
}

func (l leases) Renew(ctx context.Context, name string, token int64, ttl time.Duration) (bool, error) {
	tag, err := l.pool.Exec(ctx, query("lease_renew"), name, token, ttl)
	return tag.RowsAffected() == 1, err
}

func (l leases) Release(ctx context.Context, name string, token int64) error {
	_, err := l.pool.Exec(ctx, query("lease_release"), name, token)
	return err
}

// EndLeases ends all leases, for who has started the database anew: their owners have lost it.
func (db *DB) EndLeases(ctx context.Context) error {
	_, err := db.pool.Exec(ctx, query("leases_end"))
	return fault.Wrap(err, "end leases")
}

// TryWithLease does some work that one process at a time may do; ok is false where another one is
// doing it. The work's context ends when the lease is lost.
func (db *DB) TryWithLease(ctx context.Context, name string, ttl time.Duration, work func(context.Context) error) (ok bool, err error) {
	return feed.NewLease(leases{db.pool}, name, ttl).Try(ctx, work)
}

// WithLease runs work that one process at a time may do. It gives [builds.ErrBusy] and the
// owner's name while another does it. The work's context ends when the lease was lost.
func (db *DB) WithLease(ctx context.Context, name string, work func(context.Context) error) error {
	ok, err := db.TryWithLease(ctx, name, exclusiveLease, work)
	if err == nil && !ok {
		var owner string
		_ = db.pool.QueryRow(ctx, "SELECT owner FROM leases WHERE name = $1", name).Scan(&owner)
		err = fmt.Errorf("%s: %w: %s", name, builds.ErrBusy, owner)
	}
	return err
}
