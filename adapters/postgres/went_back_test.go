package postgres_test

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"

	"bitacora/projections/feed"
)

// goBack takes the last event from the log, and more with it as a statement says.
func goBack(t *testing.T, boss *pgx.Conn, statements ...string) {
	t.Helper()
	exec(t, boss, "ALTER TABLE events DISABLE TRIGGER append_only")
	exec(t, boss, "DELETE FROM events WHERE position = (SELECT max(position) FROM events)")
	for _, s := range statements {
		exec(t, boss, s)
	}
}

// counting counts how often a subscription begins.
func counting() (begun *atomic.Int64, config feed.Config) {
	begun = new(atomic.Int64)
	return begun, feed.Config{Begin: func(context.Context) error { begun.Add(1); return nil }}
}

func TestALogThatGoesBackEndsAFollowersTurn(t *testing.T) {
	t.Run("at rest", func(t *testing.T) {
		url, db := fresh(t)
		mustAppend(t, db.Log(), request("chat-1", 0, opened(), opened()))
		begun, config := counting()
		_, messages := subscribe(t, db, config)
		msg, _, _ := receive(t, messages)
		msg.Ack()
		eventually(t, "both are applied", func() bool { return through(t, db) == 2 })
		goBack(t, owner(t, url), "UPDATE projection_checkpoints SET position = 1, announced = 1")
		eventually(t, "it begins anew", func() bool { return begun.Load() == 2 })
	})
	t.Run("and another event takes the place", func(t *testing.T) {
		url, db := fresh(t)
		mustAppend(t, db.Log(), request("chat-1", 0, opened(), opened()))
		begun, config := counting()
		_, messages := subscribe(t, db, config)
		msg, _, _ := receive(t, messages)
		msg.Ack()
		eventually(t, "both are applied", func() bool { return through(t, db) == 2 })
		boss := owner(t, url)
		exec(t, boss, "BEGIN")
		goBack(t, boss, "UPDATE projection_checkpoints SET position = 1, announced = 1",
			`INSERT INTO events SELECT 2, gen_random_uuid(), 'chat-2', 1, type, schema_version, occurred_at, recorded_at, data, sealed, metadata, payload_hash
				FROM events WHERE position = 1`)
		exec(t, boss, "COMMIT")
		if _, first, _ := receive(t, messages); first != 2 || begun.Load() != 2 {
			t.Errorf("goes on at %d, begun %d times", first, begun.Load())
		}
	})
	t.Run("with a batch in work", func(t *testing.T) {
		url, db := fresh(t)
		mustAppend(t, db.Log(), request("chat-1", 0, opened(), opened()))
		begun, config := counting()
		_, messages := subscribe(t, db, config)
		msg, _, _ := receive(t, messages)
		goBack(t, owner(t, url), "UPDATE projection_checkpoints SET announced = 1")
		msg.Ack()
		if _, first, last := receive(t, messages); first != 1 || last != 1 || begun.Load() != 2 {
			t.Errorf("goes on with %d to %d, begun %d times", first, last, begun.Load())
		}
	})
	t.Run("before a batch is announced", func(t *testing.T) {
		url, db := fresh(t)
		boss := owner(t, url)
		begun, config := counting()
		_, messages := subscribe(t, db, config)
		eventually(t, "it has begun", func() bool { return begun.Load() == 1 })
		eventually(t, "the checkpoint is there", func() bool { return through(t, db) == 0 })
		exec(t, boss, "BEGIN")
		exec(t, boss, "LOCK TABLE projection_checkpoints")
		mustAppend(t, db.Log(), request("chat-1", 0, opened(), opened()))
		eventually(t, "the batch waits to be announced", func() (waits bool) {
			if err := boss.QueryRow(t.Context(), "SELECT EXISTS (SELECT FROM pg_locks WHERE relation = 'projection_checkpoints'::regclass AND NOT granted)").Scan(&waits); err != nil {
				t.Fatal(err)
			}
			return waits
		})
		goBack(t, boss)
		exec(t, boss, "COMMIT")
		if _, first, last := receive(t, messages); first != 1 || last != 1 {
			t.Errorf("goes on with %d to %d", first, last)
		}
	})
}
