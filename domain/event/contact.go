package event

import "time"

// ContactMessageReceived says that a visitor wrote to the clinic with the contact form, and
// agreed to the notice beside it. Each is a stream, and so a subject, of its own.
type ContactMessageReceived struct {
	ContactID string `json:"contactId"`
	// Channel is how the form was sent: "web", "form" without JavaScript, or "demo".
	Channel string `json:"channel"`
	// NoticeVersion is the version of the notice that stood beside the form.
	NoticeVersion string `json:"noticeVersion"`
	Name          string `json:"-"`
	Email         string `json:"-"`
	Phone         string `json:"-"`
	Message       string `json:"-"`
	// HasPhone tells what was given without telling it.
	HasPhone bool `json:"hasPhone"`
}

// PersonalFields implements [Personal].
func (c *ContactMessageReceived) PersonalFields() []Field {
	return []Field{{"name", &c.Name}, {"email", &c.Email}, {"phone", &c.Phone}, {"message", &c.Message}}
}

// ContactStream is the stream of a contact message.
func ContactStream(contactID string) string { return "contact/" + contactID }

// ContactMessagesOpened records who read which contacts: messages of the contact form, and
// since version 2 also what visitors left in conversations.
type ContactMessagesOpened struct {
	StaffID    string   `json:"staffId"`
	ContactIDs []string `json:"contactIds,omitempty"`
	// ConversationIDs are those of the leads.
	ConversationIDs []string `json:"conversationIds,omitempty"`
}

// Contact is carried by every event about what the staff makes of somebody who can be
// reached, so that a projection can write its row from any one of them, in any order. The
// event stands on the stream of the conversation or of the contact message.
type Contact struct {
	// Kind is "lead" or "message".
	Kind string `json:"kind"`
	// ContactID is the id of the lead's conversation, or that of the message.
	ContactID string `json:"contactId"`
	// ContactAt is when the lead's conversation started, or the message was received.
	ContactAt time.Time `json:"contactAt"`
}

// ContactStatusChanged says how far the staff has come with a contact.
type ContactStatusChanged struct {
	Contact
	// Status is "new", "contacted", "scheduled" or "discarded".
	Status  string `json:"status"`
	StaffID string `json:"staffId"`
}

// ContactNoteAdded is something the staff wrote down about a contact.
type ContactNoteAdded struct {
	Contact
	Note    string `json:"-"`
	StaffID string `json:"staffId"`
}

// PersonalFields implements [Personal].
func (n *ContactNoteAdded) PersonalFields() []Field { return []Field{{"note", &n.Note}} }

// EventType implements [Payload].
func (*ContactMessageReceived) EventType() string { return "ContactMessageReceived" }
func (*ContactMessagesOpened) EventType() string  { return "ContactMessagesOpened" }
func (*ContactStatusChanged) EventType() string   { return "ContactStatusChanged" }
func (*ContactNoteAdded) EventType() string       { return "ContactNoteAdded" }
