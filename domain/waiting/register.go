// Package waiting is the queue of the people whom the clinic has to call: who left a contact, wrote with the
// form, or whose conversation was flagged, until somebody of the staff saw to it.
package waiting

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"bitacora/domain/clinic"
	"bitacora/domain/contacts"
	"bitacora/domain/event"
	"bitacora/domain/privacy"
	"bitacora/domain/subjects"
)

// Log is the part of the event log that the queue needs.
type Log interface {
	// ReadStreams gives the events of some streams, each in order; with types only those.
	ReadStreams(ctx context.Context, streams []string, types ...string) ([]event.Recorded, error)
	// Append stores all drafts or none.
	Append(ctx context.Context, a event.Append) ([]event.Recorded, error)
}

// Source says who waits, and which of them are the same person.
type Source interface {
	// ScanTypes gives the events of some types after a position, without personal data, and the position up
	// to which these are all.
	ScanTypes(ctx context.Context, after int64, types ...string) (events []event.Recorded, through int64, err error)
	// SharedTerms gives, for each term of the blind index that several of some streams have, these streams.
	SharedTerms(ctx context.Context, streams []string) ([][]string, error)
}

// Register is the queue. It is read from the log: each process remembers what it read, and reads on from there.
type Register struct {
	Log    Log
	Source Source
	// Public gives the identifiers of the clinic and of its people, which lead from nobody to anybody.
	Public   func(ctx context.Context) ([]privacy.Identifier, error)
	Calendar clinic.Calendar
	Now      func() time.Time

	mu       sync.Mutex
	through  int64
	subjects map[string]*subject
	// shared are the streams that share a term, linked those of the same person.
	shared, linked [][]string
	persons        []Person
	// of are the places of the persons by their streams.
	of map[contacts.Ref]int
}

// Page is a part of the queue.
type Page struct {
	// Waiting are all who wait, Grave those of them who speak of a danger, PutOff who waits for a later day.
	Waiting, Grave, PutOff int
	// Oldest is since when the one waits who waits longest; zero where nobody does.
	Oldest time.Time
	// FirstContact is how long all contacts of late waited for a first attempt to reach them.
	FirstContact FirstContact
	// ByWeekday and ByPerson are of the contacts that arrived on a day of the week, and that somebody attempted.
	ByWeekday, ByPerson []FirstContact
	// Through is the position in the log up to which this holds.
	Through int64
	Rows    []Row
}

// Part is which rows of the queue are wanted.
type Part struct {
	Offset, Limit int
	// Phone leaves out whoever left none.
	Phone bool
}

// Page counts the whole queue and gives a part of it: a crisis and an emergency first, then whoever waits longest.
func (r *Register) Page(ctx context.Context, part Part) (page Page, err error) {
	persons, through, err := r.read(ctx)
	if err != nil {
		return page, err
	}
	now := r.Now()
	page.Through = through
	r.firstContacts(&page, now.Add(-lately))
	var queue []Person
	for _, p := range persons {
		switch {
		case p.Waits(now):
			if !part.Phone || p.Phone && !p.Restricted {
				queue = append(queue, p)
			}
			page.Waiting++
			if p.Grave {
				page.Grave++
			}
			if page.Oldest.IsZero() || p.Since.Before(page.Oldest) {
				page.Oldest = p.Since
			}
		case p.PutOff(now):
			page.PutOff++
		}
	}
	queue = queue[min(part.Offset, len(queue)):]
	page.Rows, err = r.rows(ctx, queue[:min(part.Limit, len(queue))])
	return page, err
}

// State is what the queue knows of a stream.
type State struct {
	// Reasons are why its person waits or waited, the gravest first.
	Reasons []Reason
	// Restricted says that the person's data are kept and not used.
	Restricted bool
}

// States gives what is known of some streams; those of which nothing is known are missing.
func (r *Register) States(ctx context.Context, refs []contacts.Ref) (map[contacts.Ref]State, error) {
	if _, _, err := r.read(ctx); err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	states := make(map[contacts.Ref]State, len(refs))
	for _, ref := range refs {
		s, known := r.subjects[ref.Stream()]
		if !known {
			continue
		}
		state := State{Restricted: s.restricted}
		if i, waited := r.of[ref]; waited {
			for _, reason := range r.persons[i].Reasons {
				if reason.Ref == ref {
					state.Reasons, state.Restricted = append(state.Reasons, reason), state.Restricted || r.persons[i].Restricted
				}
			}
		}
		states[ref] = state
	}
	return states, nil
}

