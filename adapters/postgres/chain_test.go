package postgres_test

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"bitacora/adapters/postgres"
	"bitacora/adapters/postgres/logdump"
)

// madeAnew is what an owner of the database can do so that nothing in it contradicts a change.
const madeAnew = `UPDATE events SET payload_hash = stored_event_hash(event_id, stream, version, type, schema_version, occurred_at, data, sealed);
DO $$
DECLARE link log_chain; former bytea; after bigint := 0;
BEGIN
	FOR link IN SELECT * FROM log_chain ORDER BY position LOOP
		SELECT chain_hash(former, string_agg(chained_form(position, version, schema_version, occurred_at, recorded_at, stream, type, data, sealed, metadata, payload_hash), '' ORDER BY position), link.epoch)
		  INTO former FROM events WHERE position > after AND position <= link.position;
		UPDATE log_chain SET hash = former WHERE position = link.position;
		after := link.position;
	END LOOP;
END $$`

// TestChangesByTheOwnerOfTheDatabaseAreFound alters the log of eight events, in groups that end at 2, 4, 6
// and 8, with anchors of 2, 6 and 8: as it is, and with hashes and chain made anew.
func TestChangesByTheOwnerOfTheDatabaseAreFound(t *testing.T) {
	url, db := fresh(t)
	var anchors []postgres.Anchor
	for i, a := range []string{"chat-1", "chat-2", "chat-1", "chat-2"} {
		mustAppend(t, db.Log(), request(a, -1, said(fmt.Sprint("texto ", i)), opened()))
		if i != 1 {
			anchors = append(anchors, takeAnchor(t, db))
		}
	}
	boss := owner(t, url)
	exec(t, boss, `CREATE TABLE kept_events AS TABLE events; CREATE TABLE kept_chain AS TABLE log_chain;
		ALTER TABLE events DISABLE TRIGGER append_only; ALTER TABLE log_chain DISABLE TRIGGER append_only`)
	check := func(later ...postgres.Anchor) postgres.Report {
		t.Helper()
		report, err := db.Log().Check(t.Context(), nil, slices.Concat(anchors, later)...)
		if err != nil {
			t.Fatal(err)
		}
		return report
	}
	inParts := func(later ...postgres.Anchor) postgres.Report {
		t.Helper()
		report, err := postgres.Parts{Log: db.Log()}.CheckAnchors(t.Context(), slices.Concat(anchors, later))
		head, errHead := db.Log().Head(t.Context())
		for at := int64(0); at < head; at += 2 {
			part, errPart := postgres.Parts{Log: db.Log()}.CheckRange(t.Context(), at, min(at+2, head))
			report.Findings = append(report.Findings, part.Findings...)
			err = errors.Join(err, errPart)
		}
		if err := errors.Join(err, errHead); err != nil {
			t.Fatal(err)
		}
		slices.SortStableFunc(report.Findings, func(a, b postgres.Finding) int { return cmp.Compare(a.Position, b.Position) })
		return report
	}
	if report := inParts(); len(report.Findings) > 0 {
		t.Errorf("the parts of a log that nobody altered: %+v", report)
	}
	if report := check(); len(report.Findings) > 0 || !strings.HasPrefix(fmt.Sprint(report.Notes), "[3 anchors fit; the last is of event 8, ") {
		t.Errorf("a log that nobody altered: %+v", report)
	}
	for name, sql := range map[string]string{
		"a payload":                "UPDATE events SET data = replace(data, 's1', 's2') WHERE position = 4",
		"a payload of another one": "UPDATE events e SET data = o.data, sealed = o.sealed, type = o.type FROM events o WHERE e.position = 4 AND o.position = 1",
		"what is sealed":           "UPDATE events SET sealed = NULL WHERE position = 3",
		"metadata":                 `UPDATE events SET metadata = '{"request":"r2"}' WHERE position = 3`,
		"when it happened":         "UPDATE events SET occurred_at = occurred_at + interval '1 day' WHERE position = 4",
		"when it was recorded":     "UPDATE events SET recorded_at = recorded_at + interval '1 us' WHERE position = 4",
		"whose it is":              "UPDATE events SET stream = 'chat-3', version = version - 1 WHERE position IN (4, 8)",
		"its id":                   "UPDATE events SET event_id = gen_random_uuid() WHERE position = 4",
		"the order":                "UPDATE events SET position = -position WHERE position IN (3, 4); UPDATE events SET position = 7 + position WHERE position < 0",
		"removed": `DELETE FROM events WHERE position = 4; UPDATE events SET version = version - 1 WHERE stream = 'chat-2' AND version > 2;
			UPDATE events SET position = -position WHERE position > 4; UPDATE events SET position = -position - 1 WHERE position < 0;
			UPDATE log_chain SET position = -position WHERE position >= 4; UPDATE log_chain SET position = -position - 1 WHERE position < 0`,
		"inserted": `UPDATE events SET position = -position WHERE position > 3; UPDATE events SET position = 1 - position WHERE position < 0;
			UPDATE log_chain SET position = -position WHERE position >= 4; UPDATE log_chain SET position = 1 - position WHERE position < 0;
			INSERT INTO events SELECT 4, gen_random_uuid(), 'chat-3', 1, type, schema_version, occurred_at, recorded_at, data, sealed, metadata, payload_hash FROM events WHERE position = 5`,
		"the end cut off":                  "DELETE FROM events WHERE position > 6; DELETE FROM log_chain WHERE position > 6",
		"the end cut off, and another one": "DELETE FROM events WHERE position > 6; DELETE FROM log_chain WHERE position > 6; INSERT INTO events SELECT position + 2, gen_random_uuid(), 'chat-3', position - 4, type, schema_version, occurred_at, recorded_at, data, NULL, metadata, payload_hash FROM events WHERE position > 4; SELECT chain_events()",
		"a hash of the chain":              "UPDATE log_chain SET hash = sha256(hash) WHERE position = 4",
		"the groups":                       "DELETE FROM log_chain WHERE position > 2; SELECT chain_events()",
		"the chain":                        "DELETE FROM log_chain; UPDATE log_epoch SET unchained_through = 8",
	} {
		from, to := 3, 4 // where it is found
		for _, anew := range []string{"", madeAnew} {
			exec(t, boss, "TRUNCATE events, log_chain; INSERT INTO events SELECT * FROM kept_events; INSERT INTO log_chain SELECT * FROM kept_chain; UPDATE log_epoch SET unchained_through = 0")
			exec(t, boss, sql)
			if anew != "" {
				exec(t, boss, anew)
				to = 6 // the anchor after it
			}
			var later []postgres.Anchor
			switch {
			case strings.HasPrefix(name, "the end"):
				from, to = 7, 8
				later = append(later, takeAnchor(t, db)) // which does not replace those that it no longer fits
			case name == "the groups":
				to = 8
			case name == "the chain":
				from, to = 1, 2
			case name == "a hash of the chain" && anew != "":
				continue // which is what it was
			}
			if report := check(later...); !findsWithin(report, from, to) {
				t.Errorf("%s, made anew %t: found %v, want it between %d and %d", name, anew != "", report.Findings, from, to)
			}
			if report := inParts(later...); !findsWithin(report, from, to) {
				t.Errorf("%s, made anew %t, in parts: found %v, want it between %d and %d", name, anew != "", report.Findings, from, to)
			}
		}
	}
}

