package waiting

import (
	"cmp"
	"slices"
	"time"

	"bitacora/domain/contacts"
	"bitacora/domain/event"
)

// Why somebody waits, beside the flags of a conversation ([event.Flags]).
const (
	ReasonLead    = contacts.Lead
	ReasonMessage = contacts.Message
	// ReasonRequest: an open request about the person's own data.
	ReasonRequest = "request"
)

// Reasons are all of them, the gravest first.
var Reasons = append(slices.Clone(event.Flags), ReasonRequest, ReasonMessage, ReasonLead)

// grave are the reasons that go before all others, whatever their age. No booking answers them.
var grave = []string{event.FlagCrisis, event.FlagEmergency}

// Reason is why somebody waits, or waited.
type Reason struct {
	Name string
	At   time.Time
	// Ref is whose stream says it.
	Ref contacts.Ref
	// Message is the visitor's message that raised a flag.
	Message string
	// Attended is when somebody saw to it, By who did: an account; empty where the visitor booked.
	Attended time.Time
	By       string
}

// Attempt is an attempt to reach somebody, see [event.ContactAttempted].
type Attempt struct {
	ID, Outcome, By string
	At, DueAt       time.Time
	undone          bool
}

// act is what sees to everything before it: an attempt that is done, a status of the contact, a booking.
type act struct {
	at time.Time
	by string
}

// subject is what the log says of one stream.
type subject struct {
	ref      contacts.Ref
	cameAt   time.Time
	reasons  map[string]Reason
	requests map[string]time.Time
	status   act
	booked   act
	attempts []Attempt
	// arrived is when the contact was left, seenTo when the staff first changed its status.
	arrived    time.Time
	seenTo     act
	erased     bool
	restricted bool
	// phone says that a phone was left that may be called.
	phone bool
}

// Person is everything that is known of somebody who waits: on one stream, or on several that tell the
// same phone, e-mail address or document.
type Person struct {
	// Refs are the person's streams that have a reason, the latest first.
	Refs []contacts.Ref
	// Reasons are those of all streams, the gravest first.
	Reasons []Reason
	// Since is when the oldest reason came up that nobody saw to; zero where there is none.
	Since time.Time
	// Grave says that one of these is a crisis or an emergency.
	Grave bool
	// Last is the latest attempt that was not taken back; nil without one.
	Last *Attempt
	// Restricted says that the data are kept and not used.
	Restricted bool
	// Phone says that the person left a phone that may be called.
	Phone bool
}

// Waits says whether the person is to be called at an instant.
func (p Person) Waits(now time.Time) bool { return !p.Since.IsZero() && !p.PutOff(now) }

// PutOff says that the person waits for a later day, and for nothing that came up since that was said.
func (p Person) PutOff(now time.Time) bool {
	l := p.Last
	if p.Since.IsZero() || l == nil || l.Outcome == event.AttemptBegun || !l.DueAt.After(now) {
		return false
	}
	return !slices.ContainsFunc(p.Reasons, func(r Reason) bool { return r.Attended.IsZero() && r.At.After(l.At) })
}

// Why is each reason once: the oldest that nobody saw to, otherwise the latest.
func (p Person) Why() (why []Reason) {
	for _, r := range p.Reasons { // those of a name stand together, in order of time
		last := len(why) - 1
		switch {
		case last < 0 || why[last].Name != r.Name:
			why = append(why, r)
		case !why[last].Attended.IsZero():
			why[last] = r
		}
	}
	return why
}

// HeldBy is who attends the person at an instant; empty: nobody.
func (p Person) HeldBy(now time.Time) string {
	if l := p.Last; l != nil && l.Outcome == event.AttemptBegun && l.DueAt.After(now) {
		return l.By
	}
	return ""
}

