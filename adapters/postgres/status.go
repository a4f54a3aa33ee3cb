package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"bitacora/projections"
)

var (
	sqlBuildStatus = query("build_status")
	sqlBlocked     = query("blocked")
	sqlLastError   = query("checkpoint_error")
)

// BuildStatus is how a build stands to the log.
type BuildStatus struct {
	projections.Build
	// Started says that it follows the log or did so.
	Started bool
	// Position is up to where it has applied the log; Announced bounds what may lie in its
	// tables already.
	Position, WriteAhead int64
	// CheckpointEpoch is the epoch of Position; empty before it follows.
	CheckpointEpoch string
	// BehindSeconds is the age of the last applied event while later ones wait.
	BehindSeconds float64
	MovedAt       time.Time
	// PausedAt is where it rests while it is looked at; 0 when it does not.
	PausedAt int64
	// LastError is why the latest attempt failed; empty when it did not.
	LastError string
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
func (s BuildStatus) Lag() int64 {
	if !s.Started {
		return s.Head - s.Replayed
	}
	return s.Head - s.Position
}

// BuildStatus tells of every build that was not dropped, oldest first.
func (db *DB) BuildStatuses(ctx context.Context) ([]BuildStatus, error) {
	list, err := collect(ctx, db.pool, sqlBuildStatus, func(r pgx.CollectableRow) (s BuildStatus, err error) {
		var checkpointEpoch, adopted *string
		var movedAt *time.Time
		var held, owned bool
		err = r.Scan(&s.Name, &s.State, &s.Version, &s.Epoch, &s.Target, &s.CreatedAt,
			&s.Started, &s.Position, &s.WriteAhead, &checkpointEpoch, &s.BehindSeconds, &movedAt, &s.PausedAt, &held,
			&s.LastError, &s.Owner, &owned, &s.Parked, &s.Retried, &s.Replayed, &s.Head, &s.LogEpoch, &adopted, &s.LogMoved)
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
			s.PausedAt = 0
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

// BuildStatus tells of one build, or gives [ErrNotFound].
func (db *DB) BuildStatus(ctx context.Context, build string) (BuildStatus, error) {
	list, err := db.BuildStatuses(ctx)
	if err != nil {
		return BuildStatus{}, err
	}
	for _, s := range list {
		if s.Name == build {
			return s, nil
		}
	}
	return BuildStatus{}, fmt.Errorf("build %s: %w", build, ErrNotFound)
}

// RecordError keeps why the latest attempt to apply a batch failed.
func (db *DB) RecordError(ctx context.Context, projection, reason string) error {
	if _, err := db.pool.Exec(ctx, sqlLastError, projection, reason); err != nil {
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
