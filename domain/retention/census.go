package retention

import (
	"cmp"
	"slices"
	"time"

	"bitacora/domain/event"
)

// Census adds up the log: who is in it, and when they were last heard of. It takes about 200 bytes a
// person. The zero value has counted nobody.
type Census struct{ streams map[string]*stream }

type stream struct {
	kind Kind
	// last is when something last happened that is about them, and not about what is kept of them.
	last time.Time
	// slots are the appointments that were not cancelled or moved, by booking.
	slots map[string]time.Time
	// requests are what they asked about their data and wait for.
	requests map[string]bool
	// restricted says that their data are kept, and not used, at their wish.
	restricted bool
	// unreadable says that what happened is not all known.
	unreadable bool
}

// Add counts an event. Events of a stream must come in their order.
func (c *Census) Add(e event.Recorded) {
	if c.streams == nil {
		c.streams = map[string]*stream{}
	}
	s := c.streams[e.Stream]
	if s == nil {
		s = &stream{}
		c.streams[e.Stream] = s
	}
	switch e.Payload.(type) {
	case *event.TextsMasked, *event.QuestionLabelled:
	default:
		if e.OccurredAt.After(s.last) {
			s.last = e.OccurredAt
		}
	}
	switch p := e.Payload.(type) {
	case *event.Unreadable:
		s.unreadable = true
	case *event.ConversationStarted:
		s.kind = Conversations
	case *event.LeadCaptured:
		s.kind = Leads
	case *event.ContactMessageReceived:
		s.kind = ContactMessages
	case *event.AppointmentBooked:
		if s.slots == nil {
			s.slots = map[string]time.Time{}
		}
		delete(s.slots, p.Replaces)
		s.slots[p.BookingID] = p.Slot
	case *event.AppointmentCancelled:
		delete(s.slots, p.BookingID)
	case *event.PrivacyRequestReceived:
		if s.requests == nil {
			s.requests = map[string]bool{}
		}
		s.requests[p.RequestID] = true
	case *event.PrivacyRequestDone:
		delete(s.requests, p.RequestID)
	case *event.SubjectRestricted:
		s.restricted = p.On
	}
}

// heard is when somebody was last heard of: they wrote, something was done about them, or they came.
func (s *stream) heard() time.Time {
	last := s.last
	for _, slot := range s.slots {
		if slot.After(last) {
			last = slot
		}
	}
	return last
}

// Due is somebody whose personal data have been kept for long enough.
type Due struct {
	Stream string
	Kind   Kind
	// Heard is when they were last heard of.
	Heard time.Time
}

// Due lists who goes by the rules as of now, whose zone the rules' months are of, in the order of
// kinds and times; but nobody with an appointment to come, who waits for an answer to a request of
// theirs, whose data are restricted, of whom something cannot be read, or who was erased before.
func (c *Census) Due(rules Rules, now time.Time, erased map[string]bool) (due []Due) {
	for name, s := range c.streams {
		age, ruled := rules[s.kind]
		free := len(s.requests) == 0 && !s.restricted && !s.unreadable && !erased[name]
		if ruled && free && s.heard().Before(age.Before(now)) {
			due = append(due, Due{Stream: name, Kind: s.kind, Heard: s.heard()})
		}
	}
	slices.SortFunc(due, func(a, b Due) int {
		return cmp.Or(compareKinds(a.Kind, b.Kind), a.Heard.Compare(b.Heard), cmp.Compare(a.Stream, b.Stream))
	})
	return due
}
