package projections

import (
	"time"

	"bitacora/domain/event"
)

// Who wrote a message.
const (
	Visitor   = "visitor"
	Assistant = "assistant"
)

// MessageRow is one message. Of two rows with one key the later in the log counts: that of a text
// masked anew is as whole as the message's own, and takes its place.
type MessageRow struct {
	ConversationID        string
	ConversationStartedAt time.Time
	Ordinal               uint32
	// MessageID is the id of the message's event, a UUID.
	MessageID string
	Sender    string
	// Text is empty once the person was erased.
	Text event.Masked
	// Intent is the label an imported message carried; of a reply what the message before it was
	// taken for. Answer is the slug of the clinic's answer that a reply gives. With both is what
	// came next, and how likely each was.
	Intent, RunnerUp                                           string
	Answer, NextAnswer                                         string
	Confidence, RunnerUpConfidence, Likelihood, NextLikelihood float32

	Topic    string
	Provider string
	Model    string
	// What is not known of a message is nil, not zero; a confidence or likelihood is never zero.
	LatencyMillis *uint32
	TokensIn      *uint32
	TokensOut     *uint32
	// Answered is nil for the visitor's messages.
	Answered *bool
	// Sources are the pieces of content that a reply came from, in the order of what it says.
	Sources  []string
	SentAt   time.Time
	Position uint64
}

// messages are how many messages events tell of.
func messages(events []event.Recorded) (n int) {
	for i := range events {
		switch p := events[i].Payload.(type) {
		case *event.VisitorMessageSent, *event.AssistantReplied:
			n++
		case *event.TextsMasked:
			n += len(p.Messages)
		}
	}
	return n
}

// addMessages adds the rows of the messages that an event tells of.
func (j *joiner) addMessages(e *event.Recorded) {
	switch p := e.Payload.(type) {
	case *event.VisitorMessageSent:
		m := p.Told(e.ID, e.OccurredAt)
		j.addMessage(e, &p.Conversation, &m)
	case *event.AssistantReplied:
		m := p.Told(e.ID, e.OccurredAt)
		j.addMessage(e, &p.Conversation, &m)
	case *event.TextsMasked:
		for i := range p.Messages {
			j.addMessage(e, &p.Conversation, &p.Messages[i])
		}
	}
}

// addMessage fills the row in its place: rows are large.
func (j *joiner) addMessage(e *event.Recorded, c *event.Conversation, m *event.MaskedMessage) {
	j.Messages = append(j.Messages, MessageRow{
		ConversationID:        c.ConversationID,
		ConversationStartedAt: millis(c.ConversationStartedAt),
		Ordinal:               uint32(m.Ordinal),
		MessageID:             m.EventID,
		Sender:                Visitor,
		SentAt:                millis(m.SentAt),
		Position:              uint64(e.Position),
		Intent:                m.Intent,
	})
	row := &j.Messages[len(j.Messages)-1]
	if !e.Erased {
		row.Text = m.WithoutContacts()
		j.texts += len(row.Text)
	}
	if m.FromVisitor {
		return
	}
	row.Confidence, row.RunnerUp, row.RunnerUpConfidence = float32(m.Confidence), m.RunnerUp, float32(m.RunnerUpConfidence)
	row.Answer, row.Likelihood, row.NextAnswer, row.NextLikelihood = m.Answer, float32(m.Likelihood), m.NextAnswer, float32(m.NextLikelihood)
	row.Sender = Assistant
	row.Topic, row.Provider, row.Model = m.Topic, m.Provider, m.Model
	row.LatencyMillis = known(m.LatencyMillis)
	row.TokensIn, row.TokensOut = known(m.TokensIn), known(m.TokensOut)
	row.Answered, row.Sources = new(m.Answered), m.Sources
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

func (r MessageRow) key() rowKey {
	return rowKey{at: r.ConversationStartedAt.UnixMilli(), stream: r.ConversationID, number: uint64(r.Ordinal)}
}
