package chat

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"time"

	"bitacora/domain/clinic"
	"bitacora/domain/event"
)

// What is recorded of a reply that the dialogue gives without asking anybody.
const (
	dialogueProvider = "embedded"
	dialogueModel    = "dialogue-1"
	dialogueTopic    = "citas"
	dialogueSource   = "clinic/agenda"

	requestTopic  = "privacidad"
	requestSource = "clinic/privacy"
)

// reply joins what was said and decides what storing it adds, the booking link
// included, by which a click is counted.
func (t *turn) reply(latency time.Duration) Reply {
	r := Reply{Provider: dialogueProvider, Model: dialogueModel, Topic: dialogueTopic, Answered: t.state.Misses == 0, Sources: []string{dialogueSource}}
	switch {
	case t.content != nil:
		r = *t.content
	case t.requested():
		r.Topic, r.Sources = requestTopic, []string{requestSource}
	}
	r.Text = strings.Join(t.said, "\n\n")
	r.Public = t.clinic.Contacts()
	r.TokensIn, r.TokensOut = t.u.TokensIn, t.u.TokensOut
	r.Understood = t.understood()
	if t.state.Asked != "" {
		r.Dialogue = &t.state
	}
	link := t.links.form
	linked := link != "" && strings.Contains(r.Text, link)
	if linked {
		r.Text = strings.ReplaceAll(r.Text, link, t.links.shown(t.c.ID))
	}
	t.add(t.c.reply(t.messageID, r, latency, t.at))
	if linked {
		t.record(&event.BookingLinkShown{Conversation: t.c.carried(), ReplyTo: t.messageID})
	}
	return r
}

// IntentDetails is recorded of a message that gives what the dialogue asked for, and no more.
const IntentDetails = "details"

// understood is what is recorded of what the message was taken for. Where a rule decided that, and
// not how likely it was, it has no confidence.
func (t *turn) understood() event.Understood {
	switch {
	case t.u.Danger.Found():
		return event.Understood{Intent: dangerTopic(t.u.Danger)}
	case t.requested():
		return event.Understood{Intent: requestTopic}
	case t.content == nil && t.u.Intent == IntentNone:
		return event.Understood{Intent: IntentDetails}
	}
	return t.u.Understood
}

// withoutContent replaces an answer that the clinic's content did not give: an urgency is
// answered all the same, and what is being arranged goes on.
func withoutContent(c clinic.Clinic, u Understanding, at time.Time) Reply {
	name := "sin-contenido"
	if u.Urgent {
		name = "urgencia"
	}
	return Reply{
		Text: render(name, textData{Clinic: c, at: at, English: u.English}), Provider: dialogueProvider, Model: dialogueModel,
		Topic: u.Topic, Answered: u.Urgent, Sources: []string{"clinic/phones"},
	}
}

var errEmptyReply = errors.New("reply is empty")

// reason is what is recorded of why there is no answer.
func reason(failure error) string {
	switch {
	case errors.Is(failure, context.DeadlineExceeded):
		return "timeout"
	case errors.Is(failure, errEmptyReply):
		return "empty"
	default:
		return "unavailable"
	}
}

// bookingLinks lead to the scheduling form at an address, by way of the site where that has one.
type bookingLinks struct{ form, site string }

func (s *Service) links() bookingLinks {
	return bookingLinks{s.Clinic.Links.Configured().Booking, s.SiteURL}
}

// shown is the link that a conversation is shown.
func (l bookingLinks) shown(conversationID string) string {
	if l.site != "" {
		return strings.TrimSuffix(l.site, "/") + "/r/" + conversationID
	}
	return l.toForm(conversationID)
}

// toForm leads to the external scheduling form and carries the conversation's reference,
// with which the form reports a booking.
func (l bookingLinks) toForm(conversationID string) string {
	u, err := url.Parse(l.form)
	if err != nil || l.form == "" {
		return l.form
	}
	q := u.Query()
	q.Set("ref", conversationID)
	u.RawQuery = q.Encode()
	return u.String()
}
