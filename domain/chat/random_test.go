package chat

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"bitacora/domain/clinic"
	"bitacora/domain/event"
)

// anything is a random meaning, and a text in which the oracle finds its plain answers.
func anything(r *rand.Rand) (string, Understanding) {
	some := func(n int) bool { return r.IntN(n) == 0 }
	switch r.IntN(12) {
	case 0, 1, 2:
		return "sí", Understanding{Answer: Yes, PlainYes: true}
	case 3:
		return "cancélala", Understanding{Intent: IntentCancel, PlainCancel: true}
	}
	u := Understanding{Urgent: some(30), Answer: []YesNo{Unsaid, Unsaid, Yes, No}[r.IntN(4)]}
	if some(3) {
		u.Intent = []Intent{IntentBook, IntentBook, IntentBook, IntentReschedule, IntentCancel, IntentMyAppointment, IntentStop, IntentAsk, IntentNew}[r.IntN(9)]
	}
	if some(3) {
		u.Name = []string{"Ana Ruiz", "Luis Mora"}[r.IntN(2)]
	}
	if some(6) {
		u.Phones = []string{fmt.Sprint("+5076123", 4000+r.IntN(1000))}
	}
	if some(5) {
		u.Specialty = []string{"ortodoncia", "limpieza-dental", "endodoncia", "nada"}[r.IntN(4)]
	}
	if some(4) {
		u.When = on(20 + r.IntN(20)).With(clinic.Wish{Earliest: r.IntN(lastMinute), Exact: some(3)})
		if some(2) {
			u.When.Earliest -= u.When.Earliest % 30
		}
	}
	if some(9) {
		u.Doubt = &clinic.Doubt{Kind: clinic.OtherWeekday, Day: on(30).First, Weekday: time.Tuesday, Options: []time.Time{on(24).First, on(30).First}}
		u.When.First, u.When.Last = time.Time{}, time.Time{}
	}
	if some(2) {
		u.Choice = r.IntN(5) - 1
	}
	u.OtherTimes, u.BadContact, u.AnyTime, u.AnySpecialty, u.Correction = some(9), some(9), some(9), some(9), some(9)
	u.ForOther, u.Another, u.Several = some(12), some(12), some(20)
	return "algo", u
}

// somethingOutside lets the staff book, move or cancel.
func (v *visit) somethingOutside(r *rand.Rand) {
	v.t.Helper()
	id, err := ConversationID("web", v.session), error(nil)
	if v.n++; r.IntN(2) == 0 {
		err = v.service.CancelBooking(context.Background(), id, "", "staff", "ana")
	} else {
		slot := time.Date(2026, 11, 24+r.IntN(12), 8+r.IntN(8), 30*r.IntN(2), 0, 0, panama)
		_, err = v.service.Book(context.Background(), ExternalBooking{ConversationID: id, BookingID: fmt.Sprint("staff-", v.n), Source: "staff", StaffID: "ana", Slot: slot, Specialty: "ortodoncia"})
	}
	var invalid Invalid
	if err != nil && !errors.Is(err, ErrNoBooking) && !errors.Is(err, ErrNoConversation) && !errors.Is(err, event.ErrSlotTaken) && !errors.As(err, &invalid) {
		v.t.Fatal(err)
	}
}

// agreed is the oracle: it knows nothing of the dialogue and reads the log alone. What was
// booked, moved or given up in the chat was named by the reply before, with person, service,
// day and hour, and the message right after that reply was nothing but a yes, or to the
// question whether to cancel the word for it.
func agreed(log []event.Recorded) error {
	var asked, name, answer string
	direct, waiting := false, false // the message came right after the reply; no message came since
	active := map[string]*event.AppointmentBooked{}
	title := func(slug string) string {
		service, _ := clinic.Default().Service(slug)
		return strings.ToLower(service.Title)
	}
	for _, e := range log {
		switch p := e.Payload.(type) {
		case *event.VisitorMessageSent:
			answer, direct, waiting = p.Text.Text, waiting, false
		case *event.AssistantReplied:
			asked, waiting = p.Text.Text, true
		case *event.ContactGiven:
			if p.Name != "" {
				name = p.Name
			}
		case *event.AppointmentBooked:
			old := active[p.Replaces]
			delete(active, p.Replaces)
			if len(active) > 0 {
				return fmt.Errorf("%+v beside %+v", p, active)
			}
			active[p.BookingID] = p
			if p.Source != "chat" {
				continue
			}
			parts := []string{"Sería " + title(p.Specialty) + " para " + name + ", el " + clinic.DayAndTime(p.Slot.In(panama)), "¿Confirmo"}
			if (old != nil) != (p.Replaces != "") {
				return fmt.Errorf("%+v replaces what does not stand", p)
			}
			if old != nil {
				parts = append(parts, "en lugar de la cita de "+title(old.Specialty)+" del "+clinic.DayAndTime(old.Slot.In(panama)))
			} else if strings.Contains(asked, "en lugar de") {
				return fmt.Errorf("%+v releases nothing, after %q", p, asked)
			}
			if err := holds(direct && answer == "sí", asked, answer, parts...); err != nil {
				return fmt.Errorf("booked %+v: %w", p, err)
			}
		case *event.AppointmentCancelled:
			old := active[p.BookingID]
			delete(active, p.BookingID)
			if p.Source != "chat" {
				continue
			}
			if old == nil {
				return fmt.Errorf("cancelled %s, which does not stand", p.BookingID)
			}
			named := "¿Quieres que cancele tu cita de " + title(old.Specialty) + " del " + clinic.DayAndTime(old.Slot.In(panama))
			parts := []string{strings.TrimSuffix(named, ".")}
			if name != "" {
				parts = append(parts, ", a nombre de "+name+"?")
			}
			if err := holds(direct && (answer == "sí" || answer == "cancélala"), asked, answer, parts...); err != nil {
				return fmt.Errorf("cancelled %+v: %w", old, err)
			}
		}
	}
	return nil
}

