package analytics

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"bitacora/domain/contacts"
	"bitacora/domain/event"
)

// Recount answers from the log alone what the tables answer from rows: message by message,
// as a person would count. It shares nothing with the projections, so that each can be held
// against the other. It takes about 200 bytes a conversation.
type Recount struct {
	conversations map[string]*recounted
	visits        map[string]*revisited
	messages      map[string]*received
	// refusals are the times of those of each month.
	refusals map[string][]time.Time
	// answers are the times of changes of answers, by what follows [event.AnswerPrefix] in their streams.
	answers map[string][]time.Time
	// accesses are the times of readings and exports of data, by what follows the first slash of their streams.
	accesses map[string][]time.Time
	// Unreadable is how many events could not be taken into account.
	Unreadable int
}

type recounted struct {
	started, latest              time.Time
	messages, visitor, failures  int
	active                       time.Duration
	consent, shown, followed     bool
	lead, appointment, cancelled bool
	ratings                      map[int]string
	dismissed                    map[int]bool
	flags                        map[string]bool
	care
}

// rebooked is what became of a booking; known where more than a cancellation tells of it.
type rebooked struct {
	known, cancelled bool
	outcome          string
}

// received is a message of the contact form.
type received struct {
	at time.Time
	care
}

// care is what became of a contact.
type care struct {
	status         string
	notes, changes int
	bookings       map[string]*rebooked
}

type revisited struct {
	started time.Time
	opened  bool
}

// NewRecount has counted nothing yet.
func NewRecount() *Recount {
	return &Recount{
		conversations: map[string]*recounted{}, visits: map[string]*revisited{}, messages: map[string]*received{},
		refusals: map[string][]time.Time{}, answers: map[string][]time.Time{}, accesses: map[string][]time.Time{},
	}
}

// longestGap is how much of a silence counts as active time.
const longestGap = 30 * time.Minute

// Add counts an event. Events of a conversation must come in their order.
func (r *Recount) Add(e event.Recorded) {
	switch p := e.Payload.(type) {
	case *event.Unreadable:
		r.Unreadable++
	case *event.VisitStarted:
		r.visits[p.VisitID] = &revisited{started: e.OccurredAt}
	case *event.WidgetOpened:
		if v, ok := r.visits[p.VisitID]; ok && p.By == event.OpenedByVisitor {
			v.opened = true
		}
	case *event.ConversationStarted:
		r.of(p.ConversationID, e)
	case *event.VisitorMessageSent:
		c := r.of(p.ConversationID, e)
		c.visitor++
		c.message(e.OccurredAt)
	case *event.AssistantReplied:
		r.of(p.ConversationID, e).message(e.OccurredAt)
	case *event.AssistantFailed:
		r.of(p.ConversationID, e).failures++
	case *event.ConsentGiven:
		r.of(p.ConversationID, e).consent = true
	case *event.LeadCaptured:
		r.of(p.ConversationID, e).lead = true
	case *event.ConversationFlagged:
		c := r.of(p.ConversationID, e)
		if c.flags == nil {
			c.flags = map[string]bool{}
		}
		c.flags[p.Flag] = true
	case *event.AppointmentBooked:
		of := r.bookedBy(p.Conversation, p.Booked, e)
		of.status = contacts.Scheduled
		of.changes++
		b := of.booking(p.BookingID)
		b.known, b.cancelled = true, false
		if !p.OfForm() {
			c := r.of(p.ConversationID, e)
			c.appointment, c.cancelled = true, false
		}
	case *event.AppointmentCancelled:
		r.bookedBy(p.Conversation, p.Booked, e).booking(p.BookingID).cancelled = true
		if !p.OfForm() {
			r.of(p.ConversationID, e).cancelled = true
		}
	case *event.BookingLinkShown:
		r.of(p.ConversationID, e).shown = true
	case *event.BookingLinkOpened:
		r.of(p.ConversationID, e).followed = true
	case *event.AnswerTaught, *event.AnswerUndone:
		change := strings.TrimPrefix(e.Stream, event.AnswerPrefix)
		r.answers[change] = append(r.answers[change], e.OccurredAt)
	case *event.TranscriptOpened, *event.ContactMessagesOpened, *event.VisitorTextsRead, *event.QuestionsReplayed,
		*event.ExportTaken, *event.SubjectExported, *event.LogExported:
		_, whose, _ := strings.Cut(e.Stream, "/")
		r.accesses[whose] = append(r.accesses[whose], e.OccurredAt)
	case *event.ChatRefused:
		r.refusals[p.Month] = append(r.refusals[p.Month], e.OccurredAt)
	case *event.AppointmentOutcomeRecorded:
		b := r.bookedBy(p.Conversation, p.Booked, e).booking(p.BookingID)
		b.known, b.outcome = true, p.Outcome
	case *event.ReplyRated:
		c := r.of(p.ConversationID, e)
		if c.ratings == nil {
			c.ratings = map[int]string{}
		}
		c.ratings[p.Ordinal] = p.Rating
	case *event.QuestionLabelled:
		c := r.of(p.ConversationID, e)
		if c.dismissed == nil {
			c.dismissed = map[int]bool{}
		}
		c.dismissed[p.Ordinal] = true
	case *event.ContactMessageReceived:
		r.messages[p.ContactID] = &received{at: e.OccurredAt}
	case *event.ContactStatusChanged:
		if c := r.careFor(p.Contact); c != nil {
			c.status = p.Status
			c.changes++
		}
	case *event.ContactNoteAdded:
		if c := r.careFor(p.Contact); c != nil {
			c.notes++
		}
	}
}

