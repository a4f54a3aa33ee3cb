// Package visitor answers the calls of the site's visitors: the chat, ratings, visits and the
// contact form.
package visitor

import (
	"context"
	"net/http"
	"time"

	"bitacora/adapters/httpapi/contract"
	"bitacora/adapters/httpapi/web"
	"bitacora/domain/analytics"
	"bitacora/domain/chat"
	"bitacora/domain/clinic"
)

// Chat answers visitors.
type Chat interface {
	// Receive stores a visitor's message and answers it.
	Receive(ctx context.Context, m chat.Message) (chat.Answer, error)
	// InDanger gives the answer to somebody in danger whose message is not taken; found says
	// that the text is about danger.
	InDanger(text string) (reply chat.Reply, found bool)
	// Visit counts a visit, and that the chat was opened in it.
	Visit(ctx context.Context, v chat.Visit) error
}

// Conversations are those that visitors come back to.
type Conversations interface {
	// Transcript gives a conversation back to the browser that began it.
	Transcript(ctx context.Context, sessionID, resumeToken string) (chat.Transcript, error)
	// Rate records what a visitor thinks of a reply.
	Rate(ctx context.Context, r chat.Rating) error
	// OpenLink records that a booking link was followed and says where it leads.
	OpenLink(ctx context.Context, reference string) (address string, err error)
	// CalendarEntry gives an appointment to the browser that began its conversation.
	CalendarEntry(ctx context.Context, reference, resumeToken string) (chat.CalendarEntry, error)
}

// Browser is what a visitor's browser may do with the conversations that it began.
type Browser interface {
	// Held are those that there are, also erased ones; with sessions only those of these.
	Held(ctx context.Context, resumeToken string, sessions ...string) ([]*chat.Conversation, error)
	// Upcoming are their appointments to come, the next one first.
	Upcoming(held []*chat.Conversation) []chat.Appointment
	// Erase erases them for good, with the appointments to come, which must be among those that were
	// named; pending says that copies of their texts follow by themselves.
	Erase(ctx context.Context, held []*chat.Conversation, named []time.Time) (pending bool, err error)
}

// MonthlyUsageReader knows how much of the month's conversations is used.
type MonthlyUsageReader interface {
	// Current is the state of the month; nil when no limit is configured.
	Current(ctx context.Context) (*analytics.MonthlyUsage, error)
}

// Mailbox takes what visitors write to the clinic.
type Mailbox interface {
	// Receive keeps a message, or gives [clinic.InvalidFields].
	Receive(ctx context.Context, m clinic.ContactMessage, channel string) error
}

// Newsletter keeps who wants it. Each call answers with a not-found error where there is none.
type Newsletter interface {
	// Subscribe writes to an address how it is confirmed, or gives [clinic.InvalidFields].
	Subscribe(ctx context.Context, email string) error
	Confirm(ctx context.Context, id string) error
	// Cancel erases the address of a subscription.
	Cancel(ctx context.Context, id string) error
}

// Pages are those that answer forms sent without JavaScript.
type Pages interface {
	// ServeSent leads to what the page shows after a message was taken.
	ServeSent(w http.ResponseWriter, r *http.Request)
	// ServeRefused serves the page with the form as it was filled in, and what is wrong with
	// which field; nothing where that is not the reason.
	ServeRefused(w http.ResponseWriter, r *http.Request, status int, values, fields map[string]string)
	// ServeNewsletter leads to what the page shows of a subscription, and ServeNoNewsletter serves the page that
	// says that nothing came of it.
	ServeNewsletter(w http.ResponseWriter, r *http.Request, state string)
	ServeNoNewsletter(w http.ResponseWriter, r *http.Request, status int)
	// ServeErased leads to what the page shows after conversations were erased.
	ServeErased(w http.ResponseWriter, r *http.Request)
	// ServeErasure serves the page with what there is to erase.
	ServeErasure(w http.ResponseWriter, r *http.Request, status int, erasure contract.Erasure)
}

// Config names what visitors' calls need.
type Config struct {
	Chat          Chat
	Conversations Conversations
	Browser       Browser
	MonthlyUsage  MonthlyUsageReader
	Mailbox       Mailbox
	Newsletter    Newsletter
	// DeriveToken makes a secret of texts, the same one for the same texts, that nobody else can
	// make; nil: a message that is sent again gets no cookie again.
	DeriveToken func(texts ...string) [32]byte
	// Throttle slows down bursts of messages; nil: nothing does.
	Throttle Throttle
}

// Handler answers visitors' calls.
type Handler struct {
	Config
	web.Responder
	pages   Pages
	now     func() time.Time
	refused refused
}

// New is the handler of visitors' calls. A form sent without JavaScript is answered with
// its page.
func New(c Config, pages Pages, now func() time.Time, respond web.Responder) *Handler {
	return &Handler{Config: c, Responder: respond, pages: pages, now: now}
}
