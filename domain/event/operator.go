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

// KeysStream is what became of the keys that wrap those of personal data.
const KeysStream = "operator/keys"

// KeysRotated says that a new key epoch began and that the key of the one before was destroyed:
// whatever copies of the log hold of those who had been erased, nobody can read it any more.
type KeysRotated struct {
	// KeyEpoch is the epoch that began.
	KeyEpoch int `json:"keyEpoch"`
	// Survivors is how many subjects had a key, Erased how many had been erased in the epoch before.
	Survivors int `json:"survivors"`
	Erased    int `json:"erased"`
}

// EventType implements [Payload].
func (*KeysRotated) EventType() string { return "KeysRotated" }
