package event

// RetentionApplied says that personal data were erased which had been kept for as long as the rules
// allow. What remains of them are events and numbers.
type RetentionApplied struct {
	// Rules are those that were applied, "conversations=24mo,leads=36mo".
	Rules string `json:"rules"`
	OperatorAct
	// Conversations are those without a lead, Leads those with one, ContactMessages those of the
	// contact form that were erased.
	Conversations   int `json:"conversations"`
	Leads           int `json:"leads"`
	ContactMessages int `json:"contactMessages"`
}

// EventType implements [Payload].
func (*RetentionApplied) EventType() string { return "RetentionApplied" }
