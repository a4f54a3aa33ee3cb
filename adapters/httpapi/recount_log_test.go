package httpapi

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"bitacora/domain/event"
)

// told is what a log tells, counted event by event and without anything of what the program counts with.
type told struct {
	talks []*talk
	// forms are the messages of the contact form, which have a start and bookings alone.
	forms []*talk
	// quiet are the visits that led to no conversation, opened those of them whose visitor opened the chat.
	quiet, opened []time.Time
	// visitsSince is when the first visit began.
	visitsSince time.Time
	contacts    []*reachable
	// refusals are by month, refused all of them.
	refusals map[string]int
	refused  []time.Time
}

// talk is a conversation.
type talk struct {
	start    time.Time
	said     []time.Time
	texts    []string
	replies  []*event.AssistantReplied
	rated    map[int]*event.ReplyRated
	failures int
	flags    []string
	consent  bool
	lead     bool
	booked   bool
	// cancelled says that the last booking was taken back.
	cancelled bool
	bookings  map[string]*appointment
}

// appointment is one booking with its outcome.
type appointment struct {
	*event.AppointmentBooked
	at      time.Time
	outcome string
	// gone says that it was moved, or cancelled.
	gone bool
}

// reachable is a stream of somebody who can be reached, or of whom something is to be attended to.
type reachable struct {
	kind string
	// came is when the conversation or the message began, left when the contact was given; zero for none.
	came, left time.Time
	status     string
	// raised are the latest times of the reasons to call, grave those of a danger to life among them.
	raised map[string]time.Time
	// due is when each open request about personal data must be done.
	due    map[string]time.Time
	acts   []deed
	booked time.Time
	// known are the phones and addresses that the person told.
	known map[string]bool
}

// deed is something that the staff did about a contact.
type deed struct {
	id, by, outcome string
	at, due         time.Time
	// attempt is one to reach the person; otherwise it is a status, which settles all before it.
	attempt, undone bool
}

var (
	phoneInWords = regexp.MustCompile(`6900[ -]?\d{4}\b`)
	mailInWords  = regexp.MustCompile(`[\w.+-]+@[\w-]+(\.[\w-]+)+`)
)

// tells takes down the phones and addresses in some words. Those of a demo are of one block of numbers.
func (r *reachable) tells(words ...string) {
	for _, text := range words {
		for _, phone := range phoneInWords.FindAllString(text, -1) {
			r.known[strings.NewReplacer(" ", "", "-", "").Replace(phone)] = true
		}
		for _, address := range mailInWords.FindAllString(text, -1) {
			r.known[strings.ToLower(address)] = true
		}
	}
}

func tell(log []event.Recorded) *told {
	all := &told{refusals: map[string]int{}}
	talks, forms, contacts := map[string]*talk{}, map[string]*talk{}, map[string]*reachable{}
	visits, opened := map[string]time.Time{}, map[string]bool{}
	for _, e := range log {
		switch p := e.Payload.(type) {
		case *event.VisitStarted:
			visits[e.Stream] = e.OccurredAt
		case *event.WidgetOpened:
			opened[e.Stream] = opened[e.Stream] || p.By == "visitor"
		case *event.ChatRefused:
			all.refusals[p.Month]++
			all.refused = append(all.refused, e.OccurredAt)
		case *event.ConversationStarted:
			talks[e.Stream] = &talk{start: e.OccurredAt, rated: map[int]*event.ReplyRated{}, bookings: map[string]*appointment{}}
			contacts[e.Stream] = newReachable("lead", e.OccurredAt)
		case *event.ContactMessageReceived:
			contacts[e.Stream] = newReachable("message", e.OccurredAt)
			forms[e.Stream] = &talk{start: e.OccurredAt, bookings: map[string]*appointment{}}
		}
		if one := cmp.Or(talks[e.Stream], forms[e.Stream]); one != nil {
			one.add(e)
		}
		if one := contacts[e.Stream]; one != nil {
			one.add(e)
		}
	}
	for stream, at := range visits {
		if all.visitsSince.IsZero() || at.Before(all.visitsSince) {
			all.visitsSince = at
		}
		if talks[stream] == nil {
			all.quiet = append(all.quiet, at)
			if opened[stream] {
				all.opened = append(all.opened, at)
			}
		}
	}
	for _, one := range talks {
		all.talks = append(all.talks, one)
	}
	all.forms = slices.Collect(maps.Values(forms))
	slices.SortFunc(all.talks, func(a, b *talk) int { return a.start.Compare(b.start) })
	for _, one := range contacts {
		all.contacts = append(all.contacts, one)
	}
	return all
}

