package main

import (
	"context"
	"encoding/json"

	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"bitacora/domain/chat"
	"bitacora/domain/event"
	"bitacora/schema"
)

// visit is a conversation that a test has in the log.
type visit struct {
	h       *house
	t       testing.TB
	about   event.Conversation
	at      time.Time
	ordinal int
}

// newVisit begins a conversation at a time.
func newVisit(t testing.TB, h *house, id string, at time.Time) *visit {
	v := &visit{h: h, t: t, about: event.Conversation{ConversationID: id, ConversationStartedAt: at}, at: at}
	v.tell(&event.ConversationStarted{Conversation: v.about, Channel: "web"})
	v.say("hola")
	return v
}

func (v *visit) stream() string { return chat.Stream(v.about.ConversationID) }

func (v *visit) tell(p event.Payload) int64 {
	v.t.Helper()
	recorded, err := v.h.db.Log().Append(context.Background(), event.Append{
		Stream: v.stream(), ExpectedVersion: event.AnyVersion,
		Drafts: []event.Draft{{ID: uuid.NewString(), OccurredAt: v.at, Payload: p}},
	})
	if err != nil {
		v.t.Fatal(err)
	}
	return recorded[0].Position
}

// say is a message of the visitor, ten seconds after the one before.
func (v *visit) say(text string) int64 {
	v.t.Helper()
	if v.ordinal++; v.ordinal > 1 {
		v.at = v.at.Add(10 * time.Second)
	}
	place := event.Place{Ordinal: v.ordinal, ActiveMillis: v.at.Sub(v.about.ConversationStartedAt).Milliseconds()}
	return v.tell(&event.VisitorMessageSent{Conversation: v.about, Place: place, Text: event.Text{Text: text}, MessageID: fmt.Sprint("m", v.ordinal)})
}

