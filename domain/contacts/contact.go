// Package contacts is what the staff makes of people who left a way to be reached: in a
// conversation, or with the contact form.
package contacts

import (
	"slices"
	"strings"
	"time"

	"bitacora/domain/chat"
	"bitacora/domain/event"
	"bitacora/domain/spelling"
)

// What a contact is.
const (
	// Lead: left in a conversation.
	Lead = "lead"
	// Message: sent with the contact form.
	Message = event.KindMessage
)

// How far the staff has come with a contact.
const (
	New       = "new"
	Contacted = "contacted"
	Scheduled = "scheduled"
	Discarded = "discarded"
)

// Statuses are all of them, in the order of the work.
var Statuses = []string{New, Contacted, Scheduled, Discarded}

// Kinds are all of them.
var Kinds = []string{Lead, Message}

// Ref names a contact: by the id of the lead's conversation, or by that of the message.
type Ref struct{ Kind, ID string }

// Stream is the one of the contact's events.
func (r Ref) Stream() string {
	if r.Kind == Lead {
		return chat.Stream(r.ID)
	}
	return event.ContactStream(r.ID)
}

// Contact is what the events of its stream add up to.
type Contact struct {
	Ref
	// CameAt is when the lead's conversation started, or the message was received.
	CameAt time.Time
	// Reachable says that the contact was left, or something asked about the person's own data; it
	// is false for other conversations.
	Reachable bool
	// Erased says that the personal data are gone for good.
	Erased bool
	// Restricted says that they are kept and not used: only [Contact.Usable] is shown.
	Restricted bool

	Name, Phone, Email string
	// Text is the message of the contact form; empty for a lead.
	Text string
	// Asked is a lead's first question: what was said before the first reply that is more than a greeting.
	Asked string
	// Specialty is the slug of the service that was wanted last; empty if unknown.
	Specialty string
	// Topics are what a lead asked about, in the order in which it came up.
	Topics []string

	Status string
	// StatusAt is when it became so; zero while it is [New] from the beginning.
	StatusAt time.Time
	// StatusBy is the staff member who said so; empty where a booking did.
	StatusBy string
	// Booking is the latest one; nil if there was none.
	Booking *Booking
	Notes   []Note
	// Withdrawn says that a lead's consent was taken back: phone and e-mail are then left out.
	Withdrawn bool
	// Requests are what was asked about the person's own data, oldest first.
	Requests []Request
	// seen are all events by their ids, by which a repetition is known.
	seen map[string]event.Payload
	// said is the lead's latest message, answered that [Contact.Asked] has its reply.
	said     string
	answered bool
}

// Booking is an appointment.
type Booking struct {
	ID        string
	Slot      time.Time
	Specialty string
	// Source is who confirmed it: "chat", "form" or "staff".
	Source string
	// Cancelled says that it was taken back.
	Cancelled bool
	// Outcome is the last one of [event.Outcomes].
	Outcome string
}

// Note is what a member of the staff wrote down.
type Note struct {
	ID, Text string
	At       time.Time
	StaffID  string
}

// Fold adds up the events of a contact's stream.
func Fold(ref Ref, events []event.Recorded) Contact {
	c := Contact{Ref: ref, Status: New, seen: map[string]event.Payload{}}
	for _, e := range events {
		c.seen[e.ID] = event.Nearest(e.Payload)
		c.Erased = c.Erased || e.Erased
		c.apply(e)
	}
	return c
}

