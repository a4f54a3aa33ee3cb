// Package subjects is what the clinic keeps of persons, and what they may ask for: that it is
// found, handed over, restricted and erased. A person has as many subjects as they had
// conversations and sent messages; each is a stream, whose personal data are sealed under a key
// of its own.
package subjects

import (
	"context"
	"time"

	"bitacora/domain/event"
	"bitacora/domain/fault"
	"bitacora/domain/privacy"
)

// Log is the part of the event log that persons' data need.
type Log interface {
	// ReadStreams gives the events of some streams, each in order; with types only those.
	ReadStreams(ctx context.Context, streams []string, types ...string) ([]event.Recorded, error)
	// ReadingsOf gives the events by which the staff read some conversations and contact messages.
	ReadingsOf(ctx context.Context, ids []string) ([]event.Recorded, error)
	// StaffTexts gives every event that holds a text of the staff about no contact.
	StaffTexts(ctx context.Context) ([]event.Recorded, error)
	// Append stores all drafts or none.
	Append(ctx context.Context, a event.Append) ([]event.Recorded, error)
	// DestroyKey destroys the key of a stream's personal data, with what finds it. Repeating it
	// changes nothing.
	DestroyKey(ctx context.Context, stream string) error
}

// Tasks keeps what was begun with subjects and is not done everywhere yet. Any process goes on
// with it.
type Tasks interface {
	// BeginTasks keeps tasks, in place of earlier ones of the same subjects but for erasures, which stay.
	BeginTasks(ctx context.Context, tasks []Task) error
	// TasksOf lists what was begun with subjects and is not done everywhere, the oldest first.
	TasksOf(ctx context.Context, subjects []string) ([]Task, error)
	// PendingTasks lists those that were begun before an instant, the oldest first.
	PendingTasks(ctx context.Context, before time.Time) ([]Task, error)
	// MarkTask notes at which position the log tells of a task.
	MarkTask(ctx context.Context, t Task) error
	// EndTask forgets a task that is done, unless it is another one by now.
	EndTask(ctx context.Context, t Task) error
}

// Task is what is to be done with a subject.
type Task struct {
	// Subject is its stream.
	Subject string
	Action  Action
	// By and Reason are those of its event.
	By, Reason string
	// CancelBookings says that an appointment to come is cancelled before an erasure.
	CancelBookings bool
	BegunAt        time.Time
	// Position is that of its event; 0 as long as there is none.
	Position int64
}

// Action is what a task does.
type Action string

// The actions.
const (
	Erasing     Action = "erase"
	Restricting Action = "restrict"
	Releasing   Action = "release"
)

// Tables are what is derived from the log.
type Tables interface {
	// Withdraw takes the texts of subjects out of every place that has any. It names the places
	// that are done with, and those into which more may come because they do not know yet what
	// the log tells at a position. Gone says that the log gives nobody the texts any more.
	Withdraw(ctx context.Context, subjects []string, position int64, gone bool) (done, waiting []string, err error)
	// Return puts the texts of subjects back that are not withdrawn any more.
	Return(ctx context.Context, subjects []string) error
}

// Letters are those to the staff that are still within reach.
type Letters interface {
	// Forget removes the letters about conversations and contact messages, and counts them.
	Forget(ctx context.Context, ids []string) (removed int, err error)
}

// Bookings takes appointments back.
type Bookings interface {
	CancelBooking(ctx context.Context, conversationID, bookingID, source, staffID string) error
}

// Answers takes answers out of the clinic's content.
type Answers interface {
	// WithdrawAnswer takes an answer out if the content holds the version that was taught, and says whether it did.
	WithdrawAnswer(ctx context.Context, by, slug string, version int) (withdrawn bool, err error)
}

// Register finds what is kept of persons, hands it over, restricts and erases it.
type Register struct {
	Log      Log
	Index    Index
	Tasks    Tasks
	Tables   Tables
	Letters  Letters
	Bookings Bookings
	Answers  Answers
	// Public gives the identifiers of the clinic and of its people, which lead from nobody to anybody.
	Public func(ctx context.Context) ([]privacy.Identifier, error)
	// Names gives what accounts are called; an account without one is named by its id.
	Names func(ctx context.Context) (map[string]string, error)
	Now   func() time.Time
	// Sleep waits; false: ctx ended.
	Sleep func(ctx context.Context, d time.Duration) bool
}

// ErrNobody: nothing is kept of whoever was asked for.
var ErrNobody = fault.New(fault.NotFound, "nothing is kept of this person")

// now is in whole milliseconds of UTC, as the log keeps times.
func (r *Register) now() time.Time { return r.Now().UTC().Truncate(time.Millisecond) }
