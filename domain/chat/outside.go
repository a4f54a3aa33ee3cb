package chat

import (
	"context"
	"errors"
	"fmt"
	"time"

	"bitacora/domain/event"
)

// Errors of bookings that are confirmed outside of the chat, beside [Invalid] and
// [event.ErrSlotTaken].
var (
	// ErrNoConversation: no conversation has this reference.
	ErrNoConversation = errors.New("conversation does not exist")
	// ErrNoBooking: the conversation has no such booking that stands.
	ErrNoBooking = errors.New("booking does not stand")
)

// Outside is a booking that was confirmed outside of the chat: by the external scheduling
// form, or by somebody of the clinic's staff.
type Outside struct {
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
// has an appointment already, this one replaces it. A place of the agenda is claimed if
// the specialty is one of the clinic's; [event.ErrSlotTaken] says that there is none.
func (s *Service) Book(ctx context.Context, b Outside) (Appointment, error) {
	b.Slot = b.Slot.UTC().Truncate(time.Millisecond)
	booked := Appointment{ID: b.BookingID, Slot: b.Slot, Specialty: b.Specialty}
	return decideOutside(ctx, s, b.ConversationID, func(c *Conversation) (Appointment, event.Append, error) {
		if c.hasBooked(b.BookingID) {
			return booked, event.Append{}, nil
		}
		at, version := s.now(), c.Version
		if b.Source == "staff" && b.Slot.Before(c.StartedAt) {
			return booked, event.Append{}, Invalid("La cita no puede ser anterior a la conversación.")
		}
		decided, err := c.outsideLead(b)
		if err != nil {
			return booked, event.Append{}, err
		}
		a := event.Append{Stream: Stream(c.ID), ExpectedVersion: version}
		p := &event.AppointmentBooked{
			Conversation: c.carried(), BookingID: b.BookingID, Source: b.Source, Slot: b.Slot, Specialty: b.Specialty, StaffID: b.StaffID,
		}
		if c.Appointment != nil {
			p.Replaces, a.Release = c.Appointment.ID, c.Appointment.ID
		}
		if _, known := s.Clinic.Service(b.Specialty); known {
			a.Claim = s.claim(b.BookingID, b.Specialty, b.Slot)
		}
		a.Drafts = s.drafts(append(decided, p), at)
		return booked, a, nil
	}, event.ErrSlotTaken)
}

// outsideLead is what has to be recorded before the booking, which implies a lead.
func (c *Conversation) outsideLead(b Outside) ([]event.Payload, error) {
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

// CancelBooking takes back a booking that was confirmed anywhere; without an id the one that
// stands. A booking that was taken back before is left as it is.
func (s *Service) CancelBooking(ctx context.Context, conversationID, bookingID, source, staffID string) error {
	_, err := decideOutside(ctx, s, conversationID, func(c *Conversation) (nothing struct{}, a event.Append, err error) {
		switch {
		case c.Appointment == nil && c.hasBooked(bookingID):
			return nothing, a, nil
		case c.Appointment == nil, bookingID != "" && c.Appointment.ID != bookingID:
			return nothing, a, ErrNoBooking
		}
		id := c.Appointment.ID
		p := &event.AppointmentCancelled{Conversation: c.carried(), BookingID: id, Source: source, StaffID: staffID}
		return nothing, event.Append{
			Stream: Stream(c.ID), ExpectedVersion: c.Version, Release: id, Drafts: s.drafts([]event.Payload{p}, s.now()),
		}, nil
	})
	return err
}

// decideOutside decides on a conversation that must exist.
func decideOutside[T any](ctx context.Context, d *Service, conversationID string, decision decision[T], final ...error) (T, error) {
	return decide(ctx, d, conversationID, func(c *Conversation) (T, event.Append, error) {
		if !c.Started() {
			var none T
			return none, event.Append{}, ErrNoConversation
		}
		return decision(c)
	}, final...)
}

// OpenLink records that a conversation's booking link was followed, once for each
// conversation that was shown one, and gives the address of the external form.
func (s *Service) OpenLink(ctx context.Context, reference string) (address string, err error) {
	events, err := s.Log.ReadStream(ctx, Stream(reference))
	if err != nil {
		return "", fmt.Errorf("read conversation: %w", err)
	}
	c := Fold(reference, events)
	if !c.linkShown {
		return s.Clinic.Links.Booking, nil
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
	return s.formLink(reference), nil
}