// sql runs statements on the log's database as its owner, past what the program may do.
func sql(t testing.TB, h *house, statements ...string) {
	t.Helper()
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, h.at.DatabaseURL)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	for _, s := range statements {
		if _, err := conn.Exec(ctx, s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
}

// table runs statements on the tables of a build.
func tables(t testing.TB, h *house, build string) driver.Conn {
	t.Helper()
	options, err := clickhouse.ParseDSN(h.at.ClickHouseURL)
	if err != nil {
		t.Fatal(err)
	}
	options.Auth.Database = h.tables.Database(build)
	conn, err := clickhouse.Open(options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

// applied waits until the live build holds the whole log.
func (p *program) applied(h *house) {
	p.t.Helper()
	p.eventually("the live build holds the log", 30*time.Second, func() error {
		ctx := context.Background()
		live, err := h.db.LiveBuild(ctx)
		if err != nil {
			return err
		}
		s, err := h.db.StandingOf(ctx, live)
		if err == nil && (!s.Started || s.Lag() > 0) {
			err = fmt.Errorf("%s is %d behind: %s", live, s.Lag(), s.Trouble)
		}
		return err
	})
}

// running is a program that has some conversations, and its house.
func running(t *testing.T) (*program, *house, []*visit) {
	p := newProgram(t)
	p.start()
	h := p.house()
	var visits []*visit
	for i := range 6 {
		v := newVisit(t, h, fmt.Sprint("visit-", i), time.Date(2026, 11, 10+i/2, 15, i, 0, 0, time.UTC))
		v.say("¿Cuánto cuesta una limpieza?")
		visits = append(visits, v)
	}
	p.applied(h)
	return p, h, visits
}

func TestVerifyNamesARowThatIsWrong(t *testing.T) {
	p, h, _ := running(t)
	b1 := tables(t, h, "b1")
	if out := p.mustRun("verify"); !strings.Contains(out, "no difference") {
		t.Fatal(out)
	}
	for _, fault := range []struct{ what, do, undo, says string }{
		{
			"an altered message", "INSERT INTO messages SELECT * REPLACE ('otra cosa' AS text) FROM messages FINAL WHERE conversation_id = 'visit-2' AND ordinal = 1",
			"INSERT INTO messages SELECT * REPLACE ('hola' AS text) FROM messages FINAL WHERE conversation_id = 'visit-2' AND ordinal = 1",
			`altered: visit-2 message 1: text is "otra cosa", want "hola"`,
		},
		{
			"an extra message", "INSERT INTO messages SELECT * REPLACE (9 AS ordinal) FROM messages FINAL WHERE conversation_id = 'visit-3' LIMIT 1",
			"ALTER TABLE messages DELETE WHERE ordinal = 9 SETTINGS mutations_sync = 2",
			"extra: visit-3 message 9",
		},
		{
			"a conversation without its lead's absence", "INSERT INTO conversations (conversation_id, started_at, lead) SELECT conversation_id, started_at, true FROM conversations WHERE conversation_id = 'visit-4' LIMIT 1",
			"ALTER TABLE conversations UPDATE lead = false WHERE conversation_id = 'visit-4' SETTINGS mutations_sync = 2",
			`lead is "true", want "false"`,
		},
		{
			"a missing message", "ALTER TABLE messages DELETE WHERE conversation_id = 'visit-1' AND ordinal = 2 SETTINGS mutations_sync = 2",
			"", "missing: visit-1 message 2",
		},
	} {
		if err := b1.Exec(context.Background(), fault.do); err != nil {
			t.Fatalf("%s: %v", fault.what, err)
		}
		out, err := p.run("", "verify")
		if err == nil || !strings.Contains(out, fault.says) || strings.Count(out, "altered: ")+strings.Count(out, "extra: ")+strings.Count(out, "missing: ") != 1 {
			t.Errorf("%s: %v\n%s", fault.what, err, out)
		}
		if fault.undo != "" {
			if err := b1.Exec(context.Background(), fault.undo); err != nil {
				t.Fatalf("%s: %v", fault.undo, err)
			}
		}
	}
	// A rebuild does not take over in silence; told to, it heals what is missing.
	out, err := p.run("", "rebuild")
	if err == nil || !strings.Contains(out, "extra: visit-1 message 2") || !strings.Contains(out, "not switched") {
		t.Errorf("rebuild of a build that differs: %v\n%s", err, out)
	}
	p.mustRun("verify", "b2")
	if out := p.mustRun("rebuild", "--despite-differences"); !strings.Contains(out, "going on with build b2") || !strings.Contains(out, "b2 is live") {
		t.Error(out)
	}
	p.mustRun("verify")
}

// damage makes an event unreadable, and repair readable again, as a program does that
// learns a version.
func damage(t *testing.T, h *house, position int64, version int) {
	sql(t, h, "ALTER TABLE events DISABLE TRIGGER append_only",
		fmt.Sprintf("UPDATE events SET schema_version = %d WHERE position = %d", version, position),
		"ALTER TABLE events ENABLE TRIGGER append_only")
}

func TestAnEventThatCannotBeAppliedParksItsConversationOnly(t *testing.T) {
	p, h, visits := running(t)
	ctx := context.Background()
	messages := func(build, id string) int {
		list, err := h.tables.Reader(build).Messages(ctx, id)
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	rowCount := func(table string) (n uint64) {
		if err := tables(t, h, "b1").QueryRow(ctx, "SELECT count() FROM "+table+" FINAL").Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	// The event comes into the log unreadable: the follower must not see it whole first.
	sql(t, h, fmt.Sprintf(`INSERT INTO events SELECT (SELECT max(position) + 1 FROM events), gen_random_uuid(), stream, version + 1, type, 99,
		occurred_at, clock_timestamp(), data, sealed, metadata, payload_hash FROM events WHERE stream = '%s' ORDER BY version DESC LIMIT 1`, visits[0].stream()))
	bad, err := h.db.Log().Head(ctx)
	if err != nil {
		t.Fatal(err)
	}
	visits[0].ordinal++
	visits[0].say("sigo aquí")
	about := event.Visit{VisitID: visits[0].about.ConversationID, VisitStartedAt: visits[0].about.ConversationStartedAt}
	visits[0].tell(&event.VisitStarted{Visit: about})
	visits[0].tell(&event.WidgetOpened{Visit: about, By: event.OpenedByVisitor})
	visits[0].tell(&event.ReplyRated{Conversation: visits[0].about, Ordinal: 2, Rating: event.RatedPositive})
	visits[1].say("yo también")
	p.applied(h)
	if got := messages("b1", "visit-0"); got != 2 {
		t.Errorf("the parked conversation has %d messages in the tables, want the 2 from before", got)
	}
	for _, table := range []string{"visits", "ratings"} {
		if got := rowCount(table); got != 0 {
			t.Errorf("%d %s of the parked conversation are in the tables", got, table)
		}
	}
	if got := messages("b1", "visit-1"); got != 3 {
		t.Errorf("another conversation has %d messages, want 3: it must go on", got)
	}
	if out := p.mustRun("parked", "list"); !strings.Contains(out, fmt.Sprint(bad)) || !strings.Contains(out, "version 99") {
		t.Error(out)
	}
	if out, err := p.run("", "rebuild", "--dry-run"); err == nil || !strings.Contains(out, fmt.Sprintf("VisitorMessageSent version 99: 1 events, the first at position %d", bad)) {
		t.Errorf("dry run: %v\n%s", err, out)
	}
	// What else the stream tells of is left out with it: the visit and the ratings.
	p.mustRun("verify")
	if out, err := p.run("", "parked", "retry"); err == nil || !strings.Contains(out, "visit-0 waits on") {
		t.Errorf("retry before the correction: %v\n%s", err, out)
	}
	// A rebuild parks the same conversation at the same event.
	p.mustRun("rebuild", "--batch", "3")
	if got := messages("b2", "visit-0"); got != 2 {
		t.Errorf("the rebuilt conversation has %d messages, want 2", got)
	}
	damage(t, h, bad, 1)
	sql(t, h, "ALTER TABLE events DISABLE TRIGGER append_only",
		fmt.Sprintf(`UPDATE events SET data = replace(data, '"ordinal":2', '"ordinal":3'), sealed = NULL WHERE position = %d`, bad),
		"ALTER TABLE events ENABLE TRIGGER append_only")
	p.mustRun("parked", "retry")
	visits[0].say("gracias")
	p.applied(h)
	if got := messages("b2", "visit-0"); got != 5 {
		t.Errorf("after the retry the conversation has %d messages, want 5", got)
	}
	for _, table := range []string{"visits", "ratings"} {
		if got := rowCount(table); got != 1 {
			t.Errorf("after the retry there are %d %s, want 1", got, table)
		}
	}
	if out := p.mustRun("parked", "list"); strings.Contains(out, "visit-0") {
		t.Error(out)
	}
	if out := p.mustRun("rebuild"); !strings.Contains(out, "no difference") || strings.Contains(out, "left out") {
		t.Error(out)
	}
}

func TestASkippedEventStaysSkipped(t *testing.T) {
	p, h, visits := running(t)
	ctx := context.Background()
	sql(t, h, fmt.Sprintf(`INSERT INTO events SELECT (SELECT max(position) + 1 FROM events), gen_random_uuid(), stream, version + 1, 'TrialEvent', 1,
		occurred_at, clock_timestamp(), '{}', NULL, '{}', payload_hash FROM events WHERE stream = '%s' ORDER BY version DESC LIMIT 1`, visits[0].stream()))
	bad, err := h.db.Log().Head(ctx)
	if err != nil {
		t.Fatal(err)
	}
	visits[0].say("sigo aquí")
	p.applied(h)
	for _, wrong := range [][]string{{"parked", "skip", fmt.Sprint(bad)}, {"parked", "skip", "x", "--reason", "r"}, {"parked", "skip", "1", "--reason", "r"}} {
		if out, err := p.run("", wrong...); err == nil {
			t.Errorf("%v was accepted:\n%s", wrong, out)
		}
	}
	p.mustRun("parked", "skip", fmt.Sprint(bad), "--reason", "written by a trial version")
	p.applied(h)
	list, err := h.tables.Reader("b1").Messages(ctx, "visit-0")
	if err != nil || len(list) != 3 {
		t.Errorf("%d messages, %v; want 3", len(list), err)
	}
	p.mustRun("verify")
	if out := p.mustRun("rebuild"); !strings.Contains(out, "no difference") {
		t.Error(out)
	}
	if out := p.mustRun("log", "tail", "-n", "3"); !strings.Contains(out, "EventSkipped") {
		t.Error(out)
	}
}

func TestRowsThatCannotBeStoredParkTheirConversation(t *testing.T) {
	p, h, visits := running(t)
	ctx := context.Background()
	if err := tables(t, h, "b1").Exec(ctx, "ALTER TABLE messages ADD CONSTRAINT short CHECK length(text) < 20000"); err != nil {
		t.Fatal(err)
	}
	bad := visits[2].say(strings.Repeat("a", 20001))
	visits[2].say("perdón")
	visits[3].say("y yo")
	p.applied(h)
	if out := p.mustRun("parked", "list"); !strings.Contains(out, fmt.Sprint(bad)) || !strings.Contains(out, "visit-2") || strings.Contains(out, "visit-3") {
		t.Error(out)
	}
	if err := tables(t, h, "b1").Exec(ctx, "ALTER TABLE messages DROP CONSTRAINT short"); err != nil {
		t.Fatal(err)
	}
	p.mustRun("parked", "retry")
	p.mustRun("verify")
}

func TestKpisAsOfAnyPositionAreThoseTheDashboardGave(t *testing.T) {
	p, h, visits := running(t)
	type told struct {
		TotalConversations, TotalMessages, TotalLeads int
		AvgConversationDuration                       float64
		AsOfPosition                                  int64
	}
	ask := func(asOf ...string) (k told) {
		t.Helper()
		args := append([]string{"kpis", "--from", "2026-11-01", "--to", "2026-11-30"}, asOf...)
		if err := json.Unmarshal([]byte(p.mustRun(args...)), &k); err != nil {
			t.Fatal(err)
		}
		return k
	}
	cookie := p.signIn()
	dashboard := func() (k told) {
		t.Helper()
		p.applied(h)
		if err := p.get("/api/dashboard/kpis?startDate=2026-11-01&endDate=2026-11-30", cookie, &k); err != nil {
			t.Fatal(err)
		}
		return k
	}
	was := dashboard()
	head, err := h.db.Log().Head(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	then := time.Now()
	visits[0].say("otra vez")
	visits[0].tell(&event.LeadCaptured{Conversation: visits[0].about, HasPhone: true})
	is := dashboard()
	was.AsOfPosition, is.AsOfPosition = head, head+2
	if is.TotalLeads != 1 || was.TotalLeads != 0 {
		t.Fatalf("the dashboard said %+v, then %+v", was, is)
	}
	for _, c := range []struct {
		asOf []string
		want told
	}{
		{nil, is},
		{[]string{"--as-of", fmt.Sprint(head)}, was},
		{[]string{"--as-of", then.Format(time.RFC3339Nano)}, was},
		{[]string{"--as-of", "0"}, told{}},
	} {
		if got := ask(c.asOf...); got != c.want {
			t.Errorf("%v: got %+v, want %+v", c.asOf, got, c.want)
		}
	}
}

// outdate makes the live build one of another version, before the program starts again.
func outdate(t *testing.T) (*program, *house) {
	t.Helper()
	p, h, _ := running(t)
	sql(t, h, "UPDATE projection_builds SET version = 0 WHERE name = 'b1'")
	p.stop()
	return p, h
}

func TestABuildOfAnotherVersionAnswersAndIsLeftAlone(t *testing.T) {
	p, _ := outdate(t)
	p.start()
	h := p.house()
	cookie := p.signIn()
	before, err := h.tables.Reach(context.Background(), "b1")
	if err != nil {
		t.Fatal(err)
	}
	newVisit(t, h, "later", time.Date(2026, 11, 19, 15, 0, 0, 0, time.UTC))
	var kpis struct{ TotalConversations int }
	if err := p.get("/api/dashboard/kpis?startDate=2026-11-01&endDate=2026-11-30", cookie, &kpis); err != nil || kpis.TotalConversations != 6 {
		t.Errorf("the old build answers %+v, %v", kpis, err)
	}
	if !strings.Contains(p.output.String(), "a rebuild is due") {
		t.Errorf("serve did not say that a rebuild is due:\n%s", p.output)
	}
	if out, _ := p.run("", "projections"); !strings.Contains(out, "stuck") || !strings.Contains(out, "version 0 of the projections") {
		t.Error(out)
	}
	if reach, err := h.tables.Reach(context.Background(), "b1"); err != nil || reach != before {
		t.Errorf("rows were written into a build of another version: %d, %v; want %d", reach, err, before)
	}
	if out := p.mustRun("rebuild"); !strings.Contains(out, "a recount of the log") || !strings.Contains(out, "no difference") {
		t.Error(out)
	}
	p.applied(h)
	p.mustRun("verify")
	if out, err := p.run("", "rollback"); err == nil || !strings.Contains(out, "version 0 of the projections") {
		t.Errorf("rollback to a build of another version: %v\n%s", err, out)
	}
}

func TestServeRebuildsByItselfWhereItIsTold(t *testing.T) {
	p, _ := outdate(t)
	serving := p.begin("serve", "--auto-rebuild")
	p.eventually("it is ready", time.Minute, func() error { return p.get("/readyz", "", nil) })
	h := p.house()
	p.eventually("the new build is live", time.Minute, func() error {
		live, err := h.db.LiveBuild(context.Background())
		if err == nil && live != "b2" {
			err = fmt.Errorf("%s is live", live)
		}
		return err
	})
	p.applied(h)
	p.mustRun("verify")
	if err := h.close(); err != nil {
		t.Error(err)
	}
	if err := serving.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := serving.Wait(); err != nil {
		t.Errorf("serve ended with %v", err)
	}
}

// TestKeptExamplesOfEveryVersionRebuildToTheSameRows puts every kept example into the log
// as it was written in its time.
func TestKeptExamplesOfEveryVersionRebuildToTheSameRows(t *testing.T) {
	p, h, _ := running(t)
	examples, err := fs.Glob(schema.Events, "events/examples/*.json")
	if err != nil || len(examples) < len(event.Types()) {
		t.Fatalf("%d examples, %v", len(examples), err)
	}
	for i, file := range examples {
		data, err := schema.Events.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var version int
		kind, suffix, _ := strings.Cut(strings.TrimPrefix(file, "events/examples/"), ".")
		if _, err := fmt.Sscanf(suffix, "v%d.json", &version); err != nil {
			t.Fatal(err)
		}
		sql(t, h, fmt.Sprintf(`INSERT INTO events (position, event_id, stream, version, type, schema_version, occurred_at, recorded_at, data, metadata, payload_hash)
			SELECT (SELECT max(position) + 1 FROM events), gen_random_uuid(), 'example/%d', 1, '%s', %d, '2026-11-03T14:30:00Z', clock_timestamp(), $data$%s$data$, '{}', '\x'::bytea`,
			i, kind, version, data))
	}
	p.applied(h)
	if out := p.mustRun("parked", "list"); strings.Contains(out, "example/") {
		t.Errorf("an example cannot be applied:\n%s", out)
	}
	p.mustRun("rebuild", "--dry-run")
	if out := p.mustRun("rebuild", "--batch", "3"); !strings.Contains(out, "no difference") {
		t.Error(out)
	}
}
