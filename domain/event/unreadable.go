package event

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// ErrUnknown: this program does not know the type or the version of an event, as when an update
// was taken back.
var ErrUnknown = errors.New("not known to this program")

// Unreadable stands in for the payload of an event that this program cannot read: its type
// or version is not known here, or its data is damaged. It is never written.
type Unreadable struct {
	Type    string
	Version int
	Reason  error
	// Data is the clear part as it is stored.
	Data string
	// Nearest is what can be read of it all the same, of a later version as the latest one that
	// is known here; nil where nothing can. A decision that cannot wait goes by it, a number
	// never does.
	Nearest Payload
}

// EventType implements [Payload].
func (u *Unreadable) EventType() string { return u.Type }

// MarshalJSON gives the clear part as it is stored; null where that is no JSON.
func (u *Unreadable) MarshalJSON() ([]byte, error) {
	if !json.Valid([]byte(u.Data)) {
		return []byte("null"), nil
	}
	return []byte(u.Data), nil
}

// Nearest is a payload as decisions take it: of one that cannot be read what can be read of it
// all the same, nil where nothing can.
func Nearest(p Payload) Payload {
	if u, unreadable := p.(*Unreadable); unreadable {
		return u.Nearest
	}
	return p
}

// Census counts events that cannot be read by type and version. The zero value has counted none.
type Census struct {
	// Skipped are the positions of events that operators decided to pass over: these are not counted.
	Skipped map[int64]bool
	kinds   map[[2]any]*UnreadableKind
}

// UnreadableKind are the events of a type and version that cannot be read.
type UnreadableKind struct {
	Type    string `json:"type"`
	Version int    `json:"version"`
	Events  int    `json:"events"`
	// First is the position of the first such event, Reason why that one cannot be read.
	First  int64  `json:"first"`
	Reason string `json:"reason"`
}

func (u UnreadableKind) String() string {
	return fmt.Sprintf("%s version %d: %d events, the first at position %d: %s", u.Type, u.Version, u.Events, u.First, u.Reason)
}

// Add takes an event into account, which counts if it cannot be read.
func (c *Census) Add(e Recorded) {
	u, unreadable := e.Payload.(*Unreadable)
	if !unreadable || c.Skipped[e.Position] {
		return
	}
	if c.kinds == nil {
		c.kinds = map[[2]any]*UnreadableKind{}
	}
	key := [2]any{u.Type, u.Version}
	if c.kinds[key] == nil {
		c.kinds[key] = &UnreadableKind{Type: u.Type, Version: u.Version, First: e.Position, Reason: u.Reason.Error()}
	}
	c.kinds[key].Events++
}

// Kinds lists what was counted, by type and version.
func (c *Census) Kinds() []UnreadableKind {
	list := make([]UnreadableKind, 0, len(c.kinds))
	for _, u := range c.kinds {
		list = append(list, *u)
	}
	slices.SortFunc(list, func(a, b UnreadableKind) int { return cmp.Or(cmp.Compare(a.Type, b.Type), a.Version-b.Version) })
	return list
}
