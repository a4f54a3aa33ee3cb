package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"bitacora/domain/event"
	"bitacora/domain/fault"
	"bitacora/projections"
	"bitacora/projections/builds"
)

// LiveBuild names the build that readers see, or gives [ErrNotFound] before the first one
// is set live.
func (db *DB) LiveBuild(ctx context.Context) (string, error) {
	var name string
	err := db.pool.QueryRow(ctx, query("build_live")).Scan(&name)
	if errors.Is(err, pgx.ErrNoRows) {
		// Readers have to wait for the first build.
		err = fault.As(fault.Unavailable, ErrNotFound)
	}
	return name, fault.Wrap(err, "find live build")
}

// Builds lists all builds there ever were, oldest first.
func (db *DB) Builds(ctx context.Context) ([]builds.Build, error) {
	list, err := collect(ctx, db.pool, query("builds"), func(r pgx.CollectableRow) (b builds.Build, err error) {
		err = r.Scan(&b.Name, &b.State, &b.Version, &b.Epoch, &b.Target, &b.CreatedAt, &b.ChangedAt)
		return b, err
	})
	return list, fault.Wrap(err, "list builds")
}

// UpdateCost is what an update costs: a backup, and the tables if they are made anew.
type UpdateCost struct {
	// Due is true where the tables that are read are of another version of the projections.
	Due bool
	// Events are those of the log, Bytes the size of the database.
	Events, Bytes int64
	// Takes is how long they take as fast as in the newest rebuild; 0: there was none.
	Takes time.Duration
}

// UpdateCostOf asks a database of any version of this program since it makes builds.
func UpdateCostOf(ctx context.Context, url string) (c UpdateCost, err error) {
	conn, err := ConnectTo(ctx, url)
	if err != nil {
		return c, fmt.Errorf("connect to look at the builds: %w", err)
	}
	defer conn.Close(context.WithoutCancel(ctx))
	var read int64
	var seconds float64
	if err := conn.QueryRow(ctx, query("update_cost"), projections.Version).Scan(&c.Due, &c.Events, &c.Bytes, &read, &seconds); err != nil {
		return c, fmt.Errorf("look at the builds: %w", err)
	}
	if read > 0 {
		c.Takes = time.Duration(seconds * float64(c.Events) / float64(read) * float64(time.Second))
	}
	return c, nil
}

// FirstBuild makes a new log's first build, live from the start: it has nothing to
// replay. Where there is any build it changes nothing.
func (db *DB) FirstBuild(ctx context.Context, name string, version int) error {
	_, err := db.pool.Exec(ctx, query("build_first"), name, version)
	return fault.Wrap(err, "make first build "+name)
}

// BeginBuild makes a build that replays the log up to its present end, in ranges of at most
// size events.
func (db *DB) BeginBuild(ctx context.Context, name string, version int, size int64) error {
	err := pgx.BeginFunc(ctx, db.pool, func(tx pgx.Tx) error {
		var target int64
		if err := tx.QueryRow(ctx, query("build_begin"), name, version).Scan(&target); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, query("build_ranges_plan"), name, target, size)
		return err
	})
	return fault.Wrap(err, "begin build "+name)
}

// RangesLeft lists what a build has not replayed yet.
func (db *DB) RangesLeft(ctx context.Context, name string) ([]projections.Range, error) {
	ranges, err := collect(ctx, db.pool, query("build_ranges_left"), pgx.RowToStructByPos[projections.Range], name)
	return ranges, fault.Wrap(err, "list ranges of build "+name)
}

// RangeDone keeps that all rows of a range are stored.
func (db *DB) RangeDone(ctx context.Context, name string, r projections.Range) error {
	if _, err := db.pool.Exec(ctx, query("build_range_done"), name, r.First); err != nil {
		return fmt.Errorf("complete range %d to %d of build %s: %w", r.First, r.Last, name, err)
	}
	return nil
}

// MoveBuild takes a build from one state to another, if that is one of its ways. A build
// that becomes following gets its checkpoint at the end of its ranges, which must all be
// replayed; one becomes live with [DB.GoLive].
func (db *DB) MoveBuild(ctx context.Context, name string, to builds.State) error {
	err := pgx.BeginFunc(ctx, db.pool, func(tx pgx.Tx) error {
		if to == builds.Following {
			if err := beginFollowing(ctx, tx, name); err != nil {
				return err
			}
		}
		if to == builds.Dropped {
			if err := forgetBuild(ctx, tx, name); err != nil {
				return err
			}
		}
		return moveBuild(ctx, tx, name, to)
	})
	return fault.Wrap(err, "make build "+name+" "+string(to))
}

func moveBuild(ctx context.Context, tx pgx.Tx, name string, to builds.State) error {
	tag, err := tx.Exec(ctx, query("build_move"), name, to, builds.Before(to))
	if err == nil && tag.RowsAffected() == 0 {
		err = builds.ErrState
	}
	return err
}

// GoLive implements [builds.SwitchedBuilds].
func (db *DB) GoLive(ctx context.Context, name string, act event.Payload) error {
	err := db.log.appendWith(ctx, db.connect, func(tx pgx.Tx) (*event.Append, error) {
		if _, err := tx.Exec(ctx, query("build_retire"), name); err != nil {
			return nil, err
		}
		if err := moveBuild(ctx, tx, name, builds.Live); err != nil {
			return nil, err
		}
		return &event.Append{
			Stream: event.OperatorStream, ExpectedVersion: event.AnyVersion,
			Drafts: []event.Draft{{ID: uuid.Must(uuid.NewV7()).String(), OccurredAt: time.Now(), Payload: act}},
		}, nil
	})
	return fault.Wrap(err, "make build "+name+" live")
}

func beginFollowing(ctx context.Context, tx pgx.Tx, name string) error {
	var has bool
	if err := tx.QueryRow(ctx, "SELECT EXISTS (SELECT FROM projection_checkpoints WHERE projection = $1)", name).Scan(&has); err != nil || has {
		return err
	}
	tag, err := tx.Exec(ctx, query("build_follow"), name)
	if err == nil && tag.RowsAffected() == 0 {
		err = fmt.Errorf("%w: ranges are left, or the log has another epoch than when it was begun", builds.ErrState)
	}
	return err
}

// forgetBuild leaves the checkpoint: a follower that has not noticed yet would begin anew.
func forgetBuild(ctx context.Context, tx pgx.Tx, name string) error {
	for _, sql := range []string{
		"DELETE FROM build_ranges WHERE build = $1",
		"DELETE FROM parked_conversations WHERE projection = $1",
	} {
		if _, err := tx.Exec(ctx, sql, name); err != nil {
			return err
		}
	}
	return nil
}
