package chat

import (
	"context"

	"bitacora/domain/event"
)

// Label records what the staff says of a visitor's message, by its place in the conversation; the
// latest word counts. Nothing is recorded where that is what holds already.
func (s *Service) Label(ctx context.Context, conversationID string, ordinal int, label event.Label, staffID string) error {
	_, _, err := s.decide(ctx, conversationID, func(c *Conversation) (Decision, error) {
		switch {
		case !c.Started():
			return Decision{}, ErrNoConversation
		case c.Erased:
			return Decision{}, ErrErased
		case c.Restricted:
			return Decision{}, ErrRestricted
		}
		l := c.lineAt(ordinal)
		if l == nil || !l.FromVisitor || !event.Live(c.Channel) {
			return Decision{}, Invalid("No hay tal pregunta en esta conversación.")
		}
		if l.label == label {
			return Decision{}, nil
		}
		return Decision{At: s.now(), Events: []event.Payload{&event.QuestionLabelled{
			Conversation: c.carried(), Ordinal: ordinal, MessageID: l.MessageID, Label: label, StaffID: staffID,
		}}}, nil
	})
	return err
}
