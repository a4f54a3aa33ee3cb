package crash

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"bitacora/domain/contacts"
	"bitacora/domain/event"
)

// recomputed is what the log adds up to, event by event and without a projection.
type recomputed struct {
	talks    map[string]*conv
	visits   map[string]*seen
	contacts map[contacts.Ref]*person
	bookings map[string]*booking
	refusals []event.Recorded
	// accesses are those to data of people.
	accesses []event.Recorded
	// facts counts what clients know of; types counts the events of each.
	facts map[fact]int
	types map[string]int
	// erased and restricted are streams, taught the versions of answers by slug.
	erased, restricted map[string]bool
	taught             map[string][]*version
	// first and last are the days that it is about, both included; zero for all.
	first, last time.Time
}

// conv is a conversation.
type conv struct {
	started           time.Time
	channel, referrer string
	said              []line
	active            time.Duration
	failures          []int64
	// dismissed are the ordinals of what the staff dismissed.
	dismissed         []int64
	flags, sources    []string
	consent, lead     bool
	booked, cancelled int64
	last              int64
	// bookedFirst is when a booking was confirmed first; outcomes are those of the bookings.
	bookedFirst time.Time
	outcomes    map[string]string
	// linkShown and linkFollowed are the first times of the link to the external form.
	linkShown, linkFollowed string
	// chatBooked and chatCancelled are the bookings and cancellations that replies tell of.
	chatBooked, chatCancelled int
}

// line is a message of either side; sent is nil for a reply, and reply for the visitor's.
type line struct {
	event.Recorded
	sent   *event.VisitorMessageSent
	reply  *event.AssistantReplied
	text   event.Text
	rating *event.ReplyRated
	rated  event.Recorded
}

type seen struct {
	started                    time.Time
	byVisitor, byItself, wrote bool
	channel                    string
	last                       int64
}

type person struct {
	// requests are those about their own data that are not done, by when they are due.
	requests        map[string]time.Time
	came            time.Time
	reachable       bool
	status          string
	statusAt        int64
	slot            time.Time
	slotAt          int64
	cancelled, last int64
	notes           []int64
	channel         string
	changes         []change
}

// recompute adds up the whole log.
func recompute(events []event.Recorded) *recomputed {
	r := &recomputed{
		talks: map[string]*conv{}, visits: map[string]*seen{}, contacts: map[contacts.Ref]*person{}, bookings: map[string]*booking{},
		facts: map[fact]int{}, types: map[string]int{},
		erased: map[string]bool{}, restricted: map[string]bool{}, taught: map[string][]*version{},
	}
	for _, e := range events {
		r.types[e.Payload.EventType()]++
		if _, _, ok := accessOf(e.Payload); ok {
			r.accesses = append(r.accesses, e)
		}
		r.withhold(e)
		r.converse(e)
		r.keep(e)
		r.arrange(e)
		r.see(e)
		r.note(e)
	}
	return r
}

