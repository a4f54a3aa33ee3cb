package chat

import (
	"net/url"
	"strings"
	"time"

	"bitacora/domain/event"
)

// What is recorded of a reply that the dialogue gives without asking anybody.
const (
	dialogueProvider = "embedded"
	dialogueModel    = "dialogue-1"
	dialogueTopic    = "citas"
	dialogueSource   = "clinic/agenda"
)

// reply puts together what was said and decides what storing it adds, the booking link
// included, which is told from a plain one.
func (t *turn) reply(latency time.Duration) Reply {
	r := Reply{Provider: dialogueProvider, Model: dialogueModel, Topic: dialogueTopic, Answered: t.state.Misses == 0, Sources: []string{dialogueSource}}
	if t.content != nil {
		r = *t.content
	}
	r.Text = strings.Join(t.said, "\n\n")
	r.Public = t.service.Clinic.Contacts()
	if t.state.Asked != "" {
		r.Dialogue = &t.state
	}
	link := t.service.Clinic.Links.Booking
	linked := link != "" && strings.Contains(r.Text, link)
	if linked {
		r.Text = strings.ReplaceAll(r.Text, link, t.service.bookingLink(t.c.ID))
	}
	t.decided = append(t.decided, t.c.reply(t.messageID, r, latency, t.at)...)
	if linked {
		t.record(&event.BookingLinkShown{Conversation: t.c.carried(), ReplyTo: t.messageID})
	}
	return r
}

// bookingLink is the link to the scheduling form that a conversation is shown.
func (s *Service) bookingLink(conversationID string) string {
	if s.SiteURL != "" {
		return strings.TrimSuffix(s.SiteURL, "/") + "/r/" + conversationID
	}
	return s.formLink(conversationID)
}

// formLink leads to the external scheduling form and carries the conversation's reference,
// with which the form reports a booking.
func (s *Service) formLink(conversationID string) string {
	u, err := url.Parse(s.Clinic.Links.Booking)
	if err != nil {
		return s.Clinic.Links.Booking
	}
	q := u.Query()
	q.Set("ref", conversationID)
	u.RawQuery = q.Encode()
	return u.String()
}