// careFor gives what became of a contact; nil where nothing is known of whom it is about.
func (r *Recount) careFor(c event.Contact) *care {
	if m, ok := r.messages[c.ContactID]; ok && c.Kind == contacts.Message {
		return &m.care
	}
	if l, ok := r.conversations[c.ContactID]; ok && c.Kind == contacts.Lead {
		return &l.care
	}
	return nil
}

// bookedBy gives what became of a conversation, or of a message of the contact form.
func (r *Recount) bookedBy(c event.Conversation, b event.Booked, e event.Recorded) *care {
	if !b.OfForm() {
		return &r.of(c.ConversationID, e).care
	}
	if r.messages[c.ConversationID] == nil { // its first event could not be read
		r.messages[c.ConversationID] = &received{at: c.ConversationStartedAt}
	}
	return &r.messages[c.ConversationID].care
}

func (r *Recount) of(id string, e event.Recorded) *recounted {
	c, ok := r.conversations[id]
	if !ok {
		c = &recounted{started: e.OccurredAt}
		r.conversations[id] = c
	}
	return c
}

func (c *care) booking(id string) *rebooked {
	if c.bookings == nil {
		c.bookings = map[string]*rebooked{}
	}
	if c.bookings[id] == nil {
		c.bookings[id] = &rebooked{}
	}
	return c.bookings[id]
}

func (c *recounted) message(at time.Time) {
	if c.messages > 0 {
		c.active += max(0, min(at.Sub(c.latest), longestGap))
	}
	c.messages++
	c.latest = at
}

// Counts counts the conversations that started in a period.
func (r *Recount) Counts(p Period) Counts {
	var n Counts
	var active []float64
	for _, c := range r.conversations {
		if c.started.Before(p.From) || !c.started.Before(p.To) {
			continue
		}
		n.add(c)
		active = append(active, float64(c.active.Milliseconds()))
	}
	slices.Sort(active)
	n.MedianActiveMillis, n.P90ActiveMillis = interpolated(active, 0.5), interpolated(active, 0.9)
	return n
}