// converse adds what an event tells of a conversation.
func (r *recomputed) converse(e event.Recorded) {
	id := strings.TrimPrefix(e.Stream, "conversation/")
	t := r.talks[id]
	if p, ok := e.Payload.(*event.ConversationStarted); ok {
		t = &conv{started: e.OccurredAt, channel: p.Channel, referrer: p.Referrer, last: e.Position, outcomes: map[string]string{}}
		r.talks[id] = t
	}
	if t == nil {
		return
	}
	hasRows := true
	switch p := e.Payload.(type) {
	case *event.ConversationStarted:
	case *event.VisitorMessageSent:
		t.say(line{Recorded: e, sent: p, text: p.Text})
	case *event.AssistantReplied:
		t.say(line{Recorded: e, reply: p, text: p.Text})
		if strings.Contains(p.Text.Text, saidBooked) && t.channel == "web" {
			t.chatBooked--
		}
		if strings.Contains(p.Text.Text, saidCancelled) {
			t.chatCancelled--
		}
	case *event.AssistantFailed:
		t.failures = append(t.failures, e.Position)
	case *event.ConversationFlagged:
		t.flags = append(t.flags, p.Flag)
	case *event.ConsentGiven:
		t.consent = true
	case *event.LeadCaptured:
		t.lead = true
	case *event.AppointmentBooked:
		t.booked, t.sources = e.Position, append(t.sources, p.Source)
		if t.bookedFirst.IsZero() {
			t.bookedFirst = e.OccurredAt
		}
		if p.Source == "chat" && t.channel == "web" {
			t.chatBooked++
		}
	case *event.AppointmentCancelled:
		t.cancelled = e.Position
		if p.Source == "chat" && t.channel == "web" {
			t.chatCancelled++
		}
	case *event.ReplyRated:
		t.said[p.Ordinal-1].rating, t.said[p.Ordinal-1].rated = p, e
		hasRows = false
	case *event.QuestionLabelled:
		if !slices.Contains(t.dismissed, int64(p.Ordinal)) {
			t.dismissed = append(t.dismissed, int64(p.Ordinal))
		}
	case *event.BookingLinkShown:
		t.linkShown = cmp.Or(t.linkShown, instant(e.OccurredAt))
	case *event.BookingLinkOpened:
		t.linkFollowed = cmp.Or(t.linkFollowed, instant(e.OccurredAt))
	case *event.AppointmentOutcomeRecorded:
		t.outcomes[p.BookingID] = p.Outcome
		hasRows = false
	case *event.TextsMasked:
		for _, m := range p.Messages {
			l := &t.said[m.Ordinal-1]
			l.text.Masked, l.Position = m.Masked, e.Position
		}
		hasRows = false
	default:
		hasRows = false
	}
	if hasRows {
		t.last = e.Position
	}
}

func (t *conv) say(l line) {
	if n := len(t.said); n > 0 {
		t.active += max(0, min(l.OccurredAt.Sub(t.said[n-1].OccurredAt), 30*time.Minute))
	}
	t.said = append(t.said, l)
}

// keep adds what an event tells of somebody who can be reached.
func (r *recomputed) keep(e event.Recorded) {
	of := func(kind, id string) *person {
		ref := contacts.Ref{Kind: kind, ID: id}
		if r.contacts[ref] == nil {
			came := e.OccurredAt
			if t := r.talks[id]; t != nil && kind == contacts.Lead {
				came = t.started
			}
			r.contacts[ref] = &person{came: came}
		}
		r.contacts[ref].last = e.Position
		r.contacts[ref].channel = max(r.contacts[ref].channel, e.Metadata[event.Channel])
		return r.contacts[ref]
	}
	switch p := e.Payload.(type) {
	case *event.LeadCaptured:
		of(contacts.Lead, p.ConversationID).reachable = true
	case *event.ContactMessageReceived:
		of(contacts.Message, p.ContactID).reachable = true
	case *event.AppointmentBooked:
		booker := bookedFor(p.Conversation, p.Booked)
		c := of(booker.Kind, booker.ID)
		c.status, c.statusAt, c.slot, c.slotAt = contacts.Scheduled, e.Position, p.Slot, e.Position
		c.changes = append(c.changes, change{contacts.Scheduled, cmp.Or(p.StaffID, p.Source), e})
	case *event.AppointmentCancelled:
		booker := bookedFor(p.Conversation, p.Booked)
		of(booker.Kind, booker.ID).cancelled = e.Position
	case *event.ContactStatusChanged:
		c := of(p.Kind, p.ContactID)
		c.status, c.statusAt = p.Status, e.Position
		c.changes = append(c.changes, change{p.Status, p.StaffID, e})
	case *event.ContactNoteAdded:
		c := of(p.Kind, p.ContactID)
		c.notes = append(c.notes, e.Position)
	case *event.PrivacyRequestReceived:
		c := of(p.Kind, p.ContactID)
		if c.requests == nil {
			c.requests = map[string]time.Time{}
		}
		c.requests[p.RequestID] = p.DueAt
	case *event.PrivacyRequestDone:
		delete(of(p.Kind, p.ContactID).requests, p.RequestID)
	}
}

