package postgres_test

import (
	"strings"
	"testing"

	"bitacora/adapters/postgres"
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
		{"type", "UPDATE events SET type = 'Nothing' WHERE position = 2", `event 2: decode event: unknown type "Nothing"`},
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
