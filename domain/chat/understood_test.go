package chat

import (
	"context"
	"slices"
	"testing"

	"bitacora/domain/event"
)

// understood is what the last reply records of the message before it.
func (v *visit) understood() (event.Understood, event.Chosen) {
	for _, e := range slices.Backward(v.log.streams[v.stream()]) {
		if r, ok := e.Payload.(*event.AssistantReplied); ok {
			return r.Understood, r.Chosen
		}
	}
	return event.Understood{}, event.Chosen{}
}

func TestAReplyRecordsWhatWasUnderstood(t *testing.T) {
	v := newVisit(t)
	chosen := event.Chosen{Answer: "wifi", Likelihood: .8, NextAnswer: "cafe", NextLikelihood: .1}
	v.service.Assistant = assistantFunc(func(_ context.Context, q Question) (Reply, error) {
		return Reply{Text: "[" + q.Text + "]", Answered: true, Chosen: chosen}, nil
	})
	read := event.Understood{Intent: "servicio", Confidence: .62, RunnerUp: "horario", RunnerUpConfidence: .2}
	for _, turn := range []struct {
		text   string
		means  Understanding
		want   event.Understood
		chosen event.Chosen
	}{
		{"¿hay wifi?", Understanding{Intent: IntentAsk, Understood: read}, read, chosen},
		{"quiero una cita", Understanding{Intent: IntentBook, Understood: read}, read, event.Chosen{}},
		{"sí", Understanding{Answer: Yes, PlainYes: true, Understood: read}, event.Understood{Intent: "details"}, event.Chosen{}},
		{"Ana Ruiz", Understanding{Name: "Ana Ruiz", Understood: read}, event.Understood{Intent: "details"}, event.Chosen{}},
		{"bórrenme todo", Understanding{Intent: IntentAsk, Understood: read}, read, chosen},
		{"quiero que borren mis datos", Understanding{Intent: IntentAsk, Understood: read}, event.Understood{Intent: "privacidad"}, event.Chosen{}},
		{"me quiero matar", Understanding{Intent: IntentAsk, Understood: read}, event.Understood{Intent: "crisis"}, event.Chosen{}},
	} {
		v.says(turn.text, turn.means)
		if got, of := v.understood(); got != turn.want || of != turn.chosen {
			t.Errorf("%q recorded %+v %+v, want %+v %+v", turn.text, got, of, turn.want, turn.chosen)
		}
	}
}
