package subjects

import (
	"slices"
	"strings"
	"time"

	"bitacora/domain/chat"
	"bitacora/domain/event"
)

// What a subject is.
const (
	// Conversation: what somebody said in the chat, and the visit of the site around it.
	Conversation = "conversation"
	// Message: what somebody sent with the contact form.
	Message = "message"
	// Subscription: the address to which somebody wants the newsletter.
	Subscription = "subscription"
	// Answer: what the staff wrote when it taught a version of an answer, or took one back.
	Answer = "answer"
	// Skip: why an operator passed over an event.
	Skip = "skip"
	// ChartNote: what the staff wrote into the chart.
	ChartNote = "chart-note"
)

// prefixes are those of the streams of each kind of subject.
var prefixes = map[string]string{
	Conversation: chat.Stream(""), Message: event.ContactStream(""), Subscription: event.SubscriptionStream(""), Answer: event.AnswerPrefix, Skip: event.SkippedPrefix,
	ChartNote: event.ChartNotePrefix,
}

// Stream is the one of a subject's events; empty for a kind that there is not.
func Stream(kind, id string) string {
	prefix, known := prefixes[kind]
	if !known {
		return ""
	}
	return prefix + id
}

// Named is the kind and the id of the subject of a stream; ok is false for other streams.
func Named(stream string) (kind, id string, ok bool) {
	for kind, prefix := range prefixes {
		// The stream of an answer without a version holds texts in the clear.
		if id, ok := strings.CutPrefix(stream, prefix); ok && (kind != Answer || strings.Contains(id, "/")) {
			return kind, id, true
		}
	}
	return "", "", false
}

// IDs are those of the subjects among streams.
func IDs(streams []string) (ids []string) {
	for _, stream := range streams {
		if _, id, ok := Named(stream); ok {
			ids = append(ids, id)
		}
	}
	return ids
}

// ofPerson says that a stream is the subject of somebody outside the clinic.
func ofPerson(stream string) bool {
	kind, _, _ := Named(stream)
	return kind == Conversation || kind == Message || kind == Subscription
}

// Record is everything that is kept of one subject, in the order in which it happened.
type Record struct {
	Kind string `json:"kind"`
	ID   string `json:"id"`
	// Found says how it came to be among what is kept of a person.
	Found Link `json:"found"`
	// CameAt is when it began.
	CameAt time.Time `json:"cameAt"`
	// Channel is where it came from: "web", "form", "import", "demo".
	Channel string `json:"channel,omitempty"`
	// Erased says that what was personal in it is gone.
	Erased bool `json:"erased"`
	// Restricted says that it is kept and not used.
	Restricted bool `json:"restricted"`

	Contacts []Contact `json:"contacts,omitempty"`
	Texts    []Text    `json:"texts,omitempty"`
	Bookings []Booking `json:"bookings,omitempty"`
	Notes    []Note    `json:"notes,omitempty"`
	Ratings  []Rating  `json:"ratings,omitempty"`
	Consents []Consent `json:"consents,omitempty"`
	Statuses []Status  `json:"statuses,omitempty"`
	// Flags are what asked for the staff's attention.
	Flags  []Flag  `json:"flags,omitempty"`
	Visits []Visit `json:"visits,omitempty"`
	// Changes are what was done with it as a whole.
	Changes []Change `json:"changes,omitempty"`
	// Readings are by whom it was read, as far as the log tells.
	Readings []Reading `json:"readings,omitempty"`
}

// Contact is how somebody said that they can be reached; what is empty was not said then.
type Contact struct {
	At    time.Time `json:"at"`
	Name  string    `json:"name,omitempty"`
	Phone string    `json:"phone,omitempty"`
	Email string    `json:"email,omitempty"`
}

// Text is what was written, by the visitor or to them.
type Text struct {
	At          time.Time `json:"at"`
	FromVisitor bool      `json:"fromVisitor"`
	Text        string    `json:"text"`
	// Model is what wrote a reply; empty if that is not known.
	Model string `json:"model,omitempty"`
}

