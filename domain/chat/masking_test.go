package chat

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"bitacora/domain/event"
	"bitacora/domain/privacy"
)

// mustHide expects none of some texts in what is masked of the conversation, and rows of their own
// messages that say everything but the text as the messages did.
func (v *visit) mustHide(personal ...string) {
	v.t.Helper()
	own := map[int]event.MaskedMessage{}
	for _, e := range v.log.streams[v.stream()] {
		switch p := e.Payload.(type) {
		case *event.VisitorMessageSent:
			own[p.Ordinal] = p.Told(e.ID, e.OccurredAt)
		case *event.AssistantReplied:
			own[p.Ordinal] = p.Told(e.ID, e.OccurredAt)
		case *event.TextsMasked:
			for _, anew := range p.Messages {
				was := own[anew.Ordinal]
				if was.Masked == anew.Masked {
					v.t.Errorf("message %d was masked anew as it was: %q", anew.Ordinal, anew.Masked)
				}
				was.Masked = anew.Masked
				if !reflect.DeepEqual(was, anew) {
					v.t.Errorf("message %d is told of as %+v, want %+v", anew.Ordinal, anew, was)
				}
				own[anew.Ordinal] = anew
			}
		}
	}
	for i, l := range v.conversation().Lines {
		if l.Masked != own[i+1].Masked {
			v.t.Errorf("line %d is %q, told of as %q", i+1, l.Masked, own[i+1].Masked)
		}
		for _, one := range personal {
			if strings.Contains(strings.ToLower(l.Masked), strings.ToLower(one)) {
				v.t.Errorf("line %d holds %q: %s", i+1, one, l.Masked)
			}
		}
	}
}

func TestWhatBecomesKnownIsMaskedInEarlierTexts(t *testing.T) {
	v := newVisit(t)
	v.says("yoselin por aquí, ¿cuánto cuesta una limpieza?", Understanding{Intent: IntentAsk})
	v.says("el primero es 6123 y después lo otro 4567", Understanding{Intent: IntentAsk})
	if got := v.conversation().Lines; !strings.Contains(got[0].Masked+got[1].Masked+got[2].Masked+got[3].Masked, "6123") {
		t.Fatal("the patterns find it all by themselves, so nothing is shown")
	}
	v.says("quiero una cita", Understanding{Intent: IntentBook})
	v.says("sí", Understanding{Answer: Yes, PlainYes: true})
	v.says("póngalo para yoselin xol nada más", Understanding{Name: "Yoselin Xol"})
	if v.count("TextsMasked") != 1 {
		t.Errorf("events: %s", v.log.types(v.stream()))
	}
	v.mustHide("yoselin")
	v.says("6123-4567", Understanding{Phones: []string{"+50761234567"}})
	v.mustHide("yoselin", "6123", "4567")

	corrected := v.count("TextsMasked")
	v.says("el bebé Zharick no, perdón, me llamo Ita Xol", Understanding{Name: "Ita Xol", Correction: true})
	v.says("Yoselin también viene", Understanding{})
	v.mustHide("yoselin", "6123", "4567", "ita xol")
	if v.count("TextsMasked") > corrected+1 {
		t.Errorf("events: %s", v.log.types(v.stream()))
	}
}

// TestANumberInTwoMessagesIsMasked: each half alone is a number like any other.
func TestANumberInTwoMessagesIsMasked(t *testing.T) {
	for _, halves := range [][2]string{{"cel: 6812", "4490"}, {"mi número es 6812", "- 4490, gracias"}, {"68 12", "44 90"}} {
		v := newVisit(t)
		v.says(halves[0], Understanding{Intent: IntentAsk})
		v.says(halves[1], Understanding{Intent: IntentAsk})
		v.mustHide("6812", "4490")
	}
	v := newVisit(t)
	v.says("tengo 32 años y 2 muelas", Understanding{Intent: IntentAsk})
	v.says("a las 10:30", Understanding{Intent: IntentAsk})
	if v.count("TextsMasked") > 0 {
		t.Error("an hour and an age were taken for a telephone number")
	}
}

// TestAProvidersHistoryIsMaskedAnew: the lines that a provider is sent follow what becomes known.
func TestAProvidersHistoryIsMaskedAnew(t *testing.T) {
	v := newVisit(t)
	v.says("zharick por aquí", Understanding{Intent: IntentAsk})
	if _, err := v.service.Book(context.Background(), func() ExternalBooking {
		b := form("f1")
		b.Contact.Name = "Zharick Guainora"
		return b
	}()); err != nil {
		t.Fatal(err)
	}
	v.mustHide("zharick")
	var asked Question
	v.service.Assistant = assistantFunc(func(_ context.Context, q Question) (Reply, error) {
		asked = q
		return Reply{Text: "sí", Answered: true}, nil
	})
	v.says("¿atienden hoy?", Understanding{Intent: IntentAsk})
	if len(asked.History) == 0 {
		t.Fatal("the assistant was sent no history")
	}
	for _, l := range asked.History {
		if strings.Contains(l.Masked, "harick") {
			t.Errorf("a provider is sent %q", l.Masked)
		}
	}
}