var rangeFound = regexp.MustCompile(`^event (\d+): (?:the events (\d+) to (\d+) )?`)

// findsWithin says whether something is found that lies between two positions, and names nothing beyond them.
func findsWithin(report postgres.Report, from, to int) bool {
	for _, f := range report.Findings {
		named := rangeFound.FindStringSubmatch(f.String())
		if named == nil {
			continue
		}
		first, _ := strconv.Atoi(named[1])
		last := first
		if named[3] != "" {
			last, _ = strconv.Atoi(named[3])
		}
		if first >= from && last <= to {
			return true
		}
	}
	return false
}

func takeAnchor(t *testing.T, db *postgres.DB) postgres.Anchor {
	t.Helper()
	a, err := db.Log().Anchor(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	read, err := postgres.ParseAnchor(a.String())
	if err != nil || read != a {
		t.Fatalf("%s is read as %s, %v", a, read, err)
	}
	return a
}

func TestTheProgramCannotChangeTheChain(t *testing.T) {
	url, db := fresh(t)
	mustAppend(t, db.Log(), request("chat-1", 0, opened()))
	boss := owner(t, url)
	for _, as := range []string{"SET ROLE bitacora_writer; ", ""} {
		for _, sql := range []string{"UPDATE log_chain SET hash = sha256(hash)", "DELETE FROM log_chain", "TRUNCATE log_chain"} {
			if _, err := boss.Exec(t.Context(), as+sql); err == nil {
				t.Errorf("%s%s is done", as, sql)
			}
		}
		exec(t, boss, "RESET ROLE")
	}
}

func TestAnOlderLogIsChained(t *testing.T) {
	url, db := fresh(t)
	mustAppend(t, db.Log(), request("chat-1", 0, opened()))
	boss := owner(t, url)
	const older = 4500
	exec(t, boss, fmt.Sprintf(`INSERT INTO events SELECT i, gen_random_uuid(), stream, i, type, schema_version, occurred_at, recorded_at, data, sealed, metadata, '' FROM events, generate_series(2, %d) i;
		ALTER TABLE events DISABLE TRIGGER append_only; UPDATE events SET payload_hash = stored_event_hash(event_id, stream, version, type, schema_version, occurred_at, data, sealed); ALTER TABLE events ENABLE TRIGGER append_only;
		ALTER TABLE log_chain DISABLE TRIGGER append_only; TRUNCATE log_chain; ALTER TABLE log_chain ENABLE TRIGGER append_only; UPDATE log_epoch SET unchained_through = %[1]d`, older))
	check := func(want ...string) {
		t.Helper()
		report, err := db.Log().Check(t.Context(), nil)
		if err != nil || len(report.Findings) > 0 {
			t.Errorf("found %v, %v", report.Findings, err)
		}
		for _, w := range want {
			if !strings.Contains(strings.Join(report.Notes, "\n"), w) {
				t.Errorf("said %q, want %q", report.Notes, w)
			}
		}
	}
	check("The events 1 to 4500 are not chained yet")
	// Appends chain a part of what is left, and nothing before it.
	mustAppend(t, db.Log(), request("chat-2", 0, opened(), opened()))
	if at := takeAnchor(t, db); at.Position != 2000 {
		t.Errorf("chained through %d", at.Position)
	}
	check("The events 2001 to 4502 are not chained yet")
	if _, err := postgres.Migrate(t.Context(), url); err != nil {
		t.Fatal(err)
	}
	mustAppend(t, db.Log(), request("chat-3", 0, opened()))
	check("The events 1 to 4500 were appended before the log was chained")
	var groups string
	if err := boss.QueryRow(t.Context(), "SELECT string_agg(position::text, ' ' ORDER BY position) FROM log_chain").Scan(&groups); err != nil || groups != "2000 4000 4502 4503" {
		t.Errorf("groups end at %s, %v", groups, err)
	}
}

func TestARestoredLogFitsTheAnchorsOfBefore(t *testing.T) {
	url, db := fresh(t)
	dir, keys := filepath.Join(t.TempDir(), "dump"), logdump.Keys{Store: testKey, GiveUp: true}
	mustAppend(t, db.Log(), request("chat-1", 0, opened(), opened()))
	first := takeAnchor(t, db)
	mustAppend(t, db.Log(), request("chat-1", 2, opened()))
	m, err := logdump.Write(t.Context(), url, dir, logdump.Extras{})
	if err != nil || m.Anchor.Position != 3 {
		t.Fatal(m.Anchor, err)
	}
	if m, err = logdump.ReadManifest(dir); err != nil {
		t.Fatal(err)
	}
	mustAppend(t, db.Log(), request("chat-1", 3, opened()))
	lost := takeAnchor(t, db)

	restoredURL, back := fresh(t)
	if _, err := logdump.Restore(t.Context(), restoredURL, dir, keys); err != nil {
		t.Fatal(err)
	}
	found := func(anchors ...postgres.Anchor) string {
		t.Helper()
		report, err := back.Log().Check(t.Context(), nil, anchors...)
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(report.Findings)
	}
	if got := found(first, m.Anchor); got != "[]" {
		t.Errorf("restored, with the anchors of before: %s", got)
	}
	if got := found(first, m.Anchor, lost); !strings.Contains(got, "event 4: is missing") {
		t.Errorf("put back and not adopted: %s", got)
	}
	if _, err := logdump.AdoptEpoch(t.Context(), restoredURL, nil); err != nil {
		t.Fatal(err)
	}
	mustAppend(t, back.Log(), request("chat-2", 0, opened()))
	if got := found(first, m.Anchor, lost); !strings.Contains(got, "event 4: the events 4 to 4 are not those of the anchor") {
		t.Errorf("adopted, and no anchor knows it: %s", got)
	}
	adopted := takeAnchor(t, back)
	adopted.At = lost.At.Add(time.Second)
	if got := found(first, m.Anchor, lost, adopted); got != "[]" {
		t.Errorf("adopted: %s", got)
	}
	if adopted.At = lost.At.Add(-time.Second); found(lost, adopted) == "[]" {
		t.Error("an older state of the log is taken for an adopted one")
	}
	// The former log in its place lacks what the adopted one held.
	adopted.At = lost.At.Add(time.Second)
	if report, err := db.Log().Check(t.Context(), nil, lost, adopted); err != nil || len(report.Findings) == 0 {
		t.Errorf("the state before in its place: %+v, %v", report, err)
	}
}