// see adds what an event tells of a visit.
func (r *recomputed) see(e event.Recorded) {
	of := func(id string, started time.Time) *seen {
		if r.visits[id] == nil {
			r.visits[id] = &seen{started: started}
		}
		r.visits[id].last = e.Position
		return r.visits[id]
	}
	switch p := e.Payload.(type) {
	case *event.VisitStarted:
		of(p.VisitID, e.OccurredAt)
	case *event.WidgetOpened:
		v := of(p.VisitID, p.VisitStartedAt)
		v.byVisitor = v.byVisitor || p.By == event.OpenedByVisitor
		v.byItself = v.byItself || p.By == event.OpenedByItself
	case *event.ConversationStarted:
		if !p.VisitStartedAt.IsZero() {
			v := of(p.ConversationID, p.VisitStartedAt)
			v.wrote, v.channel = true, p.Channel
		}
	}
}

// note takes down what a client may know of.
func (r *recomputed) note(e event.Recorded) {
	add := func(what, of string) { r.facts[fact{what, of}]++ }
	switch p := e.Payload.(type) {
	case *event.VisitStarted:
		add("visit", p.VisitID)
	case *event.WidgetOpened:
		add("opened by "+p.By, p.VisitID)
	case *event.ConversationStarted:
		if p.Channel == "import" {
			add("import", p.ConversationID)
		}
	case *event.ConversationBound:
		add("bound", p.ConversationID)
	case *event.VisitorMessageSent:
		add("message", p.ConversationID+"/"+p.MessageID)
	case *event.AssistantReplied:
		add("reply", p.ConversationID+"/"+p.ReplyTo+"/"+p.Text.Text)
	case *event.ReplyRated:
		add("rating", p.ConversationID+"/"+p.ReplyTo+"/"+p.Rating+p.Reason)
	case *event.QuestionLabelled:
		add("dismissal", p.ConversationID)
	case *event.BookingLinkOpened:
		add("link", p.ConversationID)
	case *event.AppointmentBooked:
		add("booking", p.BookingID)
		add("status", statusOf(bookedFor(p.Conversation, p.Booked), contacts.Scheduled, e.OccurredAt))
	case *event.AppointmentCancelled:
		add("cancellation", p.BookingID)
	case *event.ContactMessageReceived:
		add("contact", p.Message)
	case *event.ContactStatusChanged:
		add("status", statusOf(contacts.Ref{Kind: p.Kind, ID: p.ContactID}, p.Status, e.OccurredAt))
	case *event.ContactNoteAdded:
		add("note", e.ID)
	case *event.ChatRefused:
		add("refusal", e.ID)
		r.refusals = append(r.refusals, e)
	case *event.NoticeSent:
		add("notice", p.Notice+"/"+p.Of)
	case *event.StaffSignedIn:
		add("sign-in", "")
	case *event.ContactMessagesOpened:
		add("contacts read", "")
	case *event.TranscriptOpened:
		add("transcript", p.ConversationID)
	default:
		r.noteDuties(e, add)
	}
}

// row is a row of a table as texts by column, as ClickHouse writes them.
type row map[string]string

