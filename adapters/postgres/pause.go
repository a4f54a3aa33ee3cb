package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"bitacora/projections/builds"
	"bitacora/projections/feed"
)

// Pause stops projections at one position that all of them have applied, runs work there, and
// lets them go on, see [feed.Pause]. It gives [builds.ErrBusy] while another pause of one of them
// lasts, and [builds.ErrNotFollowed] where one of them was never followed.
func (db *DB) Pause(ctx context.Context, names []string, work func(ctx context.Context, position int64) error) error {
	return feed.Pause(ctx, pauses{db.pool}, names, work)
}

// pauses implements [feed.Pauses] by the database's clock.
type pauses struct{ pool *pgxpool.Pool }

func (p pauses) Begin(ctx context.Context, names []string, ttl time.Duration) (position int64, err error) {
	err = pgx.BeginFunc(ctx, p.pool, func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, query("pause_lock"), names)
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
		_, err = tx.Exec(ctx, query("pause_set"), names, position, ttl)
		return err
	})
	return position, err
}

func (p pauses) Renew(ctx context.Context, names []string, position int64, ttl time.Duration) (bool, error) {
	tag, err := p.pool.Exec(ctx, query("pause_renew"), names, position, ttl)
	return tag.RowsAffected() == int64(len(names)), err
}

func (p pauses) Reached(ctx context.Context, names []string, position int64) (bool, error) {
	var arrived int
	err := p.pool.QueryRow(ctx, query("pause_reached"), names, position).Scan(&arrived)
	return arrived == len(names), err
}

func (p pauses) End(ctx context.Context, names []string, position int64) error {
	_, err := p.pool.Exec(ctx, query("pause_release"), names, position)
	return err
}
