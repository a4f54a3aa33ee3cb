package contacts

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"bitacora/domain/chat"
	"bitacora/domain/event"
)

var (
	noon = time.Date(2026, 11, 3, 17, 0, 0, 0, time.UTC)
	lead = Ref{Lead, "c1"}
	form = Ref{Message, "m1"}
)

// memory is a log that keeps streams and nothing else.
type memory struct{ events []event.Recorded }

func (m *memory) record(stream string, payloads ...event.Payload) {
	for _, p := range payloads {
		m.keep(stream, event.Draft{ID: event.DerivedID(stream, time.Duration(len(m.events)).String()), OccurredAt: noon, Payload: p})
	}
}

func (m *memory) keep(stream string, d event.Draft) event.Recorded {
	e := event.Recorded{Position: int64(len(m.events) + 1), ID: d.ID, Stream: stream, OccurredAt: d.OccurredAt, Payload: d.Payload}
	m.events = append(m.events, e)
	return e
}

func (m *memory) ReadStreams(_ context.Context, streams []string, types ...string) (found []event.Recorded, err error) {
	for _, e := range m.events {
		if slices.Contains(streams, e.Stream) && (len(types) == 0 || slices.Contains(types, e.Payload.EventType())) {
			found = append(found, e)
		}
	}
	return found, nil
}

func (m *memory) RequestStreams(_ context.Context, done bool, _ int) (streams []string, err error) {
	open := map[string]int{}
	for _, e := range m.events {
		switch e.Payload.(type) {
		case *event.PrivacyRequestReceived:
			open[e.Stream]++
		case *event.PrivacyRequestDone:
			open[e.Stream]--
		}
	}
	for stream, n := range open {
		if done || n > 0 {
			streams = append(streams, stream)
		}
	}
	return streams, nil
}

func (m *memory) BookedStreams(context.Context, time.Time, time.Time) (streams []string, err error) {
	for _, e := range m.events {
		if _, ok := e.Payload.(*event.AppointmentBooked); ok && !slices.Contains(streams, e.Stream) {
			streams = append(streams, e.Stream)
		}
	}
	return streams, nil
}

func (m *memory) Append(_ context.Context, a event.Append) (added []event.Recorded, err error) {
	if a.ExpectedVersion != event.AnyVersion {
		return nil, errors.New("asks for a version")
	}
	for _, d := range a.Drafts {
		added = append(added, m.keep(a.Stream, d))
	}
	return added, nil
}

// opened is a register with a lead and a message in it.
func opened() (*Register, *memory) {
	m := &memory{}
	conv := event.Conversation{ConversationID: lead.ID, ConversationStartedAt: noon}
	m.record(lead.Stream(),
		&event.ConversationStarted{Conversation: conv},
		&event.AssistantReplied{Conversation: conv, Topic: "precios", Dialogue: &event.Dialogue{Specialty: "ortodoncia"}},
		&event.AssistantReplied{Conversation: conv, Topic: "precios"},
		&event.AssistantReplied{Conversation: conv, Topic: "gracias"},
		&event.LeadCaptured{Conversation: conv, Name: "Ana", Phone: "+50769001234"},
		&event.ContactGiven{Conversation: conv, Email: "ana@example.com"},
	)
	m.record(form.Stream(), &event.ContactMessageReceived{ContactID: form.ID, Name: "Íñigo Pérez", Email: "i@example.com", Message: "¿Atienden niños?"})
	m.record("conversation/c2", &event.ConversationStarted{Conversation: event.Conversation{ConversationID: "c2", ConversationStartedAt: noon}})
	return &Register{Log: m, Now: func() time.Time { return noon.Add(time.Hour) }}, m
}

func TestReadGivesWhatIsKnown(t *testing.T) {
	r, _ := opened()
	found, err := r.Read(t.Context(), []Ref{form, {Lead, "c2"}, lead, {Message, "nobody"}})
	if err != nil || len(found) != 2 {
		t.Fatalf("%+v, %v", found, err)
	}
	message, person := found[0], found[1]
	if message.Name != "Íñigo Pérez" || message.Text != "¿Atienden niños?" || !message.CameAt.Equal(noon) || message.Status != New {
		t.Errorf("message %+v", message)
	}
	if person.Name != "Ana" || person.Phone != "+50769001234" || person.Email != "ana@example.com" || person.Specialty != "ortodoncia" ||
		!slices.Equal(person.Topics, []string{"precios"}) {
		t.Errorf("lead %+v", person)
	}
	if none, err := r.Read(t.Context(), nil); len(none) != 0 || err != nil {
		t.Errorf("%v, %v", none, err)
	}
}

