package event

import "time"

// Conversation is carried by every event of a conversation, so that a projection can
// write its row from any one of them, in any order.
type Conversation struct {
	ConversationID string `json:"conversationId"`
	// ConversationStartedAt is the time of the first accepted visitor message.
	ConversationStartedAt time.Time `json:"conversationStartedAt"`
}

// Progress is the position of a message in its conversation.
type Progress struct {
	// Ordinal numbers the stored messages of both sides: 1, 2, 3 …
	Ordinal int `json:"ordinal"`
	// ActiveMillis is the active time of the conversation up to and including this
	// message: the sum of the gaps between messages, each counted up to 30 minutes.
	ActiveMillis int64 `json:"activeMillis"`
}

// Text is a message's personal part.
type Text struct {
	// Text is what was written.
	Text string `json:"-"`
	// Masked is the text with what is personal masked. Empty when masking changed nothing.
	Masked string `json:"-"`
}

// PersonalFields implements [Personal].
func (t *Text) PersonalFields() []Field {
	return []Field{{"text", &t.Text}, {"masked", &t.Masked}}
}

// WithoutContacts is the text as it may leave the log: with what is personal masked.
func (t *Text) WithoutContacts() Masked {
	if t.Masked != "" {
		return Masked(t.Masked)
	}
	return Masked(t.Text)
}

// Live says that what came by a channel happened here: it was neither imported nor made up
// for a demo.
func Live(channel string) bool { return channel != "import" && channel != "demo" }

// ConversationStarted opens a conversation. It is appended together with the first
// visitor message and counts against the monthly limit.
type ConversationStarted struct {
	Conversation
	// Channel is where the conversation came from: "web", "import", "demo".
	Channel string `json:"channel"`
	// Referrer is the kind of visit that led to it: "direct", "search", "social"; empty if unknown.
	Referrer string `json:"referrer,omitempty"`
	// VisitStartedAt is when the visit began in which it started; zero if none was counted.
	VisitStartedAt time.Time `json:"visitStartedAt,omitzero"`
	// ResumeHash is the SHA-256, in hex, of the token in the visitor's cookie.
	ResumeHash string `json:"resumeHash,omitempty"`
	// ImportHash identifies the content of an imported conversation, SHA-256 in hex.
	ImportHash string `json:"importHash,omitempty"`
}

// ConversationBound says that a browser showed the cookie which it got when the conversation
// began, or before: from then on nobody goes on with it who does not show it.
type ConversationBound struct {
	Conversation
}

// EventType implements [Payload].
func (*ConversationBound) EventType() string { return "ConversationBound" }

// VisitorMessageSent is a message of the visitor that was accepted.
type VisitorMessageSent struct {
	Conversation
	Progress
	Text
	// MessageID names the message: the client's own id, or one drawn by the server.
	MessageID string `json:"messageId"`
	// Intent is the label an imported message carried.
	Intent string `json:"intent,omitempty"`
}

// AssistantReplied is a complete reply of the assistant.
type AssistantReplied struct {
	Conversation
	Progress
	Text
	Understood
	Chosen
	// ReplyTo is the MessageID that is answered; empty for an imported message that
	// answers none.
	ReplyTo  string `json:"replyTo,omitempty"`
	Provider string `json:"provider,omitempty"`
	Model    string `json:"model,omitempty"`
	// LatencyMillis is the time the assistant took, in milliseconds.
	LatencyMillis int64  `json:"latencyMillis,omitempty"`
	TokensIn      int    `json:"tokensIn,omitempty"`
	TokensOut     int    `json:"tokensOut,omitempty"`
	Topic         string `json:"topic,omitempty"`
	// Answered is false when the assistant had no answer in the clinic's content.
	Answered bool `json:"answered"`
	// Sources names the pieces of the clinic's content the reply is based on.
	Sources []string `json:"sources,omitempty"`
	// Dialogue is set while an appointment is being arranged.
	Dialogue *Dialogue `json:"dialogue,omitempty"`
}

// AssistantFailed says that a visitor message got no reply.
type AssistantFailed struct {
	Conversation
	ReplyTo       string `json:"replyTo"`
	Provider      string `json:"provider,omitempty"`
	Model         string `json:"model,omitempty"`
	LatencyMillis int64  `json:"latencyMillis,omitempty"`
	// Reason is a short code without personal data: "timeout", "unavailable", "empty" …
	Reason string `json:"reason"`
}

// ChatRefused says that a new conversation was refused because the month's limit was
// reached. It belongs to no conversation; one is kept per session and month.
type ChatRefused struct {
	// Month is the business-zone month, "2006-01".
	Month string `json:"month"`
	// Limit is the number of conversations that was allowed.
	Limit int `json:"limit"`
}

// ConsentGiven records that the visitor agreed to leave contact details.
type ConsentGiven struct {
	Conversation
	// NoticeVersion is the version of the notice that was shown.
	NoticeVersion string `json:"noticeVersion"`
	Channel       string `json:"channel"`
}

// LeadCaptured says that a reachable contact was given, with consent. At most one per
// conversation counts.
type LeadCaptured struct {
	Conversation
	Name  string `json:"-"`
	Phone string `json:"-"`
	Email string `json:"-"`
	// HasPhone and HasEmail tell projections what was given without telling it.
	HasPhone bool `json:"hasPhone"`
	HasEmail bool `json:"hasEmail"`
}

// PersonalFields implements [Personal].
func (l *LeadCaptured) PersonalFields() []Field {
	return []Field{{"name", &l.Name}, {"phone", &l.Phone}, {"email", &l.Email}}
}

// Booked tells who a booking is for.
type Booked struct {
	// Kind is [KindMessage] for who wrote by the contact form: [Conversation] then names that message, and when it was
	// received. Otherwise it is "lead", or empty.
	Kind string `json:"kind,omitempty"`
}

// KindMessage is the kind of a contact who wrote by the contact form.
const KindMessage = "message"

// OfForm reports whether the booking is for who wrote by the contact form.
func (b Booked) OfForm() bool { return b.Kind == KindMessage }

// AppointmentBooked is a confirmed booking.
type AppointmentBooked struct {
	Conversation
	Booked
	BookingID string `json:"bookingId"`
	// Source is who confirmed it: "chat", "form" or "staff".
	Source string `json:"source"`
	// Slot is when the appointment begins.
	Slot      time.Time `json:"slot"`
	Specialty string    `json:"specialty,omitempty"`
	// Offered reports that Specialty is the slug of a service that the clinic offers, as always in the chat.
	// Anything else may be words of a person.
	Offered bool `json:"offered,omitempty"`
	// Replaces is the booking that this one moves to another time; it is not cancelled.
	Replaces string `json:"replaces,omitempty"`
	// StaffID is who marked it, where Source is "staff".
	StaffID string `json:"staffId,omitempty"`
}

// AppointmentCancelled takes a booking back. The conversation stays counted as one
// that led to an appointment.
type AppointmentCancelled struct {
	Conversation
	Booked
	BookingID string `json:"bookingId"`
	Source    string `json:"source"`
	// StaffID is who took it back, where Source is "staff".
	StaffID string `json:"staffId,omitempty"`
}
