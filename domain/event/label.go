package event

// What the staff says of a visitor's message.
const (
	// LabelIntent: it has this intent.
	LabelIntent = "intent"
	// LabelAnswer: this one of the clinic's answers answers it.
	LabelAnswer = "answer"
	// LabelOffTopic: it is nothing that the clinic has to say something about.
	LabelOffTopic = "off-topic"
	// LabelSkipped: nothing is to be learned from it.
	LabelSkipped = "skipped"
)

// LabelKinds are all of them.
var LabelKinds = []string{LabelIntent, LabelAnswer, LabelOffTopic, LabelSkipped}

// Label is what a message means; the zero value stands for none.
type Label struct {
	// Kind is one of [LabelKinds], Name the intent or the answer's slug; empty for other kinds.
	Kind string `json:"kind"`
	Name string `json:"label,omitempty"`
}

// QuestionLabelled says what a visitor's message means, in the judgement of the staff; the latest
// word on it counts. It names the message and holds nothing of its text.
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
