package main

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"bitacora/adapters/engines/enginestest"
	"bitacora/cmd/bitacora/programtest"
	"bitacora/domain/chat"
	"bitacora/domain/event"
)

func TestAnEventThatCannotBeAppliedParksItsConversationOnly(t *testing.T) {
	t.Parallel()
	p, a, visits := programtest.Running(t)
	ctx := context.Background()
	messages := func(build, id string) int {
		list, err := a.Tables.Reader(build).Messages(ctx, id)
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	rowCount := func(table string) (n uint64) {
		if err := programtest.Tables(t, a, "b1").QueryRow(ctx, "SELECT count() FROM "+table+" FINAL").Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	// The event comes into the log unreadable: the follower must not see it whole first.
	bad := visits[0].AddUnreadable("type, 99", "data, sealed")
	visits[0].Ordinal++
	visits[0].Say("sigo aquí")
	about := event.Visit{VisitID: visits[0].About.ConversationID, VisitStartedAt: visits[0].About.ConversationStartedAt}
	visits[0].Add(&event.VisitStarted{Visit: about})
	visits[0].Add(&event.WidgetOpened{Visit: about, By: event.OpenedByVisitor})
	visits[0].Add(&event.ReplyRated{Conversation: visits[0].About, Ordinal: 2, Rating: event.RatedPositive})
	visits[0].Add(&event.AppointmentBooked{Conversation: visits[0].About, BookingID: "b", Source: "chat", Slot: programtest.SomeDay})
	visits[1].Say("yo también")
	full := programtest.Visit{App: a, T: t, At: programtest.SomeDay, Stream: chat.RefusalStream("2026-11")}
	full.Add(&event.ChatRefused{Month: "2026-11", Limit: 5})
	refused := full.AddUnreadable("type, 99", "data, sealed")
	full.Add(&event.ChatRefused{Month: "2026-11", Limit: 5})
	reading := programtest.Visit{App: a, T: t, At: programtest.SomeDay, Stream: "staff/reader"}
	reading.Add(&event.TranscriptOpened{StaffID: "reader", ConversationID: "visit-0"})
	unread := reading.AddUnreadable("type, 99", "data, sealed")
	reading.Add(&event.ExportTaken{StaffID: "reader", Rows: "contacts", Format: "csv"})
	p.Applied(a)
	if got := rowCount("data_access"); got != 1 {
		t.Errorf("%d readings are in the tables, want the one before that which cannot be applied", got)
	}
	if got := rowCount("chat_refusals"); got != 1 {
		t.Errorf("%d refusals are in the tables, want the one before that which cannot be applied", got)
	}
	if got := messages("b1", "visit-0"); got != 2 {
		t.Errorf("the parked conversation has %d messages in the tables, want the 2 from before", got)
	}
	for _, table := range []string{"visits", "ratings", "bookings", "contact_history"} {
		if got := rowCount(table); got != 0 {
			t.Errorf("%d %s of the parked conversation are in the tables", got, table)
		}
	}
	if got := messages("b1", "visit-1"); got != 3 {
		t.Errorf("another conversation has %d messages, want 3: it must go on", got)
	}
	if out := p.MustRun("parked", "list"); !strings.Contains(out, fmt.Sprint(bad)) || !strings.Contains(out, "version 99") {
		t.Error(out)
	}
	if out, err := p.Run("", "log", "check"); err == nil || !strings.Contains(out, fmt.Sprintf("VisitorMessageSent version 99: 1 events, the first at position %d", bad)) {
		t.Errorf("log check: %v\n%s", err, out)
	}
	// What else the stream tells of is left out with it: the visit and the ratings.
	p.MustRun("verify")
	if out, err := p.Run("", "parked", "retry"); err == nil || !strings.Contains(out, "visit-0 waits on") {
		t.Errorf("retry before the correction: %v\n%s", err, out)
	}
	// A rebuild parks the same conversation at the same event.
	p.MustRun("rebuild", "--batch", "3")
	if got := messages("b2", "visit-0"); got != 2 {
		t.Errorf("the rebuilt conversation has %d messages, want 2", got)
	}
	programtest.Damage(t, a, bad, 1)
	programtest.Damage(t, a, refused, 1)
	programtest.Damage(t, a, unread, 1)
	programtest.SQL(t, a, "ALTER TABLE events DISABLE TRIGGER append_only",
		fmt.Sprintf(`UPDATE events SET data = replace(data, '"ordinal":2', '"ordinal":3'), sealed = NULL WHERE position = %d`, bad),
		"ALTER TABLE events ENABLE TRIGGER append_only")
	p.MustRun("parked", "retry")
	visits[0].Say("gracias")
	p.Applied(a)
	if got := messages("b2", "visit-0"); got != 5 {
		t.Errorf("after the retry the conversation has %d messages, want 5", got)
	}
	for table, want := range map[string]uint64{"visits": 1, "ratings": 1, "bookings": 1, "contact_history": 1, "chat_refusals": 3, "data_access": 3} {
		if got := rowCount(table); got != want {
			t.Errorf("after the retry there are %d %s, want %d", got, table, want)
		}
	}
	if out := p.MustRun("parked", "list"); strings.Contains(out, "visit-0") {
		t.Error(out)
	}
	if out := p.MustRun("rebuild"); !strings.Contains(out, "no difference") || strings.Contains(out, "left out") {
		t.Error(out)
	}
}

func TestASkippedEventStaysSkipped(t *testing.T) {
	enginestest.Long(t)
	p, a, visits := programtest.Running(t)
	ctx := context.Background()
	bad := visits[0].AddUnreadable("'TrialEvent', 1", "'{}', NULL")
	visits[0].Say("sigo aquí")
	next := visits[0].AddUnreadable("'TrialEvent', 1", "'{}', NULL")
	visits[0].Say("¿hola?")
	p.Applied(a)
	_, err := a.DB.Log().Append(ctx, event.Append{Stream: "conversation/known", Drafts: []event.Draft{{
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
		if out, err := p.Run("", "parked", "skip", fmt.Sprint(bad), "--reason", reason); err == nil || !strings.Contains(out, want) {
			t.Errorf("%s: %v\n%s", reason, err, out)
		}
	}
	for _, wrong := range [][]string{{"parked", "skip", fmt.Sprint(bad)}, {"parked", "skip", "x", "--reason", "r"}, {"parked", "skip", "1", "--reason", "r"}} {
		if out, err := p.Run("", wrong...); err == nil {
			t.Errorf("%v was accepted:\n%s", wrong, out)
		}
	}
	// The conversation goes on as far as the next such event, for which it waits then.
	if out, err := p.Run("", "parked", "skip", fmt.Sprint(bad), "--reason", "written by a trial version"); err == nil || !strings.Contains(out, fmt.Sprintf("event %d", next)) {
		t.Errorf("the next event that cannot be applied is not told: %v\n%s", err, out)
	}
	if out := p.MustRun("parked", "list"); !strings.Contains(out, fmt.Sprintf("b1     %d ", next)) {
		t.Errorf("want event %d alone:\n%s", next, out)
	}
	reading := [][]string{{"log", "check"}, {"log", "lint"}, {"log", "export"}, {"log", "places"}}
	for _, command := range reading {
		if out, err := p.Run("", command...); err == nil || !strings.Contains(out, "TrialEvent") {
			t.Errorf("%v does not name an event that nobody decided on: %v\n%s", command, err, out)
		}
	}
	p.MustRun("parked", "skip", fmt.Sprint(next), "--reason", "written by a trial version")
	for _, command := range reading {
		p.MustRun(command...)
	}
	p.Applied(a)
	list, err := a.Tables.Reader("b1").Messages(ctx, "visit-0")
	if err != nil || len(list) != 4 {
		t.Errorf("%d messages, %v; want 4", len(list), err)
	}
	p.MustRun("verify")
	if out := p.MustRun("rebuild"); !strings.Contains(out, "no difference") {
		t.Error(out)
	}
	const reason = "written by a trial version"
	if out := p.MustRun("log", "tail", "-n", "3"); !strings.Contains(out, "EventSkipped") || strings.Contains(out, reason) {
		t.Error(out)
	}
	if out := p.MustRun("audit", "--what", "EventSkipped", "--who", "operator"); strings.Count(out, reason) != 2 {
		t.Errorf("the audit tells:\n%s", out)
	}
}

func TestRowsThatCannotBeStoredParkTheirConversation(t *testing.T) {
	p, a, visits := programtest.Running(t)
	ctx := context.Background()
	if err := programtest.Tables(t, a, "b1").Exec(ctx, "ALTER TABLE messages ADD CONSTRAINT short CHECK length(text) < 20000"); err != nil {
		t.Fatal(err)
	}
	bad := visits[2].Say(strings.Repeat("a", 20001))
	visits[2].Say("perdón")
	visits[3].Say("y yo")
	p.Applied(a)
	if out := p.MustRun("parked", "list"); !strings.Contains(out, fmt.Sprint(bad)) || !strings.Contains(out, "visit-2") || strings.Contains(out, "visit-3") {
		t.Error(out)
	}
	if err := programtest.Tables(t, a, "b1").Exec(ctx, "ALTER TABLE messages DROP CONSTRAINT short"); err != nil {
		t.Fatal(err)
	}
	p.MustRun("parked", "retry")
	p.MustRun("verify")
}
