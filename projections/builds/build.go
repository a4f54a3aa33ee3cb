// Package builds operates the builds of the tables: it follows the log into them, makes new ones,
// compares them, switches readers from one to another, and looks after conversations that cannot
// be applied. Each type names in its fields what it uses; adapters bring the log and the tables.
package builds

import (
	"maps"
	"slices"
	"strconv"
	"strings"
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
	// Live: it is what readers see.
	Live State = "live"
	// Kept: it was live, and follows on for a rollback.
	Kept State = "kept"
	// Dropped: its tables are gone. Names are never used again.
	Dropped State = "dropped"
)

// moves declares every way from one state to another.
var moves = map[State][]State{
	Replaying: {Following, Dropped},
	Following: {Verified, Dropped},
	Verified:  {Live, Following, Dropped},
	Live:      {Kept},
	Kept:      {Live, Dropped},
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
	return s == Following || s == Verified || s == Live || s == Kept
}

// Build is one complete set of tables, a database of its own in ClickHouse.
type Build struct {
	// Name is "b" and a number; the greater number was begun later.
	Name  string
	State State
	// Version is that of the projections which write into it, see [projections.Version].
	Version int
	// Epoch names the log it was begun from.
	Epoch string
	// Target is the last position that is replayed; later ones are followed.
	Target    int64
	CreatedAt time.Time
	// ChangedAt is when it came into its state.
	ChangedAt time.Time
}

// NextName is the name for another build: "b" and a number greater than that of every build in
// the list and of every other name that is taken.
func NextName(list []Build, taken []string) string {
	names := slices.Clone(taken)
	for _, b := range list {
		names = append(names, b.Name)
	}
	greatest := 0
	for _, name := range names {
		if n, err := strconv.Atoi(strings.TrimPrefix(name, "b")); err == nil {
			greatest = max(greatest, n)
		}
	}
	return "b" + strconv.Itoa(greatest+1)
}
