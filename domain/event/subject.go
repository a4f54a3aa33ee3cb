package event

import "time"

// Why somebody's data were erased, or their use restricted. A reason is one of these words, so
// that none tells of anybody.
const (
	// ReasonRequest: the person asked for it.
	ReasonRequest = "request"
	// ReasonRetention: the time is over for which the data may be kept.
	ReasonRetention = "retention"
	// ReasonOther: the clinic has another reason.
	ReasonOther = "other"
)

// SubjectReasons are all of them.
var SubjectReasons = []string{ReasonRequest, ReasonRetention, ReasonOther}

// ByVisitor stands for an account where the person did it alone.
const ByVisitor = "visitor"

// SubjectErased says that the personal data of the stream it stands on are gone for good: the
// key that sealed them was destroyed. What it tells stays readable.
type SubjectErased struct {
	// By is an account, [ByOperator] or [ByVisitor].
	By string `json:"by"`
	// Reason is one of [SubjectReasons].
	Reason string `json:"reason"`
	// ProvableBy is when no copy of the destroyed key can be opened any more by anybody.
	ProvableBy time.Time `json:"provableBy"`
}

// SubjectExported says that somebody took away everything that is kept of the stream's person.
type SubjectExported struct {
	// By is an account or [ByOperator].
	By string `json:"by"`
	// Format is "json" or "html".
	Format string `json:"format"`
}

// SubjectRestricted says that the data of the stream are kept and not used, or used again. The
// latest one holds.
type SubjectRestricted struct {
	// By is an account or [ByOperator].
	By string `json:"by"`
	// On says that their use is restricted from then on; false, that it is not any more.
	On bool `json:"on"`
	// Reason is one of [SubjectReasons].
	Reason string `json:"reason"`
}

// SubjectChanges are the types of the events that say what was done with somebody's data as a whole.
var SubjectChanges = []string{"SubjectErased", "SubjectExported", "SubjectRestricted"}

// Actor implements [ByActor].
func (e *SubjectErased) Actor() string     { return e.By }
func (e *SubjectExported) Actor() string   { return e.By }
func (r *SubjectRestricted) Actor() string { return r.By }

// EventType implements [Payload].
func (*SubjectErased) EventType() string     { return "SubjectErased" }
func (*SubjectExported) EventType() string   { return "SubjectExported" }
func (*SubjectRestricted) EventType() string { return "SubjectRestricted" }
