package waiting

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"bitacora/domain/chat"
	"bitacora/domain/clinic"
	"bitacora/domain/contacts"
	"bitacora/domain/event"
	"bitacora/domain/fault"
)

// ErrNoAttempt: nobody attempted that.
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
		s, ok := r.subject(ref)
		if !ok { // another read failed meanwhile, and all is read anew
			if try == tries {
				return Attempt{}, fmt.Errorf("store %s: %w", what, event.ErrConflict)
			}
			continue
		}
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
func (r *Register) subject(ref contacts.Ref) (*subject, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s, ok := r.subjects[ref.Stream()]
	if !ok {
		return nil, false
	}
	known := *s
	known.attempts = slices.Clone(s.attempts)
	return &known, true
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
