package event

// LabelSkipped is the kind of the only label that is given today.
const LabelSkipped = "skipped"

// Label is the staff's judgement of a message. Logs of earlier versions hold the kinds "intent", "answer" and
// "off-topic" too, whose name is an intent or the slug of an answer.
type Label struct {
	Kind string `json:"kind"`
	Name string `json:"label,omitempty"`
}

// QuestionLabelled dismisses a visitor's message: nothing is left to be done about its answer. It
// names the message and holds nothing of its text.
type QuestionLabelled struct {
	Conversation
	// Ordinal is that of the message, MessageID its id.
	Ordinal   int    `json:"ordinal"`
	MessageID string `json:"messageId"`
	Label
	StaffID string `json:"staffId"`
}

// EventType implements [Payload].
func (*QuestionLabelled) EventType() string { return "QuestionLabelled" }
