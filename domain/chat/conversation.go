// Package chat is the conversation between a visitor and the clinic's assistant: what
// may happen in it, in which order, and what of it is recorded.
package chat

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base32"
	"encoding/hex"
	"regexp"
	"slices"
	"strings"
	"time"

	"bitacora/domain/event"
	"bitacora/domain/privacy"
)

// MaxGap is how much of a silence between two messages counts as active time.
const MaxGap = 30 * time.Minute

// Conversation is what the events of one stream add up to.
type Conversation struct {
	ID string
	// Form reports that it is a message of the contact form, which has bookings and nothing else of a conversation.
	Form bool
	// Version is the stream's version; 0 when nothing was recorded.
	Version   int
	StartedAt time.Time
	// Erased says that the person's data is gone; nothing is added any more.
	Erased bool
	// Restricted says that the person's data are kept and not used; nothing is added meanwhile.
	Restricted bool
	// ImportHash identifies the content an imported conversation was made from.
	ImportHash string
	// Channel is where the conversation came from: "web", "import", "demo".
	Channel string
	Consent bool
	Lead    bool
	// Contact is what is known so far of how to reach the visitor.
	Contact Contact
	// Appointment is the active booking; nil if there is none.
	Appointment *Appointment
	// Dialogue is the state of the booking that is being arranged.
	Dialogue event.Dialogue
	// Flags say what asks for the staff's attention, each once, in the order in which it came up.
	Flags []string
	// Requests are those about the visitor's data that nobody has done yet, oldest first.
	Requests []Requested
	// Lines are the stored messages in order.
	Lines Lines

	// VisitStartedAt is when the visit began; zero if none was counted.
	VisitStartedAt time.Time

	// opened holds who opened the panel.
	opened     map[string]bool
	active     time.Duration
	resumeHash string
	// bound says that only who shows the cookie's token may go on.
	bound bool
	// withdrawn says that a lead's consent was taken back.
	withdrawn bool
	// bookings are all, also those that were moved or cancelled.
	bookings              []knownBooking
	linkShown, linkOpened bool

	// told is what was told of the people who are spoken of, news what of it the lines are not yet
	// masked with.
	told, news privacy.Known
	// public is what the clinic gives everybody.
	public []string
	// left is what was being arranged when the consent to it was refused; the zero value where
	// nothing was.
	left event.Dialogue
	// invited says that an appointment was offered, or begun, before, and offeredSlot that its
	// first free time was: none is offered again.
	invited, offeredSlot bool
}

// Appointment is a booking that was not cancelled.
type Appointment struct {
	ID        string
	Slot      time.Time
	Specialty string
}

// Line is one stored message.
type Line struct {
	FromVisitor bool
	// MessageID is the visitor's message, or the one that a reply answers.
	MessageID string
	Text      string
	// Masked is the text with what is personal masked, as far as it was known then.
	Masked string
	Model  string
	// Sources are those of a reply.
	Sources []string
	// Topic is that of a reply; Rating what the visitor thinks of it, empty if nothing was said, and RatingReason
	// what is wrong with it.
	Topic, Rating, RatingReason string
	At                          time.Time

	// told is what is told of the message beside its text.
	told event.MaskedMessage
	// dismissed: the staff said that nothing is left to be done about its answer.
	dismissed bool
}

// Lines are messages in their order.
type Lines []Line

// lastReply is the last line that is not a visitor's; the zero one where there is none.
func (all Lines) lastReply() Line {
	for _, l := range slices.Backward(all) {
		if !l.FromVisitor {
			return l
		}
	}
	return Line{}
}

// repliedBefore is the reply right before a visitor's message; ok is false where there is none
// or something was said since.
func (all Lines) repliedBefore(messageID string) (reply Line, ok bool) {
	i := slices.IndexFunc(all, func(l Line) bool { return l.FromVisitor && l.MessageID == messageID })
	if i < 1 || all[i-1].FromVisitor || slices.ContainsFunc(all[i:], func(l Line) bool { return !l.FromVisitor }) {
		return Line{}, false
	}
	return all[i-1], true
}

// visitorLine finds the stored visitor message of an id.
func (all Lines) visitorLine(messageID string) (Line, bool) {
	return all.find(func(l Line) bool { return l.FromVisitor && l.MessageID == messageID })
}

// replyTo finds the stored reply to a visitor message.
func (all Lines) replyTo(messageID string) (Line, bool) {
	return all.find(func(l Line) bool { return !l.FromVisitor && l.MessageID == messageID })
}

func (all Lines) find(match func(Line) bool) (Line, bool) {
	for _, l := range all {
		if match(l) {
			return l, true
		}
	}
	return Line{}, false
}

// ActionNewConversation is what a reply offers that speaks of [NewConversation].
const ActionNewConversation = "new-conversation"

// NewConversation is what visitors press, or write, to begin another conversation.
const NewConversation = "Nueva conversación"