// Booking is an appointment.
type Booking struct {
	ID        string    `json:"id"`
	At        time.Time `json:"at"`
	Slot      time.Time `json:"slot"`
	Specialty string    `json:"specialty,omitempty"`
	// Source is who confirmed it: "chat", "form" or "staff".
	Source string `json:"source"`
	By     string `json:"by,omitempty"`
	// MovedAt is when another one took its place, CancelledAt when it was taken back.
	MovedAt     *time.Time `json:"movedAt,omitempty"`
	CancelledAt *time.Time `json:"cancelledAt,omitempty"`
	// Outcome is the last one of [event.Outcomes]; empty where none was recorded.
	Outcome string `json:"outcome,omitempty"`
}

// Active says that the appointment stands.
func (b Booking) Active() bool { return b.MovedAt == nil && b.CancelledAt == nil }

// Note is what the staff wrote down.
type Note struct {
	At   time.Time `json:"at"`
	By   string    `json:"by"`
	Text string    `json:"text"`
}

// Rating is what the visitor thought of a reply.
type Rating struct {
	At      time.Time `json:"at"`
	Message int       `json:"message"`
	Rating  string    `json:"rating"`
	Reason  string    `json:"reason,omitempty"`
}

// Consent is what the visitor agreed to.
type Consent struct {
	At            time.Time `json:"at"`
	NoticeVersion string    `json:"noticeVersion"`
	Channel       string    `json:"channel"`
}

// Status is how far the staff had come with a contact.
type Status struct {
	At     time.Time `json:"at"`
	By     string    `json:"by"`
	Status string    `json:"status"`
}

// Flag is what asked for the staff's attention.
type Flag struct {
	At   time.Time `json:"at"`
	Flag string    `json:"flag"`
}

// Visit is what is known of the visit of the site in which it happened.
type Visit struct {
	At time.Time `json:"at"`
	// Opened is who opened the chat; empty for the beginning of the visit.
	Opened string `json:"opened,omitempty"`
}

// Change is something that was done with all of it: "erased", "exported", "restricted" or "released".
type Change struct {
	At     time.Time `json:"at"`
	By     string    `json:"by"`
	What   string    `json:"what"`
	Reason string    `json:"reason,omitempty"`
	// ProvableBy is when an erasure reaches every copy.
	ProvableBy *time.Time `json:"provableBy,omitempty"`
}

// Reading is that somebody of the staff saw it.
type Reading struct {
	At time.Time `json:"at"`
	By string    `json:"by"`
	// What was read: "transcript", "contact", "questions" or "person".
	What string `json:"what"`
}

// Fold adds up the events of a subject's stream.
func Fold(stream string, events []event.Recorded) Record {
	var r Record
	r.Kind, r.ID, _ = Named(stream)
	for _, e := range events {
		if r.CameAt.IsZero() {
			r.CameAt = e.OccurredAt
		}
		r.Erased = r.Erased || e.Erased
		at := e.OccurredAt
		r.applySaid(event.Nearest(e.Payload), at)
		r.applyDone(event.Nearest(e.Payload), at)
	}
	return r
}

