package chat

import (
	"errors"
	"testing"
	"time"

	"bitacora/domain/event"
)

func TestTheLatestLabelCounts(t *testing.T) {
	v := newVisit(t)
	v.says("¿y lo de la foto?", Understanding{Intent: IntentAsk})
	id := v.conversation().ID
	price, skipped := event.Label{Kind: event.LabelIntent, Name: "precio"}, event.Label{Kind: event.LabelSkipped}
	for i, step := range []struct {
		label  event.Label
		events int
	}{{price, 1}, {price, 1}, {skipped, 2}, {price, 3}} {
		if err := v.service.Label(t.Context(), id, 1, step.label, "s-1"); err != nil {
			t.Fatal(err)
		}
		if n := v.count("QuestionLabelled"); n != step.events {
			t.Errorf("step %d: %d labels are recorded", i, n)
		}
	}
	events := v.log.streams[v.stream()]
	last := events[len(events)-1].Payload.(*event.QuestionLabelled)
	if last.Ordinal != 1 || last.MessageID == "" || last.Label != price || last.StaffID != "s-1" {
		t.Errorf("recorded %+v", last)
	}
}

func TestOnlyWhatAVisitorWroteHereIsLabelled(t *testing.T) {
	v := newVisit(t)
	v.says("¿y lo de la foto?", Understanding{Intent: IntentAsk})
	id := v.conversation().ID
	label := func(id string, ordinal int) error {
		return v.service.Label(t.Context(), id, ordinal, event.Label{Kind: event.LabelSkipped}, "s-1")
	}
	for name, err := range map[string]error{"a reply": label(id, 2), "no message": label(id, 9), "before the first": label(id, 0)} {
		if !errors.As(err, new(Invalid)) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := label("nobody", 1); !errors.Is(err, ErrNoConversation) {
		t.Errorf("no conversation: %v", err)
	}
	v.log.streams[v.stream()] = append(v.log.streams[v.stream()], event.Recorded{
		Version: len(v.log.streams[v.stream()]) + 1, Payload: &event.SubjectRestricted{On: true},
	})
	if err := label(id, 1); !errors.Is(err, ErrRestricted) {
		t.Errorf("a restricted person: %v", err)
	}
}

func TestWhatWasImportedIsNotLabelled(t *testing.T) {
	v := newVisit(t)
	past := Past{Source: "import", Key: "ws-1", Messages: []PastMessage{{FromVisitor: true, Text: "hola", At: time.Date(2020, 8, 1, 5, 0, 0, 0, time.UTC)}}}
	a, err := past.Decide(panama)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := v.log.Append(t.Context(), a); err != nil {
		t.Fatal(err)
	}
	err = v.service.Label(t.Context(), ConversationID("import", "ws-1"), 1, event.Label{Kind: event.LabelSkipped}, "s-1")
	if !errors.As(err, new(Invalid)) {
		t.Errorf("labelled: %v", err)
	}
}
