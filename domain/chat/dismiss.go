package chat

import (
	"context"

	"bitacora/domain/event"
)

// Dismiss records that nothing is to be learned from a visitor's message, named by its place in the
// conversation. Nothing is recorded where the staff said so before.
func (s *Service) Dismiss(ctx context.Context, conversationID string, ordinal int, staffID string) error {
	_, _, err := s.decide(ctx, conversationID, func(c *Conversation) (Decision, error) {
		switch {
		case !c.Started():
			return Decision{}, ErrNoConversation
		case c.Erased:
			return Decision{}, ErrErased
		case c.Restricted:
			return Decision{}, ErrRestricted
		}
		l := c.Lines.lineAt(ordinal)
		if l == nil || !l.FromVisitor {
			return Decision{}, Invalid("No hay tal pregunta en esta conversación.")
		}
		if l.dismissed {
			return Decision{}, nil
		}
		return Decision{At: s.now(), Events: []event.Payload{&event.QuestionLabelled{
			Conversation: c.carried(), Ordinal: ordinal, MessageID: l.MessageID, Label: event.Label{Kind: event.LabelSkipped}, StaffID: staffID,
		}}}, nil
	})
	return err
}
