package chat

import (
	"time"

	"bitacora/domain/clinic"
	"bitacora/domain/event"
)

// ActiveBookings adds up which bookings of the whole log are active: made, and neither moved nor
// cancelled. The zero value knows none.
type ActiveBookings struct {
	bookings map[string]activeBooking
	// imported are the conversations, and messages of the contact form, that happened in another system or were made up.
	imported map[string]bool
}

type activeBooking struct {
	slot      time.Time
	specialty string
	imported  bool
}

// Apply folds an event in; they come in the order of the log.
func (s *ActiveBookings) Apply(p event.Payload) {
	if s.bookings == nil {
		s.bookings, s.imported = map[string]activeBooking{}, map[string]bool{}
	}
	switch p := event.Nearest(p).(type) {
	case *event.ConversationStarted:
		if !event.Live(p.Channel) {
			s.imported[p.ConversationID] = true
		}
	case *event.ContactMessageReceived:
		if !event.Live(p.Channel) {
			s.imported[p.ContactID] = true
		}
	case *event.AppointmentBooked:
		delete(s.bookings, p.Replaces)
		s.bookings[p.BookingID] = activeBooking{p.Slot, p.Specialty, s.imported[p.ConversationID]}
	case *event.AppointmentCancelled:
		delete(s.bookings, p.BookingID)
	}
}

// Claimed is the chair that an active booking claims.
type Claimed struct {
	event.Claim
	// Owed says that it must have a chair. A booking of another system, or of a service that
	// the clinic does not have, may have none.
	Owed bool
}

// Claims are the chairs of the active bookings, by booking.
func (s *ActiveBookings) Claims(c clinic.Clinic) map[string]Claimed {
	claims := map[string]Claimed{}
	for id, b := range s.bookings {
		_, ours := c.Service(b.specialty)
		claims[id] = Claimed{*claim(c, id, b.specialty, b.slot), ours && !b.imported}
	}
	return claims
}
