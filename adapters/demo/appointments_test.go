package demo

import (
	"testing"
	"time"

	"bitacora/domain/clinic"
	"bitacora/domain/event"
)

// TestAppointmentsAreMovedAndMarked follows every booking through the log: one takes the place of the one before, at a
// time that nobody else has, and outcomes are those of the booking that is left.
func TestAppointmentsAreMovedAndMarked(t *testing.T) {
	active, outcome, taken := map[string]*event.AppointmentBooked{}, map[string]string{}, map[time.Time]bool{}
	var bookings, moved, ofForm, marked, unmarked float64
	for n, a := range appends(t) {
		i := history()[n]
		for _, d := range a.Drafts {
			if i.Repeated {
				break
			}
			before := active[a.Stream]
			switch p := d.Payload.(type) {
			case *event.AppointmentBooked:
				if before == nil {
					before = &event.AppointmentBooked{Slot: p.Slot}
				}
				if p.Replaces != before.BookingID || !d.OccurredAt.Before(before.Slot) || !d.OccurredAt.Before(p.Slot) || taken[p.Slot] || !clinic.Default().Calendar().OpenAt(p.Slot) {
					t.Errorf("at %v %+v after %+v, at a time that is taken: %v", d.OccurredAt, p, before, taken[p.Slot])
				}
				active[a.Stream], taken[p.Slot] = p, true
				bookings++
				moved += times(p.Replaces != "")
				ofForm += times(p.Replaces != "" && p.OfForm())
			case *event.AppointmentCancelled:
				delete(active, a.Stream)
			case *event.AppointmentOutcomeRecorded:
				if before == nil || p.BookingID != before.BookingID || !p.Slot.Equal(before.Slot) || d.OccurredAt.Before(p.Slot) || (p.Outcome == event.OutcomeUnknown) == (outcome[p.BookingID] == "") {
					t.Errorf("at %v %+v of %+v after %q", d.OccurredAt, p, before, outcome[p.BookingID])
				}
				outcome[p.BookingID] = p.Outcome
				marked += times(p.Outcome != event.OutcomeUnknown)
				unmarked += times(p.Outcome == event.OutcomeUnknown)
			}
		}
	}
	within(t, "moved of 100 bookings", 100*moved/bookings, 3, 8)
	within(t, "moved of who wrote by the form", ofForm, 1, 20)
	within(t, "taken back of 100 outcomes", 100*unmarked/marked, 1, 4)
}

// TestSomeQuestionsAreDismissed finds a reply without an answer to each of them.
func TestSomeQuestionsAreDismissed(t *testing.T) {
	unanswered := map[event.QuestionLabelled]bool{}
	var dismissed, ratings, takenBack float64
	for _, a := range appends(t) {
		for _, d := range a.Drafts {
			switch p := d.Payload.(type) {
			case *event.AssistantReplied:
				if !p.Answered {
					unanswered[event.QuestionLabelled{Conversation: p.Conversation, Ordinal: p.Ordinal - 1, MessageID: p.ReplyTo}] = true
				}
			case *event.QuestionLabelled:
				dismissed++
				if message := (event.QuestionLabelled{Conversation: p.Conversation, Ordinal: p.Ordinal, MessageID: p.MessageID}); !unanswered[message] || p.Kind != event.LabelSkipped || p.StaffID == "" {
					t.Errorf("dismissed %+v", p)
				}
			case *event.ReplyRated:
				ratings += times(p.Rating != event.RatedNone)
				takenBack += times(p.Rating == event.RatedNone)
			}
		}
	}
	within(t, "dismissed of 100 questions without an answer", 100*dismissed/float64(len(unanswered)), 7, 12)
	within(t, "taken back of 100 ratings", 100*takenBack/ratings, 2, 7)
}
