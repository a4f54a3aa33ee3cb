package main

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"bitacora/domain/event"
)

// addUnreadable appends an event that this program cannot read: another kind than the visit's
// latest, or its content in another form, as expressions of SQL.
func (v *visit) addUnreadable(kind, content string) (position int64) {
	v.t.Helper()
	sql(v.t, v.app, fmt.Sprintf(`INSERT INTO events SELECT e.*, stored_event_hash(event_id, stream, version, type, schema_version::smallint, occurred_at, data, sealed)
		FROM (SELECT (SELECT max(position) + 1 FROM events), gen_random_uuid(), stream, version + 1, %s, occurred_at, clock_timestamp(), %s, metadata
			FROM events WHERE stream = '%s' ORDER BY version DESC LIMIT 1)
			AS e(position, event_id, stream, version, type, schema_version, occurred_at, recorded_at, data, sealed, metadata)`, kind, content, v.stream()))
	position, err := v.app.db.Log().Head(context.Background())
	if err != nil {
		v.t.Fatal(err)
	}
	return position
}

// damage makes an event unreadable, and repair readable again, as a program does that
// learns a version.
func damage(t *testing.T, a *app, position int64, version int) {
	sql(t, a, "ALTER TABLE events DISABLE TRIGGER append_only",
		fmt.Sprintf("UPDATE events SET schema_version = %d WHERE position = %d", version, position),
		"ALTER TABLE events ENABLE TRIGGER append_only")
}

func TestAnEventThatCannotBeAppliedParksItsConversationOnly(t *testing.T) {
	t.Parallel()
	p, a, visits := running(t)
	ctx := context.Background()
	messages := func(build, id string) int {
		list, err := a.tables.Reader(build).Messages(ctx, id)
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	rowCount := func(table string) (n uint64) {
		if err := tables(t, a, "b1").QueryRow(ctx, "SELECT count() FROM "+table+" FINAL").Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	// The event comes into the log unreadable: the follower must not see it whole first.
	bad := visits[0].addUnreadable("type, 99", "data, sealed")
	visits[0].ordinal++
	visits[0].say("sigo aquí")
	about := event.Visit{VisitID: visits[0].about.ConversationID, VisitStartedAt: visits[0].about.ConversationStartedAt}
	visits[0].add(&event.VisitStarted{Visit: about})
	visits[0].add(&event.WidgetOpened{Visit: about, By: event.OpenedByVisitor})
	visits[0].add(&event.ReplyRated{Conversation: visits[0].about, Ordinal: 2, Rating: event.RatedPositive})
	visits[1].say("yo también")
	p.applied(a)
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
	damage(t, a, bad, 1)
	sql(t, a, "ALTER TABLE events DISABLE TRIGGER append_only",
		fmt.Sprintf(`UPDATE events SET data = replace(data, '"ordinal":2', '"ordinal":3'), sealed = NULL WHERE position = %d`, bad),
		"ALTER TABLE events ENABLE TRIGGER append_only")
	p.mustRun("parked", "retry")
	visits[0].say("gracias")
	p.applied(a)
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
	p, a, visits := running(t)
	ctx := context.Background()
	bad := visits[0].addUnreadable("'TrialEvent', 1", "'{}', NULL")
	visits[0].say("sigo aquí")
	next := visits[0].addUnreadable("'TrialEvent', 1", "'{}', NULL")
	visits[0].say("¿hola?")
	p.applied(a)
	_, err := a.db.Log().Append(ctx, event.Append{Stream: "conversation/known", Drafts: []event.Draft{{
		ID: uuid.NewString(), OccurredAt: time.Now(), Payload: &event.ContactGiven{
			Conversation: event.Conversation{ConversationID: "known", ConversationStartedAt: time.Now()}, Name: "Xilonen Tlapan", HasName: true,
		},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	for reason, want := range map[string]string{
		"told by xilonen tlapan": "whom the clinic knows", "call 6123-4567": "a phone number",
	} {
		if out, err := p.run("", "parked", "skip", fmt.Sprint(bad), "--reason", reason); err == nil || !strings.Contains(out, want) {
			t.Errorf("%s: %v\n%s", reason, err, out)
		}
	}
	for _, wrong := range [][]string{{"parked", "skip", fmt.Sprint(bad)}, {"parked", "skip", "x", "--reason", "r"}, {"parked", "skip", "1", "--reason", "r"}} {
		if out, err := p.run("", wrong...); err == nil {
			t.Errorf("%v was accepted:\n%s", wrong, out)
		}
	}
	// The conversation goes on as far as the next such event, for which it waits then.
	if out, err := p.run("", "parked", "skip", fmt.Sprint(bad), "--reason", "written by a trial version"); err == nil || !strings.Contains(out, fmt.Sprintf("event %d", next)) {
		t.Errorf("the next event that cannot be applied is not told: %v\n%s", err, out)
	}
	if out := p.mustRun("parked", "list"); !strings.Contains(out, fmt.Sprintf("b1     %d ", next)) {
		t.Errorf("want event %d alone:\n%s", next, out)
	}
	reading := [][]string{{"log", "check"}, {"log", "lint"}, {"log", "export"}, {"log", "places"}}
	for _, command := range reading {
		if out, err := p.run("", command...); err == nil || !strings.Contains(out, "TrialEvent") {
			t.Errorf("%v does not name an event that nobody decided on: %v\n%s", command, err, out)
		}
	}
	p.mustRun("parked", "skip", fmt.Sprint(next), "--reason", "written by a trial version")
	for _, command := range reading {
		p.mustRun(command...)
	}
	p.applied(a)
	list, err := a.tables.Reader("b1").Messages(ctx, "visit-0")
	if err != nil || len(list) != 4 {
		t.Errorf("%d messages, %v; want 4", len(list), err)
	}
	p.mustRun("verify")
	if out := p.mustRun("rebuild"); !strings.Contains(out, "no difference") {
		t.Error(out)
	}
	const reason = "written by a trial version"
	if out := p.mustRun("log", "tail", "-n", "3"); !strings.Contains(out, "EventSkipped") || strings.Contains(out, reason) {
		t.Error(out)
	}
	if out := p.mustRun("audit", "--what", "EventSkipped", "--who", "operator"); strings.Count(out, reason) != 2 {
		t.Errorf("the audit tells:\n%s", out)
	}
}

func TestRowsThatCannotBeStoredParkTheirConversation(t *testing.T) {
	p, a, visits := running(t)
	ctx := context.Background()
	if err := tables(t, a, "b1").Exec(ctx, "ALTER TABLE messages ADD CONSTRAINT short CHECK length(text) < 20000"); err != nil {
		t.Fatal(err)
	}
	bad := visits[2].say(strings.Repeat("a", 20001))
	visits[2].say("perdón")
	visits[3].say("y yo")
	p.applied(a)
	if out := p.mustRun("parked", "list"); !strings.Contains(out, fmt.Sprint(bad)) || !strings.Contains(out, "visit-2") || strings.Contains(out, "visit-3") {
		t.Error(out)
	}
	if err := tables(t, a, "b1").Exec(ctx, "ALTER TABLE messages DROP CONSTRAINT short"); err != nil {
		t.Fatal(err)
	}
	p.mustRun("parked", "retry")
	p.mustRun("verify")
}
