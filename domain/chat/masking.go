package chat

import (
	"context"
	"slices"

	"bitacora/domain/event"
	"bitacora/domain/privacy"
)

const (
	// mostKnown is how many names, and how many contacts, of those told in a conversation later
	// texts are masked with: the last ones.
	mostKnown = 16
	// mostMasked is how many messages one [event.TextsMasked] holds.
	mostMasked = 50
)

// MaskAgain masks a stored conversation as it would be masked today: with all that was told in it, and
// by the patterns of this program. It gives how many messages that changed; none where it was done
// before, or where the person was erased.
func (s *Service) MaskAgain(ctx context.Context, conversationID string) (messages int, err error) {
	_, d, err := s.decide(ctx, conversationID, func(c *Conversation) (Decision, error) {
		if !c.Started() || c.Erased {
			return Decision{}, nil
		}
		return Decision{At: s.now(), Events: c.maskAgain(privacy.Mask, c.told)}, nil
	})
	for _, p := range d.Events {
		messages += len(p.(*event.TextsMasked).Messages)
	}
	return messages, err
}

// newText masks what is personal in a text, but for what is public.
func (c *Conversation) newText(text string, public ...string) event.Text {
	t := event.Text{Text: text}
	if masked := privacy.Mask(text, c.known(public...)); masked != text {
		t.Masked = masked
	}
	return t
}

// known is what is known of the people spoken of, whose names stand in no masked text.
func (c *Conversation) known(public ...string) privacy.Known {
	known := c.told
	known.Public = public
	return known
}

// learn takes over what was told of a person. What was said before of them, or of another one, stays
// known.
func (c *Conversation) learn(given Contact) {
	c.Contact = c.Contact.with(given)
	know(&c.told.Names, &c.news.Names, given.Name)
	know(&c.told.Contacts, &c.news.Contacts, given.Phone)
	know(&c.told.Contacts, &c.news.Contacts, given.Email)
}

// hear takes note of a telephone number whose first half the visitor wrote just before a text.
func (c *Conversation) hear(text string) {
	for _, l := range slices.Backward(c.Lines) {
		if l.FromVisitor {
			know(&c.told.Contacts, &c.news.Contacts, privacy.SpreadPhone(l.Text, text))
			return
		}
	}
}

func know(to, news *[]string, value string) {
	if value == "" || slices.Contains(*to, value) {
		return
	}
	*news = append(slices.Clone(*news), value)
	*to = append(slices.Clone(*to), value)
	*to = (*to)[max(0, len(*to)-mostKnown):]
}

// maskNews decides that the lines are masked anew with what was learnt since they were: one look at
// each of them.
func (c *Conversation) maskNews() (decided []event.Payload) {
	news := c.news
	c.news = privacy.Known{}
	if len(news.Names)+len(news.Contacts) == 0 {
		return nil
	}
	return c.maskAgain(privacy.MaskKnown, news)
}

// maskAgain decides that lines in which that changes something are masked anew with what is known.
func (c *Conversation) maskAgain(mask func(string, privacy.Known) string, known privacy.Known) (decided []event.Payload) {
	var changed []event.MaskedMessage
	for _, l := range c.Lines {
		known.Public = nil
		if !l.FromVisitor {
			known.Public = c.public
		}
		told := l.told
		told.Masked = mask(l.Masked, known)
		if told.Masked != l.Masked {
			changed = append(changed, told)
		}
	}
	for some := range slices.Chunk(changed, mostMasked) {
		masked := &event.TextsMasked{Conversation: c.carried(), Messages: some}
		c.takeMasked(masked)
		decided = append(decided, masked)
	}
	return decided
}

func (c *Conversation) takeMasked(p *event.TextsMasked) {
	for _, m := range p.Messages {
		if l := c.Lines.lineAt(m.Ordinal); l != nil {
			l.Masked = m.Masked
		}
	}
}

// stored takes note of a message as it is in the log, and under which id.
func (c *Conversation) stored(p event.Payload, id string) {
	switch p := p.(type) {
	case *event.VisitorMessageSent:
		if l := c.Lines.lineAt(p.Ordinal); l != nil {
			l.told = p.Told(id, l.At)
		}
	case *event.AssistantReplied:
		if l := c.Lines.lineAt(p.Ordinal); l != nil {
			l.told = p.Told(id, l.At)
		}
	}
}

// lineAt is the line of an ordinal; nil where there is none. A line that cannot be read is missing
// among the others.
func (all Lines) lineAt(ordinal int) *Line {
	for i := min(ordinal, len(all)) - 1; i >= 0; i-- {
		if all[i].told.Ordinal == ordinal {
			return &all[i]
		}
	}
	return nil
}
