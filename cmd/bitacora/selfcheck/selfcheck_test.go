package selfcheck

import (
	"crypto/md5"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"bitacora/adapters/postgres"
	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/programtest"
	"bitacora/projections/builds"
)

func TestMain(m *testing.M) { programtest.Main(m) }

func shareOfSubject(id string) int {
	sum := md5.Sum([]byte(id))
	return int(binary.BigEndian.Uint32(sum[:4]) % builds.Shares)
}

// checked is a program whose clock goes from night to night.
type checked struct {
	*programtest.Program
	app *app.App
	at  time.Time
}

// night goes on to the next night of none of some shares, and gives what was found until then.
func (c *checked) night(without ...int) map[string]app.Checked {
	c.T.Helper()
	for c.at = c.at.AddDate(0, 0, 1); slices.Contains(without, c.share()); c.at = c.at.AddDate(0, 0, 1) {
	}
	c.Applied(c.app)
	if err := Round(c.T.Context(), c.app, c.at); err != nil {
		c.T.Fatal(err)
	}
	found, err := app.SelfChecks(c.T.Context(), c.app.DB)
	if err != nil {
		c.T.Fatal(err)
	}
	return found
}

// share is the one of the night.
func (c *checked) share() int {
	day := c.at.In(c.app.Clinic.Zone)
	return int(time.Date(day.Year(), day.Month(), day.Day(), 0, 0, 0, 0, time.UTC).Unix() / 86400 % builds.Shares)
}

// until goes on to the night of a share, without the nights before it.
func (c *checked) until(share int) map[string]app.Checked {
	c.T.Helper()
	for c.at = c.at.AddDate(0, 0, 1); c.share() != share; c.at = c.at.AddDate(0, 0, 1) {
	}
	c.at = c.at.AddDate(0, 0, -1)
	return c.night()
}

func (c *checked) live() string {
	c.T.Helper()
	live, err := c.app.DB.LiveBuild(c.T.Context())
	if err != nil {
		c.T.Fatal(err)
	}
	return live
}

// alter changes a text in the tables.
func (c *checked) alter(build, conversation string) {
	c.T.Helper()
	err := programtest.Tables(c.T, c.app, build).Exec(c.T.Context(), fmt.Sprintf("INSERT INTO messages SELECT * REPLACE ('otra cosa' AS text) FROM messages FINAL WHERE conversation_id = '%s' AND ordinal = 1", conversation))
	if err != nil {
		c.T.Fatal(err)
	}
}

