package event

import "time"

// Dialogue is where the arranging of an appointment stands after a reply. It holds nothing
// personal.
type Dialogue struct {
	// Asked is what the reply asked the visitor for: "offer", "consent", "name", "contact",
	// "specialty", "time", "slot", "confirm", "cancel".
	Asked string `json:"asked,omitempty"`
	// Notice is the version of the privacy notice that was shown.
	Notice string `json:"notice,omitempty"`
	// Specialty is the slug of the wanted service.
	Specialty string `json:"specialty,omitempty"`
	Wish      Wish   `json:"wish,omitzero"`
	// Offered are the times that stand for choice, or days, as midnights of the business zone,
	// as long as no time was asked for. Refused are times that were turned down.
	Offered []time.Time `json:"offered,omitempty"`
	Refused []time.Time `json:"refused,omitempty"`
	// Slot is the time that was chosen and waits for a last yes.
	Slot time.Time `json:"slot,omitzero"`
	// Replaces is the booking that is to be moved.
	Replaces string `json:"replaces,omitempty"`
	// Misses counts the messages in a row that did not answer what was asked.
	Misses int `json:"misses,omitempty"`
}

// Wish is when the visitor would like to come: the days First to Last, as midnights of the
// business zone, and the time of day in minutes after midnight, or that very minute.
type Wish struct {
	First    time.Time `json:"first,omitzero"`
	Last     time.Time `json:"last,omitzero"`
	Earliest int       `json:"earliest,omitempty"`
	Latest   int       `json:"latest,omitempty"`
	Exact    bool      `json:"exact,omitempty"`
}

// ContactGiven says that the visitor told, or corrected, a name, a phone or an e-mail
// address. Each field that is not empty replaces what was given before.
type ContactGiven struct {
	Conversation
	Name  string `json:"-"`
	Phone string `json:"-"`
	Email string `json:"-"`
	// HasName, HasPhone and HasEmail tell what was given without telling it.
	HasName  bool `json:"hasName"`
	HasPhone bool `json:"hasPhone"`
	HasEmail bool `json:"hasEmail"`
}

// PersonalFields implements [Personal].
func (g *ContactGiven) PersonalFields() []Field {
	return []Field{{"name", &g.Name}, {"phone", &g.Phone}, {"email", &g.Email}}
}

// BookingLinkShown says that a reply held the link to the external scheduling form. It is
// no appointment.
type BookingLinkShown struct {
	Conversation
	// ReplyTo is the MessageID whose reply held the link.
	ReplyTo string `json:"replyTo"`
}

// BookingLinkOpened says that the link was followed. It is no appointment.
type BookingLinkOpened struct {
	Conversation
}

// EventType implements [Payload].
func (*ContactGiven) EventType() string      { return "ContactGiven" }
func (*BookingLinkShown) EventType() string  { return "BookingLinkShown" }
func (*BookingLinkOpened) EventType() string { return "BookingLinkOpened" }
