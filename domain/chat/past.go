package chat

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"bitacora/domain/event"
)

// Past is a conversation that already took place: an imported one, or one of the demo
// history. It goes through the same decisions as a live one, at its own times.
type Past struct {
	// Source and Key name the conversation, see [ConversationID].
	Source, Key string
	// ContentHash identifies the content, so that a repetition differs from a conflict.
	ContentHash string
	Referrer    string
	// Visit is the visit in which it began; nil if none was counted.
	Visit *PastVisit
	// Messages in the order of their times. Those before the first visitor
	// message are not counted.
	Messages    []PastMessage
	Lead        *PastLead
	Appointment *PastAppointment
}

// PastVisit is a visit to the site. Times of openings are zero where there was none.
type PastVisit struct {
	At time.Time
	// OpenedItselfAt is when the panel opened itself, OpenedAt when the visitor opened it.
	OpenedItselfAt, OpenedAt time.Time
}

// PastMessage is one message of either side.
type PastMessage struct {
	FromVisitor bool
	Text        string
	At          time.Time
	// Intent is a label that came with a visitor message.
	Intent string
	// Flag is what in a visitor message asks for the staff's attention, see
	// [event.ConversationFlagged]; empty for nothing.
	Flag string
	// Reply says how an assistant message came about; its Text is not used.
	Reply   Reply
	Latency time.Duration
	// Rating is what the visitor thought of an assistant message, see [event.ReplyRated], at
	// RatedAt; empty if nothing was said. RatingReason is what was wrong with it. RatingUndoneAt is
	// when the visitor took it back; the zero time where it stands.
	Rating         string
	RatingReason   string
	RatedAt        time.Time
	RatingUndoneAt time.Time
	// Linked says that an assistant message held the booking link, which the visitor followed
	// at LinkOpenedAt; the zero time where it was not followed.
	Linked       bool
	LinkOpenedAt time.Time
	// Failed says that the assistant had no reply at that time; the text is not used.
	Failed bool
}

// PastLead is a contact that was left, with consent.
type PastLead struct {
	At time.Time
	// GivenAt is when the visitor wrote the contact, where that was before there was consent;
	// otherwise the zero time.
	GivenAt time.Time
	Contact Contact
}

// PastAppointment is a booking that was confirmed.
type PastAppointment struct {
	At, Slot time.Time
	Source   string
	// Specialty is the slug of a service, empty if unknown.
	Specialty string
	// CancelledAt is zero unless the booking was cancelled.
	CancelledAt time.Time
}

// pastNotice is the notice version of a consent that was given elsewhere.
const pastNotice = "past"

// Decide gives the one append that records the whole conversation. It counts
// against its month without being bound by a limit: what happened, happened.
func (p Past) Decide(zone *time.Location) (event.Append, error) {
	messages := slices.Clone(p.Messages)
	slices.SortStableFunc(messages, func(a, b PastMessage) int { return a.At.Compare(b.At) })
	first := slices.IndexFunc(messages, func(m PastMessage) bool { return m.FromVisitor })
	if first < 0 {
		return event.Append{}, errors.New("no visitor message")
	}
	if err := p.check(messages[first].At); err != nil {
		return event.Append{}, err
	}
	r := pastRecorder{past: p, c: &Conversation{ID: ConversationID(p.Source, p.Key)}}
	r.visit(p.Visit)
	for _, step := range p.steps(messages[first:]) {
		r.record(step.at.UTC().Truncate(time.Millisecond), step.decide(r.c))
	}
	return event.Append{
		Stream:          Stream(r.c.ID),
		ExpectedVersion: 0,
		Drafts:          r.drafts,
		MonthlyLimit:    &event.MonthlyLimit{Month: month(r.c.StartedAt, zone)},
	}, nil
}