func (c *Contact) apply(e event.Recorded) {
	switch p := event.Nearest(e.Payload).(type) {
	case *event.ConversationStarted:
		c.CameAt = p.ConversationStartedAt
	case *event.VisitorMessageSent:
		c.said = p.Text.Text
	case *event.AssistantReplied:
		c.answer(p.Topic)
		if p.Topic != "" && !slices.Contains(event.SmallTalk, p.Topic) && !slices.Contains(c.Topics, p.Topic) {
			c.Topics = append(c.Topics, p.Topic)
		}
		if p.Dialogue != nil {
			c.Specialty = either(p.Dialogue.Specialty, c.Specialty)
		}
	case *event.ContactGiven:
		c.reach(p.Name, p.Phone, p.Email)
	case *event.ConsentWithdrawn:
		c.Withdrawn, c.Phone, c.Email = true, "", ""
	case *event.PrivacyRequestReceived:
		c.CameAt, c.Reachable = p.ContactAt, true
		c.Requests = append(c.Requests, Request{ID: p.RequestID, Request: p.Request, At: e.OccurredAt, DueAt: p.DueAt})
	case *event.PrivacyRequestDone:
		c.requestDone(p, e.OccurredAt)
	case *event.LeadCaptured:
		c.Withdrawn = false
		c.CameAt, c.Reachable = p.ConversationStartedAt, true
		c.reach(p.Name, p.Phone, p.Email)
	case *event.ContactMessageReceived:
		c.CameAt, c.Reachable, c.Text = e.OccurredAt, true, p.Message
		c.reach(p.Name, p.Phone, p.Email)
	case *event.AppointmentBooked:
		c.Booking = &Booking{ID: p.BookingID, Slot: p.Slot, Specialty: p.Specialty, Source: p.Source, Outcome: event.OutcomeUnknown}
		c.Specialty = either(p.Specialty, c.Specialty)
		c.Status, c.StatusAt, c.StatusBy = Scheduled, e.OccurredAt, p.StaffID
	case *event.AppointmentCancelled:
		if c.Booking != nil {
			c.Booking.Cancelled = true
		}
	case *event.AppointmentOutcomeRecorded:
		if c.Booking != nil && c.Booking.ID == p.BookingID {
			c.Booking.Outcome = p.Outcome
		}
	case *event.SubjectErased:
		c.Erased = true
	case *event.SubjectRestricted:
		c.Restricted = p.On
	case *event.ContactStatusChanged:
		c.Status, c.StatusAt, c.StatusBy = p.Status, e.OccurredAt, p.StaffID
	case *event.ContactNoteAdded:
		c.Notes = append(c.Notes, Note{ID: e.ID, Text: p.Note, At: e.OccurredAt, StaffID: p.StaffID})
	}
}

// greeting is the topic of a reply that only greets.
const greeting = "saludo"

// answer notes a reply on a topic to what was said last.
func (c *Contact) answer(topic string) {
	if c.answered {
		return
	}
	c.Asked, c.answered = c.said, topic != "" && topic != greeting
}

// reach takes over what was given; what was not given stays.
func (c *Contact) reach(name, phone, email string) {
	c.Name, c.Phone, c.Email = either(name, c.Name), either(phone, c.Phone), either(email, c.Email)
}

func either(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// carried is what every event about the contact carries.
func (c *Contact) carried() event.Contact {
	return event.Contact{Kind: c.Kind, ContactID: c.ID, ContactAt: c.CameAt}
}

// Details are the types of the events that tell how a contact can be reached and what was
// written: what [Contact.Matches] looks at.
var Details = []string{"ContactGiven", "LeadCaptured", "ContactMessageReceived", "ContactNoteAdded", "SubjectRestricted"}

// Usable is what may be shown of the contact: nothing personal while it is restricted.
func (c Contact) Usable() Contact {
	if c.Restricted {
		c.Name, c.Phone, c.Email, c.Text, c.Asked, c.Notes = "", "", "", "", "", nil
	}
	return c
}

// Matches says whether a text occurs in what is known of the contact, without regard to case
// and accents, and for phones to how they are written.
func (c *Contact) Matches(text string) bool {
	if c.Restricted {
		return false
	}
	wanted, number := plain(text), digits(text)
	written := []string{c.Name, c.Email, c.Text}
	for _, n := range c.Notes {
		written = append(written, n.Text)
	}
	return slices.ContainsFunc(written, func(s string) bool { return strings.Contains(plain(s), wanted) }) ||
		len(number) >= minDigits && strings.Contains(spelling.Digits(c.Phone), number)
}

// minDigits is how many digits of a phone have to be known for it to be found.
const minDigits = 3

var unaccented = strings.NewReplacer("á", "a", "é", "e", "í", "i", "ó", "o", "ú", "u", "ü", "u")

func plain(text string) string { return unaccented.Replace(strings.ToLower(text)) }

// digits are those of a text that could be a phone number; none otherwise.
func digits(text string) string {
	if strings.Trim(text, "+-.() 0123456789") != "" {
		return ""
	}
	return spelling.Digits(text)
}
