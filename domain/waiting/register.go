// Package waiting is the queue of the people whom the clinic has to call: who left a contact, wrote with the
// form, or whose conversation was flagged, until somebody of the staff saw to it.
package waiting

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"bitacora/domain/chat"
	"bitacora/domain/clinic"
	"bitacora/domain/contacts"
	"bitacora/domain/event"
	"bitacora/domain/fault"
	"bitacora/domain/privacy"
	"bitacora/domain/subjects"
)

// Log is the part of the event log that the queue needs.
type Log interface {
	// ScanTypes gives the events of some types after a position, without personal data, and the position up
	// to which these are all.
	ScanTypes(ctx context.Context, after int64, types ...string) (events []event.Recorded, through int64, err error)
	// SharedTerms gives, for each term of the blind index that several of some streams have, these streams.
	SharedTerms(ctx context.Context, streams []string) ([][]string, error)
	// ReadStreams gives the events of some streams, each in order; with types only those.
	ReadStreams(ctx context.Context, streams []string, types ...string) ([]event.Recorded, error)
	// Append stores all drafts or none.
	Append(ctx context.Context, a event.Append) ([]event.Recorded, error)
}

// Register is the queue. It is read from the log: each process remembers what it read, and reads on from there.
type Register struct {
	Log Log
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
}

// Page is a part of the queue.
type Page struct {
	// Waiting are all who wait, Grave those of them who speak of a danger, PutOff who waits for a later day.
	Waiting, Grave, PutOff int
	// Oldest is since when the one waits who waits longest; zero where nobody does.
	Oldest time.Time
	// Through is the position in the log up to which this holds.
	Through int64
	Rows    []Row
}

