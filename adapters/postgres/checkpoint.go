package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

var (
	sqlCheckpoint      = query("checkpoint")
	sqlCheckpointClaim = query("checkpoint_claim")
	sqlCheckpointMove  = query("checkpoint_move")
	sqlDataThrough     = query("data_through")
)

// ErrForeignCheckpoint: what a projection has applied is not a beginning of this log.
var ErrForeignCheckpoint = errors.New("checkpoint does not belong to this log")

var errFenced = errors.New("checkpoint belongs to another owner")

// checkpoint is how far a projection has applied the log, as its owner knows it.
type checkpoint struct {
	pool       *pgxpool.Pool
	projection string
	token      int64
	epoch      string
	position   int64
}

// load reads the checkpoint and refuses one that belongs to another log, or to a later
// state of this one.
func (c *checkpoint) load(ctx context.Context) error {
	var of *string
	var head int64
	err := c.pool.QueryRow(ctx, sqlCheckpoint, c.projection).Scan(&c.epoch, &of, &c.position, &head)
	if err != nil {
		return fmt.Errorf("read checkpoint of %s: %w", c.projection, err)
	}
	if of != nil && *of != c.epoch {
		return fmt.Errorf("%w: projection %s follows the log of epoch %s, this one is %s; a restored or replaced log needs its projections rebuilt",
			ErrForeignCheckpoint, c.projection, *of, c.epoch)
	}
	if c.position > head {
		return fmt.Errorf("%w: projection %s has applied position %d, but the log ends at %d; a log restored to an earlier state needs a new epoch and its projections rebuilt",
			ErrForeignCheckpoint, c.projection, c.position, head)
	}
	return nil
}

// claim makes the lease's owner the only one who can move the checkpoint, and loads it.
func (c *checkpoint) claim(ctx context.Context) error {
	tag, err := c.pool.Exec(ctx, sqlCheckpointClaim, c.projection, c.token)
	if err != nil {
		return fmt.Errorf("claim checkpoint of %s: %w", c.projection, err)
	}
	if tag.RowsAffected() == 0 {
		return fmt.Errorf("claim checkpoint of %s: %w", c.projection, errFenced)
	}
	return c.load(ctx)
}

// move says that everything up to position is applied.
func (c *checkpoint) move(ctx context.Context, position int64, recordedAt time.Time) error {
	tag, err := c.pool.Exec(ctx, sqlCheckpointMove, c.projection, c.token, c.epoch, c.position, position, recordedAt)
	if err != nil {
		return fmt.Errorf("move checkpoint of %s: %w", c.projection, err)
	}
	if tag.RowsAffected() == 0 {
		return fmt.Errorf("move checkpoint of %s to %d: %w", c.projection, position, errFenced)
	}
	c.position = position
	return nil
}

// DataThrough says up to which position a projection has applied the log, and up to which
// time: now, by the database's clock, if that is the end of the log; else when the event at
// that position was recorded; the zero time if nothing was applied yet.
func (db *DB) DataThrough(ctx context.Context, projection string) (position int64, at time.Time, err error) {
	var through *time.Time
	err = db.pool.QueryRow(ctx, sqlDataThrough, projection).Scan(&position, &through)
	if err != nil {
		return 0, time.Time{}, fmt.Errorf("read checkpoint of %s: %w", projection, err)
	}
	if through != nil {
		at = through.UTC()
	}
	return position, at, nil
}
