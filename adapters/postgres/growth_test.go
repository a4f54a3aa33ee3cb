package postgres_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"bitacora/domain/event"
)

// TestALogCanBePartitioned follows the plan of schema/GROWTH.md on a log of this program: in partitions
// by position the log is scanned in order, appended to at its end without a look at the rest, holds
// every id once, and stays whole where a partition lies in the archive.
func TestALogCanBePartitioned(t *testing.T) {
	url, db := fresh(t)
	for i := range 30 {
		mustAppend(t, db.Log(), request(fmt.Sprint("chat-", i), 0, opened(), opened()))
	}
	before := scanned(t, db.Log().Scan)
	conn := owner(t, url)
	exec(t, conn, planned(t))

	// It is the same log, and as dense.
	if after := scanned(t, db.Log().Scan); after != before {
		t.Error("the log is another one")
	}
	if events, err := db.Log().ReadStream(t.Context(), "chat-7"); err != nil || len(events) != 2 {
		t.Errorf("a stream has %d events, %v", len(events), err)
	}
	exec(t, conn, `INSERT INTO event_ids SELECT gen_random_uuid(), p FROM generate_series(61, 130) AS p`)
	exec(t, conn, `INSERT INTO events (position, event_id, stream, version, type, schema_version, occurred_at, recorded_at, data, metadata, payload_hash)
		SELECT position, event_id, 'later-' || position, 1, 'TranscriptOpened', 1, now(), now(), '{}', '{}', '' FROM event_ids WHERE position > 60`)
	// What appends and readers ask: of the log, one partition.
	for question, args := range map[string][]any{
		"SELECT max(position) FROM events": nil,
		"SELECT position FROM events WHERE position > $1 AND position <= $2 ORDER BY position LIMIT $3": {int64(105), int64(125), 10},
		"SELECT position FROM events WHERE position > $1 ORDER BY position LIMIT $2":                    {int64(5), 20},
	} {
		if read := partitionsRead(t, conn, question, args...); read != 1 {
			t.Errorf("%s reads %d partitions", question, read)
		}
	}
	for statement, says := range map[string]string{
		"INSERT INTO event_ids SELECT event_id, 131 FROM event_ids WHERE position = 3": "duplicate key",
		"UPDATE events_1 SET data = '' WHERE position = 3":                             "append-only",
		"DELETE FROM events WHERE position = 120":                                      "append-only",
		"COPY events TO STDOUT":                                                        "partitioned table",
		"INSERT INTO events SELECT 301, gen_random_uuid(), stream, 9, type, schema_version, occurred_at, recorded_at, data, sealed, metadata, payload_hash FROM events WHERE position = 120": "no partition",
	} {
		if _, err := conn.Exec(t.Context(), statement); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", statement, err)
		}
	}

	// The first partition goes into the archive.
	var id string
	if err := conn.QueryRow(t.Context(), "SELECT event_id FROM events WHERE position = 3").Scan(&id); err != nil {
		t.Fatal(err)
	}
	exec(t, conn, "ALTER TABLE events DETACH PARTITION events_1 CONCURRENTLY")
	exec(t, conn, "DROP TABLE events_1")
	var position, first, rows int64
	err := conn.QueryRow(t.Context(), "SELECT (SELECT position FROM event_ids WHERE event_id = $1), min(position), count(*) FROM events", id).Scan(&position, &first, &rows)
	if err != nil || position != 3 || first != 101 || rows != 30 {
		t.Errorf("event 3 is known at %d, %d events are left from %d on, %v", position, rows, first, err)
	}
}

// planned are the statements of the plan, with smaller partitions.
func planned(t *testing.T) string {
	plan, err := os.ReadFile("testdata/partitions.sql")
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(plan), "00000001", "01")
}

func scanned(t *testing.T, scan func(context.Context, int64, int64, int) ([]event.Recorded, error)) string {
	events, err := scan(t.Context(), 0, 1000, 1000)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(events)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// partitionsRead is of how many partitions a question reads anything, with a plan for any arguments.
func partitionsRead(t *testing.T, conn *pgx.Conn, question string, args ...any) int {
	// As for a log that is large; these partitions are not.
	exec(t, conn, "SET plan_cache_mode = force_generic_plan; SET enable_bitmapscan = off; SET enable_seqscan = off; SET enable_sort = off")
	rows, err := conn.Query(t.Context(), "EXPLAIN (ANALYZE, COSTS off, TIMING off) "+question, args...)
	if err != nil {
		t.Fatal(err)
	}
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	read := 0
	for _, line := range lines {
		if strings.Contains(line, " on events_") && !strings.Contains(line, "never executed") {
			read++
		}
	}
	if t.Failed() || read != 1 {
		t.Log(strings.Join(lines, "\n"))
	}
	return read
}
