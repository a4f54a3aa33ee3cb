package chat

import (
	"context"
	"slices"

	"bitacora/domain/event"
)

// Rating is what a visitor thinks of a reply.
type Rating struct {
	SessionID string
	// ResumeToken is the secret in the visitor's cookie, which only the browser has that began
	// the conversation.
	ResumeToken string
	// MessageID is the visitor's message that the reply answers.
	MessageID string
	// Value is [event.RatedPositive], [event.RatedNegative], or [event.RatedNone] to take it back.
	Value string
	// Reason is what is wrong with the reply, see [event.ReplyRated]; empty if the visitor named nothing.
	Reason string
}

var reasons = []string{event.ReasonUnrelated, event.ReasonIncomplete, event.ReasonIncorrect}

// Rate records what a visitor thinks of a reply; the latest word counts. [ErrNotYours] says
// that the conversation is not the caller's, [Invalid] that there is no such reply.
func (s *Service) Rate(ctx context.Context, r Rating) error {
	switch r.Value {
	case event.RatedPositive, event.RatedNegative, event.RatedNone:
	default:
		return Invalid("La valoración debe ser positiva o negativa.")
	}
	if r.Reason != "" && (r.Value != event.RatedNegative || !slices.Contains(reasons, r.Reason)) {
		return Invalid("El motivo no es de una valoración negativa.")
	}
	id := ConversationID("web", r.SessionID)
	_, _, err := s.decide(ctx, id, func(c *Conversation) (Decision, error) {
		if !c.Started() || !c.mayResume(r.ResumeToken) {
			return Decision{}, ErrNotYours
		}
		if c.Restricted {
			return Decision{}, ErrRestricted
		}
		rated, err := c.rate(r.MessageID, r.Value, r.Reason)
		if err != nil {
			return Decision{}, err
		}
		at := s.now()
		return Decision{At: at, Events: append(c.bind(r.ResumeToken, at), rated...)}, nil
	})
	return err
}

// rate decides what a rating adds; nothing if it says what was said before.
func (c *Conversation) rate(messageID, value, reason string) ([]event.Payload, error) {
	for i, l := range c.Lines {
		if l.FromVisitor || messageID == "" || l.MessageID != messageID {
			continue
		}
		if l.Rating == value && l.RatingReason == reason || l.Rating == "" && value == event.RatedNone {
			return nil, nil
		}
		rated := &event.ReplyRated{Conversation: c.carried(), Ordinal: i + 1, ReplyTo: messageID, Topic: l.Topic, Rating: value, Reason: reason}
		return []event.Payload{rated}, nil
	}
	return nil, Invalid("No hay tal respuesta en esta conversación.")
}
