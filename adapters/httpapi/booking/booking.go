// Package booking takes bookings that are made outside of the chat: it answers the webhook of the
// scheduling form, and records what staff mark.
package booking

import (
	"context"
	"net/mail"
	"regexp"
	"strings"

	"bitacora/adapters/httpapi/contract"
	"bitacora/adapters/httpapi/web"
	"bitacora/domain/chat"
)

// Recorder records what is booked outside of the chat.
type Recorder interface {
	// Book records a confirmed booking of a conversation.
	Book(ctx context.Context, b chat.ExternalBooking) (chat.Appointment, error)
	// CancelBooking takes a booking back; an empty id names the one that stands.
	CancelBooking(ctx context.Context, conversationID, bookingID, source, staffID string) error
	// RecordOutcome records the outcome of an appointment.
	RecordOutcome(ctx context.Context, o chat.Outcome) error
}

// Book records a booking, and gives it as the contract has it.
func Book(ctx context.Context, to Recorder, b chat.ExternalBooking, contact *contract.BookingContact) (contract.Booking, error) {
	if b.Slot.IsZero() {
		return contract.Booking{}, web.BadRequest("Falta la hora de la cita.")
	}
	var err error
	if b.Contact, err = contactOf(contact); err != nil {
		return contract.Booking{}, err
	}
	booked, err := to.Book(ctx, b)
	if err != nil {
		return contract.Booking{}, err
	}
	slot := booked.Slot.UTC()
	answer := contract.Booking{ID: &booked.ID, Status: contract.BookingStatusBooked, Slot: &slot}
	if booked.Specialty != "" {
		answer.Specialty = &booked.Specialty
	}
	return answer, nil
}

var phoneForm = regexp.MustCompile(`^\+[1-9]\d{6,14}$`)

// maxName bounds a person's name, in bytes.
const maxName = 200

func contactOf(given *contract.BookingContact) (chat.Contact, error) {
	if given == nil {
		return chat.Contact{}, nil
	}
	c := chat.Contact{
		Name: strings.TrimSpace(contract.Deref(given.Name)), Phone: contract.Deref(given.Phone), Email: strings.ToLower(contract.Deref(given.Email)),
	}
	address, err := mail.ParseAddress(c.Email)
	switch {
	case len(c.Name) > maxName:
		return c, web.BadRequest("El nombre es demasiado largo.")
	case c.Phone != "" && !phoneForm.MatchString(c.Phone):
		return c, web.BadRequest("El teléfono debe estar en forma internacional, como +50761234567.")
	case c.Email != "" && (err != nil || address.Address != c.Email):
		return c, web.BadRequest("El correo no es válido.")
	}
	return c, nil
}
