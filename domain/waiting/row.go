package waiting

import (
	"context"
	"fmt"
	"slices"

	"bitacora/domain/contacts"
	"bitacora/domain/event"
)

// Row is a person of the queue.
type Row struct {
	Person
	// Contact is how the person can be reached; empty where that may not be used.
	Contact contacts.Contact
	// Question is what the person asked.
	Question string
	// Topics are what conversations were about, the latest first.
	Topics []string
	// Booking is the latest one; nil without any.
	Booking *contacts.Booking
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
		for _, topic := range c.Topics {
			if !slices.Contains(row.Topics, topic) {
				row.Topics = append(row.Topics, topic)
			}
		}
		if row.Booking == nil {
			row.Booking = c.Booking
		}
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

// question is the message that raised a flag; otherwise the first one that is more than a greeting.
func question(events []event.Recorded, reason Reason) (first string) {
	polite := map[string]bool{}
	for _, e := range events {
		if p, ok := event.Nearest(e.Payload).(*event.AssistantReplied); ok && slices.Contains(event.SmallTalk, p.Intent) {
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
