package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgxpool"

	"bitacora/domain/event"
	"bitacora/domain/fault"
	"bitacora/projections/feed"
)

// checkpoints implements [feed.Checkpoints] beside the log, so that one statement compares a
// checkpoint with both.
type checkpoints struct{ pool *pgxpool.Pool }

func (c checkpoints) Read(ctx context.Context, projection string) (s feed.Stored, err error) {
	var epoch *string
	var at pgtype.UUID
	err = c.pool.QueryRow(ctx, query("checkpoint"), projection).Scan(&s.LogEpoch, &epoch, &s.Position, &at, &s.Head, &s.LogMoved)
	if Unavailable(err) {
		err = fmt.Errorf("%w: %w", feed.ErrUnavailable, err)
	}
	if err != nil {
		return feed.Stored{}, fmt.Errorf("read checkpoint of %s: %w", projection, err)
	}
	if epoch != nil {
		s.Epoch = *epoch
	}
	s.Event = at.String()
	return s, nil
}

func (c checkpoints) Claim(ctx context.Context, projection string, token int64) (bool, error) {
	tag, err := c.pool.Exec(ctx, query("checkpoint_claim"), projection, token)
	return tag.RowsAffected() == 1, fault.Wrap(err, "claim checkpoint of "+projection)
}

func (c checkpoints) WriteAhead(ctx context.Context, from feed.Checkpoint, last event.Recorded) (allowed int64, ok bool, err error) {
	err = c.pool.QueryRow(ctx, query("checkpoint_write_ahead"), from.Projection, from.Token, from.Epoch, from.Position, last.Position, last.ID).Scan(&allowed)
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, false, nil
	}
	if err != nil {
		return 0, false, fmt.Errorf("write ahead %d for %s: %w", last.Position, from.Projection, err)
	}
	return allowed, true, nil
}

func (c checkpoints) Move(ctx context.Context, from feed.Checkpoint, last event.Recorded) (bool, error) {
	tag, err := c.pool.Exec(ctx, query("checkpoint_move"), from.Projection, from.Token, from.Epoch, from.Position, last.Position, last.RecordedAt, last.ID)
	return tag.RowsAffected() == 1, fault.Wrap(err, "move checkpoint of "+from.Projection)
}

// DataThrough says up to which position a projection has applied the log, and up to which
// time: now, by the database's clock, if that is the end of the log; else when the event at
// that position was recorded; the zero time if nothing was applied yet.
func (db *DB) DataThrough(ctx context.Context, projection string) (position int64, at time.Time, err error) {
	var through *time.Time
	err = db.pool.QueryRow(ctx, query("data_through"), projection).Scan(&position, &through)
	if err != nil {
		return 0, time.Time{}, fmt.Errorf("read checkpoint of %s: %w", projection, err)
	}
	if through != nil {
		at = through.UTC()
	}
	return position, at, nil
}
