package projections

import (
	"cmp"
	"time"

	"bitacora/domain/event"
)

// OutcomeRow is the outcome of a booking. Of two rows with one key the later in the log counts.
type OutcomeRow struct {
	ConversationID        string
	ConversationStartedAt time.Time
	BookingID             string
	// BookedAt, Slot, BookedBy and Specialty are those of the booking.
	BookedAt  time.Time
	Slot      time.Time
	BookedBy  string
	Specialty string
	// Outcome is one of [event.Outcomes].
	Outcome  string
	Position uint64
}

func outcomeRow(e event.Recorded) (row OutcomeRow, ok bool) {
	p, ok := e.Payload.(*event.AppointmentOutcomeRecorded)
	if !ok {
		return OutcomeRow{}, false
	}
	return OutcomeRow{
		ConversationID:        p.ConversationID,
		ConversationStartedAt: millis(p.ConversationStartedAt),
		BookingID:             p.BookingID,
		BookedAt:              millis(p.BookedAt),
		Slot:                  millis(p.Slot),
		BookedBy:              p.BookedBy,
		Specialty:             p.Specialty,
		Outcome:               p.Outcome,
		Position:              uint64(e.Position),
	}, true
}

func (r *OutcomeRow) join(o OutcomeRow) {
	if o.Position > r.Position {
		*r = o
	}
}

type outcomeKey struct {
	conversationKey
	booking string
}

func (r OutcomeRow) key() outcomeKey {
	return outcomeKey{conversationKey{r.ConversationStartedAt.UnixMilli(), r.ConversationID}, r.BookingID}
}

func (k outcomeKey) compare(o outcomeKey) int {
	return cmp.Or(k.conversationKey.compare(o.conversationKey), cmp.Compare(k.booking, o.booking))
}
