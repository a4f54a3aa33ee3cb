package main

import (
	"cmp"
	"iter"
	"maps"
	"slices"
	"time"

	"bitacora/domain/clinic"
	"bitacora/domain/event"
)

// recount is the content of a log, event by event and without a projection. Days are texts of the business zone.
type recount struct {
	*facts
	today    string
	hours    clinic.Hours
	talks    map[string]*talk
	tabs     map[string]*tab
	contacts map[[2]string]*contact
	changes  []statusChange
	ratings  map[string]rating
	taught   []taughtAnswer
	// accesses are those to data of people by month, action and kind.
	accesses sums
	limits   map[string]int
}

type talk struct {
	event.Conversation
	day, channel           string
	said                   []line
	consent, lead          bool
	booked, cancelled      int64
	bookedAt               time.Time
	topics, flags          map[string]bool
	linkShown, linkVisited time.Time
}

// line is a message of either side; reply is nil for the visitor's.
type line struct {
	at    time.Time
	text  string
	reply *event.AssistantReplied
}

// tab is a visit.
type tab struct {
	started                       time.Time
	byVisitor, byItself, talkedIn bool
}

// contact is somebody who can be reached.
type contact struct {
	kind, status string
	came         time.Time
}

type statusChange struct {
	kind, from, to string
	came, at       time.Time
}

type rating struct {
	*event.ReplyRated
	at time.Time
}

type taughtAnswer struct {
	slug    string
	version int
	at      time.Time
}

func recounted(log []event.Recorded, f *facts, hours clinic.Hours, now time.Time) *recount {
	r := &recount{
		facts: f, hours: hours, talks: map[string]*talk{}, tabs: map[string]*tab{}, contacts: map[[2]string]*contact{}, ratings: map[string]rating{},
		accesses: sums{}, limits: map[string]int{},
	}
	r.today = r.date(now)
	statuses := map[[2]string]string{}
	for _, e := range log {
		r.converse(e)
		r.visit(e)
		changed := func(kind, id, to string, came time.Time) {
			r.changes = append(r.changes, statusChange{kind, cmp.Or(statuses[[2]string{kind, id}], "new"), to, came, e.OccurredAt})
			statuses[[2]string{kind, id}] = to
		}
		switch p := e.Payload.(type) {
		case *event.LeadCaptured:
			r.contacts[[2]string{"lead", p.ConversationID}] = &contact{kind: "lead", came: p.ConversationStartedAt}
		case *event.ContactMessageReceived:
			r.contacts[[2]string{"message", p.ContactID}] = &contact{kind: "message", came: e.OccurredAt}
		case *event.ContactStatusChanged:
			changed(p.Kind, p.ContactID, p.Status, p.ContactAt)
		case *event.AppointmentBooked:
			changed(cmp.Or(p.Kind, "lead"), p.ConversationID, "scheduled", p.ConversationStartedAt)
		case *event.ReplyRated:
			r.ratings[key(p.ConversationID, p.Ordinal)] = rating{p, e.OccurredAt}
		case *event.AnswerTaught:
			r.taught = append(r.taught, taughtAnswer{p.Answer.Slug, p.Version, e.OccurredAt})
		case *event.TranscriptOpened:
			r.accesses.add(key(month(r.date(e.OccurredAt)), "read", "transcript"), 1)
		case *event.ContactMessagesOpened:
			r.accesses.add(key(month(r.date(e.OccurredAt)), "read", "contacts"), 1)
		case *event.ChatRefused:
			r.limits[p.Month] = p.Limit
		}
	}
	for id, c := range r.contacts {
		c.status = cmp.Or(statuses[id], "new")
	}
	return r
}

