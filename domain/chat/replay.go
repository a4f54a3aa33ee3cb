package chat

import (
	"context"
	"fmt"
	"time"

	"bitacora/domain/event"
	"bitacora/domain/privacy"
)

// Asked is a message of a stored conversation as it came then: with what had been said before it.
type Asked struct {
	MessageID string
	At        time.Time
	// Text is as it was written; Masked is for people, with all that became known later.
	Text, Masked string
	// Step is what the dialogue had asked for.
	Step Step

	before *Conversation
}

// AskedIn gives the messages of visitors in a stored conversation, until told to stop. Those of
// somebody who was erased, or whose data are not to be used, are none.
func AskedIn(conversationID string, events []event.Recorded, yield func(Asked) bool) {
	whole := Fold(conversationID, events)
	if whole.Erased || whole.Restricted {
		return
	}
	c := &Conversation{ID: conversationID}
	for _, e := range events {
		p := event.Nearest(e.Payload)
		c.apply(p, e.OccurredAt)
		sent, ok := p.(*event.VisitorMessageSent)
		if !ok || sent.Text.Text == "" {
			continue
		}
		line, _ := whole.Lines.visitorLine(sent.MessageID)
		asked := Asked{
			MessageID: sent.MessageID, At: e.OccurredAt, Text: sent.Text.Text, Masked: line.Masked, Step: Step(c.Dialogue.Asked), before: c,
		}
		if !yield(asked) {
			return
		}
	}
}

// Replayed is what would be answered to a message.
type Replayed struct {
	// Text is masked.
	Text     string
	Answered bool
	Sources  []string
}

// Replay gives what the clinic's content answers to a message, as [Service.Receive] finds it;
// replied is false for one that the content is not asked about, as where it goes on with a booking, and
// for one whose reply fails. The error is the context's.
// It is to be called before the next message is given, and stores nothing.
func (s *Service) Replay(ctx context.Context, a Asked) (r Replayed, replied bool, err error) {
	f := s.find(ctx, a.before, a.MessageID, a.At)
	if err := ctx.Err(); err != nil {
		return r, false, fmt.Errorf("replay message: %w", err)
	}
	if f.failure != nil || f.content == nil {
		return r, false, nil
	}
	text := privacy.Mask(f.content.Text, a.before.known(s.Clinic.Contacts()...))
	return Replayed{Text: text, Answered: f.content.Answered, Sources: f.content.Sources}, true, nil
}
