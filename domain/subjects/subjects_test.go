package subjects

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
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
	now    time.Time
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
		Log: c, Index: c, Tasks: c, Tables: c, Letters: c, Bookings: c, Now: func() time.Time { return c.now },
		Public: []privacy.Identifier{{Kind: privacy.KindPhone, Value: "2000101"}},
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

func (c *clinicOf) BeginTasks(_ context.Context, tasks []Task) (kept []Task, err error) {
	if err := c.alive(); err != nil {
		return nil, err
	}
	for _, t := range tasks {
		if c.tasks[t.Subject].Action != Erasing {
			c.tasks[t.Subject] = t
		}
		kept = append(kept, c.tasks[t.Subject])
	}
	return kept, nil
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

func (c *clinicOf) Forget(_ context.Context, id string) (int, error) {
	if err := c.alive(); err != nil {
		return 0, err
	}
	defer delete(c.letters, id)
	return c.letters[id], nil
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
	c.letters["chat1"], c.letters["form1"], c.letters["chat3"] = 2, 1, 1
	return c
}

func TestOnePersonIsFoundByAnythingTheyTold(t *testing.T) {
	c := opened()
	for query, want := range map[string]string{
		"6900-1234":       "chat1 by phone, chat2 by email told in form1, form1 by phone",
		"i@example.com":   "chat1 by phone told in form1, chat2 by email, form1 by email",
		"chat2 ":          "",
		"conversation":    "",
		"nadie@example.a": "",
	} {
		p, err := c.register().Find(t.Context(), query)
		var found []string
		for _, r := range p.Records {
			said := r.ID + " by " + r.Found.By
			if r.Found.From != "" {
				said += " told in " + r.Found.From
			}
			found = append(found, said)
		}
		slices.Sort(found)
		if got := strings.Join(found, ", "); got != want || want == "" && !errors.Is(err, ErrNobody) {
			t.Errorf("%s: %s, %v; want %s", query, got, err, want)
		}
	}
	p, err := c.register().Of(t.Context(), Conversation, "chat2")
	if err != nil || len(p.Records) != 3 || p.Name() != "Íñigo Pérez" && p.Name() != "Íñigo" || len(p.Only().Records) != 1 || len(p.Except("chat2").Records) != 2 {
		t.Errorf("%+v, %v", p, err)
	}
	// A note about somebody names that address, and the clinic's number joins nobody.
	if p, err := c.register().Of(t.Context(), Conversation, "chat3"); err != nil || len(p.Records) != 1 {
		t.Errorf("%+v, %v", p, err)
	}
}

// TestACopyHoldsEveryPersonalField fills each field of each event that is sealed: a new one has
// to be handed over, too.
func TestACopyHoldsEveryPersonalField(t *testing.T) {
	c := newClinic()
	var want []string
	for _, name := range event.Types() {
		kind, _ := event.KindOf(name)
		p, ok := kind.New().(event.Personal)
		if !ok {
			continue
		}
		for _, field := range p.PersonalFields() {
			*field.Value = name + " " + field.Name
			if field.Name != "masked" { // what was made of the text
				want = append(want, *field.Value)
			}
		}
		c.say("conversation/chat1", p.(event.Payload))
	}
	c.say("staff/s1", &event.TranscriptOpened{StaffID: "s1", ConversationID: "chat1"}, &event.ContactMessagesOpened{StaffID: "s1", ConversationIDs: []string{"chat1"}},
		&event.ContactMessagesOpened{StaffID: "s1", ContactIDs: []string{"chat1"}})
	r := c.register()
	p, err := r.Of(t.Context(), Conversation, "chat1")
	if err != nil {
		t.Fatal(err)
	}
	copied, err := r.Export(t.Context(), p, "s1", JSON)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(copied)
	if err != nil {
		t.Fatal(err)
	}
	for _, field := range want {
		if !strings.Contains(string(text), field) {
			t.Errorf("the copy lacks %q", field)
		}
	}
	if readings := copied.Records[0].Readings; len(readings) != 2 || readings[0].What != "transcript" || readings[1].What != "contact" || copied.Names["s1"] == "" {
		t.Errorf("read by %+v, who are called %v", readings, copied.Names)
	}
	last := c.events[len(c.events)-1]
	if taken, ok := last.Payload.(*event.SubjectExported); !ok || taken.By != "s1" || last.Stream != "conversation/chat1" {
		t.Errorf("the log tells of it by %+v", last)
	}
}

func TestAnErasureReachesEverything(t *testing.T) {
	c := opened()
	r := c.register()
	p, err := r.Find(t.Context(), "6900-1234")
	if err != nil {
		t.Fatal(err)
	}
	report, err := r.Erase(t.Context(), Erasure{By: "s1", Reason: event.ReasonRequest, Subjects: p.Streams(), CancelBookings: true})
	if err != nil || report.Cancelled != 1 || report.Letters != 3 || len(report.Subjects) != 3 || len(report.Tables) != 2 || len(report.Waiting) != 0 ||
		!report.ProvableBy.Equal(noon.Add(Window)) {
		t.Errorf("%+v, %v", report, err)
	}
	mustBeErased(t, c)
	if c.letters["chat3"] != 1 {
		t.Error("a letter about somebody else is gone")
	}
	if _, err := r.Erase(t.Context(), Erasure{By: "s1", Reason: event.ReasonRequest, Subjects: p.Streams()}); !errors.Is(err, ErrErased) {
		t.Errorf("again: %v", err)
	}
	var invalid chat.Invalid
	for _, wrong := range []Erasure{{Reason: event.ReasonRequest}, {By: "s1", Reason: "porque sí"}} {
		wrong.Subjects = []string{"conversation/chat3"}
		if _, err := r.Erase(t.Context(), wrong); !errors.As(err, &invalid) || c.erased["conversation/chat3"] {
			t.Errorf("%+v: %v", wrong, err)
		}
	}
	for _, subjects := range [][]string{nil, {"staff/s1"}} {
		if _, err := r.Erase(t.Context(), Erasure{By: "s1", Reason: event.ReasonRequest, Subjects: subjects}); !errors.Is(err, ErrNobody) {
			t.Errorf("%v: %v", subjects, err)
		}
	}
}

// mustBeErased looks at everything that the erasure of the first person was to reach.
func mustBeErased(t *testing.T, c *clinicOf) {
	t.Helper()
	told, cancelled := map[string]int{}, 0
	for _, e := range c.events {
		switch p := e.Payload.(type) {
		case *event.SubjectErased:
			told[e.Stream]++
		case *event.AppointmentCancelled:
			if cancelled++; p.StaffID != "s1" || p.Source != "staff" {
				t.Errorf("the booking was cancelled by %+v", p)
			}
		}
	}
	for _, stream := range []string{"conversation/chat1", "conversation/chat2", "contact/form1"} {
		if !c.erased[stream] || told[stream] != 1 || c.texts["b1"][stream] || c.texts["b2"][stream] {
			t.Errorf("%s: erased %v, told %d times, left in %v", stream, c.erased[stream], told[stream], c.texts)
		}
	}
	if c.erased["conversation/chat3"] || !c.texts["b1"]["conversation/chat3"] {
		t.Error("somebody else is erased")
	}
	if cancelled != 1 || c.letters["chat1"] != 0 || len(c.tasks) != 0 {
		t.Errorf("%d cancellations, letters %v, tasks %v", cancelled, c.letters, c.tasks)
	}
}

// TestAnErasureThatIsCutOffIsNoneOrGoesOn kills the program at every call that changes anything:
// either nothing has happened, or the next program brings it to its end.
func TestAnErasureThatIsCutOffIsNoneOrGoesOn(t *testing.T) {
	for dies := 1; ; dies++ {
		c := opened()
		c.dies = dies
		p, err := c.register().Find(t.Context(), "6900-1234")
		if err != nil {
			t.Fatal(err)
		}
		_, err = c.register().Erase(t.Context(), Erasure{By: "s1", Reason: event.ReasonRequest, Subjects: p.Streams(), CancelBookings: true})
		if err == nil {
			if dies < 10 {
				t.Errorf("it took %d calls", dies)
			}
			return
		}
		c.dies = 0
		c.now = c.now.Add(time.Hour)
		if err := c.register().FinishOnce(t.Context(), c.now); err != nil {
			t.Errorf("killed at call %d: %v", dies, err)
		}
		if dies == 1 {
			if len(c.erased) != 0 || len(c.tasks) != 0 {
				t.Error("something happened that was not begun")
			}
			continue
		}
		mustBeErased(t, c)
	}
}

// TestTablesThatLagAreWaitedFor erases while a build does not know yet, and after.
func TestTablesThatLagAreWaitedFor(t *testing.T) {
	c := opened()
	c.behind["b2"] = true
	r := c.register()
	report, err := r.Erase(t.Context(), Erasure{By: event.ByOperator, Reason: event.ReasonRetention, Subjects: []string{"conversation/chat1"}})
	if err != nil || !slices.Equal(report.Waiting, []string{"b2"}) || !slices.Equal(report.Tables, []string{"b1"}) || report.Cancelled != 0 {
		t.Errorf("%+v, %v", report, err)
	}
	c.texts["b2"]["conversation/chat1"] = true // written from what was read before
	c.behind["b2"] = false
	if err := r.FinishOnce(t.Context(), c.now.Add(time.Second)); err != nil || len(c.tasks) != 0 || c.texts["b2"]["conversation/chat1"] {
		t.Errorf("tasks %v, texts %v, %v", c.tasks, c.texts, err)
	}
}

func TestARestrictionHoldsUntilItIsLifted(t *testing.T) {
	c := opened()
	r := c.register()
	subject := []string{"conversation/chat1"}
	restrict := func(on bool) {
		t.Helper()
		if err := r.Restrict(t.Context(), Restriction{By: "s1", On: on, Reason: event.ReasonRequest, Subjects: subject}); err != nil || len(c.tasks) != 0 {
			t.Errorf("%v: %v, tasks %v", on, err, c.tasks)
		}
		c.now = c.now.Add(time.Second)
	}
	is := func() bool { return Fold(subject[0], c.of(subject[0])).Restricted }
	restrict(true)
	events := len(c.events)
	restrict(true)
	if !is() || c.texts["b1"][subject[0]] || len(c.events) != events || c.letters["chat1"] != 2 {
		t.Errorf("restricted %v, texts %v, letters %v", is(), c.texts, c.letters)
	}
	restrict(false)
	if is() || !c.texts["b1"][subject[0]] || !c.texts["b2"][subject[0]] {
		t.Errorf("lifted: restricted %v, texts %v", is(), c.texts)
	}
	restrict(true)
	if _, err := r.Erase(t.Context(), Erasure{By: "s1", Reason: event.ReasonRequest, Subjects: subject}); err != nil || c.texts["b1"][subject[0]] {
		t.Errorf("erased: %v, texts %v", err, c.texts)
	}
	events = len(c.events)
	restrict(false)
	if len(c.events) != events || c.texts["b1"][subject[0]] {
		t.Error("what was erased came back")
	}
}

func (c *clinicOf) of(stream string) []event.Recorded {
	events, _ := c.ReadStreams(context.Background(), []string{stream})
	return events
}