// read gives everybody who has or had a reason to wait, in the order of the queue.
func (r *Register) read(ctx context.Context) ([]Person, int64, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	events, through, err := r.Source.ScanTypes(ctx, r.through, Signals...)
	if err == nil && through < r.through { // another log, or an older state of it
		r.through, r.subjects = 0, nil
		events, through, err = r.Source.ScanTypes(ctx, 0, Signals...)
	}
	if err != nil {
		return nil, 0, fmt.Errorf("read who waits: %w", err)
	}
	if through == r.through && r.persons != nil {
		return r.persons, through, nil
	}
	r.apply(events)
	if err := r.link(ctx); err != nil {
		r.through, r.subjects, r.shared = 0, nil, nil // what was applied is not applied twice
		return nil, 0, err
	}
	r.through = through
	r.persons = r.merge()
	r.of = make(map[contacts.Ref]int, len(r.persons))
	for i, p := range r.persons {
		for _, ref := range p.Refs {
			r.of[ref] = i
		}
	}
	return r.persons, through, nil
}

func (r *Register) apply(events []event.Recorded) {
	if r.subjects == nil {
		r.subjects = map[string]*subject{}
	}
	for _, e := range events {
		s := r.subjects[e.Stream]
		if s == nil {
			ref, ok := contacts.RefOf(e.Stream)
			if !ok {
				continue
			}
			s = &subject{ref: ref, reasons: map[string]Reason{}, requests: map[string]time.Time{}}
			r.subjects[e.Stream] = s
		}
		s.apply(e)
	}
}

// link finds the streams of the same person. Terms may be shared by what the staff wrote, or by a name:
// what the persons themselves told decides, as on a person's page.
func (r *Register) link(ctx context.Context) error {
	var streams []string
	for stream, s := range r.subjects {
		if s.waited() {
			streams = append(streams, stream)
		}
	}
	slices.Sort(streams)
	shared, err := r.Source.SharedTerms(ctx, streams)
	if err != nil {
		return fmt.Errorf("find the streams of a person: %w", err)
	}
	if r.shared != nil && slices.EqualFunc(shared, r.shared, slices.Equal) {
		return nil
	}
	public, err := r.Public(ctx)
	if err != nil {
		return fmt.Errorf("read what is public: %w", err)
	}
	candidates := slices.Concat(shared...)
	slices.Sort(candidates)
	var events []event.Recorded
	if candidates = slices.Compact(candidates); len(candidates) > 0 {
		if events, err = r.Log.ReadStreams(ctx, candidates, "VisitorMessageSent", "ContactGiven", "LeadCaptured", "ContactMessageReceived"); err != nil {
			return fmt.Errorf("read what persons told: %w", err)
		}
	}
	told := map[privacy.Identifier][]string{}
	for stream, own := range parted(events) {
		for _, id := range subjects.Told(own) {
			if id.Kind != privacy.KindName && !slices.Contains(public, id) {
				told[id] = append(told[id], stream)
			}
		}
	}
	r.shared, r.linked = shared, nil
	for _, streams := range told {
		r.linked = append(r.linked, streams)
	}
	return nil
}

// merge adds up persons, in the order of the queue.
func (r *Register) merge() []Person {
	first := map[string]string{}
	var find func(stream string) string
	find = func(stream string) string {
		parent, ok := first[stream]
		if !ok {
			return stream
		}
		root := find(parent)
		first[stream] = root
		return root
	}
	for _, streams := range r.linked {
		for _, stream := range streams[1:] {
			if a, b := find(streams[0]), find(stream); a != b {
				first[a] = b
			}
		}
	}
	groups := map[string][]*subject{}
	for stream, s := range r.subjects {
		if s.waited() {
			groups[find(stream)] = append(groups[find(stream)], s)
		}
	}
	persons := make([]Person, 0, len(groups))
	for _, group := range groups {
		persons = append(persons, personOf(group))
	}
	slices.SortFunc(persons, Person.compare)
	return persons
}
