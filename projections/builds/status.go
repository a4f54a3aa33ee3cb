package builds

import (
	"errors"
	"fmt"
	"time"

	"bitacora/projections"
)

// Status is how far a build is along the log, and what keeps it from going on.
type Status struct {
	Build
	// Started says that it follows the log or did so.
	Started bool
	// Position is up to where it has applied the log; WriteAhead bounds what may lie in its
	// tables already.
	Position, WriteAhead int64
	// CheckpointEpoch is the epoch of Position; empty before it follows.
	CheckpointEpoch string
	// BehindSeconds is the age of the last applied event while later ones wait.
	BehindSeconds float64
	MovedAt       time.Time
	// PausedAt is the position at which it is paused; 0 when it is not.
	PausedAt int64
	// LastError is why the latest attempt failed; empty when it did not.
	LastError string
	// Owner is the process that follows; empty when none does.
	Owner  string
	Parked int
	// Retried is the last retry of what was parked whose rows are stored.
	Retried  int64
	Replayed int64
	// Head is the end of the log. LogEpoch is the log's epoch now, that of Build is from when
	// the build was begun.
	Head        int64
	LogEpoch    string
	AdoptedFrom string
	// LogMoved says that the log lies in another cluster than it last was known to.
	LogMoved bool
}

// Lag is how many events it is behind.
func (s Status) Lag() int64 {
	if !s.Started {
		return s.Head - s.Replayed
	}
	return s.Head - s.Position
}

// Origin is what the rows of a build depend on: a build of another one is made anew. Erasures,
// restrictions and skipped events are not part of it; they reach every build while it is followed.
type Origin struct {
	// Epoch is of the log that the tables were made from.
	Epoch string
	// Version is of the projections.
	Version int
	// Zone is the IANA name of the zone whose days, hours and months the tables have.
	Zone string
}

// Coverage is how much of the log the tables of a build hold, as they say themselves.
type Coverage struct {
	// Applied is up to where they hold all of it, see [projections.Writer].
	Applied int64
	// Node is the one of a cluster that holds least; empty where there is none.
	Node string
	// Last is the last position of any row.
	Last int64
	// Positions are the ends of the runs that they hold, Events the ids of the events there.
	Positions []int64
	Events    []string
	// Retried is the latest retry of parked conversations whose rows they hold.
	Retried int64
}

// Waiting is a conversation that waits in a build because an event cannot be applied.
type Waiting struct {
	projections.Parked
	ParkedAt time.Time
	// DrainTo is not 0 while a retry is under way: up to where it applies what waited.
	DrainTo int64
}

// LeaseTime is how long the lease of a process that was killed keeps others from its build.
const LeaseTime = 5 * time.Second

var (
	// ErrBusy: another process does this work already.
	ErrBusy = errors.New("another process is at it")
	// ErrState: the build is in a state from which it cannot become what was asked for.
	ErrState = errors.New("the build is not in the right state")
	// ErrNotFollowed: a build that is to be paused was not followed by any process yet.
	ErrNotFollowed = errors.New("one of them was never followed")
	// ErrOutdated: this program would make the tables otherwise, see [Origin].
	ErrOutdated = errors.New("a rebuild is due")
	// ErrMismatch: the tables do not belong to the log as it is.
	ErrMismatch = errors.New("tables and log do not belong together")
	// ErrIncomplete is an [ErrMismatch] of tables that lack what was written to them, or cannot be read.
	ErrIncomplete = fmt.Errorf("%w: rows are lost", ErrMismatch)
)
