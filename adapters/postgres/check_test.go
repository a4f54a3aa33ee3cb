package postgres_test

import (
	"fmt"
	"strings"
	"testing"

	"bitacora/adapters/postgres"
	"bitacora/domain/event"
)

func TestSoundLogIsFoundSound(t *testing.T) {
	_, db := fresh(t)
	for range 3 {
		mustAppend(t, db.Log(), request("chat-1", -1, said(secret), opened()))
		mustAppend(t, db.Log(), request("chat-2", -1, said(secret)))
	}
	if err := db.Log().DestroyKey(t.Context(), "chat-2"); err != nil {
		t.Fatal(err)
	}
	var last, total int64
	report, err := db.Log().Check(t.Context(), func(done, of int64) { last, total = done, of })
	if err != nil || report.Events != 9 || len(report.Findings) != 0 || last != 9 || total != 9 {
		t.Errorf("check: %+v, %v; progress ended at %d of %d", report, err, last, total)
	}
	report, err = db.Log().Lint(t.Context(), nil)
	if err != nil || report.Events != 9 || len(report.Findings) != 0 {
		t.Errorf("lint: %+v, %v", report, err)
	}
}

func TestDamageIsFound(t *testing.T) {
	for _, damage := range []struct{ name, sql, found string }{
		{"hole", "DELETE FROM events WHERE position = 2", "event 3: follows position 1"},
		{"hole in a stream", "DELETE FROM events WHERE position = 2", "stream chat-1 has 2 events at versions 1 to 3"},
		{"data", `UPDATE events SET data = replace(data, 's1', 's2') WHERE position = 2`, "event 2: was changed"},
		{"time", "UPDATE events SET occurred_at = occurred_at + interval '1 ms' WHERE position = 2", "event 2: was changed"},
		{"sealed", "UPDATE events SET sealed = '{}' WHERE position = 1", "event 1: was changed"},
		{"type", "UPDATE events SET type = 'Nothing' WHERE position = 2", "event 2: was changed"},
		{"key", "DELETE FROM subject_keys", "event 1: the key of stream chat-1 is missing"},
	} {
		url, db := fresh(t)
		mustAppend(t, db.Log(), request("chat-1", 0, said(secret), opened(), opened()))
		boss := owner(t, url)
		exec(t, boss, "ALTER TABLE events DISABLE TRIGGER append_only")
		exec(t, boss, damage.sql)
		report, err := db.Log().Check(t.Context(), nil)
		if err != nil {
			t.Errorf("%s: %v", damage.name, err)
		}
		if !finds(report, damage.found) {
			t.Errorf("%s: found %v, want %q", damage.name, report.Findings, damage.found)
		}
	}
}

func TestEventsOfAnotherProgramAreCountedAndHandedOn(t *testing.T) {
	url, db := fresh(t)
	mustAppend(t, db.Log(), request("chat-1", 0, said("uno")))
	boss := owner(t, url)
	for i, change := range []string{"'Later', 1", "type, 2", "'Later', 1"} {
		exec(t, boss, fmt.Sprintf(`INSERT INTO events SELECT %d, gen_random_uuid(), stream, %[1]d, %s, occurred_at, recorded_at, data, sealed, metadata,
			'' FROM events WHERE position = 1`, i+2, change))
	}
	exec(t, boss, "ALTER TABLE events DISABLE TRIGGER append_only")
	exec(t, boss, `UPDATE events SET payload_hash = stored_event_hash(event_id, stream, version, type, schema_version, occurred_at, data, sealed)`)
	exec(t, boss, "SELECT chain_events()")
	report, err := db.Log().Check(t.Context(), nil)
	if err != nil || len(report.Findings) > 0 {
		t.Errorf("check: %+v, %v", report, err)
	}
	kinds := fmt.Sprint(report.Unknown.Kinds())
	for _, want := range []string{"Later version 1: 2 events, the first at position 2", "VisitorMessageSent version 2: 1 events, the first at position 3"} {
		if !strings.Contains(kinds, want) {
			t.Errorf("check names %s, want %s", kinds, want)
		}
	}
	events, err := db.Log().ReadStream(t.Context(), "chat-1")
	if err != nil || len(events) != 4 {
		t.Fatal(events, err)
	}
	for i, e := range events {
		_, unreadable := e.Payload.(*event.Unreadable)
		nearest, message := event.Nearest(e.Payload).(*event.VisitorMessageSent)
		if e.Version != i+1 || unreadable != (i > 0) || message != (i%2 == 0) || message && nearest.Ordinal != 1 {
			t.Errorf("event %d reads %+v", i+1, e)
		}
	}
	// Who decides on what was read finds the stream as it is.
	mustAppend(t, db.Log(), request("chat-1", len(events), said("dos")))
}

// TestADecisionSilencesTheCheck has an event of a known type whose content cannot be decoded.
func TestADecisionSilencesTheCheck(t *testing.T) {
	url, db := fresh(t)
	mustAppend(t, db.Log(), request("chat-1", 0, said("uno")))
	boss := owner(t, url)
	exec(t, boss, `ALTER TABLE events DISABLE TRIGGER append_only;
		INSERT INTO events SELECT 2, gen_random_uuid(), stream, 2, type, schema_version, occurred_at, recorded_at, '[]', NULL, metadata, '' FROM events;
		UPDATE events SET payload_hash = stored_event_hash(event_id, stream, version, type, schema_version, occurred_at, data, sealed);
		SELECT chain_events()`)
	check := func() postgres.Report {
		t.Helper()
		report, err := db.Log().Check(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		return report
	}
	if report := check(); len(report.Findings) != 1 || !finds(report, "event 2: ") {
		t.Errorf("before the decision: %+v", report)
	}
	skipped := opened()
	skipped.Payload = &event.EventSkipped{Position: 2, Stream: "chat-1", Reason: "of a trial version"}
	mustAppend(t, db.Log(), request(event.SkippedStream(2), 0, skipped))
	if report := check(); len(report.Findings) > 0 {
		t.Errorf("after the decision: %+v", report)
	}
}

func TestLintFindsWhatNoSchemaAllows(t *testing.T) {
	url, db := fresh(t)
	mustAppend(t, db.Log(), request("chat-1", 0, opened(), opened()))
	boss := owner(t, url)
	exec(t, boss, "ALTER TABLE events DISABLE TRIGGER append_only")
	exec(t, boss, `UPDATE events SET data = '{"staffId": "s1"}' WHERE position = 2`)
	report, err := db.Log().Lint(t.Context(), nil)
	if err != nil || len(report.Findings) != 1 || !finds(report, "event 2: ") {
		t.Errorf("lint: %+v, %v", report, err)
	}
}

func finds(report postgres.Report, problem string) bool {
	for _, f := range report.Findings {
		if strings.HasPrefix(f.String(), problem) {
			return true
		}
	}
	return false
}
