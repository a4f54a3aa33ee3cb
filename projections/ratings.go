package projections

import (
	"time"

	"bitacora/domain/event"
)

// RatingRow is what a visitor thinks of a reply. Of two rows with one key the later in the
// log counts.
type RatingRow struct {
	ConversationID        string
	ConversationStartedAt time.Time
	// Ordinal is that of the rated reply.
	Ordinal uint32
	Topic   string
	// Rating is "positive", "negative", or "none" where it was taken back.
	Rating string
	// Reason is what a negative rating finds wrong; empty where the visitor named nothing.
	Reason   string
	RatedAt  time.Time
	Position uint64
}

func ratingRow(e event.Recorded) (row RatingRow, ok bool) {
	p, ok := e.Payload.(*event.ReplyRated)
	if !ok {
		return RatingRow{}, false
	}
	return RatingRow{
		ConversationID:        p.ConversationID,
		ConversationStartedAt: millis(p.ConversationStartedAt),
		Ordinal:               uint32(p.Ordinal),
		Topic:                 p.Topic,
		Rating:                p.Rating,
		Reason:                p.Reason,
		RatedAt:               millis(e.OccurredAt),
		Position:              uint64(e.Position),
	}, true
}

func (r *RatingRow) join(o RatingRow) {
	if o.Position > r.Position {
		*r = o
	}
}

func (r RatingRow) key() rowKey {
	return rowKey{at: r.ConversationStartedAt.UnixMilli(), stream: r.ConversationID, number: uint64(r.Ordinal)}
}
