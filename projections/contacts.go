package projections

import (
	"time"

	"bitacora/domain/contacts"
	"bitacora/domain/event"
)

// ContactRow is what some events say about a contact. There is nothing personal in it.
type ContactRow struct {
	Kind string
	// ContactID is the id of the lead's conversation, or that of the message.
	ContactID string
	// CameAt is when the lead's conversation started, or the message was received.
	CameAt time.Time
	// Reachable says that the contact was left. Rows without it are of conversations that
	// led to none, or whose other rows are still to come.
	Reachable bool
	// Status is what was said last of how far the staff has come; empty: nothing yet.
	Status At[string]
	// Slot is that of the latest booking.
	Slot At[time.Time]
	// CancelledPosition is the log position of the latest cancellation.
	CancelledPosition uint64
	// NotePositions are the log positions of the notes.
	NotePositions []uint64
	// Channel is where the contact came from, if that is recorded.
	Channel      string
	LastPosition uint64
}

// At is a value and the position of its event. The later one counts.
type At[V any] struct {
	Position uint64
	Value    V
}

func (a At[V]) later(b At[V]) At[V] {
	if b.Position > a.Position {
		return b
	}
	return a
}

func contactRow(e event.Recorded) (row ContactRow, ok bool) {
	position := uint64(e.Position)
	switch p := e.Payload.(type) {
	case *event.LeadCaptured:
		row = leadOf(e, p.Conversation)
		row.Reachable = true
	case *event.AppointmentBooked:
		row = bookedBy(e, p.Conversation, p.Booked)
		row.Status = At[string]{position, contacts.Scheduled}
		row.Slot = At[time.Time]{position, millis(p.Slot)}
	case *event.AppointmentCancelled:
		row = bookedBy(e, p.Conversation, p.Booked)
		row.CancelledPosition = position
	case *event.ContactMessageReceived:
		row = contactOf(e, contacts.Message, p.ContactID, e.OccurredAt)
		row.Reachable = true
	case *event.ContactStatusChanged:
		row = contactOf(e, p.Kind, p.ContactID, p.ContactAt)
		row.Status = At[string]{position, p.Status}
	case *event.ContactNoteAdded:
		row = contactOf(e, p.Kind, p.ContactID, p.ContactAt)
		row.NotePositions = []uint64{position}
	default:
		return ContactRow{}, false
	}
	return row, true
}

func bookedBy(e event.Recorded, c event.Conversation, b event.Booked) ContactRow {
	if b.OfForm() {
		return contactOf(e, contacts.Message, c.ConversationID, c.ConversationStartedAt)
	}
	return leadOf(e, c)
}

func leadOf(e event.Recorded, c event.Conversation) ContactRow {
	return contactOf(e, contacts.Lead, c.ConversationID, c.ConversationStartedAt)
}

func contactOf(e event.Recorded, kind, id string, at time.Time) ContactRow {
	return ContactRow{Kind: kind, ContactID: id, CameAt: millis(at), Channel: e.Metadata[event.Channel], LastPosition: uint64(e.Position)}
}

func (r *ContactRow) join(o ContactRow) {
	r.Reachable = r.Reachable || o.Reachable
	r.Status = r.Status.later(o.Status)
	r.Slot = r.Slot.later(o.Slot)
	r.CancelledPosition = max(r.CancelledPosition, o.CancelledPosition)
	r.NotePositions = union(r.NotePositions, o.NotePositions)
	r.Channel = max(r.Channel, o.Channel)
	r.LastPosition = max(r.LastPosition, o.LastPosition)
}

func (r ContactRow) key() rowKey {
	return rowKey{at: r.CameAt.UnixMilli(), stream: r.Kind, part: r.ContactID}
}
