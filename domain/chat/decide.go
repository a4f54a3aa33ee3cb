package chat

import (
	"cmp"
	"slices"
	"time"

	"bitacora/domain/event"
)

// receive decides what an accepted visitor message adds to the conversation.
func (c *Conversation) receive(m Message, at time.Time) []event.Payload {
	var decided []event.Payload
	if !c.Started() {
		started := &event.ConversationStarted{
			Conversation:   event.Conversation{ConversationID: c.ID, ConversationStartedAt: at},
			Channel:        m.Channel,
			Referrer:       m.Referrer,
			VisitStartedAt: c.VisitStartedAt,
			ResumeHash:     hashToken(cmp.Or(m.ResumeToken, m.NewToken)),
		}
		decided = c.record(at, started)
	}
	decided = append(decided, c.bind(m.ResumeToken, at)...)
	c.hear(m.Text)
	return append(decided, c.record(at, &event.VisitorMessageSent{
		Conversation: c.carried(),
		Progress:     c.next(at),
		Text:         c.newText(m.Text),
		MessageID:    m.MessageID,
	})...)
}

// bind decides that the conversation is bound to a browser that shows its cookie; nothing
// where it is bound, or the token another's.
func (c *Conversation) bind(token string, at time.Time) []event.Payload {
	if c.bound || !c.mayResume(token) {
		return nil
	}
	return c.record(at, &event.ConversationBound{Conversation: c.carried()})
}

// reply decides what the assistant's reply adds. A message is answered once: the second
// reply to it decides nothing. An empty messageID stands for a text that answers none.
func (c *Conversation) reply(messageID string, r Reply, latency time.Duration, at time.Time) []event.Payload {
	if _, answered := c.Lines.replyTo(messageID); answered && messageID != "" {
		return nil
	}
	return c.record(at, &event.AssistantReplied{
		Conversation:  c.carried(),
		Progress:      c.next(at),
		Text:          c.newText(r.Text, r.Public...),
		Understood:    r.Understood,
		Chosen:        r.Chosen,
		ReplyTo:       messageID,
		Provider:      r.Provider,
		Model:         r.Model,
		LatencyMillis: latency.Milliseconds(),
		TokensIn:      r.TokensIn,
		TokensOut:     r.TokensOut,
		Topic:         r.Topic,
		Answered:      r.Answered,
		Sources:       r.Sources,
		Dialogue:      r.Dialogue,
	})
}

// captureLead decides what a contact adds: consent first, then the lead, each once.
func (c *Conversation) captureLead(contact Contact, noticeVersion, channel string, at time.Time) []event.Payload {
	var decided []event.Payload
	if !c.Consent {
		decided = c.record(at, &event.ConsentGiven{Conversation: c.carried(), NoticeVersion: noticeVersion, Channel: channel})
	}
	if !c.Lead {
		decided = append(decided, c.lead(contact, at)...)
	}
	return decided
}

// flag decides that a visitor message asks for the staff's attention; nothing where the
// conversation has that flag already.
func (c *Conversation) flag(flag, messageID string, at time.Time) []event.Payload {
	if slices.Contains(c.Flags, flag) {
		return nil
	}
	return c.record(at, &event.ConversationFlagged{Conversation: c.carried(), Flag: flag, MessageID: messageID})
}

// record folds decided events into the conversation, and gives them back, followed by what masks
// earlier texts anew.
func (c *Conversation) record(at time.Time, decided ...event.Payload) []event.Payload {
	for _, p := range decided {
		c.apply(p, at)
	}
	return append(decided, c.maskNews()...)
}