// rows are those of every table by their keys. A column whose name begins with "view." is what
// the analysts' view of the table says in its place.
func (r *recomputed) rows() map[string]map[string]row {
	all := map[string]map[string]row{"conversations": {}, "messages": {}, "contacts": {}, "visits": {}, "ratings": {}}
	for id, t := range r.talks {
		all["conversations"][id] = t.row(id)
		for i, l := range t.said {
			key := fmt.Sprint(id, "/", i+1)
			all["messages"][key] = l.row(id, t, i+1)
			if r.withheld(id) {
				all["messages"][key]["text"] = ""
			}
			if l.rating != nil {
				all["ratings"][key] = row{
					"conversation_id": id, "conversation_started_at": instant(t.started), "ordinal": fmt.Sprint(i + 1), "topic": l.rating.Topic,
					"rating": l.rating.Rating, "reason": l.rating.Reason, "rated_at": instant(l.rated.OccurredAt), "position": fmt.Sprint(l.rated.Position), "view.channel": t.channel,
				}
			}
		}
	}
	for id, v := range r.visits {
		shown := v.channel
		if shown == "" {
			shown = "web"
		}
		all["visits"][id] = row{
			"visit_id": id, "started_at": instant(v.started), "opened_by_visitor": fmt.Sprint(v.byVisitor), "opened_by_itself": fmt.Sprint(v.byItself),
			"conversation": fmt.Sprint(v.wrote), "channel": v.channel, "last_position": fmt.Sprint(v.last), "view.channel": shown,
		}
	}
	for ref, c := range r.contacts {
		all["contacts"][ref.Kind+"/"+ref.ID] = r.contactRow(ref, c)
	}
	r.addFacts(all)
	return all
}

func (t *conv) row(id string) row {
	last, started, topics, models := t.started, t.started.In(zone), []string{}, []string{}
	var visitor, unanswered []int64
	for i, l := range t.said {
		if l.OccurredAt.After(last) {
			last = l.OccurredAt
		}
		switch {
		case l.sent != nil:
			visitor = append(visitor, int64(i+1))
		default:
			models = append(models, l.reply.Model)
			if l.reply.Topic != "" {
				topics = append(topics, l.reply.Topic)
			}
			if !l.reply.Answered {
				unanswered = append(unanswered, int64(i+1))
			}
		}
	}
	bookedAt, toBooking, outcome := noValue, noValue, ""
	if t.booked > 0 {
		bookedAt, toBooking = instant(t.bookedFirst), fmt.Sprint((t.bookedFirst.UnixMilli()-t.started.UnixMilli())/1000)
	}
	for _, wanted := range []string{event.OutcomeCame, event.OutcomeMissed, event.OutcomeCancelledLate} {
		if slices.Contains(slices.Collect(maps.Values(t.outcomes)), wanted) && outcome == "" {
			outcome = wanted
		}
	}
	return row{
		"booked_at": bookedAt, "seconds_to_booking": toBooking, "outcome": outcome,
		"conversation_id": id, "started_at": instant(t.started), "last_message_at": instant(last), "message_count": fmt.Sprint(len(t.said)),
		"visitor_ordinals": numbers(visitor), "unanswered_ordinals": numbers(unanswered), "dismissed_ordinals": numbers(t.dismissed), "failure_positions": numbers(t.failures),
		"active_ms": fmt.Sprint(t.active.Milliseconds()), "topics": texts(topics), "models": texts(models), "flags": texts(t.flags),
		"consent": fmt.Sprint(t.consent), "lead": fmt.Sprint(t.lead), "appointment": fmt.Sprint(t.booked > 0), "booking_sources": texts(t.sources),
		"booked_position": fmt.Sprint(t.booked), "cancelled_position": fmt.Sprint(t.cancelled), "channel": t.channel, "referrer": t.referrer,
		"booking_link_shown_at": cmp.Or(t.linkShown, noValue), "booking_link_followed_at": cmp.Or(t.linkFollowed, noValue),
		"last_position": fmt.Sprint(t.last), "appointment_cancelled": fmt.Sprint(t.isCancelled()),
		"visitor_messages": fmt.Sprint(len(visitor)), "unanswered": fmt.Sprint(len(unanswered)), "failures": fmt.Sprint(len(t.failures)),
		"started_date": started.Format(time.DateOnly), "started_hour": fmt.Sprint(started.Hour()), "started_weekday": fmt.Sprint((int(started.Weekday())+6)%7 + 1),
	}
}

func (t *conv) isCancelled() bool { return t.cancelled > t.booked }