// Action is what a reply offers to do; empty for nothing.
func (l Line) Action() string {
	if !l.FromVisitor && strings.Contains(l.Text, "«"+NewConversation+"»") {
		return ActionNewConversation
	}
	return ""
}

var crockford = base32.NewEncoding("0123456789abcdefghjkmnpqrstvwxyz").WithPadding(base32.NoPadding)

// ConversationID names the conversation of a key (a client's session id, an imported
// line's id) within its source ("web", "import", "demo"). The key, which a
// visitor might use to write in the conversation, cannot be derived from it.
func ConversationID(source, key string) string {
	sum := sha256.Sum256([]byte(source + "\x00" + key))
	return crockford.EncodeToString(sum[:10])
}

// Stream is the name of a conversation's stream in the log.
func Stream(conversationID string) string { return "conversation/" + conversationID }

// stream is the one of its events.
func (c *Conversation) stream() string {
	if c.Form {
		return event.ContactStream(c.ID)
	}
	return Stream(c.ID)
}

// Fold adds up the events of a conversation's stream. What this program does not know of them it
// leaves out: a visitor is answered also while an update is taken back.
func Fold(conversationID string, events []event.Recorded) *Conversation {
	c := &Conversation{ID: conversationID}
	for _, e := range events {
		p := event.Nearest(e.Payload)
		c.apply(p, e.OccurredAt)
		c.stored(p, e.ID)
		c.Version = e.Version
		c.Erased = c.Erased || e.Erased
	}
	c.news = privacy.Known{}
	return c
}

// idle says that nothing is being arranged.
func (c *Conversation) idle() bool {
	return c.Dialogue.Asked == string(StepIdle) || c.Dialogue.Asked == string(StepOffer)
}

// invitation is how a text invites to book, or begins to: the words to say, or an offer to look
// for a time.
var invitation = regexp.MustCompile(`«quiero una cita»|\b(?:te|le|se) (?:la )?busco\b|\bpuedo buscar(?:te|le)\b|\bla buscamos\b|\b(?:te|le) ayudo a agendar\b|“I want an appointment”|\bhelp you book\b|\b(?:Shall I|we will) look for\b`)

// invites says that what was asked last is about an appointment, and not only about how to be
// called back.
func (c *Conversation) invites() bool {
	switch Step(c.Dialogue.Asked) {
	case StepIdle, StepCancel:
		return false
	case StepConsent, StepName, StepContact:
		return !slices.Contains(c.Flags, event.FlagCallback)
	}
	return true
}

// knownSpan is the longest wish, in days, that tells days of a name apart.
const knownSpan = 7

// knownDays are times on the days that the conversation is about, the likeliest ones first.
func (c *Conversation) knownDays() []time.Time {
	known := append([]time.Time{c.Dialogue.Slot}, c.Dialogue.Offered...)
	for day, w := c.Dialogue.Wish.First, c.Dialogue.Wish; !day.After(w.Last) && w.Last.Before(w.First.AddDate(0, 0, knownSpan)); day = day.AddDate(0, 0, 1) {
		known = append(known, day)
	}
	if c.Appointment != nil {
		known = append(known, c.Appointment.Slot)
	}
	return slices.DeleteFunc(known, time.Time.IsZero)
}

// activeBooking is the id of the active appointment; empty if there is none.
func (c *Conversation) activeBooking() string {
	if c.Appointment == nil {
		return ""
	}
	return c.Appointment.ID
}

// booked is the service of the active appointment; empty if there is none.
func (c *Conversation) booked() string {
	if c.Appointment == nil {
		return ""
	}
	return c.Appointment.Specialty
}

// Started says whether a first visitor message was accepted.
func (c *Conversation) Started() bool { return !c.StartedAt.IsZero() }

