package chat

import (
	"errors"
	"testing"
	"time"

	"bitacora/domain/event"
)

func TestAQuestionIsDismissedOnce(t *testing.T) {
	v := newVisit(t)
	v.says("¿y lo de la foto?", Understanding{Intent: IntentAsk})
	id := v.conversation().ID
	for range 2 {
		if err := v.service.Dismiss(t.Context(), id, 1, "s-1"); err != nil {
			t.Fatal(err)
		}
		if n := v.count("QuestionLabelled"); n != 1 {
			t.Errorf("%d dismissals are recorded", n)
		}
	}
	events := v.log.streams[v.stream()]
	last := events[len(events)-1].Payload.(*event.QuestionLabelled)
	if last.Ordinal != 1 || last.MessageID == "" || last.Label != (event.Label{Kind: event.LabelSkipped}) || last.StaffID != "s-1" {
		t.Errorf("recorded %+v", last)
	}
}

func TestWhatAnEarlierVersionLabelledIsDismissed(t *testing.T) {
	v := newVisit(t)
	v.says("¿y lo de la foto?", Understanding{Intent: IntentAsk})
	id, stream := v.conversation().ID, v.stream()
	v.log.streams[stream] = append(v.log.streams[stream], event.Recorded{
		Version: len(v.log.streams[stream]) + 1, Payload: &event.QuestionLabelled{Ordinal: 1, Label: event.Label{Kind: "intent", Name: "precio"}},
	})
	if err := v.service.Dismiss(t.Context(), id, 1, "s-1"); err != nil || v.count("QuestionLabelled") != 1 {
		t.Errorf("%d dismissals are recorded, %v", v.count("QuestionLabelled"), err)
	}
}

func TestOnlyWhatAVisitorWroteIsDismissed(t *testing.T) {
	v := newVisit(t)
	v.says("¿y lo de la foto?", Understanding{Intent: IntentAsk})
	id := v.conversation().ID
	dismiss := func(id string, ordinal int) error { return v.service.Dismiss(t.Context(), id, ordinal, "s-1") }
	for name, err := range map[string]error{"a reply": dismiss(id, 2), "no message": dismiss(id, 9), "before the first": dismiss(id, 0)} {
		if !errors.As(err, new(Invalid)) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := dismiss("nobody", 1); !errors.Is(err, ErrNoConversation) {
		t.Errorf("no conversation: %v", err)
	}
	v.log.streams[v.stream()] = append(v.log.streams[v.stream()], event.Recorded{
		Version: len(v.log.streams[v.stream()]) + 1, Payload: &event.SubjectRestricted{On: true},
	})
	if err := dismiss(id, 1); !errors.Is(err, ErrRestricted) {
		t.Errorf("a restricted person: %v", err)
	}
}

func TestWhatWasImportedIsDismissed(t *testing.T) {
	v := newVisit(t)
	past := Past{Source: "import", Key: "ws-1", Messages: []PastMessage{{FromVisitor: true, Text: "hola", At: time.Date(2020, 8, 1, 5, 0, 0, 0, time.UTC)}}}
	a, err := past.Decide(panama)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := v.log.Append(t.Context(), a); err != nil {
		t.Fatal(err)
	}
	if err := v.service.Dismiss(t.Context(), ConversationID("import", "ws-1"), 1, "s-1"); err != nil {
		t.Error(err)
	}
}