func TestThePastIsMaskedWithItsLead(t *testing.T) {
	at := time.Date(2020, 8, 1, 5, 0, 0, 0, time.UTC)
	p := Past{
		Source: "import", Key: "ws-1",
		Messages: []PastMessage{
			{FromVisitor: true, Text: "zharick por aquí", At: at, Intent: "saludo"},
			{Text: "Un gusto, zharick. La Dra. Zharick Sol le espera", At: at.Add(time.Second), Reply: Reply{Model: "m", Public: []string{"Dra. Zharick Sol"}}},
			{FromVisitor: true, Text: "gracias", At: at.Add(time.Minute)},
		},
		Lead: &PastLead{At: at.Add(time.Hour), Contact: Contact{Name: "Zharick Guainora", Phone: "+50761234567"}},
	}
	a, err := p.Decide(panama)
	if err != nil {
		t.Fatal(err)
	}
	masked, ok := a.Drafts[len(a.Drafts)-1].Payload.(*event.TextsMasked)
	if !ok || len(masked.Messages) != 2 {
		t.Fatalf("the last event is %+v", a.Drafts[len(a.Drafts)-1].Payload)
	}
	for i, want := range []event.MaskedMessage{
		{Ordinal: 1, EventID: a.Drafts[1].ID, SentAt: at, FromVisitor: true, Understood: event.Understood{Intent: "saludo"}, Masked: "[nombre] por aquí"},
		{Ordinal: 2, EventID: a.Drafts[2].ID, SentAt: at.Add(time.Second), Model: "m", Masked: "Un gusto, [nombre]. La Dra. Zharick Sol le espera"},
	} {
		if !reflect.DeepEqual(masked.Messages[i], want) {
			t.Errorf("message %d: %+v, want %+v", i+1, masked.Messages[i], want)
		}
	}
}

// TestWhatWasMaskedBeforeIsMaskedAsToday: a log from before a name was masked in earlier texts, or by
// older patterns, catches up, once.
func TestWhatWasMaskedBeforeIsMaskedAsToday(t *testing.T) {
	v := newVisit(t)
	v.says("zharick por aquí", Understanding{Intent: IntentAsk})
	v.says("quiero una cita", Understanding{Intent: IntentBook})
	v.says("sí", Understanding{Answer: Yes, PlainYes: true})
	v.says("póngalo para zharick guainora", Understanding{Name: "Zharick Guainora"})
	id, events := v.conversation().ID, v.log.streams[v.stream()]
	events = slices.DeleteFunc(slices.Clone(events), func(e event.Recorded) bool {
		_, masked := e.Payload.(*event.TextsMasked)
		return masked
	})
	for i := range events {
		events[i].Version = i + 1
	}
	v.log.streams[v.stream()] = events
	if !strings.Contains(v.conversation().Lines[0].Masked, "zharick") {
		t.Fatal("nothing is left to be masked")
	}
	changed, err := v.service.MaskAgain(t.Context(), id)
	if err != nil || changed == 0 {
		t.Errorf("%d messages, %v", changed, err)
	}
	v.mustHide("zharick")
	for _, id := range []string{id, "nobody"} {
		if again, err := v.service.MaskAgain(t.Context(), id); err != nil || again != 0 {
			t.Errorf("%s: %d messages again, %v", id, again, err)
		}
	}
}

// TestMaskingAnewIsBounded: whoever tells many names has the last ones masked, with one look at each
// line for a new one and none for what is known.
func TestMaskingAnewIsBounded(t *testing.T) {
	c := &Conversation{ID: "c"}
	at := time.Date(2026, 11, 3, 14, 0, 0, 0, time.UTC)
	for range 120 {
		c.record(at, &event.VisitorMessageSent{Conversation: c.carried(), Progress: c.next(at), Text: event.Text{Text: "zharick por aquí"}})
	}
	given := func(name string) []event.Payload { return c.record(at, Contact{Name: name}.event(c)) }
	if n := len(given("Zharick Xol")); n != 1+3 {
		t.Errorf("%d events mask 120 messages, want 3 of at most %d", n-1, mostMasked)
	}
	if n := len(given("Zharick Xol")); n != 1 {
		t.Errorf("what was known is masked again by %d events", n-1)
	}
	for i := range 3 * mostKnown {
		given(fmt.Sprint("Nombre", strings.Repeat("x", i)))
	}
	if n := len(c.known().Names); n != mostKnown {
		t.Errorf("%d names are known, want the last %d", n, mostKnown)
	}
	if c.news.Names != nil || privacy.HasMask(c.Lines[0].Text) || !privacy.HasMask(c.Lines[0].Masked) {
		t.Errorf("news %v, line %+v", c.news, c.Lines[0])
	}
}