// DecideVisit gives the append that records a visit in which no conversation began.
func (p Past) DecideVisit() event.Append {
	r := pastRecorder{past: p, c: &Conversation{ID: ConversationID(p.Source, p.Key)}}
	r.visit(p.Visit)
	return event.Append{Stream: Stream(r.c.ID), ExpectedVersion: 0, Drafts: r.drafts}
}

func (p Past) check(startedAt time.Time) error {
	switch {
	case p.Lead != nil && p.Lead.At.Before(startedAt):
		return errors.New("lead before the first visitor message")
	case p.Lead != nil && p.Lead.Contact.Phone == "" && p.Lead.Contact.Email == "":
		return errors.New("lead without a phone or an e-mail address")
	case p.Appointment != nil && p.Lead == nil:
		return errors.New("appointment without a lead")
	case p.Appointment != nil && p.Appointment.At.Before(p.Lead.At):
		return errors.New("appointment before its lead")
	case p.Appointment != nil && !slices.Contains([]string{"chat", "form", "staff"}, p.Appointment.Source):
		return fmt.Errorf("appointment from unknown source %q", p.Appointment.Source)
	case p.Appointment != nil && !p.Appointment.CancelledAt.IsZero() && p.Appointment.CancelledAt.Before(p.Appointment.At):
		return errors.New("cancellation before its appointment")
	}
	return nil
}

// pastStep is one thing that happened, with the decision it asks for.
type pastStep struct {
	at     time.Time
	decide func(*Conversation) []event.Payload
}

// steps puts everything in the order in which it happened; at the same instant messages
// come before outcomes.
func (p Past) steps(messages []PastMessage) []pastStep {
	var steps []pastStep
	lastVisitor, flag := "", ""
	for i, m := range messages {
		id := PastMessageID(i)
		switch at := m.At.UTC().Truncate(time.Millisecond); {
		case m.FromVisitor:
			lastVisitor, flag = id, m.Flag
			steps = append(steps, pastStep{at, func(c *Conversation) []event.Payload { return p.visitorSaid(c, id, m, at) }})
		case m.Failed:
			replyTo := lastVisitor
			steps = append(steps, pastStep{at, func(c *Conversation) []event.Payload {
				return []event.Payload{&event.AssistantFailed{
					Conversation: c.carried(), ReplyTo: replyTo, Provider: m.Reply.Provider, Model: m.Reply.Model,
					LatencyMillis: m.Latency.Milliseconds(), Reason: "unavailable",
				}}
			}})
		default:
			replyTo, flag := lastVisitor, flag
			steps = append(steps, pastStep{at, func(c *Conversation) []event.Payload {
				decided := assistantSaid(c, replyTo, m, at)
				if flag != "" {
					decided = append(decided, c.flag(flag, replyTo, at)...)
				}
				return decided
			}})
			if m.Rating != "" {
				steps = append(steps, pastRating(replyTo, m.RatedAt, m.Rating, m.RatingReason))
			}
			if !m.RatingUndoneAt.IsZero() {
				steps = append(steps, pastRating(replyTo, m.RatingUndoneAt, event.RatedNone, ""))
			}
			if m.Linked {
				steps = append(steps, pastStep{at, func(c *Conversation) []event.Payload {
					return []event.Payload{&event.BookingLinkShown{Conversation: c.carried(), ReplyTo: replyTo}}
				}})
			}
			if !m.LinkOpenedAt.IsZero() {
				steps = append(steps, pastStep{m.LinkOpenedAt, pastLinkOpened})
			}
		}
	}
	if l := p.Lead; l != nil && !l.GivenAt.IsZero() {
		steps = append(steps, pastStep{l.GivenAt, func(c *Conversation) []event.Payload {
			return c.record(l.GivenAt, l.Contact.event(c))
		}})
	}
	if l := p.Lead; l != nil {
		steps = append(steps, pastStep{l.At, func(c *Conversation) []event.Payload {
			return c.captureLead(l.Contact, pastNotice, p.Source, l.At)
		}})
	}
	if a := p.Appointment; a != nil {
		booking := p.BookingID()
		steps = append(steps, pastStep{a.At, func(c *Conversation) []event.Payload {
			return []event.Payload{&event.AppointmentBooked{
				Conversation: c.carried(), BookingID: booking, Source: a.Source, Slot: a.Slot.UTC(), Specialty: a.Specialty, Offered: a.Specialty != "",
			}}
		}})
		if !a.CancelledAt.IsZero() {
			steps = append(steps, pastStep{a.CancelledAt, func(c *Conversation) []event.Payload {
				return []event.Payload{&event.AppointmentCancelled{Conversation: c.carried(), BookingID: booking, Source: a.Source}}
			}})
		}
	}
	slices.SortStableFunc(steps, func(a, b pastStep) int { return a.at.Compare(b.at) })
	return steps
}