// TestANightFindsWhatIsWrongAndMakesTablesAnew plants wrong rows and altered events, of today and of before.
func TestANightFindsWhatIsWrongAndMakesTablesAnew(t *testing.T) {
	t.Parallel()
	p, a, visits := programtest.Running(t)
	c := &checked{p, a, time.Date(2026, 12, 1, 8, 30, 0, 0, time.UTC)}
	shares := map[int]bool{0: true}
	for i := range visits {
		shares[shareOfSubject(fmt.Sprint("visit-", i))] = true
	}
	busy := []int{}
	for share := range shares {
		busy = append(busy, share)
	}
	found := c.night(busy...)
	for _, what := range []string{app.CheckedLog, app.CheckedTables} {
		if f := found[what]; f.Latest.IsZero() || len(f.Findings) > 0 {
			t.Fatalf("the first night finds in the %s: %+v", what, f)
		}
	}

	visits[0].Say("esto es nuevo")
	p.Applied(a)
	c.alter("b1", "visit-0")
	if found := c.night(busy...); c.live() != "b2" || len(found[app.CheckedTables].Findings) > 0 {
		t.Fatalf("a wrong row of something new does not lead to new tables: %s is live, %+v", c.live(), found)
	}

	c.alter("b2", "visit-3")
	if found := c.night(busy...); len(found[app.CheckedTables].Findings) > 0 {
		t.Fatalf("what is old is looked at in the night of another share: %+v", found)
	}
	if found := c.until(shareOfSubject("visit-3")); !strings.Contains(fmt.Sprint(found[app.CheckedTables].Findings), "messages of 2026-11-11 (visitor)") || c.live() != "b2" {
		t.Fatalf("a wrong row of something old: %s is live, %+v", c.live(), found)
	}
	if f := p.Examined("self-check"); f.Status != "failed" || !strings.Contains(f.Sentence, "messages of 2026-11-11") || strings.Contains(f.Sentence, "otra cosa") {
		t.Errorf("doctor says %+v", f)
	}
	p.MustRun("rebuild", "--despite-differences")
	if found := c.night(busy...); len(found[app.CheckedTables].Findings) > 0 || c.live() != "b3" {
		t.Fatalf("after a rebuild: %s is live, %+v", c.live(), found)
	}

	last := visits[1].Say("¿Y mañana?")
	p.Applied(a)
	const change = "UPDATE events SET data = replace(data, '\"ordinal\"', '\"ordinal\" '), payload_hash = stored_event_hash(event_id, stream, version, type, schema_version, occurred_at, replace(data, '\"ordinal\"', '\"ordinal\" '), sealed) WHERE position = "
	programtest.SQL(t, a, "ALTER TABLE events DISABLE TRIGGER append_only", change+fmt.Sprint(last))
	if found := c.night(busy...); !strings.Contains(fmt.Sprint(found[app.CheckedLog].Findings), fmt.Sprintf("event %d: ", last)) {
		t.Fatalf("an altered new event %d: %+v", last, found)
	}
	if f := p.Examined("self-check"); f.Status != "failed" || !strings.Contains(f.Sentence, fmt.Sprintf("event %d: ", last)) {
		t.Errorf("doctor says %+v", f)
	}
	if found := c.night(busy...); len(found[app.CheckedLog].Findings) == 0 {
		t.Error("an altered event is forgotten in the night after")
	}
	programtest.SQL(t, a, strings.ReplaceAll(change, `'"ordinal"', '"ordinal" '`, `'"ordinal" ', '"ordinal"'`)+fmt.Sprint(last))
	if found := c.night(busy...); len(found[app.CheckedLog].Findings) > 0 {
		t.Fatalf("an event that is as before: %+v", found)
	}

	// The tables are right, and the log is not, of which the share of another night would tell: they are not made from it.
	c.until((shareOfSubject("visit-4") + builds.Shares - 1) % builds.Shares)
	programtest.SQL(t, a, `UPDATE events SET data = replace(data, '"ordinal":1', '"ordinal":7') WHERE stream = 'conversation/visit-4'`)
	found = c.night()
	if len(found[app.CheckedTables].Findings) == 0 || !strings.Contains(fmt.Sprint(found[app.CheckedLog].Findings), "was changed after it was appended") || c.live() != "b3" {
		t.Errorf("an altered old event: %s is live, %+v", c.live(), found)
	}
	if list, err := a.DB.Builds(t.Context()); err != nil || slices.ContainsFunc(list, func(b builds.Build) bool { return b.Name == "b4" }) {
		t.Errorf("tables are made from an altered log: %+v, %v", list, err)
	}
}

// TestEveryShareIsDueWithinThirtyNights, also when nights are missed.
func TestEveryShareIsDueWithinThirtyNights(t *testing.T) {
	n := night{seen: map[part]postgres.SelfCheck{}}
	at := func(day int) {
		n.began = time.Date(2026, 1, 1, hour, 0, 0, 0, time.UTC).AddDate(0, 0, day)
		n.now, n.number = n.began.Add(time.Minute), int64(day)
	}
	looked := func() (list []int) {
		list = n.due("log", "epoch", builds.Shares)
		for _, share := range list {
			n.seen[part{"log", share}] = postgres.SelfCheck{Of: "epoch", At: n.now}
		}
		return list
	}
	at(0)
	if list := looked(); len(list) != builds.Shares {
		t.Errorf("the first night looks at %v", list)
	}
	if list := looked(); len(list) > 0 {
		t.Errorf("a share is looked at twice a night: %v", list)
	}
	for day := 1; day < 200; day++ {
		if day%50 > 40 { // the machine is off
			continue
		}
		at(day)
		if list := looked(); len(list) > 2*10 || day%50 > 30 && len(list) == 0 {
			t.Errorf("night %d looks at %v", day, list)
		}
		for share := range builds.Shares {
			if age := n.now.Sub(n.seen[part{"log", share}].At); age > builds.Shares*24*time.Hour {
				t.Errorf("night %d: share %d was looked at %v ago", day, share, age)
			}
		}
	}
	n.seen[part{"log", 7}] = postgres.SelfCheck{Of: "epoch", At: n.now, Findings: []string{"something"}}
	at(200)
	if list := looked(); !slices.Contains(list, 7) {
		t.Errorf("what was wrong is not looked at again: %v", list)
	}
}

func TestBlocksCoverTheLog(t *testing.T) {
	const head = 2*builds.Shares*block + 17
	times := make([]int, head+1)
	for share := range builds.Shares {
		for _, r := range blocks(share, head) {
			for at := r.First; at <= r.Last; at++ {
				times[at]++
			}
		}
	}
	if i := slices.IndexFunc(times[1:], func(n int) bool { return n != 1 }); i >= 0 {
		t.Errorf("position %d lies in %d shares", i+1, times[i+1])
	}
}