func (c *Conversation) apply(p event.Payload, at time.Time) {
	switch p := p.(type) {
	case *event.VisitStarted:
		c.VisitStartedAt = p.VisitStartedAt
	case *event.WidgetOpened:
		if c.opened == nil {
			c.opened = map[string]bool{}
		}
		c.opened[p.By] = true
	case *event.ConversationStarted:
		c.StartedAt, c.resumeHash, c.ImportHash, c.Channel = p.ConversationStartedAt, p.ResumeHash, p.ImportHash, p.Channel
	case *event.ConversationBound:
		c.bound = true
	case *event.VisitorMessageSent:
		c.addLine(p.Progress, Line{FromVisitor: true, MessageID: p.MessageID, Text: p.Text.Text, Masked: string(p.WithoutContacts()), At: at, told: p.Told("", at)})
	case *event.AssistantReplied:
		c.addLine(p.Progress, Line{
			MessageID: p.ReplyTo, Text: p.Text.Text, Masked: string(p.WithoutContacts()), Model: p.Model, Topic: p.Topic, Sources: p.Sources, At: at, told: p.Told("", at),
		})
		if p.Dialogue == nil && c.Dialogue.Asked == string(StepConsent) && !c.Consent {
			c.left = c.Dialogue
		}
		c.Dialogue = event.Dialogue{}
		if p.Dialogue != nil {
			c.Dialogue, c.left = *p.Dialogue, event.Dialogue{}
		}
		c.invited = c.invited || c.invites() || invitation.MatchString(p.Text.Text)
		c.offeredSlot = c.offeredSlot || c.Dialogue.Asked == string(StepOffer) && !c.Dialogue.Slot.IsZero()
	case *event.ContactMessageReceived:
		c.Form, c.Lead, c.StartedAt = true, true, at
		c.learn(Contact{Name: p.Name, Phone: p.Phone, Email: p.Email})
	case *event.ConsentGiven:
		c.Consent = true
	case *event.ContactGiven:
		c.learn(Contact{Name: p.Name, Phone: p.Phone, Email: p.Email})
	case *event.LeadCaptured:
		c.Lead = true
		c.learn(Contact{Name: p.Name, Phone: p.Phone, Email: p.Email})
	case *event.TextsMasked:
		c.takeMasked(p)
	case *event.ConsentWithdrawn:
		c.withdrawn = c.withdrawn || c.Lead
		c.Consent, c.Lead = false, false
		c.Contact.Phone, c.Contact.Email = "", ""
	case *event.PrivacyRequestReceived:
		c.Requests = append(c.Requests, Requested{ID: p.RequestID, Request: privacy.Request(p.Request), DueAt: p.DueAt})
	case *event.PrivacyRequestDone:
		c.Requests = slices.DeleteFunc(c.Requests, func(r Requested) bool { return r.ID == p.RequestID })
	case *event.ReplyRated:
		if p.Ordinal <= len(c.Lines) {
			c.Lines[p.Ordinal-1].Rating, c.Lines[p.Ordinal-1].RatingReason = p.Rating, p.Reason
		}
	case *event.QuestionLabelled:
		if l := c.Lines.lineAt(p.Ordinal); l != nil {
			l.dismissed = true
		}
	case *event.ConversationFlagged:
		if !slices.Contains(c.Flags, p.Flag) {
			c.Flags = append(c.Flags, p.Flag)
		}
	case *event.BookingLinkShown:
		c.linkShown = true
	case *event.BookingLinkOpened:
		c.linkOpened = true
	case *event.AppointmentBooked:
		c.book(p, at)
	case *event.AppointmentOutcomeRecorded:
		if b := c.booking(p.BookingID); b != nil {
			b.outcome = p.Outcome
		}
	case *event.SubjectRestricted:
		c.Restricted = p.On
	case *event.SubjectErased:
		c.Erased = true
	case *event.AppointmentCancelled:
		if c.Appointment != nil && c.Appointment.ID == p.BookingID {
			c.Appointment = nil
		}
	}
}

func (c *Conversation) addLine(progress event.Progress, l Line) {
	c.active = time.Duration(progress.ActiveMillis) * time.Millisecond
	c.Lines = append(c.Lines, l)
}

// mayResume says whether a cookie's token opens the stored conversation.
func (c *Conversation) mayResume(token string) bool {
	return c.resumeHash != "" && subtle.ConstantTimeCompare([]byte(c.resumeHash), []byte(hashToken(token))) == 1
}

// retryTime is how long after its beginning the message that began a conversation may come again to
// get its cookie, too.
const retryTime = 10 * time.Minute

// beganWith says whether a message without a cookie is the one that began the conversation, come
// again within [retryTime]: its new token, which is derived from all of it, is that of the conversation.
func (c *Conversation) beganWith(m Message, at time.Time) bool {
	return m.ResumeToken == "" && m.NewToken != "" && c.mayResume(m.NewToken) && at.Sub(c.StartedAt) < retryTime
}

// mayGoOn says whether who shows a cookie's token, or none, may add to the conversation.
func (c *Conversation) mayGoOn(token string) bool { return !c.bound || c.mayResume(token) }

func hashToken(token string) string {
	if token == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}

// carried is what every event of the conversation carries.
func (c *Conversation) carried() event.Conversation {
	return event.Conversation{ConversationID: c.ID, ConversationStartedAt: c.StartedAt}
}

func bookedFor(c *Conversation) (b event.Booked) {
	if c.Form {
		b.Kind = event.KindMessage
	}
	return b
}

// next is the progress of a message that is stored at the given time. A clock that went
// back counts as no time at all.
func (c *Conversation) next(at time.Time) event.Progress {
	active := c.active
	if n := len(c.Lines); n > 0 {
		active += min(max(at.Sub(c.Lines[n-1].At), 0), MaxGap)
	}
	return event.Progress{Ordinal: len(c.Lines) + 1, ActiveMillis: active.Milliseconds()}
}