func holds(plainly bool, asked, answer string, parts ...string) error {
	if !plainly {
		return fmt.Errorf("%q is no plain answer to %q", answer, asked)
	}
	for _, part := range parts {
		if !strings.Contains(asked, part) {
			return fmt.Errorf("%q was not said in %q", part, asked)
		}
	}
	return nil
}

func TestNoConversationBreaksThePromises(t *testing.T) { converse(t, 0, 500) }

func TestNoneOfManyConversationsBreaksThePromises(t *testing.T) {
	long(t)
	converse(t, 500, 2500)
}

// long leaves a test to "npm run test:long".
func long(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("npm run test:long runs it")
	}
}

// converse lets visitors, drawn by the seeds from one on and below another, say anything in any order, and the staff
// do anything in between.
func converse(t *testing.T, first, end uint64) {
	t.Helper()
	booked, moved, cancelled := 0, 0, 0
	for seed := first; seed < end; seed++ {
		r := rand.New(rand.NewPCG(seed, 1))
		v := newVisit(t)
		if r.IntN(2) == 0 {
			v.toConfirm()
		}
		for range 15 {
			before := len(v.log.streams[v.stream()])
			switch r.IntN(12) {
			case 0:
				v.now = v.now.Add(time.Duration(r.IntN(50)) * time.Hour)
			case 1:
				v.somethingOutside(r)
			}
			reply := v.says(anything(r))
			recorded := v.log.streams[v.stream()][before:]
			inChat := false
			for _, e := range recorded {
				switch p := e.Payload.(type) {
				case *event.AppointmentBooked:
					if p.Source != "chat" {
						continue
					}
					inChat = true
					local := p.Slot.In(panama)
					if !v.service.Clinic.Calendar().OpenAt(local) || p.Slot.Before(v.now.Add(v.service.Clinic.Agenda.Lead-time.Minute)) && p.Replaces == "" {
						t.Fatalf("seed %d: booked %v at %v", seed, local, v.now)
					}
					if booked++; p.Replaces != "" {
						moved++
					}
				case *event.AppointmentCancelled:
					cancelled++
				}
			}
			c := v.conversation()
			chairs := 0
			if c.Appointment != nil {
				chairs = 1
			}
			if err := agreed(v.log.streams[v.stream()]); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			switch {
			case inChat != strings.Contains(reply, "quedó agendada"):
				t.Fatalf("seed %d: booked is %v: %s", seed, inChat, reply)
			case inChat && !(c.Lead && c.Consent), c.Lead && !c.Consent:
				t.Fatalf("seed %d: out of order: %s", seed, v.log.types(v.stream()))
			case (c.Dialogue.Asked == string(StepName) || c.Dialogue.Asked == string(StepContact)) && !c.Consent:
				t.Fatalf("seed %d: asked for a contact without consent: %s", seed, reply)
			case c.Contact.Phone != "" && strings.Contains(reply, c.Contact.Phone[4:]):
				t.Fatalf("seed %d: repeats a contact: %s", seed, reply)
			case len(v.log.chairs) != chairs:
				t.Fatalf("seed %d: %d chairs are taken for appointment %+v", seed, len(v.log.chairs), c.Appointment)
			case reply == "":
				t.Fatalf("seed %d: no reply", seed)
			}
			for _, slot := range c.Dialogue.Offered {
				if c.Dialogue.Misses == 0 && c.Dialogue.Asked == string(StepSlot) && strings.Contains(reply, "1. ") && slot.Before(v.now) {
					t.Fatalf("seed %d: %v is offered at %v", seed, slot, v.now)
				}
			}
		}
	}
	if few := int(end-first) / 50; booked < 10*few || moved < few || cancelled < few {
		t.Errorf("%d bookings, %d of them moves, and %d cancellations are too few to tell anything", booked, moved, cancelled)
	}
	t.Logf("%d bookings, %d moves, %d cancellations", booked, moved, cancelled)
}