func newReachable(kind string, came time.Time) *reachable {
	return &reachable{kind: kind, came: came, status: "new", raised: map[string]time.Time{}, known: map[string]bool{}, due: map[string]time.Time{}}
}

func (c *talk) add(e event.Recorded) {
	switch p := e.Payload.(type) {
	case *event.VisitorMessageSent:
		c.said, c.texts = append(c.said, e.OccurredAt), append(c.texts, cmp.Or(p.Masked, p.Text.Text))
	case *event.AssistantReplied:
		c.said, c.texts = append(c.said, e.OccurredAt), append(c.texts, cmp.Or(p.Masked, p.Text.Text))
		c.replies = append(c.replies, p)
	case *event.ReplyRated:
		c.rated[p.Ordinal] = p
	case *event.AssistantFailed:
		c.failures++
	case *event.ConversationFlagged:
		c.flags = append(c.flags, p.Flag)
	case *event.ConsentGiven:
		c.consent = true
	case *event.LeadCaptured:
		c.lead = true
	case *event.AppointmentBooked:
		c.booked, c.cancelled = true, false
		c.bookings[p.BookingID] = &appointment{AppointmentBooked: p, at: e.OccurredAt}
		if before := c.bookings[p.Replaces]; before != nil {
			before.gone = true
		}
	case *event.AppointmentCancelled:
		c.cancelled = true
		c.bookings[p.BookingID].gone = true
	case *event.AppointmentOutcomeRecorded:
		c.bookings[p.BookingID].outcome = p.Outcome
	}
}

func (r *reachable) add(e event.Recorded) {
	if own, ok := e.Payload.(event.Personal); ok {
		switch e.Payload.(type) {
		case *event.AssistantReplied, *event.ContactNoteAdded:
		default:
			for _, f := range own.PersonalFields() {
				r.tells(*f.Value)
			}
		}
	}
	switch p := e.Payload.(type) {
	case *event.LeadCaptured:
		r.leave("lead", e.OccurredAt)
	case *event.ContactMessageReceived:
		r.leave("message", e.OccurredAt)
	case *event.ConversationFlagged:
		r.raised[p.Flag] = e.OccurredAt
	case *event.PrivacyRequestReceived:
		r.raised["request "+p.RequestID], r.due[p.RequestID] = e.OccurredAt, p.DueAt
	case *event.PrivacyRequestDone:
		delete(r.raised, "request "+p.RequestID)
		delete(r.due, p.RequestID)
	case *event.ConsentWithdrawn:
		delete(r.raised, "lead")
	case *event.AppointmentBooked:
		r.status, r.booked = "scheduled", e.OccurredAt
		if p.StaffID != "" {
			r.settle(deed{at: e.OccurredAt, by: p.StaffID, outcome: "scheduled"})
		}
	case *event.ContactStatusChanged:
		r.status = p.Status
		r.settle(deed{id: "status", at: e.OccurredAt, by: p.StaffID, outcome: p.Status})
	case *event.ContactAttempted:
		r.acts = append(r.acts, deed{id: e.ID, at: e.OccurredAt, by: p.StaffID, outcome: p.Outcome, due: p.DueAt, attempt: true})
	case *event.ContactAttemptUndone:
		for i := range r.acts {
			r.acts[i].undone = r.acts[i].undone || r.acts[i].id == p.AttemptID
		}
	}
}

func (r *reachable) leave(what string, at time.Time) {
	r.raised[what] = at
	if r.left.IsZero() || at.Before(r.left) {
		r.left = at
	}
}

func (r *reachable) settle(d deed) { r.acts = append(r.acts, d) }
