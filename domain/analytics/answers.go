package analytics

import "time"

// Taught is an answer since it was taught.
type Taught struct {
	Slug string
	At   time.Time
}

// EffectSpan is how long before and after an answer was taught is compared.
const EffectSpan = 30 * 24 * time.Hour

// Effect is what became of a taught answer.
type Effect struct {
	Slug string
	// Uses are the replies that came from it.
	Uses int
	// Before and After are about all replies of the [EffectSpan] on each side.
	Before, After Answering
}

// Answering is how many replies there were, and how many of them knew no answer.
type Answering struct{ Replies, Unanswered int }

// Rate is the percent that knew no answer; nil without any reply.
func (a Answering) Rate() *float64 { return Percent(a.Unanswered, a.Replies) }
