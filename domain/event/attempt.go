package event

import "time"

// What came of an attempt to reach somebody.
const (
	// AttemptBegun: somebody attends the person; until DueAt nobody else does.
	AttemptBegun = "begun"
	// AttemptDone: the person was attended.
	AttemptDone = "done"
	// AttemptNoAnswer: nobody answered; the person waits again at DueAt.
	AttemptNoAnswer = "no-answer"
	// AttemptTomorrow: the call was put off; the person waits again at DueAt.
	AttemptTomorrow = "tomorrow"
)

// AttemptOutcomes are all of them.
var AttemptOutcomes = []string{AttemptBegun, AttemptDone, AttemptNoAnswer, AttemptTomorrow}

// ContactAttempted says what came of an attempt to reach whoever waits to be called. It stands for
// everything that the person waited for until then, on this stream and on others.
type ContactAttempted struct {
	Contact
	// Outcome is one of [AttemptOutcomes].
	Outcome string `json:"outcome"`
	// DueAt is until when the person is held or waits no more; zero where Outcome is [AttemptDone].
	DueAt   time.Time `json:"dueAt,omitzero"`
	StaffID string    `json:"staffId"`
}

// ContactAttemptUndone takes an attempt back: the person waits as before it.
type ContactAttemptUndone struct {
	Contact
	// AttemptID is the id of the attempt's event.
	AttemptID string `json:"attemptId"`
	StaffID   string `json:"staffId"`
}

// EventType implements [Payload].
func (*ContactAttempted) EventType() string     { return "ContactAttempted" }
func (*ContactAttemptUndone) EventType() string { return "ContactAttemptUndone" }
