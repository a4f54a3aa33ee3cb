package event

// What a visitor thinks of a reply.
const (
	RatedPositive = "positive"
	RatedNegative = "negative"
	// RatedNone takes a rating back.
	RatedNone = "none"
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
}

// EventType implements [Payload].
func (*ReplyRated) EventType() string { return "ReplyRated" }
