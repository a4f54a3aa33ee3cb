package crash

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/eventlog"
	"bitacora/cmd/bitacora/programtest"
	"bitacora/domain/chat"
	"bitacora/domain/clinic"
	"bitacora/domain/contacts"
	"bitacora/domain/event"
)

// mustAddUp holds all that was acknowledged, and every table and number of the programs, against
// the log.
func (c *clients) mustAddUp() *recomputed {
	c.t.Helper()
	c.servers[0].Applied(c.app.Load())
	mustFinish(c.servers[0], c.app.Load())
	events := wholeLog(c.t, c.app.Load())
	r := recompute(events)
	c.mustBeIn(r)
	c.mustBookOnce(events, r)
	c.mustCount(events)
	c.mustBeWritten(r)
	c.mustMatch(r)
	c.mustBeGone(c.app.Load(), c.erased)
	c.mustTeach(r)
	c.mustShow(r)
	if out, err := c.servers[0].Run("", "verify"); err != nil {
		c.t.Errorf("verify: %v\n%s", err, out)
	}
	return r
}

// wholeLog reads all events of a log that has to be in order.
func wholeLog(t testing.TB, a *app.App) []event.Recorded {
	t.Helper()
	report, err := a.DB.Log().Check(context.Background(), nil)
	if err != nil || len(report.Findings) > 0 {
		t.Fatalf("check log: %v, findings %v", err, report.Findings)
	}
	var events []event.Recorded
	err = app.EachEvent(context.Background(), a.DB.Log(), func(e event.Recorded) error {
		events = append(events, e)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return events
}

// live is the build that readers see.
func (c *clients) live() string {
	c.t.Helper()
	build, err := c.app.Load().DB.LiveBuild(context.Background())
	if err != nil {
		c.t.Fatal(err)
	}
	return build
}

// repeatable are facts of which each request makes another; again those that may come back, or be repeated
// within a time that makes them one.
var (
	repeatable = []string{"sign-in", "contacts read", "transcript", "copy", "file taken", "replay", "recovery code", "rotation", "rebuild", "rollback"}
	again      = []string{"status", "texts read"}
)

// known is a fact as the log contains it: nobody knows the text of a reply any more in what was erased.
func (r *recomputed) known(f fact) fact {
	if conversation, rest, _ := strings.Cut(f.of, "/"); f.what == "reply" && r.erased[chat.Stream(conversation)] {
		ordinal, _, _ := strings.Cut(rest, "/")
		f.of = conversation + "/" + ordinal + "/"
	}
	return f
}

// mustBeIn fails for what was acknowledged and is not in the log once, and for what is in it
// more than once.
func (c *clients) mustBeIn(r *recomputed) {
	c.t.Helper()
	for f, times := range r.facts {
		if times > 1 && !slices.Contains(slices.Concat(repeatable, again), f.what) {
			c.t.Errorf("the log holds %d times %v", times, f)
		}
	}
	for f, times := range c.acknowledged {
		f = r.known(f)
		switch stored := r.facts[f]; {
		case stored == 0:
			c.t.Errorf("acknowledged, and not in the log: %v", f)
		case slices.Contains(repeatable, f.what) && stored < times:
			c.t.Errorf("acknowledged %d times, in the log %d times: %v", times, stored, f)
		}
	}
}

// mustBookOnce fails where more stand at a time than there are chairs, where the agenda's places
// are not those of the bookings that stand, and where a reply tells of a booking that is none.
func (c *clients) mustBookOnce(events []event.Recorded, r *recomputed) {
	c.t.Helper()
	for id, t := range r.talks {
		if r.erased[chat.Stream(id)] {
			continue // nobody knows what was replied
		}
		if t.chatBooked != 0 || t.chatCancelled != 0 {
			c.t.Errorf("conversation %s: %+d bookings and %+d cancellations beside those that its replies tell of", id, t.chatBooked, t.chatCancelled)
		}
	}
	active := map[string]*event.AppointmentBooked{}
	for _, e := range events {
		switch p := e.Payload.(type) {
		case *event.AppointmentBooked:
			delete(active, p.Replaces)
			if r.talks[p.ConversationID].channel == "web" {
				active[p.BookingID] = p
			}
			c.mustFit(active, p.Specialty)
		case *event.AppointmentCancelled:
			delete(active, p.BookingID)
		}
	}
	report, err := eventlog.CompareReservations(context.Background(), c.app.Load())
	if err != nil || !report.Clean() || report.Reservations != len(active) {
		c.t.Errorf("%d bookings stand, the agenda has %d places, %v, findings %v", len(active), report.Reservations, err, report.Findings())
	}
}

// mustFit fails where at the beginning of an appointment more take place than there are chairs.
func (c *clients) mustFit(active map[string]*event.AppointmentBooked, service string) {
	agenda := clinic.Default().Agenda
	chairs, length := len(agenda.Chairs(service)), agenda.Length(service)
	for _, begins := range active {
		beside := 0
		for _, other := range active {
			since := begins.Slot.Sub(other.Slot)
			beside += oneIf(begins.Specialty == service && other.Specialty == service && since >= 0 && since < length)
		}
		if beside > chairs {
			c.t.Errorf("%s at %v: %d at a time on %d chairs", service, begins.Slot, beside, chairs)
		}
	}
}

// mustCount holds the month's counter against the conversations that began.
func (c *clients) mustCount(events []event.Recorded) {
	c.t.Helper()
	months := map[string]int{}
	for _, e := range events {
		if p, ok := e.Payload.(*event.ConversationStarted); ok && event.Live(p.Channel) {
			months[e.OccurredAt.In(c.app.Load().Clinic.Zone).Format("2006-01")]++
		}
	}
	for month, want := range months {
		if got, err := c.app.Load().DB.Log().MonthlyCount(context.Background(), month); err != nil || got != want {
			c.t.Errorf("%s: the counter says %d, %v; %d conversations began", month, got, err, want)
		}
	}
	parked, err := c.app.Load().DB.Waiting(context.Background(), c.live())
	if err != nil || len(parked) > 0 {
		c.t.Errorf("parked: %v, %v", parked, err)
	}
}

// mustBeWritten fails for what the staff has no letter of.
func (c *clients) mustBeWritten(r *recomputed) {
	c.t.Helper()
	var owed []string
	for id, t := range r.talks {
		// The mailer may have come to it while it was restricted.
		_, once := r.restricted[chat.Stream(id)]
		if !event.Live(t.channel) || r.withheld(id) || once {
			continue
		}
		for _, flag := range t.flags {
			owed = append(owed, flag+"-"+id)
		}
		if t.lead {
			owed = append(owed, "lead-"+id)
		}
	}
	for ref := range r.contacts {
		if ref.Kind == contacts.Message {
			owed = append(owed, ref.ID)
		}
	}
	c.servers[0].Eventually("every letter is in an outbox", time.Minute, func() error {
		missing := slices.DeleteFunc(slices.Clone(owed), func(letter string) bool {
			return slices.ContainsFunc(c.servers, func(p *programtest.Program) bool {
				_, err := os.Stat(filepath.Join(p.Dir, "data", "outbox", letter+".eml"))
				return err == nil
			})
		})
		if len(missing) > 0 {
			return fmt.Errorf("%d of %d are missing: %s …", len(missing), len(owed), missing[0])
		}
		return nil
	})
}

// apart are the tables that hold no rows of the log, and what holds them against it.
var apart = []string{
	"applied",                                                                  // [programtest.Program.applied]
	"build",                                                                    // TestAnotherClickHouseIsRefused
	"freshness",                                                                // TestFreshnessIsThatOfTheLiveBuild (adapters/clickhouse)
	"kpis_daily", "funnel_daily", "leads_daily", "topics_daily", "hours_daily", // TestDailyCountsAreThoseOfTheCohort (adapters/clickhouse)
	"exchanges", "limit_by_month", // TestViewsSayWhatTheLogSays (adapters/clickhouse)
}

// mustMatch holds every column of every table, and of every view of the analysts, against what
// the log adds up to. One that is not known there fails.
func (c *clients) mustMatch(r *recomputed) {
	c.t.Helper()
	want := r.rows()
	for _, view := range []bool{false, true} {
		database := c.app.Load().Tables.Database(c.live())
		if view {
			database = c.app.Load().Tables.ViewsDatabase()
		}
		columns := c.columns(database)
		for table, expected := range want {
			if table == "outcomes" && !view { // which shows some of bookings
				continue
			}
			if len(columns[table]) == 0 {
				c.t.Errorf("there is no %s.%s", database, table)
				continue
			}
			c.mustMatchTable(database, table, columns[table], shown(table, expected, view))
		}
		for table := range columns {
			if want[table] == nil && !slices.Contains(apart, table) {
				c.t.Errorf("%s.%s is held against nothing", database, table)
			}
		}
	}
}

// shown are the rows as a view has them: without contacts that cannot be reached, and publications of answers that
// were taken back, which stand in the row of that.
func shown(table string, rows map[string]row, view bool) map[string]row {
	if !view {
		return rows
	}
	all := map[string]row{}
	for key, reported := range rows {
		if table == "contacts" && reported["reachable"] != "true" || reported["followed"] == "true" {
			continue
		}
		all[key] = maps.Clone(reported)
		for column, value := range reported {
			if name, ok := strings.CutPrefix(column, "view."); ok {
				all[key][name] = value
			}
		}
	}
	return all
}

// column is one of a table, and how it is read as a text.
type column struct{ name, read string }

func (c *clients) columns(database string) map[string][]column {
	c.t.Helper()
	found, err := programtest.Tables(c.t, c.app.Load(), c.live()).Query(context.Background(), "SELECT table, name, type FROM system.columns WHERE database = $1", database)
	if err != nil {
		c.t.Fatal(err)
	}
	defer found.Close()
	all := map[string][]column{}
	for found.Next() {
		var table, name, kind string
		if err := found.Scan(&table, &name, &kind); err != nil {
			c.t.Fatal(err)
		}
		read := name
		switch {
		case strings.Contains(kind, "Tuple") && strings.Contains(kind, "DateTime64"):
			read = fmt.Sprintf("tuple(%s.1, toUnixTimestamp64Milli(%s.2))", name, name)
		case strings.Contains(kind, "DateTime64"):
			read = "toUnixTimestamp64Milli(" + name + ")"
		case strings.Contains(kind, "Array"):
			read = "arraySort(" + name + ")"
		}
		all[table] = append(all[table], column{name, "ifNull(toString(" + read + "), '" + noValue + "')"})
	}
	return all
}

// keys are the columns that name a row, as [recomputed.rows] does.
var keys = map[string]string{
	"conversations": "conversation_id", "messages": "concat(conversation_id, '/', toString(ordinal))", "contacts": "concat(kind, '/', contact_id)",
	"visits": "visit_id", "ratings": "concat(conversation_id, '/', toString(ordinal))",
	"bookings": "booking_id", "outcomes": "booking_id", "contact_history": "toString(position)", "chat_refusals": "toString(position)",
	"answers_taught": "toString(position)", "data_access": "toString(position)",
}

func (c *clients) mustMatchTable(database, table string, columns []column, want map[string]row) {
	c.t.Helper()
	reads := make([]string, len(columns))
	for i, one := range columns {
		reads[i] = one.read
	}
	final := " FINAL"
	if database == c.app.Load().Tables.ViewsDatabase() {
		final = ""
	}
	found, err := programtest.Tables(c.t, c.app.Load(), c.live()).Query(context.Background(),
		fmt.Sprintf("SELECT %s, [%s] FROM %s.%s%s", keys[table], strings.Join(reads, ", "), database, table, final))
	if err != nil {
		c.t.Fatal(err)
	}
	defer found.Close()
	stored := map[string]bool{}
	for found.Next() {
		var key string
		var values []string
		if err := found.Scan(&key, &values); err != nil {
			c.t.Fatal(err)
		}
		if stored[key] {
			c.t.Errorf("%s.%s: %s stands twice", database, table, key)
		}
		stored[key] = true
		for i, one := range columns {
			if reported, known := want[key][one.name]; !known || reported != values[i] {
				c.t.Errorf("%s.%s: %s of %s is %q, the log adds up to %q (known: %v)", database, table, one.name, key, values[i], reported, known)
			}
		}
	}
	if err := found.Err(); err != nil {
		c.t.Fatal(err)
	}
	if len(stored) != len(want) {
		c.t.Errorf("%s.%s has %d rows, the log adds up to %d", database, table, len(stored), len(want))
	}
}

// mustHaveEveryType fails for an event type that no script of the mix brought about.
func (r *recomputed) mustHaveEveryType(t *testing.T, but map[string]string) {
	t.Helper()
	for _, name := range event.Types() {
		if why := but[name]; (r.types[name] == 0) != (why != "") && why != byOperators {
			t.Errorf("%d events of type %s; it is left out because %q", r.types[name], name, why)
		}
	}
}
