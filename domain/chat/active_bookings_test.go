package chat

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"bitacora/domain/clinic"
	"bitacora/domain/event"
)

func TestActiveBookings(t *testing.T) {
	web, elsewhere := event.Conversation{ConversationID: "w"}, event.Conversation{ConversationID: "i"}
	slot := time.Date(2026, 11, 23, 15, 0, 0, 0, time.UTC)
	booked := func(c event.Conversation, id, specialty, replaces string) event.Payload {
		return &event.AppointmentBooked{Conversation: c, BookingID: id, Slot: slot, Specialty: specialty, Replaces: replaces}
	}
	var s ActiveBookings
	for _, p := range []event.Payload{
		&event.ConversationStarted{Conversation: web, Channel: "web"},
		&event.ConversationStarted{Conversation: elsewhere, Channel: "import"},
		booked(web, "moved", "ortodoncia", ""), booked(web, "stands", "ortodoncia", "moved"),
		booked(web, "cancelled", "ortodoncia", ""), &event.AppointmentCancelled{Conversation: web, BookingID: "cancelled"},
		booked(web, "unknown service", "peluqueria", ""), booked(elsewhere, "imported", "ortodoncia", ""),
		&event.ContactMessageReceived{ContactID: "m", Channel: "demo"}, booked(event.Conversation{ConversationID: "m"}, "made up", "ortodoncia", ""),
	} {
		s.Apply(p)
	}
	claims := s.Claims(clinic.Default())
	if got := strings.Join(slices.Sorted(maps.Keys(claims)), ", "); got != "imported, made up, stands, unknown service" {
		t.Errorf("active: %s", got)
	}
	for id, c := range claims {
		if c.Owed != (id == "stands") || !c.Begins.Equal(slot) || !c.Ends.After(slot) || c.BookingID != id {
			t.Errorf("%s: %+v", id, c)
		}
	}
}
