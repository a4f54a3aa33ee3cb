package projections

import (
	"cmp"
	"time"

	"bitacora/domain/event"
)

// Who wrote a message.
const (
	Visitor   = "visitor"
	Assistant = "assistant"
)

// MessageRow is one message. Of two rows with one key the later in the log counts.
type MessageRow struct {
	ConversationID        string
	ConversationStartedAt time.Time
	Ordinal               uint32
	// MessageID is the id of the message's event, a UUID.
	MessageID string
	Sender    string
	// Text has contact details masked; it is empty once the person was erased.
	Text string
	// Intent is the label an imported message carried.
	Intent   string
	Topic    string
	Provider string
	Model    string
	// What is not known of a message is nil, not zero.
	LatencyMillis *uint32
	TokensIn      *uint32
	TokensOut     *uint32
	// Answered is nil for the visitor's messages.
	Answered *bool
	SentAt   time.Time
	Position uint64
}

func messageRow(e event.Recorded) (row MessageRow, ok bool) {
	switch p := e.Payload.(type) {
	case *event.VisitorMessageSent:
		row = messageOf(e, p.Conversation, p.Progress, p.Text)
		row.Sender = Visitor
		row.Intent = p.Intent
	case *event.AssistantReplied:
		row = messageOf(e, p.Conversation, p.Progress, p.Text)
		row.Sender = Assistant
		row.Topic, row.Provider, row.Model = p.Topic, p.Provider, p.Model
		row.LatencyMillis = known(p.LatencyMillis)
		row.TokensIn, row.TokensOut = known(p.TokensIn), known(p.TokensOut)
		row.Answered = new(p.Answered)
	default:
		return MessageRow{}, false
	}
	return row, true
}

func messageOf(e event.Recorded, c event.Conversation, p event.Progress, text event.Text) MessageRow {
	row := MessageRow{
		ConversationID:        c.ConversationID,
		ConversationStartedAt: millis(c.ConversationStartedAt),
		Ordinal:               uint32(p.Ordinal),
		MessageID:             e.ID,
		SentAt:                millis(e.OccurredAt),
		Position:              uint64(e.Position),
	}
	if !e.Erased {
		row.Text = text.WithoutContacts()
	}
	return row
}

// known keeps an unmeasured value, which events leave at zero, out of averages.
func known[T int | int64](n T) *uint32 {
	if n <= 0 {
		return nil
	}
	return new(uint32(n))
}

// join keeps the later row. The same event read before and after an erasure differs in the
// text only, and the erased one counts.
func (r *MessageRow) join(o MessageRow) {
	if o.Position > r.Position || o.Position == r.Position && o.Text == "" {
		*r = o
	}
}

type messageKey struct {
	conversationKey
	ordinal uint32
}

func (r MessageRow) key() messageKey {
	return messageKey{conversationKey{r.ConversationStartedAt.UnixMilli(), r.ConversationID}, r.Ordinal}
}

func (k messageKey) compare(o messageKey) int {
	if c := k.conversationKey.compare(o.conversationKey); c != 0 {
		return c
	}
	return cmp.Compare(k.ordinal, o.ordinal)
}
