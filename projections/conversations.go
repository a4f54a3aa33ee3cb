package projections

import (
	"time"

	"bitacora/domain/event"
)

// ConversationRow is what some events say about a conversation. Every field but the key
// is a join: the greater number, the later time, true rather than false, the union of
// sets. Counts are sizes of sets or greatest ordinals; nothing is ever incremented.
type ConversationRow struct {
	ConversationID string
	StartedAt      time.Time
	LastMessageAt  time.Time
	// MessageCount is the greatest ordinal seen.
	MessageCount uint32
	// VisitorOrdinals are the ordinals of the visitor's messages.
	VisitorOrdinals []uint32
	// UnansweredOrdinals are the ordinals of replies that had no answer.
	UnansweredOrdinals []uint32
	// DismissedOrdinals are the ordinals of the visitor's messages that the staff dismissed.
	DismissedOrdinals []uint32
	// FailurePositions are the log positions at which the assistant failed.
	FailurePositions []uint64
	ActiveMillis     uint64
	Topics           []string
	// Models are those that replied; empty for one that is not known.
	Models []string
	// Flags are what asks for the staff's attention, see [event.ConversationFlagged].
	Flags []string

	Consent        bool
	Lead           bool
	Appointment    bool
	BookingSources []string
	// BookedAt is the time of the first booking.
	BookedAt *time.Time
	// BookedPosition and CancelledPosition are the log positions of the latest booking and the
	// latest cancellation: the greater one says whether there is an appointment.
	BookedPosition    uint64
	CancelledPosition uint64

	// BookingLinkShownAt and BookingLinkFollowedAt are the first times of the link to the external form.
	BookingLinkShownAt    *time.Time
	BookingLinkFollowedAt *time.Time

	Channel      string
	Referrer     string
	LastPosition uint64
}

func conversationRow(e event.Recorded) (row ConversationRow, ok bool) {
	switch p := e.Payload.(type) {
	case *event.ConversationStarted:
		row = conversationOf(e, p.Conversation)
		row.Channel, row.Referrer = p.Channel, p.Referrer
	case *event.VisitorMessageSent:
		row = conversationOf(e, p.Conversation)
		row.advance(e, p.Progress)
		row.VisitorOrdinals = []uint32{uint32(p.Ordinal)}
	case *event.AssistantReplied:
		row = conversationOf(e, p.Conversation)
		row.advance(e, p.Progress)
		if !p.Answered {
			row.UnansweredOrdinals = []uint32{uint32(p.Ordinal)}
		}
		row.Models = []string{p.Model}
		if p.Topic != "" {
			row.Topics = []string{p.Topic}
		}
	case *event.QuestionLabelled:
		row = conversationOf(e, p.Conversation)
		row.DismissedOrdinals = []uint32{uint32(p.Ordinal)}
	case *event.AssistantFailed:
		row = conversationOf(e, p.Conversation)
		row.FailurePositions = []uint64{uint64(e.Position)}
	case *event.ConsentGiven:
		row = conversationOf(e, p.Conversation)
		row.Consent = true
	case *event.LeadCaptured:
		row = conversationOf(e, p.Conversation)
		row.Lead = true
	case *event.ConversationFlagged:
		row = conversationOf(e, p.Conversation)
		row.Flags = []string{p.Flag}
	case *event.AppointmentBooked:
		if p.OfForm() {
			return row, false
		}
		row = conversationOf(e, p.Conversation)
		row.Appointment = true
		row.BookingSources = []string{p.Source}
		row.BookedAt = new(millis(e.OccurredAt))
		row.BookedPosition = uint64(e.Position)
	case *event.AppointmentCancelled:
		if p.OfForm() {
			return row, false
		}
		row = conversationOf(e, p.Conversation)
		row.CancelledPosition = uint64(e.Position)
	case *event.BookingLinkShown:
		row = conversationOf(e, p.Conversation)
		row.BookingLinkShownAt = new(millis(e.OccurredAt))
	case *event.BookingLinkOpened:
		row = conversationOf(e, p.Conversation)
		row.BookingLinkFollowedAt = new(millis(e.OccurredAt))
	default:
		return ConversationRow{}, false
	}
	return row, true
}

func conversationOf(e event.Recorded, c event.Conversation) ConversationRow {
	started := millis(c.ConversationStartedAt)
	return ConversationRow{
		ConversationID: c.ConversationID,
		StartedAt:      started,
		LastMessageAt:  started,
		LastPosition:   uint64(e.Position),
	}
}

// advance notes how far a message takes its conversation.
func (r *ConversationRow) advance(e event.Recorded, p event.Progress) {
	r.LastMessageAt = later(r.LastMessageAt, millis(e.OccurredAt))
	r.MessageCount = uint32(p.Ordinal)
	r.ActiveMillis = uint64(p.ActiveMillis)
}

func (r *ConversationRow) join(o ConversationRow) {
	r.LastMessageAt = later(r.LastMessageAt, o.LastMessageAt)
	r.MessageCount = max(r.MessageCount, o.MessageCount)
	r.VisitorOrdinals = union(r.VisitorOrdinals, o.VisitorOrdinals)
	r.UnansweredOrdinals = union(r.UnansweredOrdinals, o.UnansweredOrdinals)
	r.DismissedOrdinals = union(r.DismissedOrdinals, o.DismissedOrdinals)
	r.FailurePositions = union(r.FailurePositions, o.FailurePositions)
	r.ActiveMillis = max(r.ActiveMillis, o.ActiveMillis)
	r.Topics = union(r.Topics, o.Topics)
	r.Models = union(r.Models, o.Models)
	r.Flags = union(r.Flags, o.Flags)
	r.Consent = r.Consent || o.Consent
	r.Lead = r.Lead || o.Lead
	r.Appointment = r.Appointment || o.Appointment
	r.BookingSources = union(r.BookingSources, o.BookingSources)
	r.BookedAt = earliest(r.BookedAt, o.BookedAt)
	r.BookedPosition = max(r.BookedPosition, o.BookedPosition)
	r.CancelledPosition = max(r.CancelledPosition, o.CancelledPosition)
	r.BookingLinkShownAt = earliest(r.BookingLinkShownAt, o.BookingLinkShownAt)
	r.BookingLinkFollowedAt = earliest(r.BookingLinkFollowedAt, o.BookingLinkFollowedAt)
	r.Channel = max(r.Channel, o.Channel)
	r.Referrer = max(r.Referrer, o.Referrer)
	r.LastPosition = max(r.LastPosition, o.LastPosition)
}

func (r ConversationRow) key() rowKey {
	return rowKey{at: r.StartedAt.UnixMilli(), stream: r.ConversationID}
}
