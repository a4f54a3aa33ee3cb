package event

// OperatorStream is what operators, or the program by itself, did to the log and its tables.
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

// ByProgram stands for an account where the program did something by itself.
const ByProgram = "program"

// OperatorAct is what events about the log and its tables have in common.
type OperatorAct struct {
	// By is [ByOperator] or [ByProgram].
	By string `json:"by"`
}

// Actor implements [ByActor].
func (a OperatorAct) Actor() string { return a.By }

// TablesRebuilt records that readers see tables that were made anew from the log.
type TablesRebuilt struct {
	OperatorAct
	// Build is live from then on, in the place of Former.
	Build  string `json:"build"`
	Former string `json:"former"`
	// Through is the position of the log that the build had reached.
	Through int64 `json:"through"`
}

// BuildSwitched records that readers see an earlier build again.
type BuildSwitched struct {
	OperatorAct
	From string `json:"from"`
	To   string `json:"to"`
}

// ParkedRetried records that what could not be applied to the tables was tried again.
type ParkedRetried struct {
	OperatorAct
	// Applied is how many streams were, in all builds, and Waiting how many wait on.
	Applied int `json:"applied"`
	Waiting int `json:"waiting"`
}

// EpochAdopted records that a log which was restored or copied got a name of its own.
type EpochAdopted struct {
	OperatorAct
	Epoch string `json:"epoch"`
}

// LogExported records that somebody took the log away with its personal data. It is recorded
// before the export begins.
type LogExported struct {
	OperatorAct
}

// EventType implements [Payload].
func (*TablesRebuilt) EventType() string { return "TablesRebuilt" }

// EventType implements [Payload].
func (*BuildSwitched) EventType() string { return "BuildSwitched" }

// EventType implements [Payload].
func (*ParkedRetried) EventType() string { return "ParkedRetried" }

// EventType implements [Payload].
func (*EpochAdopted) EventType() string { return "EpochAdopted" }

// EventType implements [Payload].
func (*LogExported) EventType() string { return "LogExported" }

// EventType implements [Payload].
func (*EventSkipped) EventType() string { return "EventSkipped" }

// KeysRotated says that a new key epoch began and that the key of the one before was destroyed:
// whatever copies of the log hold of those who had been erased, nobody can read it any more.
type KeysRotated struct {
	// KeyEpoch is the epoch that began.
	KeyEpoch int `json:"keyEpoch"`
	// Survivors is how many subjects had a key, Erased how many had been erased in the epoch before.
	Survivors int `json:"survivors"`
	Erased    int `json:"erased"`
}

// Actor implements [ByActor]: whoever asked for it, the program did it.
func (*KeysRotated) Actor() string { return ByProgram }

// EventType implements [Payload].
func (*KeysRotated) EventType() string { return "KeysRotated" }
