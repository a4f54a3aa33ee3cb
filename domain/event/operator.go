package event

import "strconv"

// OperatorPrefix begins the streams of what operators, or the program by itself, did to the log and its
// tables.
const OperatorPrefix = "operator/"

// OperatorStream is that of everything but skipped events.
const OperatorStream = OperatorPrefix + "decisions"

// SkippedPrefix begins the streams of skipped events, each with a key of its own. Version 1 of
// [EventSkipped] stands in [OperatorStream], in the clear.
const SkippedPrefix = OperatorPrefix + "skipped/"

// SkippedStream is the stream of the decision to pass over the event at a position.
func SkippedStream(position int64) string { return SkippedPrefix + strconv.FormatInt(position, 10) }

// EventSkipped says that an event which cannot be applied is to be passed over by every
// projection, so that its conversation goes on without it.
type EventSkipped struct {
	// Position is the event that is passed over.
	Position int64 `json:"position"`
	// Stream is the stream it belongs to.
	Stream string `json:"stream"`
	// Reason is why, in the operator's words.
	Reason string `json:"-"`
}

// PersonalFields implements [Personal].
func (s *EventSkipped) PersonalFields() []Field { return []Field{{"reason", &s.Reason}} }

// UnmarshalJSON reads version 1 as well, in which the reason is not sealed.
func (s *EventSkipped) UnmarshalJSON(data []byte) error {
	type clear EventSkipped
	return withClearReason(data, (*clear)(s), &s.Reason)
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
func (*TablesRebuilt) EventType() string { return "TablesRebuilt" }
func (*BuildSwitched) EventType() string { return "BuildSwitched" }
func (*ParkedRetried) EventType() string { return "ParkedRetried" }
func (*EpochAdopted) EventType() string  { return "EpochAdopted" }
func (*LogExported) EventType() string   { return "LogExported" }
func (*EventSkipped) EventType() string  { return "EventSkipped" }
func (*KeysRotated) EventType() string   { return "KeysRotated" }
