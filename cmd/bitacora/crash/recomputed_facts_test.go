package crash

import (
	"cmp"
	"fmt"
	"maps"
	"strings"
	"time"

	"bitacora/domain/contacts"
	"bitacora/domain/event"
)

// change is one of a contact's status, by an account or from a source.
type change struct {
	to, by string
	event  event.Recorded
}

// booking is one of a conversation, or of a message of the contact form, which booked it first, moved it or cancelled it.
type booking struct {
	conversation          string
	conversationStarted   time.Time
	of                    contacts.Ref
	first                 event.AppointmentBooked
	at, cancelledAt       time.Time
	booked, cancelled     int64
	moved                 bool
	outcome               string
	outcomePosition, last int64
}

// arrange adds what an event tells of a booking.
func (r *recomputed) arrange(e event.Recorded) {
	of := func(c event.Conversation, b event.Booked, id string) *booking {
		if r.bookings[id] == nil {
			r.bookings[id] = &booking{conversation: c.ConversationID, conversationStarted: c.ConversationStartedAt, of: bookedFor(c, b)}
		}
		r.bookings[id].last = e.Position
		return r.bookings[id]
	}
	switch p := e.Payload.(type) {
	case *event.AppointmentBooked:
		b := of(p.Conversation, p.Booked, p.BookingID)
		if b.booked == 0 {
			b.first, b.at = *p, e.OccurredAt
		}
		b.booked = e.Position
		if before := r.bookings[p.Replaces]; before != nil {
			before.moved = true
		}
	case *event.AppointmentCancelled:
		b := of(p.Conversation, p.Booked, p.BookingID)
		b.cancelled, b.cancelledAt = e.Position, e.OccurredAt
	case *event.AppointmentOutcomeRecorded:
		b := of(p.Conversation, p.Booked, p.BookingID)
		b.outcome, b.outcomePosition = p.Outcome, e.Position
	}
}

// bookedFor is who a booking is for.
func bookedFor(c event.Conversation, b event.Booked) contacts.Ref {
	if b.OfForm() {
		return contacts.Ref{Kind: contacts.Message, ID: c.ConversationID}
	}
	return contacts.Ref{Kind: contacts.Lead, ID: c.ConversationID}
}

// addFacts adds the rows of bookings, their outcomes, changes of contacts, refusals and accesses to data.
func (r *recomputed) addFacts(all map[string]map[string]row) {
	for _, table := range factTables {
		all[table] = map[string]row{}
	}
	for id, b := range r.bookings {
		all["bookings"][id] = b.row(id, r.cameFrom(b.of))
		if known := all["bookings"][id]["outcome"]; known != "" {
			reported := maps.Clone(all["bookings"][id])
			reported["position"] = fmt.Sprint(b.outcomePosition)
			all["outcomes"][id] = reported
		}
	}
	for ref, c := range r.contacts {
		from := "new"
		for _, one := range c.changes {
			position := fmt.Sprint(one.event.Position)
			all["contact_history"][position] = row{
				"kind": ref.Kind, "contact_id": ref.ID, "came_at": instant(c.came), "from_status": from, "to_status": one.to,
				"changed_at": instant(one.event.OccurredAt), "changed_by": one.by, "position": position,
				"channel": one.event.Metadata[event.Channel], "view.channel": r.cameFrom(ref),
			}
			from = one.to
		}
	}
	r.addAnswers(all["answers_taught"])
	for _, e := range r.refusals {
		p := e.Payload.(*event.ChatRefused)
		all["chat_refusals"][fmt.Sprint(e.Position)] = row{
			"refused_at": instant(e.OccurredAt), "month": p.Month, "monthly_limit": fmt.Sprint(p.Limit), "position": fmt.Sprint(e.Position),
			"channel": e.Metadata[event.Channel], "view.channel": cmp.Or(e.Metadata[event.Channel], "web"),
		}
	}
	for _, e := range r.accesses {
		action, kind, _ := accessOf(e.Payload)
		_, subject, _ := strings.Cut(e.Stream, "/")
		all["data_access"][fmt.Sprint(e.Position)] = row{
			"accessed_at": instant(e.OccurredAt), "action": action, "kind": kind, "subject": subject, "position": fmt.Sprint(e.Position),
			"channel": e.Metadata[event.Channel], "view.channel": cmp.Or(e.Metadata[event.Channel], "web"),
		}
	}
}

// accessOf is how data of people were read or taken away by an event; ok is false for others.
func accessOf(p event.Payload) (action, kind string, ok bool) {
	switch p := p.(type) {
	case *event.TranscriptOpened:
		return "read", "transcript", true
	case *event.ContactMessagesOpened:
		return "read", "contacts", true
	case *event.VisitorTextsRead:
		if p.Words != "" {
			return "searched", p.List, true
		}
		return "read", p.List, true
	case *event.QuestionsReplayed:
		return "read", "replayed", true
	case *event.ExportTaken:
		return "exported", p.Rows, true
	case *event.SubjectExported:
		return "exported", "person", true
	case *event.LogExported:
		return "exported", "log", true
	}
	return "", "", false
}

// addAnswers adds a row for each change of an answer; the view has one for each version, at its latest change.
func (r *recomputed) addAnswers(rows map[string]row) {
	for slug, versions := range r.taught {
		for _, v := range versions {
			add := func(e event.Recorded, undoneAt string) row {
				position := fmt.Sprint(e.Position)
				rows[position] = row{
					"changed_at": instant(e.OccurredAt), "change": strings.TrimPrefix(e.Stream, event.AnswerPrefix), "version": fmt.Sprint(v.Version),
					"undone": fmt.Sprint(undoneAt != noValue), "position": position, "slug": slug, "taught_at": instant(v.taught.OccurredAt), "undone_at": undoneAt,
				}
				return rows[position]
			}
			if published := add(v.taught, noValue); v.undone != nil {
				published["followed"] = "true"
				add(*v.undone, instant(v.undone.OccurredAt))
			}
		}
	}
}

// factTables have one row a fact with its time; outcomes is a view of bookings.
var factTables = []string{"bookings", "outcomes", "contact_history", "chat_refusals", "answers_taught", "data_access"}

func (b *booking) row(id, channel string) row {
	cancelledAt, specialty, outcome := noValue, "", b.outcome
	if b.cancelled > 0 {
		cancelledAt = instant(b.cancelledAt)
	}
	if b.first.Source == "chat" || b.first.Offered {
		specialty = b.first.Specialty
	}
	if outcome == event.OutcomeUnknown {
		outcome = ""
	}
	return row{
		"conversation_id": b.conversation, "conversation_started_at": instant(b.conversationStarted), "booking_id": id, "booked_at": instant(b.at),
		"slot": instant(b.first.Slot), "booked_by": b.first.Source, "specialty": specialty, "replaces": b.first.Replaces, "cancelled_at": cancelledAt,
		"booked_position": fmt.Sprint(b.booked), "cancelled_position": fmt.Sprint(b.cancelled), "last_position": fmt.Sprint(b.last),
		"told_outcome": fmt.Sprintf("(%d,'%s')", b.outcomePosition, b.outcome), "outcome": outcome, "cancelled": fmt.Sprint(b.cancelled > b.booked),
		// One division, as the view's: Duration.Hours adds whole hours and the rest, which rounds another last digit.
		"lead_time_hours": fmt.Sprint(float64(b.first.Slot.UnixMilli()-b.at.UnixMilli()) / 3600000),
		"moved":           fmt.Sprint(b.moved), "view.channel": channel,
	}
}
