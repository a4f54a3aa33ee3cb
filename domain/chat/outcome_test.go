package chat

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"bitacora/domain/event"
)

// booked has an appointment on Tuesday at 10.
func booked(t *testing.T) *visit {
	v := newVisit(t)
	v.says("hola", Understanding{})
	if _, err := v.service.Book(context.Background(), form("f1")); err != nil {
		t.Fatal(err)
	}
	return v
}

func (v *visit) outcome(outcome string) error {
	return v.service.RecordOutcome(context.Background(), Outcome{
		ConversationID: ConversationID("web", v.session), BookingID: "f1", Outcome: outcome, Source: "staff", StaffID: "s1",
	})
}

func TestTheLastOutcomeCounts(t *testing.T) {
	v := booked(t)
	madeAt := v.now
	v.now = tuesdayAt10.Add(10 * time.Minute)
	from := len(v.log.streams[v.stream()])
	for _, outcome := range []string{event.OutcomeCame, event.OutcomeCame, event.OutcomeMissed, event.OutcomeUnknown, event.OutcomeCancelledLate} {
		if err := v.outcome(outcome); err != nil {
			t.Fatal(outcome, err)
		}
		if got := v.conversation().booking("f1").outcome; got != outcome {
			t.Errorf("outcome %s, want %s", got, outcome)
		}
	}
	recorded := v.log.streams[v.stream()][from:]
	if len(recorded) != 4 || len(v.log.chairs) != 1 || v.conversation().Appointment == nil {
		t.Errorf("%d events, chairs %v: a late cancellation of the past gave a chair back, or a repetition was recorded", len(recorded), v.log.chairs)
	}
	want := event.AppointmentOutcomeRecorded{
		Conversation: v.conversation().carried(), BookingID: "f1", Outcome: event.OutcomeCame, Source: "staff", StaffID: "s1",
		BookedAt: madeAt, Slot: tuesdayAt10, BookedBy: "form", Specialty: "ortodoncia",
	}
	if got := recorded[0].Payload.(*event.AppointmentOutcomeRecorded); *got != want {
		t.Errorf("recorded %+v, want %+v", *got, want)
	}
}

// TestAnOutcomeHoldsNoWordsOfAPerson: the tables keep its service, and no erasure changes it there.
func TestAnOutcomeHoldsNoWordsOfAPerson(t *testing.T) {
	v := booked(t)
	if _, err := v.service.Book(t.Context(), ExternalBooking{
		ConversationID: ConversationID("web", v.session), BookingID: "f2", Source: "form", Slot: tuesdayAt10.Add(time.Hour), Specialty: "lo de mi hija",
	}); err != nil {
		t.Fatal(err)
	}
	v.now = tuesdayAt10.Add(2 * time.Hour)
	if err := v.service.RecordOutcome(t.Context(), Outcome{
		ConversationID: ConversationID("web", v.session), BookingID: "f2", Outcome: event.OutcomeCame, Source: "staff", StaffID: "s1",
	}); err != nil {
		t.Fatal(err)
	}
	events := v.log.streams[v.stream()]
	if p := events[len(events)-1].Payload.(*event.AppointmentOutcomeRecorded); p.Specialty != "" || p.BookingID != "f2" {
		t.Errorf("recorded %+v", p)
	}
}

func TestALateCancellationGivesTheChairBackUntilItIsTakenBack(t *testing.T) {
	v := booked(t)
	if err := v.outcome(event.OutcomeCancelledLate); err != nil || len(v.log.chairs) != 0 || v.conversation().Appointment != nil {
		t.Fatalf("%v, chairs %v", err, v.log.chairs)
	}
	v.now = v.now.Add(8 * time.Second)
	if err := v.outcome(event.OutcomeUnknown); err != nil || len(v.log.chairs) != 1 || v.conversation().Appointment.ID != "f1" {
		t.Fatalf("taken back: %v, chairs %v", err, v.log.chairs)
	}
	// The appointment was made when it was made first.
	v.now = tuesdayAt10
	if err := v.outcome(event.OutcomeCame); err != nil {
		t.Fatal(err)
	}
	events := v.log.streams[v.stream()]
	if p := events[len(events)-1].Payload.(*event.AppointmentOutcomeRecorded); !p.BookedAt.Before(v.now.Add(-12*time.Hour)) || p.BookedBy != "form" {
		t.Errorf("recorded %+v", p)
	}

	v = booked(t)
	if err := v.outcome(event.OutcomeCancelledLate); err != nil {
		t.Fatal(err)
	}
	other := newVisit(t)
	other.log, other.session, other.service.Log = v.log, "other", v.log
	other.service.NewID = func() string { return "o" + v.service.NewID() }
	other.says("hola", Understanding{})
	b := form("f2")
	b.ConversationID = other.conversation().ID
	if _, err := other.service.Book(context.Background(), b); err != nil {
		t.Fatal(err)
	}
	if err := v.outcome(event.OutcomeUnknown); !errors.Is(err, event.ErrSlotTaken) || len(v.log.chairs) != 1 {
		t.Errorf("the chair is another person's: %v, %v", err, v.log.chairs)
	}
}

func TestOutcomesThatAreRefused(t *testing.T) {
	v := booked(t)
	var invalid Invalid
	v.now = tuesdayAt10.Add(-earlyArrival - time.Millisecond)
	for _, outcome := range []string{event.OutcomeCame, event.OutcomeMissed, "", "gone"} {
		if err := v.outcome(outcome); !errors.As(err, &invalid) {
			t.Errorf("%q before the appointment: %v", outcome, err)
		}
	}
	v.now = tuesdayAt10.Add(-earlyArrival)
	if err := v.outcome(event.OutcomeCame); err != nil {
		t.Errorf("came early: %v", err)
	}
	for name, o := range map[string]Outcome{
		"no conversation": {ConversationID: "x", BookingID: "f1", Outcome: event.OutcomeCame},
		"no booking":      {ConversationID: v.conversation().ID, BookingID: "f9", Outcome: event.OutcomeCame},
	} {
		if err := v.service.RecordOutcome(context.Background(), o); !errors.Is(err, ErrNoConversation) && !errors.Is(err, ErrNoBooking) {
			t.Errorf("%s: %v", name, err)
		}
	}
	moved := form("f2")
	moved.Slot = moved.Slot.Add(time.Hour)
	if _, err := v.service.Book(context.Background(), moved); err != nil {
		t.Fatal(err)
	}
	if err := v.outcome(event.OutcomeMissed); !errors.Is(err, ErrNoBooking) {
		t.Errorf("a moved appointment: %v", err)
	}
	if err := v.service.CancelBooking(context.Background(), v.conversation().ID, "f2", "form", ""); err != nil {
		t.Fatal(err)
	}
	cancelled := Outcome{ConversationID: v.conversation().ID, BookingID: "f2", Outcome: event.OutcomeMissed}
	if err := v.service.RecordOutcome(context.Background(), cancelled); !errors.Is(err, ErrNoBooking) {
		t.Errorf("a cancelled appointment: %v", err)
	}
	if got := strings.Count(v.log.types(v.stream()), "AppointmentOutcomeRecorded"); got != 1 {
		t.Errorf("%d outcomes", got)
	}
}
