package feed

import (
	"context"
	"errors"
	"fmt"

	"bitacora/domain/event"
)

var (
	// ErrForeignCheckpoint: what a projection has applied is not a beginning of this log.
	ErrForeignCheckpoint = errors.New("checkpoint does not belong to this log")
	// ErrUnavailable is what stores wrap that cannot be reached at present.
	ErrUnavailable = errors.New("store is away")

	errFenced   = errors.New("checkpoint belongs to another owner, or the log went back in time")
	errWentBack = errors.New("the log went back in time")
)

// Checkpoint is how far a projection has applied the log, as its owner knows it.
type Checkpoint struct {
	Projection string
	// Token is that of the owner's lease.
	Token int64
	Epoch string
	// Position is the last one that was applied, Event the id of the event there, empty where it
	// is 0. It tells this log from one that went back and grew again.
	Position int64
	Event    string
}

// Stored is a checkpoint as it is kept, beside the log as it is.
type Stored struct {
	// Epoch is the one of the log that was applied; empty where nothing was.
	Epoch    string
	Position int64
	Event    string
	// LogEpoch and Head, the last position, are those of the log. LogMoved says that it lies in
	// another cluster than it last was known to.
	LogEpoch string
	Head     int64
	LogMoved bool
}

// Checkpoints are kept beside the log. A change is refused, which ok says, unless the stored
// checkpoint is the one given, of the same owner and of the log's epoch, and the log holds the
// event to which it is to be changed.
type Checkpoints interface {
	// Read looks at a checkpoint.
	Read(ctx context.Context, projection string) (Stored, error)
	// Claim makes the owner with a token the only one who can change a checkpoint; refused where
	// a later one has claimed it. A projection without one begins at 0.
	Claim(ctx context.Context, projection string, token int64) (ok bool, err error)
	// WriteAhead notes that everything up to an event may be applied from now on, and gives up
	// to where that is allowed: less while the projection is paused.
	WriteAhead(ctx context.Context, from Checkpoint, last event.Recorded) (allowed int64, ok bool, err error)
	// Move notes that everything up to an event is applied.
	Move(ctx context.Context, from Checkpoint, last event.Recorded) (ok bool, err error)
}

// load reads a checkpoint and refuses one that belongs to another log, or to a later state of
// this one.
func load(ctx context.Context, checkpoints Checkpoints, projection string) (Checkpoint, error) {
	s, err := checkpoints.Read(ctx, projection)
	switch {
	case err != nil:
	case s.LogMoved:
		err = fmt.Errorf("%w: the log lies in another PostgreSQL cluster than before, so it was restored or copied; bitacora log adopt-epoch takes it over",
			ErrForeignCheckpoint)
	case s.Epoch != "" && s.Epoch != s.LogEpoch:
		err = fmt.Errorf("%w: projection %s follows the log of epoch %s, this one is %s; a restored or replaced log needs its projections rebuilt: bitacora rebuild",
			ErrForeignCheckpoint, projection, s.Epoch, s.LogEpoch)
	case s.Position > s.Head:
		err = fmt.Errorf("%w: projection %s has applied position %d, but the log ends at %d; a log restored to an earlier state needs a new epoch (bitacora log adopt-epoch) and its projections rebuilt (bitacora rebuild)",
			ErrForeignCheckpoint, projection, s.Position, s.Head)
	}
	return Checkpoint{Projection: projection, Epoch: s.LogEpoch, Position: s.Position, Event: s.Event}, err
}

// claim makes the lease's owner the only one who can move the checkpoint, and loads it.
func claim(ctx context.Context, checkpoints Checkpoints, projection string, token int64) (Checkpoint, error) {
	ok, err := checkpoints.Claim(ctx, projection, token)
	if err == nil && !ok {
		err = fmt.Errorf("claim checkpoint of %s: %w", projection, errFenced)
	}
	if err != nil {
		return Checkpoint{}, err
	}
	c, err := load(ctx, checkpoints, projection)
	c.Token = token
	return c, err
}

// isIn says that the log still holds what was applied last.
func (c *Checkpoint) isIn(ctx context.Context, log Log) error {
	if c.Position == 0 {
		return nil
	}
	lacks, err := log.Lacks(ctx, []int64{c.Position}, []string{c.Event})
	if err == nil && lacks > 0 {
		err = fmt.Errorf("%w: event %s at position %d was applied and is not there", errWentBack, c.Event, lacks)
	}
	return err
}

// writeAhead notes, before anything is applied, that everything up to an event may be, and
// gives up to where that is allowed.
func (c *Checkpoint) writeAhead(ctx context.Context, checkpoints Checkpoints, last event.Recorded) (allowed int64, err error) {
	allowed, ok, err := checkpoints.WriteAhead(ctx, *c, last)
	if err == nil && !ok {
		err = fmt.Errorf("write ahead %d for %s: %w", last.Position, c.Projection, errFenced)
	}
	return max(allowed, c.Position), err
}

// move notes that everything up to an event is applied, if the log still holds it.
func (c *Checkpoint) move(ctx context.Context, checkpoints Checkpoints, last event.Recorded) error {
	ok, err := checkpoints.Move(ctx, *c, last)
	if err == nil && !ok {
		err = fmt.Errorf("move checkpoint of %s to %d: %w", c.Projection, last.Position, errFenced)
	}
	if err == nil {
		c.Position, c.Event = last.Position, last.ID
	}
	return err
}
