package event

// OperatorStream is what operators decided about the log itself.
const OperatorStream = "operator/decisions"

// EventSkipped says that an event which cannot be applied is to be passed over by every
// projection, so that its conversation goes on without it.
type EventSkipped struct {
	// Position is the event that is passed over.
	Position int64 `json:"position"`
	// Stream is the stream it belongs to.
	Stream string `json:"stream"`
	// Reason is why, in the operator's words, without personal data.
	Reason string `json:"reason"`
}

// EventType implements [Payload].
func (*EventSkipped) EventType() string { return "EventSkipped" }
