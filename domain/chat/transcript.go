package chat

import (
	"context"
	"fmt"
)

// Transcript is a stored conversation, and what may be pressed to go on with it.
type Transcript struct {
	*Conversation
	Suggestions []string
	// Calendar is as in [Answer].
	Calendar string
}

// Transcript gives a stored conversation back to the browser that began it, and binds it to that
// browser.
func (s *Service) Transcript(ctx context.Context, sessionID, resumeToken string) (Transcript, error) {
	id := ConversationID("web", sessionID)
	events, err := s.Log.ReadStream(ctx, Stream(id))
	if err != nil {
		return Transcript{}, fmt.Errorf("read conversation: %w", err)
	}
	c := Fold(id, events)
	if !c.Started() || c.Erased || !c.mayResume(resumeToken) {
		return Transcript{}, ErrNotYours
	}
	if !c.bound {
		_, _, err = s.decide(ctx, id, func(c *Conversation) (Decision, error) {
			if !c.Started() {
				return Decision{}, ErrNotYours
			}
			at := s.now()
			return Decision{At: at, Events: c.bind(resumeToken, at)}, nil
		})
	}
	return Transcript{c, c.Suggestions(s.Clinic), c.CalendarReference(s.Clinic)}, err
}
