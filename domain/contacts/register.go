package contacts

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"bitacora/domain/chat"
	"bitacora/domain/event"
	"bitacora/domain/fault"
)

// Log is the part of the event log that contacts need.
type Log interface {
	// ReadStreams gives the events of some streams, each in order; with types only those.
	ReadStreams(ctx context.Context, streams []string, types ...string) ([]event.Recorded, error)
	// RequestStreams names the streams with an open request about personal data, with done also those
	// whose requests are all done; at most limit, the latest ones.
	RequestStreams(ctx context.Context, done bool, limit int) ([]string, error)
	// BookedStreams names the streams with a booking for a time in a period, and perhaps some of the days beside it.
	BookedStreams(ctx context.Context, from, to time.Time) ([]string, error)
	// Append stores all drafts or none.
	Append(ctx context.Context, a event.Append) ([]event.Recorded, error)
}

// ErrNoContact: no such contact was left.
var ErrNoContact = fault.New(fault.NotFound, "contact does not exist")

// Bounds of what staff may send, in runes.
const (
	MaxNote = 2000
	maxID   = 200
)

// Register is where the staff keeps book of contacts. What it takes down only adds to a
// stream and asks nothing of its version, so it never has to be decided anew; a conversation
// that goes on meanwhile decides its next message once more.
type Register struct {
	Log Log
	Now func() time.Time
}

// Change is by whom a change is made, and the id that the client drew for it: the same one is
// taken down once.
type Change struct{ ID, StaffID string }

// Read gives contacts in the order in which they are named, leaving out those that do not
// exist. With types it knows only what events of these tell.
func (r *Register) Read(ctx context.Context, refs []Ref, types ...string) ([]Contact, error) {
	if len(refs) == 0 {
		return nil, nil
	}
	streams := make([]string, len(refs))
	for i, ref := range refs {
		streams[i] = ref.Stream()
	}
	events, err := r.Log.ReadStreams(ctx, streams, types...)
	if err != nil {
		return nil, fmt.Errorf("read contacts: %w", err)
	}
	byStream := map[string][]event.Recorded{}
	for _, e := range events {
		byStream[e.Stream] = append(byStream[e.Stream], e)
	}
	var found []Contact
	for i, ref := range refs {
		if c := Fold(ref, byStream[streams[i]]); c.Reachable {
			found = append(found, c)
		}
	}
	return found, nil
}

// SetStatus takes down how far the staff has come, unless that is what holds already.
func (r *Register) SetStatus(ctx context.Context, ref Ref, status string, by Change) (Contact, error) {
	if !slices.Contains(Statuses, status) {
		return Contact{}, chat.Invalid("El estado no es válido.")
	}
	same := func(p event.Payload) bool { return p.(*event.ContactStatusChanged).Status == status }
	return r.add(ctx, ref, "status", by, same, func(c *Contact) event.Payload {
		if c.Status == status {
			return nil
		}
		return &event.ContactStatusChanged{Contact: c.carried(), Status: status, StaffID: by.StaffID}
	})
}

// AddNote takes a note down.
func (r *Register) AddNote(ctx context.Context, ref Ref, text string, by Change) (Contact, error) {
	text = chat.CleanText(text)
	switch n := utf8.RuneCountInString(text); {
	case n == 0:
		return Contact{}, chat.Invalid("La nota está vacía.")
	case n > MaxNote:
		return Contact{}, chat.Invalid("La nota es demasiado larga: el máximo es de 2.000 caracteres.")
	}
	same := func(p event.Payload) bool { return p.(*event.ContactNoteAdded).Note == text }
	return r.add(ctx, ref, "note", by, same, func(c *Contact) event.Payload {
		return &event.ContactNoteAdded{Contact: c.carried(), Note: text, StaffID: by.StaffID}
	})
}

// NoteID is the id of the note that a change added.
func NoteID(ref Ref, change string) string { return changeID(ref, "note", change) }

func changeID(ref Ref, what, change string) string {
	return event.DerivedID("contact", ref.Stream(), what, change)
}

// add decides on a contact that must exist and gives it as it is afterwards. A change that
// was taken down before is left as it is, if it is the same one.
func (r *Register) add(ctx context.Context, ref Ref, what string, by Change, same func(event.Payload) bool, decide func(*Contact) event.Payload) (Contact, error) {
	if strings.TrimSpace(by.ID) == "" || utf8.RuneCountInString(by.ID) > maxID {
		return Contact{}, chat.Invalid("Falta el identificador del cambio.")
	}
	events, err := r.Log.ReadStreams(ctx, []string{ref.Stream()})
	if err != nil {
		return Contact{}, fmt.Errorf("read contact: %w", err)
	}
	c := Fold(ref, events)
	switch {
	case !c.Reachable:
		return Contact{}, ErrNoContact
	case c.Restricted:
		return Contact{}, chat.ErrRestricted
	}
	id := changeID(ref, what, by.ID)
	if before, seen := c.seen[id]; seen {
		if !c.Erased && !same(before) { // what was written is gone with an erasure
			return Contact{}, chat.Invalid("El identificador del cambio ya se usó para otro cambio.")
		}
		return c, nil
	}
	p := decide(&c)
	if p == nil {
		return c, nil
	}
	added, err := r.Log.Append(ctx, event.Append{
		Stream: ref.Stream(), ExpectedVersion: event.AnyVersion,
		Drafts: []event.Draft{{ID: id, OccurredAt: r.Now().UTC().Truncate(time.Millisecond), Payload: p}},
	})
	if errors.Is(err, event.ErrIDReused) { // it was taken down meanwhile
		return r.add(ctx, ref, what, by, same, decide)
	}
	if err != nil {
		return Contact{}, fmt.Errorf("store %s of contact: %w", what, err)
	}
	return Fold(ref, append(events, added...)), nil
}
