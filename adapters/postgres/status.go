package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"bitacora/domain/fault"
	"bitacora/projections/builds"
)

// BuildStatuses describes every build that was not dropped, oldest first.
func (db *DB) BuildStatuses(ctx context.Context) ([]builds.Status, error) {
	list, err := collect(ctx, db.pool, query("build_status"), func(r pgx.CollectableRow) (s builds.Status, err error) {
		var checkpointEpoch, adopted *string
		var movedAt *time.Time
		var paused, owned bool
		err = r.Scan(&s.Name, &s.State, &s.Version, &s.Epoch, &s.Target, &s.CreatedAt,
			&s.Started, &s.Position, &s.WriteAhead, &checkpointEpoch, &s.BehindSeconds, &movedAt, &s.PausedAt, &paused,
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
		if !paused {
			s.PausedAt = 0
		}
		if !owned {
			s.Owner = ""
		}
		return s, err
	})
	return list, fault.Wrap(err, "look at builds")
}

// BuildStatus describes one build, or gives [ErrNotFound].
func (db *DB) BuildStatus(ctx context.Context, build string) (builds.Status, error) {
	list, err := db.BuildStatuses(ctx)
	if err != nil {
		return builds.Status{}, err
	}
	for _, s := range list {
		if s.Name == build {
			return s, nil
		}
	}
	return builds.Status{}, fmt.Errorf("build %s: %w", build, ErrNotFound)
}

// RecordError keeps why the latest attempt to apply a batch failed.
func (db *DB) RecordError(ctx context.Context, projection, reason string) error {
	_, err := db.pool.Exec(ctx, query("checkpoint_error"), projection, reason)
	return fault.Wrap(err, "record error of "+projection)
}

// Blocked describes statements of this program that wait for a lock of another session.
func (db *DB) Blocked(ctx context.Context) (list []string, err error) {
	err = pgx.BeginFunc(ctx, db.pool, func(tx pgx.Tx) error {
		// PostgreSQL shows statements to the role that signed in, not to the one it took.
		if _, err := tx.Exec(ctx, "SET LOCAL ROLE NONE"); err != nil {
			return err
		}
		list, err = collect(ctx, tx, query("blocked"), func(r pgx.CollectableRow) (string, error) {
			var waiting, blocking int32
			var query, blocker string
			err := r.Scan(&waiting, &query, &blocking, &blocker)
			return fmt.Sprintf("session %d (%s) waits for a lock of session %d (%s)", waiting, query, blocking, blocker), err
		})
		return err
	})
	return list, fault.Wrap(err, "look for locks")
}