// applySaid takes in what the visitor did.
func (r *Record) applySaid(p event.Payload, at time.Time) {
	switch p := p.(type) {
	case *event.ConversationStarted:
		r.Channel = p.Channel
	case *event.VisitorMessageSent:
		r.Texts = append(r.Texts, Text{At: at, FromVisitor: true, Text: p.Text.Text})
	case *event.AssistantReplied:
		r.Texts = append(r.Texts, Text{At: at, Text: p.Text.Text, Model: p.Model})
	case *event.ContactMessageReceived:
		r.Channel = p.Channel
		r.Contacts = append(r.Contacts, Contact{at, p.Name, p.Phone, p.Email})
		r.Texts = append(r.Texts, Text{At: at, FromVisitor: true, Text: p.Message})
		r.Consents = append(r.Consents, Consent{at, p.NoticeVersion, p.Channel})
	case *event.SubscriptionRequested:
		r.Contacts = append(r.Contacts, Contact{At: at, Email: p.Email})
	case *event.SubscriptionConfirmed:
		r.Consents = append(r.Consents, Consent{at, p.NoticeVersion, "letter"})
	case *event.ContactGiven:
		r.Contacts = append(r.Contacts, Contact{at, p.Name, p.Phone, p.Email})
	case *event.LeadCaptured:
		r.Contacts = append(r.Contacts, Contact{at, p.Name, p.Phone, p.Email})
	case *event.ConsentGiven:
		r.Consents = append(r.Consents, Consent{at, p.NoticeVersion, p.Channel})
	case *event.ReplyRated:
		r.Ratings = append(r.Ratings, Rating{at, p.Ordinal, p.Rating, p.Reason})
	case *event.VisitStarted:
		r.Visits = append(r.Visits, Visit{At: at})
	case *event.WidgetOpened:
		r.Visits = append(r.Visits, Visit{at, p.By})
	}
}

// applyDone takes in what became of it.
func (r *Record) applyDone(p event.Payload, at time.Time) {
	switch p := p.(type) {
	case *event.AppointmentBooked:
		r.change(p.Replaces, func(b *Booking) { b.MovedAt = &at })
		if r.change(p.BookingID, func(b *Booking) { b.CancelledAt = nil }) { // which stands again
			break
		}
		r.Bookings = append(r.Bookings, Booking{ID: p.BookingID, At: at, Slot: p.Slot, Specialty: p.Specialty, Source: p.Source, By: p.StaffID})
	case *event.AppointmentCancelled:
		r.change(p.BookingID, func(b *Booking) { b.CancelledAt = &at })
	case *event.AppointmentOutcomeRecorded:
		r.change(p.BookingID, func(b *Booking) { b.Outcome = p.Outcome })
	case *event.ContactNoteAdded:
		r.Notes = append(r.Notes, Note{at, p.StaffID, p.Note})
	case *event.ContactStatusChanged:
		r.Statuses = append(r.Statuses, Status{at, p.StaffID, p.Status})
	case *event.ConversationFlagged:
		r.Flags = append(r.Flags, Flag{at, p.Flag})
	case *event.SubjectErased:
		r.Erased = true
		r.Changes = append(r.Changes, Change{At: at, By: p.By, What: "erased", Reason: p.Reason, ProvableBy: &p.ProvableBy})
	case *event.SubjectExported:
		r.Changes = append(r.Changes, Change{At: at, By: p.By, What: "exported"})
	case *event.SubjectRestricted:
		r.Restricted = p.On
		what := "released"
		if p.On {
			what = "restricted"
		}
		r.Changes = append(r.Changes, Change{At: at, By: p.By, What: what, Reason: p.Reason})
	}
}

// change changes a booking, and reports whether there is one of that id.
func (r *Record) change(booking string, change func(*Booking)) bool {
	i := slices.IndexFunc(r.Bookings, func(b Booking) bool { return b.ID == booking })
	if i >= 0 {
		change(&r.Bookings[i])
	}
	return i >= 0
}

// Stream is the one of the record's events.
func (r Record) Stream() string { return Stream(r.Kind, r.ID) }

// Reach is how the person can be reached, as far as it was said last.
func (r Record) Reach() (c Contact) {
	for _, given := range r.Contacts {
		c.At = given.At
		for _, one := range []struct{ into, from *string }{{&c.Name, &given.Name}, {&c.Phone, &given.Phone}, {&c.Email, &given.Email}} {
			if *one.from != "" {
				*one.into = *one.from
			}
		}
	}
	return c
}

// Appointment is the one that stands after an instant; nil if there is none.
func (r Record) Appointment(after time.Time) *Booking {
	for i := range r.Bookings {
		if b := &r.Bookings[i]; b.Active() && b.Slot.After(after) {
			return b
		}
	}
	return nil
}