func (l line) row(id string, t *conv, ordinal int) row {
	said := l.text.Text
	if l.text.Masked != "" {
		said = l.text.Masked
	}
	reported := row{
		"conversation_id": id, "conversation_started_at": instant(t.started), "ordinal": fmt.Sprint(ordinal), "message_id": l.ID,
		"sender": "visitor", "text": said, "intent": "", "topic": "", "provider": "", "model": "", "latency_ms": noValue, "tokens_in": noValue,
		"tokens_out": noValue, "answered": noValue, "confidence": noValue, "runner_up": "", "runner_up_confidence": noValue,
		"answer": "", "likelihood": noValue, "next_answer": "", "next_likelihood": noValue, "sources": "[]", "sent_at": instant(l.OccurredAt), "position": fmt.Sprint(l.Position), "view.channel": t.channel,
	}
	if l.sent != nil {
		reported["intent"] = l.sent.Intent
		return reported
	}
	reported["sender"], reported["answered"] = "assistant", fmt.Sprint(l.reply.Answered)
	reported["topic"], reported["provider"], reported["model"] = l.reply.Topic, l.reply.Provider, l.reply.Model
	reported["intent"], reported["runner_up"], reported["answer"], reported["next_answer"] = l.reply.Intent, l.reply.RunnerUp, l.reply.Answer, l.reply.NextAnswer
	if len(l.reply.Sources) > 0 {
		reported["sources"] = "['" + strings.Join(slices.Sorted(slices.Values(l.reply.Sources)), "','") + "']"
	}
	for column, n := range map[string]float64{
		"confidence": l.reply.Confidence, "runner_up_confidence": l.reply.RunnerUpConfidence, "likelihood": l.reply.Likelihood, "next_likelihood": l.reply.NextLikelihood,
	} {
		if n > 0 {
			reported[column] = fmt.Sprint(n)
		}
	}
	for column, n := range map[string]int64{"latency_ms": l.reply.LatencyMillis, "tokens_in": int64(l.reply.TokensIn), "tokens_out": int64(l.reply.TokensOut)} {
		if n > 0 {
			reported[column] = fmt.Sprint(n)
		}
	}
	return reported
}

func (r *recomputed) contactRow(ref contacts.Ref, c *person) row {
	status, slot := "new", noValue
	if c.status != "" {
		status = c.status
	}
	if c.slotAt > 0 {
		slot = instant(c.slot)
	}
	return row{
		"kind": ref.Kind, "contact_id": ref.ID, "came_at": instant(c.came), "reachable": fmt.Sprint(c.reachable),
		"told_status": fmt.Sprintf("(%d,'%s')", c.statusAt, c.status), "told_slot": fmt.Sprintf("(%d,%s)", c.slotAt, instant(c.slot)),
		"cancelled_position": fmt.Sprint(c.cancelled), "note_positions": numbers(c.notes), "channel": c.channel, "last_position": fmt.Sprint(c.last),
		"status": status, "slot": slot, "cancelled": fmt.Sprint(c.cancelled > c.slotAt), "notes": fmt.Sprint(len(c.notes)), "view.channel": r.cameFrom(ref),
	}
}

func (r *recomputed) cameFrom(ref contacts.Ref) string {
	if t := r.talks[ref.ID]; t != nil {
		return t.channel
	}
	return "web"
}

// noValue is how a column without a value is written.
const noValue = "NULL"

// instant is a time as milliseconds since 1970; a missing one is 0.
func instant(t time.Time) string {
	if t.IsZero() {
		return "0"
	}
	return fmt.Sprint(t.UnixMilli())
}

func numbers(list []int64) string {
	return strings.ReplaceAll(fmt.Sprint(slices.Sorted(slices.Values(list))), " ", ",")
}

// texts is the set of a list.
func texts(list []string) string {
	set := map[string]bool{}
	for _, s := range list {
		set["'"+s+"'"] = true
	}
	return "[" + strings.Join(slices.Sorted(maps.Keys(set)), ",") + "]"
}