// Day is what is counted of the conversations and visits that started, and of the contacts that
// came, on one day.
type Day struct {
	// Date is the day of the business zone, "2006-01-02".
	Date                                       string
	Conversations, Messages, VisitorMessages   int
	Failures, Consents                         int
	Leads, Appointments, CancelledAppointments int
	// Flags are the different ones of each conversation.
	Flags        int
	ActiveMillis int64
	// OpenedVisits are those in which the visitor opened the chat.
	Visits, OpenedVisits int
	// NewContacts are those that nobody has said anything about.
	Contacts, NewContacts, ContactNotes int
	// The ratings are those of the day's conversations.
	PositiveRatings, NegativeRatings int
	// Dismissed are the dismissed messages of the day's conversations.
	Dismissed int
	// The outcomes are those of the appointments of the day's conversations.
	Came, Missed, CancelledLate int
	// The bookings are those of the day's conversations, the status changes those of its contacts.
	Bookings, CancelledBookings, StatusChanges int
	// Refusals are the conversations that were refused on the day.
	Refusals int
	// BookingLinks are conversations in which the link to the external form was shown.
	BookingLinks, FollowedBookingLinks int
	// AnswerChanges are the versions of answers that were taught or taken back on the day.
	AnswerChanges int
	// DataAccesses are the readings and exports of data of people on the day.
	DataAccesses int
}

func (d *Day) add(c care) {
	d.Contacts++
	d.NewContacts += oneIf(c.status == "" || c.status == contacts.New)
	d.ContactNotes += c.notes
}

func (d *Day) addBookings(c care) {
	for _, b := range c.bookings {
		d.Bookings += oneIf(b.known)
		d.CancelledBookings += oneIf(b.known && b.cancelled)
		d.Came += oneIf(b.outcome == event.OutcomeCame)
		d.Missed += oneIf(b.outcome == event.OutcomeMissed)
		d.CancelledLate += oneIf(b.outcome == event.OutcomeCancelledLate)
	}
	d.StatusChanges += c.changes
}

// Days counts by the day of the zone on which conversations and visits started and contacts
// came, in order, leaving some out.
func (r *Recount) Days(zone *time.Location, without map[string]bool) []Day {
	days := map[string]*Day{}
	of := func(started time.Time) *Day {
		date := started.In(zone).Format(time.DateOnly)
		d, ok := days[date]
		if !ok {
			d = &Day{Date: date}
			days[date] = d
		}
		return d
	}
	for id, v := range r.visits {
		if !without[id] {
			d := of(v.started)
			d.Visits++
			d.OpenedVisits += oneIf(v.opened)
		}
	}
	for id, m := range r.messages {
		if !without[id] {
			d := of(m.at)
			d.add(m.care)
			d.addBookings(m.care)
		}
	}
	each := func(times map[string][]time.Time, count func(*Day)) {
		for subject, list := range times {
			for _, at := range list {
				if !without[subject] {
					count(of(at))
				}
			}
		}
	}
	each(r.refusals, func(d *Day) { d.Refusals++ })
	each(r.answers, func(d *Day) { d.AnswerChanges++ })
	each(r.accesses, func(d *Day) { d.DataAccesses++ })
	for id, c := range r.conversations {
		if without[id] {
			continue
		}
		d := of(c.started)
		d.Conversations++
		d.Messages += c.messages
		d.VisitorMessages += c.visitor
		d.Failures += c.failures
		d.Consents += oneIf(c.consent)
		d.Leads += oneIf(c.lead)
		d.Appointments += oneIf(c.appointment)
		d.CancelledAppointments += oneIf(c.cancelled)
		d.BookingLinks += oneIf(c.shown)
		d.FollowedBookingLinks += oneIf(c.followed)
		d.Flags += len(c.flags)
		d.ActiveMillis += c.active.Milliseconds()
		if c.lead {
			d.add(c.care)
		}
		d.Dismissed += len(c.dismissed)
		d.addBookings(c.care)
		for _, rating := range c.ratings {
			d.PositiveRatings += oneIf(rating == event.RatedPositive)
			d.NegativeRatings += oneIf(rating == event.RatedNegative)
		}
	}
	var list []Day
	for d := range maps.Values(days) {
		list = append(list, *d)
	}
	slices.SortFunc(list, func(a, b Day) int { return cmp.Compare(a.Date, b.Date) })
	return list
}

func oneIf(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// interpolated is the percentile of sorted values as a spreadsheet's PERCENTILE gives it.
func interpolated(sorted []float64, p float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	at := p * float64(len(sorted)-1)
	below := int(math.Floor(at))
	above := min(below+1, len(sorted)-1)
	return sorted[below] + (at-float64(below))*(sorted[above]-sorted[below])
}
