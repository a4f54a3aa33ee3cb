package chat

import (
	"context"
	"errors"
	"fmt"
	"time"

	"bitacora/domain/event"
	"bitacora/domain/fault"
	"bitacora/domain/privacy"
)

// Errors of bookings that are confirmed outside of the chat, beside [Invalid] and
// [event.ErrSlotTaken].
var (
	// ErrNoConversation: no conversation has this reference.
	ErrNoConversation = fault.New(fault.NotFound, "conversation does not exist")
	// ErrNoBooking: the conversation has no such active booking.
	ErrNoBooking = fault.New(fault.NotFound, "booking is not active")
)

// ExternalBooking is a booking that was confirmed outside of the chat: by the external scheduling
// form, or by somebody of the clinic's staff.
type ExternalBooking struct {
	// ConversationID may be that of a message of the contact form.
	ConversationID string
	// BookingID names the booking; the same one is recorded once.
	BookingID string
	// Source is "form" or "staff".
	Source string
	// StaffID is who marked it, where Source is "staff".
	StaffID   string
	Slot      time.Time
	Specialty string
	// Contact is needed where the conversation has no lead yet, and Consent then says that
	// the person agreed to leave it, to the notice of that version.
	Contact       Contact
	Consent       bool
	NoticeVersion string
}

// Book records a booking that was confirmed outside of the chat. Where the conversation
// has an appointment already, this one replaces it. A chair of the agenda is claimed if
// the specialty is one of the clinic's; [event.ErrSlotTaken] says that there is none.
func (s *Service) Book(ctx context.Context, b ExternalBooking) (Appointment, error) {
	b.Slot = b.Slot.UTC().Truncate(time.Millisecond)
	err := s.decideBooking(ctx, b.ConversationID, func(c *Conversation) (Decision, error) {
		switch {
		case !c.Started():
			return Decision{}, ErrNoConversation
		case c.booking(b.BookingID) != nil:
			return Decision{}, nil
		case c.Restricted:
			return Decision{}, ErrRestricted
		case b.Source == "staff" && b.Slot.Before(c.StartedAt) && c.Form:
			return Decision{}, Invalid("La cita no puede ser anterior al mensaje.")
		case b.Source == "staff" && b.Slot.Before(c.StartedAt):
			return Decision{}, Invalid("La cita no puede ser anterior a la conversación.")
		}
		before, err := c.leadOf(b)
		if err != nil {
			return Decision{}, err
		}
		booked := &event.AppointmentBooked{
			Conversation: c.carried(), Booked: bookedFor(c), BookingID: b.BookingID, Source: b.Source, Slot: b.Slot, Specialty: b.Specialty,
			StaffID: b.StaffID, Replaces: c.activeBooking(),
		}
		d := Decision{At: s.now(), Events: append(before, booked), Release: booked.Replaces}
		if _, booked.Offered = s.Clinic.Service(b.Specialty); booked.Offered {
			d.Claim = claim(s.Clinic, b.BookingID, b.Specialty, b.Slot)
		} else {
			// What a form calls it is recorded in the clear.
			booked.Specialty = privacy.Mask(b.Specialty, c.known())
		}
		return d, nil
	}, event.ErrSlotTaken)
	if err != nil {
		return Appointment{}, err
	}
	return Appointment{ID: b.BookingID, Slot: b.Slot, Specialty: b.Specialty}, nil
}

// decideBooking decides about a booking of a conversation, or else of a message of the contact form.
func (s *Service) decideBooking(ctx context.Context, id string, decision func(*Conversation) (Decision, error), final ...error) error {
	c, err := s.read(ctx, id, Stream(id))
	if err == nil && !c.Started() {
		c, err = s.read(ctx, id, event.ContactStream(id))
	}
	if err != nil {
		return err
	}
	_, _, err = s.decideOn(ctx, id, c, decision, final...)
	return err
}

// leadOf is what has to be recorded before the booking, which implies a lead.
func (c *Conversation) leadOf(b ExternalBooking) ([]event.Payload, error) {
	if c.Lead {
		return nil, nil
	}
	contact := c.Contact.with(b.Contact)
	switch {
	case !contact.reachable():
		return nil, Invalid("Falta un teléfono o un correo de la persona.")
	case !c.Consent && !b.Consent:
		return nil, Invalid("Falta el consentimiento de la persona para guardar sus datos.")
	}
	return c.captureLead(contact, b.NoticeVersion, b.Source, time.Time{}), nil
}

// CancelBooking takes back a booking that was confirmed anywhere; without an id the
// active one. A booking that was taken back before is left as it is.
func (s *Service) CancelBooking(ctx context.Context, conversationID, bookingID, source, staffID string) error {
	return s.decideBooking(ctx, conversationID, func(c *Conversation) (Decision, error) {
		active := c.activeBooking()
		switch {
		case !c.Started():
			return Decision{}, ErrNoConversation
		case active == "" && (c.booking(bookingID) != nil || bookingID == "" && len(c.bookings) > 0):
			return Decision{}, nil
		case active == "", bookingID != "" && active != bookingID:
			return Decision{}, ErrNoBooking
		}
		cancelled := &event.AppointmentCancelled{Conversation: c.carried(), Booked: bookedFor(c), BookingID: active, Source: source, StaffID: staffID}
		return Decision{At: s.now(), Events: []event.Payload{cancelled}, Release: active}, nil
	})
}

// OpenLink records that a conversation's booking link was followed, once for each
// conversation that was shown one, and gives the address of the external form; empty
// where the clinic has none.
func (s *Service) OpenLink(ctx context.Context, reference string) (address string, err error) {
	events, err := s.Log.ReadStream(ctx, Stream(reference))
	if err != nil {
		return "", fmt.Errorf("read conversation: %w", err)
	}
	c := Fold(reference, events)
	if !c.linkShown {
		return s.links().form, nil
	}
	if !c.linkOpened {
		_, err = s.Log.Append(ctx, event.Append{
			Stream: Stream(reference), ExpectedVersion: event.AnyVersion,
			Drafts: []event.Draft{{
				ID: event.DerivedID("link", reference), OccurredAt: s.now(), Payload: &event.BookingLinkOpened{Conversation: c.carried()},
			}},
		})
		if err != nil && !errors.Is(err, event.ErrIDReused) {
			return "", fmt.Errorf("record followed link: %w", err)
		}
	}
	return s.links().toForm(reference), nil
}