func TestStatusIsWhatWasSaidLast(t *testing.T) {
	r, m := opened()
	conv := event.Conversation{ConversationID: lead.ID, ConversationStartedAt: noon}
	set := func(id, status string) Contact {
		t.Helper()
		c, err := r.SetStatus(t.Context(), lead, status, Change{id, "s1"})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	if c := set("1", Contacted); c.Status != Contacted || c.StatusBy != "s1" || !c.StatusAt.Equal(noon.Add(time.Hour)) {
		t.Errorf("after a call %+v", c)
	}
	m.record(lead.Stream(), &event.AppointmentBooked{Conversation: conv, BookingID: "b1", Slot: noon, Source: "chat"})
	before := len(m.events)
	if c := set("2", Scheduled); c.Status != Scheduled || c.StatusBy != "" || len(m.events) != before {
		t.Errorf("what holds already was taken down: %+v", c)
	}
	m.record(lead.Stream(), &event.AppointmentCancelled{Conversation: conv, BookingID: "b1"})
	if c := set("3", Discarded); c.Status != Discarded || !c.Booking.Cancelled {
		t.Errorf("after a cancellation %+v", c)
	}
	before = len(m.events)
	if c := set("1", Contacted); c.Status != Discarded || len(m.events) != before {
		t.Errorf("a repetition was taken down: %+v", c)
	}
	m.record(lead.Stream(), &event.AppointmentBooked{Conversation: conv, BookingID: "b2", Slot: noon, Source: "form"})
	if c := Fold(lead, m.events); c.Status != Scheduled || c.Booking.Cancelled {
		t.Errorf("after a new booking %+v", c)
	}
}

func TestNotesAreTakenDownOnce(t *testing.T) {
	r, m := opened()
	for range 2 {
		c, err := r.AddNote(t.Context(), form, "  llamar\u202e mañana\x00\n", Change{"n1", "s1"})
		if err != nil || len(c.Notes) != 1 || c.Notes[0].Text != "llamar mañana" || c.Notes[0].ID != NoteID(form, "n1") || c.Notes[0].StaffID != "s1" {
			t.Errorf("%+v, %v", c.Notes, err)
		}
	}
	if c, _ := r.AddNote(t.Context(), form, "no contesta", Change{"n2", "s2"}); len(c.Notes) != 2 || c.Status != New {
		t.Errorf("%+v", c)
	}
	p := m.events[len(m.events)-1].Payload.(*event.ContactNoteAdded)
	if p.Kind != Message || p.ContactID != form.ID || !p.ContactAt.Equal(noon) {
		t.Errorf("carries %+v", p.Contact)
	}
}

func TestWhatIsRefused(t *testing.T) {
	r, m := opened()
	known := Change{"known", "s1"}
	if err := errors.Join(second(r.AddNote(t.Context(), lead, "sí", known)), second(r.SetStatus(t.Context(), lead, Contacted, known))); err != nil {
		t.Fatal(err)
	}
	before := len(m.events)
	var invalid chat.Invalid
	for name, err := range map[string]error{
		"an unknown status": second(r.SetStatus(t.Context(), lead, "lost", Change{"1", "s1"})),
		"no id":             second(r.SetStatus(t.Context(), lead, Contacted, Change{" ", "s1"})),
		"an empty note":     second(r.AddNote(t.Context(), lead, " \u200b ", Change{"1", "s1"})),
		"a long note":       second(r.AddNote(t.Context(), lead, strings.Repeat("ñ", MaxNote+1), Change{"1", "s1"})),
		"another note":      second(r.AddNote(t.Context(), lead, "no", Change{"known", "s1"})),
		"another status":    second(r.SetStatus(t.Context(), lead, Discarded, Change{"known", "s1"})),
	} {
		if !errors.As(err, &invalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, ref := range []Ref{{Lead, "c2"}, {Lead, "nobody"}, {Message, "nobody"}} {
		if err := second(r.SetStatus(t.Context(), ref, Contacted, Change{"1", "s1"})); !errors.Is(err, ErrNoContact) {
			t.Errorf("%v: %v", ref, err)
		}
	}
	if len(m.events) != before {
		t.Error("something was taken down")
	}
}

func second[A any](_ A, err error) error { return err }

func TestMatches(t *testing.T) {
	c := Contact{Name: "Íñigo Pérez", Email: "inigo@example.com", Phone: "+50769001234", Text: "¿Atienden niños?", Notes: []Note{{Text: "Llamó su mamá"}}}
	for text, want := range map[string]bool{
		"perez": true, "ÍÑIGO": true, "@example": true, "6900-1234": true, "(+507) 6900": true, "niños": true, "su mama": true,
		"12": false, "9999": false, "García": false, "a6900": false,
	} {
		if got := c.Matches(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
