package event

import (
	"fmt"
	"time"
)

// Masked is a text in which what is personal is masked: the only kind of text that tables take.
type Masked string

// TextsMasked says that messages of a conversation were masked anew, because something became
// known of the person after they were masked. Messages that it does not name stay as they are.
type TextsMasked struct {
	Conversation
	Messages []MaskedMessage `json:"messages"`
}

// MaskedMessage is a message with its text masked anew. It carries everything else that is told of
// the message too, so that a projection can write its whole row from this event alone.
type MaskedMessage struct {
	Ordinal int `json:"ordinal"`
	// EventID is the id of the message's own event, SentAt when that happened.
	EventID string    `json:"eventId"`
	SentAt  time.Time `json:"sentAt"`
	// FromVisitor says whose message it is; its intent is the label that an imported one carried.
	FromVisitor bool `json:"fromVisitor"`
	// What follows is that of a reply, see [AssistantReplied].
	Understood
	Chosen
	Provider      string `json:"provider,omitempty"`
	Model         string `json:"model,omitempty"`
	LatencyMillis int64  `json:"latencyMillis,omitempty"`
	TokensIn      int    `json:"tokensIn,omitempty"`
	TokensOut     int    `json:"tokensOut,omitempty"`
	Topic         string `json:"topic,omitempty"`
	Answered      bool   `json:"answered,omitempty"`
	// Sources are told since version 2.
	Sources []string `json:"sources,omitempty"`
	// Masked is the text.
	Masked string `json:"-"`
}

// Told is what is told of the message, whose event has an id and happened at a time.
func (v *VisitorMessageSent) Told(id string, at time.Time) MaskedMessage {
	return MaskedMessage{
		Ordinal: v.Ordinal, EventID: id, SentAt: at, FromVisitor: true, Understood: Understood{Intent: v.Intent}, Masked: string(v.WithoutContacts()),
	}
}

// Told is what is told of the reply, whose event has an id and happened at a time.
func (a *AssistantReplied) Told(id string, at time.Time) MaskedMessage {
	return MaskedMessage{
		Ordinal: a.Ordinal, EventID: id, SentAt: at, Understood: a.Understood, Chosen: a.Chosen, Provider: a.Provider, Model: a.Model, LatencyMillis: a.LatencyMillis,
		TokensIn: a.TokensIn, TokensOut: a.TokensOut, Topic: a.Topic, Answered: a.Answered, Sources: a.Sources, Masked: string(a.WithoutContacts()),
	}
}

// WithoutContacts is the text as it may leave the log.
func (m *MaskedMessage) WithoutContacts() Masked { return Masked(m.Masked) }

// PersonalFields implements [Personal]: a text a message, "masked.3" that of the third one.
func (t *TextsMasked) PersonalFields() []Field {
	fields := make([]Field, len(t.Messages))
	for i := range t.Messages {
		fields[i] = Field{fmt.Sprintf("masked.%d", t.Messages[i].Ordinal), &t.Messages[i].Masked}
	}
	return fields
}

// EventType implements [Payload].
func (*TextsMasked) EventType() string { return "TextsMasked" }