// PastMessageID names the message at a place, from the first one of the visitor on.
func PastMessageID(place int) string { return "m" + strconv.Itoa(place+1) }

// BookingID names the booking of the appointment.
func (p Past) BookingID() string { return event.DerivedID("booking", p.Source, p.Key) }

func (p Past) visitorSaid(c *Conversation, id string, m PastMessage, at time.Time) []event.Payload {
	decided := c.receive(Message{MessageID: id, Text: CleanText(m.Text), Referrer: p.Referrer, Channel: p.Source}, at)
	for _, payload := range decided {
		switch payload := payload.(type) {
		case *event.ConversationStarted:
			payload.ImportHash = p.ContentHash
		case *event.VisitorMessageSent:
			payload.Intent = m.Intent
		}
	}
	return decided
}

// assistantSaid records a message, also a second one to the same visitor message: another system
// may have sent several in a row.
func assistantSaid(c *Conversation, replyTo string, m PastMessage, at time.Time) []event.Payload {
	if _, answered := c.Lines.replyTo(replyTo); answered {
		replyTo = ""
	}
	r := m.Reply
	r.Text = CleanText(m.Text)
	c.public = r.Public
	return c.reply(replyTo, r, m.Latency, at)
}

func pastRating(replyTo string, at time.Time, rating, reason string) pastStep {
	return pastStep{at, func(c *Conversation) []event.Payload {
		rated, err := c.rate(replyTo, rating, reason)
		if err != nil {
			return nil
		}
		return c.record(at, rated...)
	}}
}

func pastLinkOpened(c *Conversation) []event.Payload {
	if c.linkOpened {
		return nil
	}
	opened := &event.BookingLinkOpened{Conversation: c.carried()}
	c.apply(opened, time.Time{})
	return []event.Payload{opened}
}

// pastRecorder turns decisions into drafts whose ids depend on the conversation alone.
type pastRecorder struct {
	past   Past
	c      *Conversation
	drafts []event.Draft
}

func (r *pastRecorder) record(at time.Time, decided []event.Payload) {
	for _, p := range decided {
		id := event.DerivedID(r.past.Source, r.past.Key, strconv.Itoa(len(r.drafts)+1))
		r.drafts = append(r.drafts, event.Draft{ID: id, OccurredAt: at, Payload: p})
		r.c.stored(p, id)
	}
}

func (r *pastRecorder) visit(v *PastVisit) {
	if v == nil {
		return
	}
	steps := []pastStep{{v.At, func(c *Conversation) []event.Payload { return c.visit("", v.At.UTC().Truncate(time.Millisecond)) }}}
	for by, at := range map[string]time.Time{event.OpenedByItself: v.OpenedItselfAt, event.OpenedByVisitor: v.OpenedAt} {
		if !at.IsZero() {
			steps = append(steps, pastStep{at, func(c *Conversation) []event.Payload { return c.visit(by, at) }})
		}
	}
	slices.SortStableFunc(steps, func(a, b pastStep) int { return a.at.Compare(b.at) })
	for _, step := range steps {
		r.record(step.at.UTC().Truncate(time.Millisecond), step.decide(r.c))
	}
}
