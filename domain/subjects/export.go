package subjects

import (
	"context"
	"fmt"
	"slices"
	"time"

	"bitacora/domain/event"
)

// Formats of an export.
const (
	JSON = "json"
	HTML = "html"
)

// Formats are all of them.
var Formats = []string{JSON, HTML}

// Copy is everything that is kept of a person, as it is handed over.
type Copy struct {
	Person
	// MadeAt is when it was made.
	MadeAt time.Time `json:"madeAt"`
	// Names are what those are called who stand in it by the id of their account.
	Names map[string]string `json:"names"`
	// Exports are files with data of many people that were taken since the person came, and that
	// may hold something of them.
	Exports []Export `json:"exports,omitempty"`
}

// Export is a file that somebody of the staff took away.
type Export struct {
	At   time.Time `json:"at"`
	By   string    `json:"by"`
	Rows string    `json:"rows"`
}

// Export hands over what is kept of a person, and records who took it and in which format.
func (r *Register) Export(ctx context.Context, p Person, by, format string) (Copy, error) {
	c := Copy{Person: p, MadeAt: r.now(), Names: map[string]string{}}
	if len(p.Records) == 0 {
		return c, ErrNobody
	}
	for _, record := range p.Records {
		_, err := r.Log.Append(ctx, event.Append{Stream: record.Stream(), ExpectedVersion: event.AnyVersion, Drafts: []event.Draft{{
			ID:         event.DerivedID("exported", record.Stream(), by, format, c.MadeAt.Format(time.RFC3339Nano)),
			OccurredAt: c.MadeAt, Payload: &event.SubjectExported{By: by, Format: format},
		}}})
		if err != nil {
			return c, fmt.Errorf("record export: %w", err)
		}
	}
	return c, r.addReadings(ctx, &c)
}

// addReadings adds who read what of it, and what these people are called.
func (r *Register) addReadings(ctx context.Context, c *Copy) error {
	ids, first := make([]string, len(c.Records)), c.MadeAt
	for i := range c.Records {
		ids[i] = c.Records[i].ID
		if at := c.Records[i].CameAt; at.Before(first) {
			first = at
		}
	}
	readings, err := r.Log.ReadingsOf(ctx, ids)
	if err != nil {
		return fmt.Errorf("read who read it: %w", err)
	}
	for _, e := range readings {
		switch p := e.Payload.(type) {
		case *event.TranscriptOpened:
			c.read(Conversation, []string{p.ConversationID}, Reading{e.OccurredAt, p.StaffID, "transcript"})
		case *event.ContactMessagesOpened:
			c.read(Conversation, p.ConversationIDs, Reading{e.OccurredAt, p.StaffID, "contact"})
			c.read(Message, p.ContactIDs, Reading{e.OccurredAt, p.StaffID, "contact"})
		case *event.VisitorTextsRead:
			what := "questions"
			if p.List == "person" {
				what = "person"
			}
			c.read(Conversation, p.ConversationIDs, Reading{e.OccurredAt, p.StaffID, what})
			c.read(Message, p.ContactIDs, Reading{e.OccurredAt, p.StaffID, what})
		case *event.QuestionsReplayed:
			c.readSince(p.From, Reading{e.OccurredAt, p.StaffID, "questions"})
		case *event.ExportTaken:
			if e.OccurredAt.After(first) {
				c.Exports = append(c.Exports, Export{e.OccurredAt, p.StaffID, p.Rows})
			}
		}
	}
	names, err := r.Names(ctx)
	if err != nil {
		return fmt.Errorf("read names of the staff: %w", err)
	}
	for _, id := range c.actors() {
		if name, known := names[id]; known {
			c.Names[id] = name
		}
	}
	return nil
}

// actors are those who did something with what is kept.
func (c *Copy) actors() (ids []string) {
	for _, r := range c.Records {
		for _, b := range r.Bookings {
			ids = append(ids, b.By)
		}
		for _, n := range r.Notes {
			ids = append(ids, n.By)
		}
		for _, s := range r.Statuses {
			ids = append(ids, s.By)
		}
		for _, one := range r.Changes {
			ids = append(ids, one.By)
		}
		for _, one := range r.Readings {
			ids = append(ids, one.By)
		}
	}
	for _, e := range c.Exports {
		ids = append(ids, e.By)
	}
	return ids
}

// readSince adds a reading to the conversations that began from an instant until it.
func (c *Copy) readSince(from time.Time, reading Reading) {
	for _, r := range c.Records {
		if !r.CameAt.Before(from) && !r.CameAt.After(reading.At) {
			c.read(Conversation, []string{r.ID}, reading)
		}
	}
}

func (c *Copy) read(kind string, ids []string, reading Reading) {
	for i := range c.Records {
		if r := &c.Records[i]; (r.Kind == Conversation) == (kind == Conversation) && slices.Contains(ids, r.ID) {
			r.Readings = append(r.Readings, reading)
		}
	}
}
