package projections

import (
	"time"

	"bitacora/domain/event"
)

// LabelRow is how the staff labelled a visitor's message. Of two rows with one key the later in
// the log counts.
type LabelRow struct {
	ConversationID        string
	ConversationStartedAt time.Time
	// Ordinal is that of the message.
	Ordinal uint32
	// Kind is what the label names, see [event.QuestionLabelled], and Label the name.
	Kind, Label string
	LabelledAt  time.Time
	Position    uint64
}

func labelRow(e event.Recorded) (row LabelRow, ok bool) {
	p, ok := e.Payload.(*event.QuestionLabelled)
	if !ok {
		return LabelRow{}, false
	}
	return LabelRow{
		ConversationID:        p.ConversationID,
		ConversationStartedAt: millis(p.ConversationStartedAt),
		Ordinal:               uint32(p.Ordinal),
		Kind:                  p.Kind,
		Label:                 p.Name,
		LabelledAt:            millis(e.OccurredAt),
		Position:              uint64(e.Position),
	}, true
}

func (r *LabelRow) join(o LabelRow) {
	if o.Position > r.Position {
		*r = o
	}
}

func (r LabelRow) key() messageKey {
	return messageKey{conversationKey{r.ConversationStartedAt.UnixMilli(), r.ConversationID}, r.Ordinal}
}