func (p Person) compare(o Person) int {
	return cmp.Or(compareBool(o.Grave, p.Grave), p.Since.Compare(o.Since), cmp.Compare(p.Refs[0].ID, o.Refs[0].ID))
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// personOf adds up the streams of one person.
func personOf(subjects []*subject) Person {
	p := Person{}
	var acts []act
	var booked time.Time
	slices.SortFunc(subjects, func(a, b *subject) int {
		return cmp.Or(b.cameAt.Compare(a.cameAt), cmp.Compare(a.ref.ID, b.ref.ID))
	})
	for _, s := range subjects {
		p.Refs = append(p.Refs, s.ref)
		p.Restricted = p.Restricted || s.restricted
		p.Phone = p.Phone || s.phone
		for _, r := range s.reasons {
			r.Ref = s.ref
			p.Reasons = append(p.Reasons, r)
		}
		if at := s.openRequest(); !at.IsZero() {
			p.Reasons = append(p.Reasons, Reason{Name: ReasonRequest, At: at, Ref: s.ref})
		}
		if !s.status.at.IsZero() {
			acts = append(acts, s.status)
		}
		booked = later(booked, s.booked.at)
		for _, a := range s.attempts {
			if a.undone {
				continue
			}
			if p.Last == nil || a.At.After(p.Last.At) {
				p.Last = &a
			}
			if a.Outcome == event.AttemptDone {
				acts = append(acts, act{a.At, a.By})
			}
		}
	}
	slices.SortFunc(acts, func(a, b act) int { return a.at.Compare(b.at) })
	p.attend(acts, booked)
	return p
}

// attend says of each reason who saw to it, and what is left.
func (p *Person) attend(acts []act, booked time.Time) {
	for i := range p.Reasons {
		r := &p.Reasons[i]
		for _, a := range acts {
			if !a.at.Before(r.At) {
				r.Attended, r.By = a.at, a.by
				break
			}
		}
		if r.Attended.IsZero() && !booked.Before(r.At) && !slices.Contains(grave, r.Name) {
			r.Attended = booked
		}
		if !r.Attended.IsZero() {
			continue
		}
		if p.Since.IsZero() || r.At.Before(p.Since) {
			p.Since = r.At
		}
		p.Grave = p.Grave || slices.Contains(grave, r.Name)
	}
	slices.SortFunc(p.Reasons, func(a, b Reason) int {
		return cmp.Or(cmp.Compare(slices.Index(Reasons, a.Name), slices.Index(Reasons, b.Name)), a.At.Compare(b.At))
	})
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// sooner is the earlier of two instants, of which the first may be missing.
func sooner(a, b time.Time) time.Time {
	if a.IsZero() || b.Before(a) {
		return b
	}
	return a
}

// openRequest is when the oldest open request came; zero where none is open.
func (s *subject) openRequest() (at time.Time) {
	for _, asked := range s.requests {
		if at.IsZero() || asked.Before(at) {
			at = asked
		}
	}
	return at
}

func (s *subject) waited() bool { return !s.erased && len(s.reasons)+len(s.requests) > 0 }

// firstContact is how long a contact waited for the first attempt to reach them or the first change of status, and
// who made it; ok says that there was one.
func (s *subject) firstContact() (wait time.Duration, by string, ok bool) {
	first := s.seenTo
	for _, a := range s.attempts {
		if !a.undone && (first.at.IsZero() || a.At.Before(first.at)) {
			first = act{a.At, a.By}
		}
	}
	return first.at.Sub(s.arrived), first.by, !s.arrived.IsZero() && first.at.After(s.arrived)
}

// Signals are the types of the events that say who waits.
var Signals = []string{
	"LeadCaptured", "ContactMessageReceived", "ConversationFlagged", "PrivacyRequestReceived", "PrivacyRequestDone", "ConsentWithdrawn",
	"ContactStatusChanged", "AppointmentBooked", "ContactAttempted", "ContactAttemptUndone", "SubjectErased", "SubjectRestricted",
}

// apply folds an event of the stream in.
func (s *subject) apply(e event.Recorded) {
	switch p := event.Nearest(e.Payload).(type) {
	case *event.LeadCaptured:
		s.came(p.ConversationStartedAt)
		s.phone = p.HasPhone
		s.arrived = sooner(s.arrived, e.OccurredAt)
		s.raise(Reason{Name: ReasonLead, At: e.OccurredAt})
	case *event.ContactMessageReceived:
		s.came(e.OccurredAt)
		s.phone = p.HasPhone
		s.arrived = sooner(s.arrived, e.OccurredAt)
		s.raise(Reason{Name: ReasonMessage, At: e.OccurredAt})
	case *event.ConversationFlagged:
		s.came(p.ConversationStartedAt)
		s.raise(Reason{Name: p.Flag, At: e.OccurredAt, Message: p.MessageID})
	case *event.PrivacyRequestReceived:
		s.came(p.ContactAt)
		s.requests[p.RequestID] = e.OccurredAt
	case *event.PrivacyRequestDone:
		delete(s.requests, p.RequestID)
	case *event.ConsentWithdrawn:
		s.phone = false
		delete(s.reasons, ReasonLead)
	case *event.ContactStatusChanged:
		if s.seenTo.at.IsZero() || e.OccurredAt.Before(s.seenTo.at) {
			s.seenTo = act{e.OccurredAt, p.StaffID}
		}
		if s.status = (act{e.OccurredAt, p.StaffID}); p.Status == contacts.New {
			s.status = act{}
		}
	case *event.AppointmentBooked:
		if s.booked = (act{at: e.OccurredAt}); p.StaffID != "" {
			s.status = act{e.OccurredAt, p.StaffID}
		}
	case *event.ContactAttempted:
		s.attempts = append(s.attempts, Attempt{ID: e.ID, Outcome: p.Outcome, By: p.StaffID, At: e.OccurredAt, DueAt: p.DueAt})
	case *event.ContactAttemptUndone:
		for i := range s.attempts {
			s.attempts[i].undone = s.attempts[i].undone || s.attempts[i].ID == p.AttemptID
		}
	case *event.SubjectErased:
		s.erased = true
	case *event.SubjectRestricted:
		s.restricted = p.On
	}
}

func (s *subject) came(at time.Time) { s.cameAt = at }

// raise takes the latest of the same reason.
func (s *subject) raise(r Reason) { s.reasons[r.Name] = r }