// converse adds what an event tells of a conversation.
func (r *recount) converse(e event.Recorded) {
	if p, ok := e.Payload.(*event.ConversationStarted); ok {
		r.talks[p.ConversationID] = &talk{
			Conversation: p.Conversation, day: r.date(p.ConversationStartedAt), channel: p.Channel, topics: map[string]bool{}, flags: map[string]bool{},
		}
	}
	switch p := e.Payload.(type) {
	case *event.VisitorMessageSent:
		t := r.talks[p.ConversationID]
		t.said = append(t.said, line{e.OccurredAt, string(p.WithoutContacts()), nil})
	case *event.AssistantReplied:
		t := r.talks[p.ConversationID]
		t.said = append(t.said, line{e.OccurredAt, string(p.WithoutContacts()), p})
		if p.Topic != "" {
			t.topics[p.Topic] = true
		}
	case *event.TextsMasked:
		for _, m := range p.Messages {
			r.talks[p.ConversationID].said[m.Ordinal-1].text = m.Masked
		}
	case *event.ConversationFlagged:
		r.talks[p.ConversationID].flags[p.Flag] = true
	case *event.ConsentGiven:
		r.talks[p.ConversationID].consent = true
	case *event.LeadCaptured:
		r.talks[p.ConversationID].lead = true
	case *event.AppointmentBooked:
		if t := r.talks[p.ConversationID]; !p.OfForm() {
			t.booked, t.bookedAt = e.Position, earliest(t.bookedAt, e.OccurredAt)
		}
	case *event.AppointmentCancelled:
		if !p.OfForm() {
			r.talks[p.ConversationID].cancelled = e.Position
		}
	case *event.BookingLinkShown:
		t := r.talks[p.ConversationID]
		t.linkShown = earliest(t.linkShown, e.OccurredAt)
	case *event.BookingLinkOpened:
		t := r.talks[p.ConversationID]
		t.linkVisited = earliest(t.linkVisited, e.OccurredAt)
	}
}

// visit adds what an event tells of a visit.
func (r *recount) visit(e event.Recorded) {
	of := func(id string, started time.Time) *tab {
		if r.tabs[id] == nil {
			r.tabs[id] = &tab{started: started}
		}
		return r.tabs[id]
	}
	switch p := e.Payload.(type) {
	case *event.VisitStarted:
		of(p.VisitID, p.VisitStartedAt)
	case *event.WidgetOpened:
		v := of(p.VisitID, p.VisitStartedAt)
		v.byVisitor, v.byItself = v.byVisitor || p.By == event.OpenedByVisitor, v.byItself || p.By == event.OpenedByItself
	case *event.ConversationStarted:
		if !p.VisitStartedAt.IsZero() {
			of(p.ConversationID, p.VisitStartedAt).talkedIn = true
		}
	}
}

func (t *talk) appointment() bool { return t.booked > 0 }

// topicsOrNone are the topics, or a dash.
func (t *talk) topicsOrNone() []string {
	if len(t.topics) == 0 {
		return []string{"-"}
	}
	return slices.Sorted(maps.Keys(t.topics))
}

// asked is how many messages the visitor wrote, unanswered how many replies had no answer.
func (t *talk) asked() (asked, unanswered int) {
	for _, l := range t.said {
		switch {
		case l.reply == nil:
			asked++
		case !l.reply.Answered:
			unanswered++
		}
	}
	return asked, unanswered
}

// active is the time of the pauses between messages, each at most 30 minutes.
func (t *talk) active() (sum time.Duration) {
	for i := 1; i < len(t.said); i++ {
		sum += max(0, min(t.said[i].at.Sub(t.said[i-1].at), 30*time.Minute))
	}
	return sum
}

// replies are those of the assistant, with what was said before.
func (r *recount) replies() iter.Seq2[*event.AssistantReplied, line] {
	return func(yield func(*event.AssistantReplied, line) bool) {
		for _, t := range r.talks {
			for _, l := range t.said {
				if l.reply != nil && !yield(l.reply, l) {
					return
				}
			}
		}
	}
}

// spine has the days from one to another, both included.
func spine(from, to string) (list []string) {
	for day := from; day <= to; day = shift(day, 1) {
		list = append(list, day)
	}
	return list
}

// first is the day of the first conversation.
func (r *recount) first() string {
	day := r.today
	for _, t := range r.talks {
		day = min(day, t.day)
	}
	return day
}

// daily has the conversations, consents, leads and appointments of each day from the first conversation to today.
func (r *recount) daily() sums {
	s := sums{}
	for _, day := range spine(r.first(), r.today) {
		s.add(day, 0, 0, 0, 0)
	}
	for _, t := range r.talks {
		s.add(t.day, 1, t.consent, t.lead, t.appointment())
	}
	return s
}

func (r *recount) outOfHours(at time.Time) bool {
	at = at.In(r.zone)
	minute := at.Hour()*60 + at.Minute()
	return !slices.ContainsFunc(r.hours[at.Weekday()], func(s clinic.Span) bool { return s.Opens <= minute && minute < s.Closes })
}

func (r *recount) ago(days int) string      { return shift(r.today, -days) }
func (r *recount) date(at time.Time) string { return at.In(r.zone).Format(time.DateOnly) }
func (r *recount) instant(at time.Time) string {
	return at.In(r.zone).Format("2006-01-02 15:04:05.000")
}
