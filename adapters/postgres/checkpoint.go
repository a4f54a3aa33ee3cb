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
)

var (
	sqlCheckpoint      = query("checkpoint")
	sqlCheckpointClaim = query("checkpoint_claim")
	sqlCheckpointMove  = query("checkpoint_move")
	sqlWriteAhead      = query("checkpoint_write_ahead")
	sqlDataThrough     = query("data_through")
)

// ErrForeignCheckpoint: what a projection has applied is not a beginning of this log.
var ErrForeignCheckpoint = errors.New("checkpoint does not belong to this log")

var errFenced = errors.New("checkpoint belongs to another owner, or the log went back in time")

// checkpoint is how far a projection has applied the log, as its owner knows it.
type checkpoint struct {
	pool       *pgxpool.Pool
	projection string
	token      int64
	epoch      string
	position   int64
	// event is the id of the event at that position; zero where it is 0. It tells this log from
	// one that went back and grew again.
	event pgtype.UUID
}

// load reads the checkpoint and refuses one that belongs to another log, or to a later
// state of this one.
func (c *checkpoint) load(ctx context.Context) error {
	var of *string
	var head int64
	var moved bool
	err := c.pool.QueryRow(ctx, sqlCheckpoint, c.projection).Scan(&c.epoch, &of, &c.position, &c.event, &head, &moved)
	if err != nil {
		return fmt.Errorf("read checkpoint of %s: %w", c.projection, err)
	}
	if moved {
		return fmt.Errorf("%w: the log lies in another PostgreSQL cluster than before, so it was restored or copied; bitacora log adopt-epoch takes it over",
			ErrForeignCheckpoint)
	}
	if of != nil && *of != c.epoch {
		return fmt.Errorf("%w: projection %s follows the log of epoch %s, this one is %s; a restored or replaced log needs its projections rebuilt: bitacora rebuild",
			ErrForeignCheckpoint, c.projection, *of, c.epoch)
	}
	if c.position > head {
		return fmt.Errorf("%w: projection %s has applied position %d, but the log ends at %d; a log restored to an earlier state needs a new epoch (bitacora log adopt-epoch) and its projections rebuilt (bitacora rebuild)",
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

// errWentBack: the log does not hold any more what was read from it.
var errWentBack = errors.New("the log went back in time")

// stands says that the log still holds what was applied last.
func (c *checkpoint) stands(ctx context.Context, log *Log) error {
	if c.position == 0 {
		return nil
	}
	lacks, err := log.Lacks(ctx, []int64{c.position}, []string{c.event.String()})
	if err == nil && lacks > 0 {
		err = fmt.Errorf("%w: event %s at position %d was applied and is not there", errWentBack, c.event, lacks)
	}
	return err
}

// writeAhead says, before anything is applied, that everything up to an event may be, and
// gives up to where that is allowed: less while the projection is held. It is refused where the
// log does not hold that event any more.
func (c *checkpoint) writeAhead(ctx context.Context, last event.Recorded) (allowed int64, err error) {
	position := last.Position
	err = c.pool.QueryRow(ctx, sqlWriteAhead, c.projection, c.token, c.epoch, c.position, position, last.ID).Scan(&allowed)
	if errors.Is(err, pgx.ErrNoRows) {
		err = errFenced
	}
	if err != nil {
		return 0, fmt.Errorf("announce %d for %s: %w", position, c.projection, err)
	}
	return max(allowed, c.position), nil
}

// move says that everything up to an event is applied, if the log still holds it.
func (c *checkpoint) move(ctx context.Context, last event.Recorded) error {
	position := last.Position
	tag, err := c.pool.Exec(ctx, sqlCheckpointMove, c.projection, c.token, c.epoch, c.position, position, last.RecordedAt, last.ID)
	if err != nil {
		return fmt.Errorf("move checkpoint of %s: %w", c.projection, err)
	}
	if tag.RowsAffected() == 0 {
		return fmt.Errorf("move checkpoint of %s to %d: %w", c.projection, position, errFenced)
	}
	c.position = position
	return c.event.Scan(last.ID)
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
