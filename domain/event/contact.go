package event

// ContactMessageReceived says that a visitor wrote to the clinic with the contact form, and
// agreed to the notice beside it. Each is a stream, and so a subject, of its own.
type ContactMessageReceived struct {
	ContactID string `json:"contactId"`
	// Channel is how the form was sent: "web", or "form" without JavaScript.
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

// EventType implements [Payload].
func (*ContactMessageReceived) EventType() string { return "ContactMessageReceived" }

// ContactMessagesOpened records who read which contact messages.
type ContactMessagesOpened struct {
	StaffID    string   `json:"staffId"`
	ContactIDs []string `json:"contactIds"`
}

// EventType implements [Payload].
func (*ContactMessagesOpened) EventType() string { return "ContactMessagesOpened" }
