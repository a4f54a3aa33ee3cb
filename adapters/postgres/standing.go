package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"bitacora/projections"
)

var (
	sqlStanding = query("standing")
	sqlBlocked  = query("blocked")
	sqlTrouble  = query("checkpoint_trouble")
)

// Standing is how a build stands to the log.
type Standing struct {
	projections.Build
	// Started says that it follows the log or did so.
	Started bool
	// Position is up to where it has applied the log; Announced bounds what may lie in its
	// tables already.
	Position, Announced int64
	// CheckpointEpoch is the epoch of Position; empty before it follows.
	CheckpointEpoch string
	// BehindSeconds is the age of the last applied event while later ones wait.
	BehindSeconds float64
	MovedAt       time.Time
	// HeldAt is where it rests while it is looked at; 0 when it does not.
	HeldAt int64
	// Trouble is why the latest attempt failed; empty when it did not.
	Trouble string
	// Owner is the process that follows; empty when none does.
	Owner  string
	Parked int
	// Retried is the last retry of what was parked whose rows are stored.
	Retried  int64
	Replayed int64
	// Head is the end of the log, Epoch of the build above is compared with LogEpoch.
	Head        int64
	LogEpoch    string
	AdoptedFrom string
	// LogMoved says that the log lies in another cluster than it last was known to.
	LogMoved bool
}

// Lag is how many events it is behind.
func (s Standing) Lag() int64 {
	if !s.Started {
		return s.Head - s.Replayed
	}
	return s.Head - s.Position
}

// Standing tells of every build that was not dropped, oldest first.
func (db *DB) Standing(ctx context.Context) ([]Standing, error) {
	list, err := collect(ctx, db.pool, sqlStanding, func(r pgx.CollectableRow) (s Standing, err error) {
		var checkpointEpoch, adopted *string
		var movedAt *time.Time
		var held, owned bool
		err = r.Scan(&s.Name, &s.State, &s.Version, &s.Epoch, &s.Target, &s.CreatedAt,
			&s.Started, &s.Position, &s.Announced, &checkpointEpoch, &s.BehindSeconds, &movedAt, &s.HeldAt, &held,
			&s.Trouble, &s.Owner, &owned, &s.Parked, &s.Retried, &s.Replayed, &s.Head, &s.LogEpoch, &adopted, &s.LogMoved)
		if checkpointEpoch != nil {
			s.CheckpointEpoch = *checkpointEpoch
		}
		if adopted != nil {
			s.AdoptedFrom = *adopted
		}
		if movedAt != nil {
			s.MovedAt = *movedAt
		}
		if !held {
			s.HeldAt = 0
		}
		if !owned {
			s.Owner = ""
		}
		return s, err
	})
	if err != nil {
		return nil, fmt.Errorf("look at builds: %w", err)
	}
	return list, nil
}

// StandingOf tells of one build, or gives [ErrNotFound].
func (db *DB) StandingOf(ctx context.Context, build string) (Standing, error) {
	list, err := db.Standing(ctx)
	if err != nil {
		return Standing{}, err
	}
	for _, s := range list {
		if s.Name == build {
			return s, nil
		}
	}
	return Standing{}, fmt.Errorf("build %s: %w", build, ErrNotFound)
}

// Trouble keeps why the latest attempt to apply a batch failed.
func (db *DB) Trouble(ctx context.Context, projection, reason string) error {
	if _, err := db.pool.Exec(ctx, sqlTrouble, projection, reason); err != nil {
		return fmt.Errorf("keep trouble of %s: %w", projection, err)
	}
	return nil
}

// Blocked describes statements of this program that wait for a lock of another session.
func (db *DB) Blocked(ctx context.Context) (list []string, err error) {
	err = pgx.BeginFunc(ctx, db.pool, func(tx pgx.Tx) error {
		// PostgreSQL shows statements to the role that signed in, not to the one it took.
		if _, err := tx.Exec(ctx, "SET LOCAL ROLE NONE"); err != nil {
			return err
		}
		list, err = collect(ctx, tx, sqlBlocked, func(r pgx.CollectableRow) (string, error) {
			var waiting, blocking int32
			var query, blocker string
			err := r.Scan(&waiting, &query, &blocking, &blocker)
			return fmt.Sprintf("session %d (%s) waits for a lock of session %d (%s)", waiting, query, blocking, blocker), err
		})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("look for locks: %w", err)
	}
	return list, nil
}
