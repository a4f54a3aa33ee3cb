package chat

import (
	"context"
	"slices"
	"time"

	"bitacora/domain/event"
)

// earlyArrival is how long before an appointment begins its visitor may already have come.
const earlyArrival = time.Hour

// Outcome is the report that a person came to an appointment, did not come, or cancelled too late.
type Outcome struct {
	ConversationID, BookingID string
	// Outcome is one of [event.Outcomes].
	Outcome string
	// Source is "form" or "staff", StaffID the account where it is "staff".
	Source, StaffID string
}

// PossibleOutcomes are the outcomes that an appointment may have at an instant.
func PossibleOutcomes(slot, at time.Time) []string {
	if at.Before(slot.Add(-earlyArrival)) {
		return []string{event.OutcomeCancelledLate, event.OutcomeUnknown}
	}
	return event.Outcomes
}

// RecordOutcome records the outcome of an appointment, unless that is known already. The last one counts. A late
// cancellation of an appointment to come gives its chair back; taking that back claims a chair anew, and
// [event.ErrSlotTaken] reports that there is none.
func (s *Service) RecordOutcome(ctx context.Context, o Outcome) error {
	return s.decideBooking(ctx, o.ConversationID, func(c *Conversation) (Decision, error) {
		at := s.now()
		b := c.booking(o.BookingID)
		switch {
		case !slices.Contains(event.Outcomes, o.Outcome):
			return Decision{}, Invalid("El resultado de la cita no es válido.")
		case !c.Started():
			return Decision{}, ErrNoConversation
		case c.Erased:
			return Decision{}, ErrErased
		case c.Restricted:
			return Decision{}, ErrRestricted
		case b == nil, !b.recordable(c.activeBooking()):
			return Decision{}, ErrNoBooking
		case b.outcome == o.Outcome:
			return Decision{}, nil
		case !slices.Contains(PossibleOutcomes(b.Slot, at), o.Outcome):
			return Decision{}, Invalid("La cita todavía no ha empezado.")
		}
		return s.outcome(c, b, o, at), nil
	}, event.ErrSlotTaken)
}

func (s *Service) outcome(c *Conversation, b *knownBooking, o Outcome, at time.Time) Decision {
	became := &event.AppointmentOutcomeRecorded{
		Conversation: c.carried(), Booked: bookedFor(c), BookingID: b.ID, Outcome: o.Outcome, Source: o.Source, StaffID: o.StaffID,
		BookedAt: b.at, Slot: b.Slot, BookedBy: b.source,
	}
	_, offered := s.Clinic.Service(b.Specialty)
	if offered { // anything else may be words of a person, which an erasure would not reach in the tables
		became.Specialty = b.Specialty
	}
	d := Decision{At: at, Events: []event.Payload{became}}
	switch {
	case c.activeBooking() == "":
		d.Events = []event.Payload{&event.AppointmentBooked{
			Conversation: c.carried(), Booked: bookedFor(c), BookingID: b.ID, Source: b.source, StaffID: b.staffID, Slot: b.Slot, Specialty: b.Specialty, Offered: offered,
		}, became}
		if offered {
			d.Claim = claim(s.Clinic, b.ID, b.Specialty, b.Slot)
		}
	case o.Outcome == event.OutcomeCancelledLate && b.Slot.After(at):
		d.Events = append(d.Events, &event.AppointmentCancelled{Conversation: c.carried(), Booked: bookedFor(c), BookingID: b.ID, Source: o.Source, StaffID: o.StaffID})
		d.Release = b.ID
	}
	return d
}

// knownBooking is one of a conversation, also when it was moved or cancelled.
type knownBooking struct {
	Appointment
	at              time.Time
	source, staffID string
	// outcome is [event.OutcomeUnknown] while nothing is known.
	outcome string
}

// recordable reports whether an outcome can be recorded, given the booking that is active: of that one, and
// of one that was cancelled late while no other was made since.
func (b *knownBooking) recordable(active string) bool {
	return active == b.ID || active == "" && b.outcome == event.OutcomeCancelledLate
}

// booking finds a booking by its id; nil if the conversation has none of that id.
func (c *Conversation) booking(id string) *knownBooking {
	i := slices.IndexFunc(c.bookings, func(b knownBooking) bool { return b.ID == id })
	if i < 0 {
		return nil
	}
	return &c.bookings[i]
}

// book notes a booking. One that was taken back and stands again was made when it was made first.
func (c *Conversation) book(p *event.AppointmentBooked, at time.Time) {
	a := Appointment{ID: p.BookingID, Slot: p.Slot, Specialty: p.Specialty}
	if c.Appointment = &a; c.booking(a.ID) == nil {
		c.bookings = append(c.bookings, knownBooking{Appointment: a, at: at, source: p.Source, staffID: p.StaffID, outcome: event.OutcomeUnknown})
	}
}
