package chat

import (
	"context"
	"fmt"
)

// Transcript gives a stored conversation back to the browser that began it, and binds it to that
// browser.
func (s *Service) Transcript(ctx context.Context, sessionID, resumeToken string) (*Conversation, error) {
	id := ConversationID("web", sessionID)
	events, err := s.Log.ReadStream(ctx, Stream(id))
	if err != nil {
		return nil, fmt.Errorf("read conversation: %w", err)
	}
	c := Fold(id, events)
	if !c.Started() || c.Erased || !c.mayResume(resumeToken) {
		return nil, ErrNotYours
	}
	if !c.bound {
		_, _, err = s.decide(ctx, id, func(c *Conversation) (Decision, error) {
			at := s.now()
			return Decision{At: at, Events: c.bind(resumeToken, at)}, nil
		})
	}
	return c, err
}
