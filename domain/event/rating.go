package event

// What a visitor thinks of a reply.
const (
	RatedPositive = "positive"
	RatedNegative = "negative"
	// RatedNone takes a rating back.
	RatedNone = "none"
)

// What a visitor finds wrong with a reply.
const (
	ReasonUnrelated  = "unrelated"
	ReasonIncomplete = "incomplete"
	ReasonIncorrect  = "incorrect"
)

// ReplyRated says what the visitor thinks of a reply; the latest word on it counts.
type ReplyRated struct {
	Conversation
	// Ordinal is that of the reply, ReplyTo the MessageID that it answers.
	Ordinal int    `json:"ordinal"`
	ReplyTo string `json:"replyTo"`
	// Topic is the reply's; empty if unknown.
	Topic string `json:"topic,omitempty"`
	// Rating is [RatedPositive], [RatedNegative] or [RatedNone].
	Rating string `json:"rating"`
	// Reason is [ReasonUnrelated], [ReasonIncomplete] or [ReasonIncorrect]; empty where none was given, and with
	// any rating but a negative one.
	Reason string `json:"reason,omitempty"`
}

// EventType implements [Payload].
func (*ReplyRated) EventType() string { return "ReplyRated" }
