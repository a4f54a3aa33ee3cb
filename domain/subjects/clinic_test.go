package subjects

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"bitacora/domain/chat"
	"bitacora/domain/event"
	"bitacora/domain/privacy"
)

var noon = time.Date(2026, 11, 3, 17, 0, 0, 0, time.UTC)

// errKilled is what everything answers once a program is gone.
var errKilled = errors.New("killed")

// clinicOf is all that a register works with, in memory.
type clinicOf struct {
	events  []event.Recorded
	erased  map[string]bool
	tasks   map[string]Task
	letters map[string]int
	// texts are the streams whose texts each place has; behind are places that do not know yet
	// what the log says.
	texts  map[string]map[string]bool
	behind map[string]bool
	// held are the versions of answers that the content holds.
	held map[string]int
	now  time.Time
	// calls are made; the one numbered dies and all later ones are answered by errKilled. 0: none.
	calls, dies int
}

func newClinic() *clinicOf {
	return &clinicOf{
		erased: map[string]bool{}, tasks: map[string]Task{}, letters: map[string]int{}, behind: map[string]bool{}, now: noon,
		texts: map[string]map[string]bool{"b1": {}, "b2": {}},
	}
}

func (c *clinicOf) register() *Register {
	return &Register{
		Log: c, Index: c, Tasks: c, Tables: c, Letters: c, Bookings: c, Answers: c, Now: func() time.Time { return c.now },
		Public: func(context.Context) ([]privacy.Identifier, error) {
			return []privacy.Identifier{{Kind: privacy.KindPhone, Value: "2000101"}, {Kind: privacy.KindName, Value: "elena paz"}}, nil
		},
		Names: func(context.Context) (map[string]string, error) {
			return map[string]string{"s1": "ana@clinica.example"}, nil
		},
		Sleep: func(_ context.Context, d time.Duration) bool {
			c.now = c.now.Add(d)
			return true
		},
	}
}

// alive says whether the program still runs, before a call has an effect.
func (c *clinicOf) alive() error {
	if c.calls++; c.dies > 0 && c.calls >= c.dies {
		return errKilled
	}
	return nil
}

func (c *clinicOf) say(stream string, payloads ...event.Payload) {
	for _, p := range payloads {
		c.keep(stream, event.Draft{ID: event.DerivedID(stream, fmt.Sprint(len(c.events))), OccurredAt: c.now, Payload: p})
		for _, place := range c.texts {
			place[stream] = true
		}
	}
}

func (c *clinicOf) keep(stream string, d event.Draft) event.Recorded {
	e := event.Recorded{Position: int64(len(c.events) + 1), ID: d.ID, Stream: stream, OccurredAt: d.OccurredAt, Payload: d.Payload}
	c.events = append(c.events, e)
	return e
}

func (c *clinicOf) ReadStreams(_ context.Context, streams []string, types ...string) (found []event.Recorded, err error) {
	for _, e := range c.events {
		if slices.Contains(streams, e.Stream) && (len(types) == 0 || slices.Contains(types, e.Payload.EventType())) {
			found = append(found, e)
		}
	}
	return found, nil
}

func (c *clinicOf) ReadingsOf(context.Context, []string) (found []event.Recorded, err error) {
	for _, e := range c.events {
		if strings.HasPrefix(e.Stream, "staff/") {
			found = append(found, e)
		}
	}
	return found, nil
}

func (c *clinicOf) StaffTexts(context.Context) (found []event.Recorded, err error) {
	for _, e := range c.events {
		e.Erased = c.erased[e.Stream]
		switch e.Payload.(type) {
		case *event.AnswerTaught, *event.AnswerUndone, *event.EventSkipped, *event.ChartNoted:
			found = append(found, e)
		}
	}
	return found, nil
}

func (c *clinicOf) WithdrawAnswer(ctx context.Context, by, slug string, version int) (withdrawn bool, err error) {
	if err := c.alive(); err != nil {
		return false, err
	}
	held := c.held[slug] == version
	if held {
		delete(c.held, slug)
	}
	return held, nil
}

func (c *clinicOf) Append(_ context.Context, a event.Append) (added []event.Recorded, err error) {
	if err := c.alive(); err != nil {
		return nil, err
	}
	for _, d := range a.Drafts {
		if i := slices.IndexFunc(c.events, func(e event.Recorded) bool { return e.ID == d.ID }); i >= 0 {
			added = append(added, c.events[i])
			continue
		}
		added = append(added, c.keep(a.Stream, d))
	}
	return added, nil
}

func (c *clinicOf) DestroyKey(_ context.Context, stream string) error {
	if err := c.alive(); err != nil {
		return err
	}
	c.erased[stream] = true
	return nil
}

func (c *clinicOf) Subjects(_ context.Context, ids ...privacy.Identifier) (streams []string, err error) {
	for _, e := range c.events {
		p, ok := e.Payload.(event.Personal)
		if ok && !c.erased[e.Stream] && slices.ContainsFunc(privacy.Identify(p.PersonalFields()), func(id privacy.Identifier) bool { return slices.Contains(ids, id) }) {
			streams = append(streams, e.Stream)
		}
	}
	slices.Sort(streams)
	return slices.Compact(streams), nil
}

