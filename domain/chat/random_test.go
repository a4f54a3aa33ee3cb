package chat

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"bitacora/domain/clinic"
	"bitacora/domain/event"
)

// anything is a random meaning.
func anything(r *rand.Rand) Understanding {
	some := func(n int) bool { return r.IntN(n) == 0 }
	u := Understanding{Urgent: some(30), Answer: []YesNo{Unsaid, Unsaid, Yes, Yes, No}[r.IntN(5)]}
	if some(3) {
		u.Intent = []Intent{IntentBook, IntentBook, IntentBook, IntentReschedule, IntentCancel, IntentMyAppointment, IntentStop, IntentAsk}[r.IntN(8)]
	}
	if some(3) {
		u.Name = "Ana Ruiz"
	}
	if some(6) {
		u.Phones = []string{fmt.Sprint("+5076123", 4000+r.IntN(1000))}
	}
	if some(6) {
		u.Specialty = []string{"ortodoncia", "limpieza-dental", "nada"}[r.IntN(3)]
	}
	if some(5) {
		u.When = on(20 + r.IntN(20)).With(clinic.Wish{Earliest: r.IntN(lastMinute), Exact: some(3)})
	}
	if some(2) {
		u.Choice = r.IntN(5) - 1
	}
	u.OtherTimes, u.BadContact, u.AnyTime, u.AnySpecialty, u.Correction = some(9), some(9), some(9), some(9), some(9)
	return u
}

// TestNoConversationBreaksThePromises lets visitors say anything in any order.
func TestNoConversationBreaksThePromises(t *testing.T) {
	bookings := 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		v := newVisit(t)
		for range 40 {
			before := len(v.log.streams[v.stream()])
			if r.IntN(10) == 0 {
				v.now = v.now.Add(time.Duration(r.IntN(50)) * time.Hour)
			}
			reply := v.says("algo", anything(r))
			booked := false
			for _, e := range v.log.streams[v.stream()][before:] {
				if b, ok := e.Payload.(*event.AppointmentBooked); ok {
					booked = true
					local := b.Slot.In(panama)
					if b.Slot.Before(v.now.Add(v.desk.Clinic.Agenda.Lead-time.Minute)) || !v.desk.Clinic.OpenAt(local) {
						t.Fatalf("seed %d: booked %v at %v", seed, local, v.now)
					}
					bookings++
				}
			}
			c := v.conversation()
			places := 0
			if c.Appointment != nil {
				places = 1
			}
			switch {
			case booked != strings.Contains(reply, "quedó agendada"):
				t.Fatalf("seed %d: booked is %v: %s", seed, booked, reply)
			case booked && !(c.Lead && c.Consent), c.Lead && !c.Consent:
				t.Fatalf("seed %d: out of order: %s", seed, v.log.types(v.stream()))
			case (c.Dialogue.Asked == string(StepName) || c.Dialogue.Asked == string(StepContact)) && !c.Consent:
				t.Fatalf("seed %d: asked for a contact without consent: %s", seed, reply)
			case c.Contact.Phone != "" && strings.Contains(reply, c.Contact.Phone[4:]):
				t.Fatalf("seed %d: repeats a contact: %s", seed, reply)
			case len(v.log.places) != places:
				t.Fatalf("seed %d: %d places are taken for appointment %+v", seed, len(v.log.places), c.Appointment)
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
	if bookings < 100 {
		t.Errorf("%d bookings are too few to tell anything", bookings)
	}
}
