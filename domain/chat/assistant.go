package chat

import (
	"context"
	"slices"
	"time"

	"bitacora/domain/clinic"
	"bitacora/domain/event"
	"bitacora/domain/privacy"
)

// Assistant answers a visitor's question out of what the clinic says about itself.
type Assistant interface {
	Reply(ctx context.Context, q Question) (Reply, error)
}

// Question is what the assistant is asked.
type Question struct {
	ConversationID string
	// Text is the visitor's message.
	Text string
	// History holds the stored messages before it, oldest first, without what is about a
	// danger to life: whoever answers something else need not know of it.
	History []Line
	// Name is that of the person spoken to, empty if it is not known; Personal is all that was told
	// of the people who are spoken of, which nobody outside of the clinic learns.
	Name     string
	Personal privacy.Known
	// At is when the message was accepted.
	At time.Time
	// Asked is what the dialogue asked last, and Offered the times it offered then.
	Asked   Step
	Offered []time.Time
	// Known are the days that the conversation is about: those of the offered or the chosen
	// times, and the wished one.
	Known []time.Time
	// Pressed says that the message was suggested, rather than written.
	Pressed bool
	// Understood is what the message means, where that was found out before.
	Understood Understanding
}

// Reply is a complete answer of the assistant.
type Reply struct {
	Text string
	// Provider and Model say who understood the message: "embedded" where it was the program alone.
	Provider, Model string
	// TokensIn and TokensOut are what a provider charged for the turn; the [Service] sets them.
	TokensIn, TokensOut int
	// Topic is what the visitor asked about.
	Topic string
	// Answered is false when the clinic's content had no answer.
	Answered bool
	// Open says that the staff may know what the content does not, so that the question can be
	// passed on to them.
	Open bool
	// Sources names the pieces of content that the reply comes from.
	Sources []string
	// Chosen is which of the clinic's answers it gives, and the one that came next.
	Chosen event.Chosen
	// Understood is what was understood of the question; the [Service] sets it.
	Understood event.Understood
	// Public are contact details that need no masking in the text: the clinic's own.
	Public []string
	// Dialogue is the state of the booking after the reply; the [Service] sets it.
	Dialogue *event.Dialogue
}

func question(c *Conversation, in clinic.Clinic, messageID string, at time.Time) Question {
	q := Question{ConversationID: c.ID, Name: c.Contact.Name, Personal: c.known(), At: at, Asked: Step(c.Dialogue.Asked), Offered: c.Dialogue.Offered, Known: c.knownDays()}
	private := c.Lines.dangerous()
	for _, l := range c.Lines {
		if l.FromVisitor && l.MessageID == messageID {
			q.Text = l.Text
			break
		}
		if !private[l.MessageID] {
			q.History = append(q.History, l)
		}
	}
	replied, _ := c.Lines.repliedBefore(messageID)
	q.Pressed = slices.Contains(suggestions(c, replied.Text, in), q.Text)
	return q
}
