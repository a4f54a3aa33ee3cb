package projections

import (
	"maps"
	"slices"
	"time"
)

// State is how far a build has come.
type State string

// The states of a build, in the order of a successful rebuild.
const (
	// Replaying: ranges of the log are read into it.
	Replaying State = "replaying"
	// Following: it follows the log and nobody reads from it.
	Following State = "following"
	// Verified: it was compared and may take over.
	Verified State = "verified"
	// IsLive: it is what readers see.
	IsLive State = "live"
	// Kept: it was live, and follows on for a rollback.
	Kept State = "kept"
	// Dropped: its tables are gone. Names are never used again.
	Dropped State = "dropped"
)

// moves declares every way from one state to another.
var moves = map[State][]State{
	Replaying: {Following, Dropped},
	Following: {Verified, Dropped},
	Verified:  {IsLive, Following, Dropped},
	IsLive:    {Kept},
	Kept:      {IsLive, Dropped},
}

// Before lists the states from which a build may become another, sorted.
func Before(to State) []State {
	var from []State
	for _, s := range slices.Sorted(maps.Keys(moves)) {
		if slices.Contains(moves[s], to) {
			from = append(from, s)
		}
	}
	return from
}

// Followed says whether a build in this state is kept up with the log.
func (s State) Followed() bool {
	return s == Following || s == Verified || s == IsLive || s == Kept
}

// Build is one complete set of tables, a database of its own in ClickHouse.
type Build struct {
	// Name is "b" and a number; the greater number was begun later.
	Name  string
	State State
	// Version is that of the projections which write into it, see [Version].
	Version int
	// Epoch names the log it was begun from.
	Epoch string
	// Target is the last position that is replayed; later ones are followed.
	Target    int64
	CreatedAt time.Time
	// ChangedAt is when it came into its state.
	ChangedAt time.Time
}

// Range is a run of positions, both ends included.
type Range struct{ First, Last int64 }

// Events is how many positions the range holds.
func (r Range) Events() int64 { return r.Last - r.First + 1 }
