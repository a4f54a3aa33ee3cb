package projections

import (
	"time"

	"bitacora/domain/event"
)

// BookingRow is what some events say about a booking. Every event of a booking that names its facts
// names the same ones, so every field but the key is a join.
type BookingRow struct {
	ConversationID        string
	ConversationStartedAt time.Time
	BookingID             string
	// BookedAt is when it was confirmed first.
	BookedAt *time.Time
	Slot     *time.Time
	BookedBy string
	// Specialty is the slug of a service that the clinic offered then; a form may contain words of a person,
	// which an erasure would not reach here.
	Specialty string
	// Replaces is the booking that this one moves.
	Replaces string
	// CancelledAt is the time of the latest cancellation, which a later booking of the same id takes back.
	CancelledAt       *time.Time
	BookedPosition    uint64
	CancelledPosition uint64
	// Outcome is the last one of [event.Outcomes].
	Outcome      At[string]
	LastPosition uint64
}

func bookingRow(e event.Recorded) (row BookingRow, ok bool) {
	at, position := millis(e.OccurredAt), uint64(e.Position)
	switch p := e.Payload.(type) {
	case *event.AppointmentBooked:
		row = bookingOf(e, p.Conversation, p.BookingID)
		row.BookedAt, row.Slot, row.BookedPosition = &at, new(millis(p.Slot)), position
		row.BookedBy, row.Replaces = p.Source, p.Replaces
		if p.Offered || p.Source == "chat" { // the first version of the event has no Offered
			row.Specialty = p.Specialty
		}
	case *event.AppointmentCancelled:
		row = bookingOf(e, p.Conversation, p.BookingID)
		row.CancelledAt, row.CancelledPosition = &at, position
	case *event.AppointmentOutcomeRecorded:
		row = bookingOf(e, p.Conversation, p.BookingID)
		row.BookedAt, row.Slot, row.BookedBy, row.Specialty = new(millis(p.BookedAt)), new(millis(p.Slot)), p.BookedBy, p.Specialty
		row.Outcome = At[string]{position, p.Outcome}
	default:
		return BookingRow{}, false
	}
	return row, true
}

func bookingOf(e event.Recorded, c event.Conversation, id string) BookingRow {
	return BookingRow{
		ConversationID: c.ConversationID, ConversationStartedAt: millis(c.ConversationStartedAt), BookingID: id, LastPosition: uint64(e.Position),
	}
}

func (r *BookingRow) join(o BookingRow) {
	r.BookedAt = earliest(r.BookedAt, o.BookedAt)
	r.Slot, r.CancelledAt = latest(r.Slot, o.Slot), latest(r.CancelledAt, o.CancelledAt)
	r.BookedBy, r.Specialty, r.Replaces = max(r.BookedBy, o.BookedBy), max(r.Specialty, o.Specialty), max(r.Replaces, o.Replaces)
	r.BookedPosition = max(r.BookedPosition, o.BookedPosition)
	r.CancelledPosition = max(r.CancelledPosition, o.CancelledPosition)
	r.Outcome = r.Outcome.later(o.Outcome)
	r.LastPosition = max(r.LastPosition, o.LastPosition)
}

func earliest(a, b *time.Time) *time.Time {
	if a == nil || b != nil && b.Before(*a) {
		return b
	}
	return a
}

func latest(a, b *time.Time) *time.Time {
	if a == nil || b != nil && b.After(*a) {
		return b
	}
	return a
}

func (r BookingRow) key() rowKey {
	return rowKey{at: r.ConversationStartedAt.UnixMilli(), stream: r.ConversationID, part: r.BookingID}
}