// Row is a person of the queue.
type Row struct {
	Person
	// Contact is how the person can be reached; empty where that may not be used.
	Contact contacts.Contact
	// Question is what the person asked.
	Question string
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

// rows reads what some persons left and asked.
func (r *Register) rows(ctx context.Context, persons []Person) ([]Row, error) {
	if len(persons) == 0 {
		return nil, nil
	}
	var streams []string
	for _, p := range persons {
		for _, ref := range p.Refs {
			streams = append(streams, ref.Stream())
		}
	}
	events, err := r.Log.ReadStreams(ctx, streams)
	if err != nil {
		return nil, fmt.Errorf("read who waits: %w", err)
	}
	byStream := parted(events)
	rows := make([]Row, len(persons))
	for i, p := range persons {
		rows[i] = rowOf(p, byStream)
	}
	return rows, nil
}

func rowOf(p Person, byStream map[string][]event.Recorded) Row {
	row := Row{Person: p, Contact: contacts.Contact{Ref: p.Refs[0]}}
	if p.Restricted {
		return row
	}
	for _, ref := range p.Refs {
		events := byStream[ref.Stream()]
		c := contacts.Fold(ref, events)
		row.Contact.Name = either(row.Contact.Name, c.Name)
		row.Contact.Phone = either(row.Contact.Phone, c.Phone)
		row.Contact.Email = either(row.Contact.Email, c.Email)
	}
	for _, reason := range p.Reasons { // what waits says more than what somebody saw to
		if reason.Attended.IsZero() && row.Question == "" {
			row.Question = p.asked(reason, byStream)
		}
	}
	return row
}

// asked is what the person wrote who waits for a reason.
func (p Person) asked(reason Reason, byStream map[string][]event.Recorded) string {
	for _, ref := range p.Refs {
		if text := question(byStream[ref.Stream()], reason); text != "" {
			return text
		}
	}
	return ""
}

// pleasantries are what no question is taken for.
var pleasantries = []string{"saludo", "gracias", "despedida"}

// question is the message that raised a flag; otherwise the first one that is more than a greeting.
func question(events []event.Recorded, reason Reason) (first string) {
	polite := map[string]bool{}
	for _, e := range events {
		if p, ok := event.Nearest(e.Payload).(*event.AssistantReplied); ok && slices.Contains(pleasantries, p.Intent) {
			polite[p.ReplyTo] = true
		}
	}
	for _, e := range events {
		switch p := event.Nearest(e.Payload).(type) {
		case *event.ContactMessageReceived:
			if reason.Message == "" {
				return p.Message
			}
		case *event.VisitorMessageSent:
			if reason.Message != "" && p.MessageID == reason.Message || reason.Message == "" && !polite[p.MessageID] {
				return p.Text.Text
			}
			if reason.Message == "" {
				first = either(first, p.Text.Text)
			}
		}
	}
	return first
}

func either(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

func parted(events []event.Recorded) map[string][]event.Recorded {
	streams := map[string][]event.Recorded{}
	for _, e := range events {
		streams[e.Stream] = append(streams[e.Stream], e)
	}
	return streams
}

// read gives everybody who has or had a reason to wait, in the order of the queue.
func (r *Register) read(ctx context.Context) ([]Person, int64, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	events, through, err := r.Log.ScanTypes(ctx, r.through, Signals...)
	if err == nil && through < r.through { // another log, or an older state of it
		r.through, r.subjects = 0, nil
		events, through, err = r.Log.ScanTypes(ctx, 0, Signals...)
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
	shared, err := r.Log.SharedTerms(ctx, streams)
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

// Errors of an attempt, beside [contacts.ErrNoContact] and [chat.ErrRestricted].
var ErrNoAttempt = fault.New(fault.NotFound, "attempt does not exist")

// TakenError says that somebody else attends the person, or has done so.
type TakenError struct {
	// By is an account.
	By string
	// Done says that the person waits no more.
	Done bool
}

func (e *TakenError) Error() string { return "somebody else attends the person" }

const (
	// hold is for how long a person is held by whoever attends them.
	hold = 10 * time.Minute
	// maxID bounds the id of a change, in runes.
	maxID = 200
	// tries is how often an attempt is decided anew because the stream moved on.
	tries = 5
)

// Attempt takes down what came of an attempt to reach the person of a stream. Of two who attend the same
// person, the first one's is taken; the other gets a [TakenError].
func (r *Register) Attempt(ctx context.Context, ref contacts.Ref, outcome string, by contacts.Change) (Attempt, error) {
	if !slices.Contains(event.AttemptOutcomes, outcome) {
		return Attempt{}, chat.Invalid("El resultado no es válido.")
	}
	return r.change(ctx, ref, "attempt", by, func(s *subject, p Person, id string, now time.Time) (Attempt, event.Payload, error) {
		if i := slices.IndexFunc(s.attempts, func(a Attempt) bool { return a.ID == id }); i >= 0 {
			if s.attempts[i].Outcome != outcome {
				return Attempt{}, nil, chat.Invalid("El identificador del cambio ya se usó para otro cambio.")
			}
			return s.attempts[i], nil, nil
		}
		if holder := p.HeldBy(now); holder != "" && holder != by.StaffID {
			return Attempt{}, nil, &TakenError{By: holder}
		}
		if !p.Waits(now) {
			return Attempt{}, nil, &TakenError{By: p.lastBy(), Done: true}
		}
		a := Attempt{ID: id, Outcome: outcome, By: by.StaffID, At: now, DueAt: r.due(outcome, now)}
		return a, &event.ContactAttempted{Contact: s.carried(), Outcome: outcome, DueAt: a.DueAt, StaffID: by.StaffID}, nil
	})
}

// Undo takes an attempt back.
func (r *Register) Undo(ctx context.Context, ref contacts.Ref, attempt, staffID string) error {
	_, err := r.change(ctx, ref, "undo", contacts.Change{ID: attempt, StaffID: staffID}, func(s *subject, _ Person, _ string, _ time.Time) (Attempt, event.Payload, error) {
		i := slices.IndexFunc(s.attempts, func(a Attempt) bool { return a.ID == attempt })
		if i < 0 {
			return Attempt{}, nil, ErrNoAttempt
		}
		if s.attempts[i].undone {
			return s.attempts[i], nil, nil
		}
		return s.attempts[i], &event.ContactAttemptUndone{Contact: s.carried(), AttemptID: attempt, StaffID: staffID}, nil
	})
	return err
}

type decision func(s *subject, p Person, id string, now time.Time) (Attempt, event.Payload, error)

// change decides on what the log says by now, and anew where the stream moved on meanwhile.
func (r *Register) change(ctx context.Context, ref contacts.Ref, what string, by contacts.Change, decide decision) (Attempt, error) {
	if strings.TrimSpace(by.ID) == "" || utf8.RuneCountInString(by.ID) > maxID {
		return Attempt{}, chat.Invalid("Falta el identificador del cambio.")
	}
	id := event.DerivedID("waiting", ref.Stream(), what, by.ID)
	for try := 1; ; try++ {
		events, err := r.Log.ReadStreams(ctx, []string{ref.Stream()})
		if err != nil {
			return Attempt{}, fmt.Errorf("read who waits: %w", err)
		}
		// Read after the version that is expected: it holds every attempt up to that.
		persons, _, err := r.read(ctx)
		if err != nil {
			return Attempt{}, err
		}
		i := slices.IndexFunc(persons, func(p Person) bool { return slices.Contains(p.Refs, ref) })
		if i < 0 {
			return Attempt{}, contacts.ErrNoContact
		}
		if persons[i].Restricted {
			return Attempt{}, chat.ErrRestricted
		}
		s := r.subject(ref)
		now := r.Now().UTC().Truncate(time.Millisecond)
		a, p, err := decide(s, persons[i], id, now)
		if err != nil || p == nil {
			return a, err
		}
		_, err = r.Log.Append(ctx, event.Append{
			Stream: ref.Stream(), ExpectedVersion: len(events), Drafts: []event.Draft{{ID: id, OccurredAt: now, Payload: p}},
		})
		if err == nil {
			return a, nil
		}
		if !errors.Is(err, event.ErrConflict) && !errors.Is(err, event.ErrIDReused) || try == tries {
			return Attempt{}, fmt.Errorf("store %s: %w", what, err)
		}
	}
}

// subject is a copy of what is known of a stream.
func (r *Register) subject(ref contacts.Ref) *subject {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := *r.subjects[ref.Stream()]
	s.attempts = slices.Clone(s.attempts)
	return &s
}

// carried is what every event about the contact carries.
func (s *subject) carried() event.Contact {
	return event.Contact{Kind: s.ref.Kind, ContactID: s.ref.ID, ContactAt: s.cameAt}
}

// lastBy is who saw to the person last.
func (p Person) lastBy() (by string) {
	var at time.Time
	for _, reason := range p.Reasons {
		if reason.Attended.After(at) {
			at, by = reason.Attended, reason.By
		}
	}
	if p.Last != nil && p.Last.At.After(at) {
		by = p.Last.By
	}
	return by
}

// due is when a person waits again, or is held no more; zero where the attempt is done.
func (r *Register) due(outcome string, now time.Time) time.Time {
	switch outcome {
	case event.AttemptDone:
		return time.Time{}
	case event.AttemptBegun:
		return now.Add(hold)
	}
	today := now.In(r.Calendar.Zone)
	tomorrow := clinic.StartOfDay(today.Year(), today.Month(), today.Day()+1, r.Calendar.Zone)
	if opens, ok := r.Calendar.NextOpening(tomorrow.Add(-time.Nanosecond)); ok {
		return opens.UTC()
	}
	return tomorrow.UTC()
}