func (c *clinicOf) BeginTasks(_ context.Context, tasks []Task) error {
	if err := c.alive(); err != nil {
		return err
	}
	for _, t := range tasks {
		if c.tasks[t.Subject].Action != Erasing {
			c.tasks[t.Subject] = t
		}
	}
	return nil
}

func (c *clinicOf) TasksOf(_ context.Context, subjects []string) (list []Task, err error) {
	for _, subject := range subjects {
		if t, begun := c.tasks[subject]; begun {
			list = append(list, t)
		}
	}
	return list, nil
}

func (c *clinicOf) PendingTasks(_ context.Context, before time.Time) (list []Task, err error) {
	for _, subject := range slices.Sorted(maps.Keys(c.tasks)) {
		if t := c.tasks[subject]; t.BegunAt.Before(before) {
			list = append(list, t)
		}
	}
	return list, nil
}

func (c *clinicOf) MarkTask(_ context.Context, t Task) error {
	if err := c.alive(); err != nil {
		return err
	}
	c.tasks[t.Subject] = t
	return nil
}

func (c *clinicOf) EndTask(_ context.Context, t Task) error {
	if err := c.alive(); err != nil {
		return err
	}
	delete(c.tasks, t.Subject)
	return nil
}

func (c *clinicOf) Withdraw(_ context.Context, subjects []string, position int64, gone bool) (done, waiting []string, err error) {
	if err := c.alive(); err != nil {
		return nil, nil, err
	}
	if position == 0 {
		return nil, nil, errors.New("the log does not tell yet")
	}
	for _, place := range slices.Sorted(maps.Keys(c.texts)) {
		for _, subject := range subjects {
			delete(c.texts[place], subject)
		}
		if c.behind[place] {
			waiting = append(waiting, place)
		} else {
			done = append(done, place)
		}
	}
	return done, waiting, nil
}

func (c *clinicOf) Return(_ context.Context, subjects []string) error {
	if err := c.alive(); err != nil {
		return err
	}
	for _, place := range c.texts {
		for _, subject := range subjects {
			place[subject] = true
		}
	}
	return nil
}

func (c *clinicOf) Forget(_ context.Context, ids []string) (removed int, err error) {
	if err := c.alive(); err != nil {
		return 0, err
	}
	for _, id := range ids {
		removed += c.letters[id]
		delete(c.letters, id)
	}
	return removed, nil
}

func (c *clinicOf) CancelBooking(_ context.Context, id, booking, source, staff string) error {
	if err := c.alive(); err != nil {
		return err
	}
	c.say(chat.Stream(id), &event.AppointmentCancelled{BookingID: booking, Source: source, StaffID: staff})
	return nil
}

// asked is a message that tells an address of one's own beside the clinic's number.
func asked(address string) event.Payload {
	return &event.VisitorMessageSent{Text: event.Text{Text: "¿es el 200-0101? Soy " + address, Masked: "¿es el 200-0101? Soy [correo]"}}
}

func taught(slug string, version int, question, reason string) event.Payload {
	return &event.AnswerTaught{Answer: event.Answer{Slug: slug, Questions: []string{question}, Text: "Sí."}, Version: version, By: "s1", Reason: reason}
}

// opened is a clinic with a person of three subjects, and another of one.
func opened() *clinicOf {
	c := newClinic()
	c.say("conversation/chat1",
		&event.VisitorMessageSent{Text: event.Text{Text: "mi teléfono es 6900-1234"}},
		&event.AssistantReplied{Text: event.Text{Text: "El nuestro es 200-0101"}},
		&event.LeadCaptured{Name: "Íñigo Pérez", Phone: "+50769001234"},
		&event.AppointmentBooked{BookingID: "k1", Slot: noon.AddDate(0, 0, 3), Source: "chat"})
	c.say("contact/form1", &event.ContactMessageReceived{ContactID: "form1", Name: "Íñigo", Email: "i@example.com", Phone: "6900 1234", Message: "¿Atienden niños?"})
	c.say("conversation/chat2", &event.ContactGiven{Email: "I@example.com"}, asked("i@example.com"))
	c.say("conversation/chat3", asked("otra@example.com"), &event.ContactGiven{Email: "otra@example.com"})
	c.say("contact/form1", &event.ContactNoteAdded{Note: "la hermana es otra@example.com", StaffID: "s1"})
	c.say("answer/wifi/1", taught("wifi", 1, "¿Hay wifi?", "Lo pidió Íñigo Pérez, 6900 1234."))
	c.say("answer/agua/2", taught("agua", 2, "¿El i@example.com recibe agua?", "Lo preguntan."))
	c.say("answer/agua/3", taught("agua", 3, "¿Hay agua?", "Elena Paz, 200-0101, lo pidió."))
	c.say("answer/agua", taught("agua", 1, "¿Hay agua?", "Lo preguntó íñigo perez."))
	c.say("operator/skipped/4", &event.EventSkipped{Position: 4, Stream: "conversation/x", Reason: "otra@example.com no se lee"})
	c.held = map[string]int{"agua": 2, "wifi": 1}
	c.letters["chat1"], c.letters["form1"], c.letters["chat3"] = 2, 1, 1
	return c
}

func (c *clinicOf) of(stream string) []event.Recorded {
	events, _ := c.ReadStreams(context.Background(), []string{stream})
	return events
}
