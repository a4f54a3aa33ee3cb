package subjects

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"bitacora/domain/chat"
	"bitacora/domain/event"
)

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
		if !ok || slices.Contains([]string{"AnswerTaught", "AnswerUndone", "EventSkipped", "ChartNoted"}, name) { // of nobody, see Mention
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
		&event.ContactMessagesOpened{StaffID: "s1", ContactIDs: []string{"chat1"}},
		&event.QuestionsReplayed{StaffID: "s1"}, &event.QuestionsReplayed{StaffID: "s1", From: time.Date(2999, 1, 1, 0, 0, 0, 0, time.UTC)})
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
	if readings := copied.Records[0].Readings; len(readings) != 3 || readings[0].What != "transcript" || readings[1].What != "contact" || readings[2].What != "questions" || copied.Names["s1"] == "" {
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
	report, err := r.Erase(t.Context(), Erasure{By: "s1", Reason: event.ReasonRequest, Subjects: p.Streams(), Mentions: p.Mentions, CancelBookings: true})
	if err != nil || report.Cancelled != 1 || report.Letters != 3 || len(report.Subjects) != 5 || !slices.Equal(report.Withdrawn, []string{"agua"}) || len(report.OutOfReach) != 1 || len(report.Tables) != 2 || len(report.Waiting) != 0 ||
		!report.ProvableBy.Equal(noon.Add(Window)) {
		t.Errorf("%+v, %v", report, err)
	}
	mustBeErased(t, c)
	if c.letters["chat3"] != 1 {
		t.Error("a letter about somebody else is gone")
	}
	c.now, c.calls = c.now.Add(time.Hour), 0
	again, err := r.Erase(t.Context(), Erasure{By: "s1", Reason: event.ReasonRequest, Subjects: p.Streams()})
	if err != nil || len(again.Subjects) != 3 || again.Pending || !again.ErasedAt.Equal(noon) || !again.ProvableBy.Equal(report.ProvableBy) || c.calls != 0 {
		t.Errorf("again: %+v, %v, %d changes", again, err, c.calls)
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
	for _, stream := range []string{"answer/wifi/1", "answer/agua/2"} {
		if !c.erased[stream] || told[stream] != 1 {
			t.Errorf("%s: erased %v, told %d times", stream, c.erased[stream], told[stream])
		}
	}
	if c.held["agua"] != 0 || c.held["wifi"] != 1 || c.erased["answer/agua"] || c.erased["answer/agua/3"] || c.erased["operator/skipped/4"] {
		t.Errorf("the content holds %v, erased are %v", c.held, c.erased)
	}
	if c.erased["conversation/chat3"] || !c.texts["b1"]["conversation/chat3"] {
		t.Error("somebody else is erased")
	}
	if cancelled != 1 || c.letters["chat1"] != 0 || len(c.tasks) != 0 {
		t.Errorf("%d cancellations, letters %v, tasks %v", cancelled, c.letters, c.tasks)
	}
}

// TestAnErasureThatIsCutOffIsNoneOrGoesOn kills the program at every call that changes anything:
// either nothing has happened, or the next program brings it to its end, by itself or because it is
// asked again. What is in the log by then is told as done.
func TestAnErasureThatIsCutOffIsNoneOrGoesOn(t *testing.T) {
	for dies := 1; ; dies++ {
		c := opened()
		c.dies = dies
		p, err := c.register().Find(t.Context(), "6900-1234")
		if err != nil {
			t.Fatal(err)
		}
		asked := Erasure{By: "s1", Reason: event.ReasonRequest, Subjects: p.Streams(), Mentions: p.Mentions, CancelBookings: true}
		report, err := c.register().Erase(t.Context(), asked)
		if c.calls < dies {
			if dies < 10 || err != nil || report.Pending {
				t.Errorf("it took %d calls: %+v, %v", dies, report, err)
			}
			return
		}
		all := len(asked.Subjects)
		for _, m := range asked.Mentions {
			if m.Sealed {
				all++
			}
		}
		told := 0
		for _, e := range c.events {
			if e.Payload.EventType() == "SubjectErased" {
				told++
			}
		}
		if inLog := told == all; inLog != (err == nil) || inLog != report.Pending {
			t.Errorf("killed at call %d, with it in the log %v: %+v, %v", dies, inLog, report, err)
		}
		c.dies = 0
		c.now = c.now.Add(time.Hour)
		if dies%2 == 0 {
			if again, err := c.register().Erase(t.Context(), asked); err != nil || again.Pending || len(again.Subjects) != all {
				t.Errorf("killed at call %d and asked again: %+v, %v", dies, again, err)
			}
		} else if err := c.register().FinishOnce(t.Context(), c.now); err != nil {
			t.Errorf("killed at call %d: %v", dies, err)
		}
		if dies == 1 { // the answer was not withdrawn yet
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
	if err != nil || !report.Pending || !slices.Equal(report.Waiting, []string{"b2"}) || !slices.Equal(report.Tables, []string{"b1"}) || report.Cancelled != 0 {
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
		pending, err := r.Restrict(t.Context(), Restriction{By: "s1", On: on, Reason: event.ReasonRequest, Subjects: subject})
		if err != nil || pending != (c.dies > 0) || pending != (len(c.tasks) > 0) {
			t.Errorf("%v: pending %v, %v, tasks %v", on, pending, err, c.tasks)
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
	c.calls, c.dies = 0, 4 // the tables are away
	restrict(false)
	c.dies = 0
	restrict(false)
	if is() || !c.texts["b1"][subject[0]] || !c.texts["b2"][subject[0]] || len(c.events) != events+1 {
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

// TestAnErasureAnswersWhatWasAskedFor: what the person asked about the data is done with them, once.
func TestAnErasureAnswersWhatWasAskedFor(t *testing.T) {
	c := opened()
	asked := event.Contact{Kind: "lead", ContactID: "chat1"}
	c.say("conversation/chat1",
		&event.PrivacyRequestReceived{Contact: asked, RequestID: "r1", Request: "erase"},
		&event.PrivacyRequestReceived{Contact: asked, RequestID: "r2", Request: "copy"},
		&event.PrivacyRequestReceived{Contact: asked, RequestID: "r3", Request: "withdraw"},
		&event.PrivacyRequestDone{Contact: asked, RequestID: "r3", Outcome: event.RequestGranted, By: "s2"})
	if _, err := c.register().Erase(t.Context(), Erasure{By: "s1", Reason: event.ReasonRequest, Subjects: []string{"conversation/chat1"}}); err != nil {
		t.Fatal(err)
	}
	var done []string
	for _, e := range c.events {
		if p, ok := e.Payload.(*event.PrivacyRequestDone); ok {
			done = append(done, p.RequestID+" "+p.Outcome+" by "+p.By)
		}
	}
	if got := strings.Join(done, ", "); got != "r3 granted by s2, r1 granted by s1, r2 empty by s1" {
		t.Error(got)
	}
}
