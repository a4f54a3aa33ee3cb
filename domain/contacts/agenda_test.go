package contacts

import (
	"slices"
	"testing"
	"time"

	"bitacora/domain/event"
)

func TestTheAgendaListsTheAppointmentsThatStand(t *testing.T) {
	m := &memory{}
	r := &Register{Log: m}
	from, to := noon, noon.AddDate(0, 0, 2)
	book := func(id, booking string, at time.Time, more ...event.Payload) {
		conv := event.Conversation{ConversationID: id, ConversationStartedAt: noon}
		m.record(Ref{Lead, id}.Stream(), append([]event.Payload{
			&event.ConversationStarted{Conversation: conv}, &event.LeadCaptured{Conversation: conv, Name: id, Phone: "+50769001234"},
			&event.AppointmentBooked{Conversation: conv, BookingID: booking, Slot: at, Source: "chat"},
		}, more...)...)
	}
	late := &event.AppointmentOutcomeRecorded{BookingID: "late", Outcome: event.OutcomeCancelledLate}
	book("last", "b1", to.Add(-time.Millisecond))
	book("first", "b2", from, &event.AppointmentOutcomeRecorded{BookingID: "b2", Outcome: event.OutcomeMissed}, &event.AppointmentOutcomeRecorded{BookingID: "b0", Outcome: event.OutcomeCame})
	book("before", "b3", from.Add(-time.Millisecond))
	book("after", "b4", to)
	book("cancelled", "b5", from.Add(time.Hour), &event.AppointmentCancelled{BookingID: "b5"})
	book("moved", "b6", from.Add(time.Hour), &event.AppointmentBooked{BookingID: "b7", Replaces: "b6", Slot: from.Add(2 * time.Hour)})
	book("erased", "b8", from.Add(time.Hour), &event.SubjectErased{})
	book("late", "late", from.Add(time.Hour), late, &event.AppointmentCancelled{BookingID: "late"})
	book("lost", "late", from.Add(90*time.Minute), late) // whose hour was over
	found, err := r.Agenda(t.Context(), from, to)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range found {
		got = append(got, c.ID+" "+c.Booking.ID+" "+c.Booking.Outcome)
	}
	if want := []string{"first b2 missed", "late late cancelled-late", "lost late cancelled-late", "moved b7 unknown", "last b1 unknown"}; !slices.Equal(got, want) {
		t.Errorf("listed %q, want %q", got, want)
	}
}

func TestTheFirstQuestionIsNoGreeting(t *testing.T) {
	say := func(text string) event.Payload { return &event.VisitorMessageSent{Text: event.Text{Text: text}} }
	reply := func(topic string) event.Payload { return &event.AssistantReplied{Topic: topic} }
	for want, payloads := range map[string][]event.Payload{
		"¿Cuánto cuesta?": {say("Hola"), reply("saludo"), say("¿Cuánto cuesta?"), reply("precios"), say("¿Y mañana?"), reply("horario")},
		"¿Abren hoy?":     {say("Hola"), say("¿Abren hoy?"), reply("horario")},
		"Hola":            {say("Hola"), reply("saludo")},
		"":                nil,
	} {
		m := &memory{}
		m.record(lead.Stream(), payloads...)
		if got := Fold(lead, m.events).Asked; got != want {
			t.Errorf("asked %q, want %q", got, want)
		}
	}
}
