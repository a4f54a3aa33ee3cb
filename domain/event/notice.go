package event

// NoticeSent says that a letter was sent to the staff which is sent once.
type NoticeSent struct {
	// Notice is what it is about: "limit-80", "limit-100", "address-limit",
	// "codes" or "summary".
	Notice string `json:"notice"`
	// Of names what it is about more closely: a month, "2006-01", a day or the Monday of a
	// week, "2006-01-02", of the business zone; for "codes" the event that it reports.
	Of string `json:"of"`
}

// EventType implements [Payload].
func (*NoticeSent) EventType() string { return "NoticeSent" }
