package labelling

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"bitacora/domain/event"
)

var choices = Choices{
	Intents: []string{"precio", "horario"},
	Answers: []Answer{{"wifi", "lugar", "¿Hay wifi?"}, {"parqueo", "lugar", "¿Hay parqueo?"}, {"limpieza-dolor", "dolor", "¿Duele?"}},
}

func label(kind, name string) event.Label { return event.Label{Kind: kind, Name: name} }

func TestLabelledQuestionsBecomeTrainingLines(t *testing.T) {
	files, unknown := Files([]Line{
		{"¿Y eso cuánto sale?", label(event.LabelIntent, "precio")},
		{"a como\nla limpieza", label(event.LabelIntent, "precio")},
		{"# a (uno|otro) precio", label(event.LabelIntent, "precio")},
		{"¿venden pizza?", label(event.LabelOffTopic, "")},
		{"tienen internet", label(event.LabelAnswer, "wifi")},
		{"## dónde dejo el carro", label(event.LabelAnswer, "parqueo")},
		{"me va a doler", label(event.LabelAnswer, "limpieza-dolor")},
		{"¿y esto?", label(event.LabelAnswer, "gone")},
		{"asdf", label(event.LabelSkipped, "")},
		{" | ", label(event.LabelIntent, "horario")},
	}, choices)
	want := []File{
		{"questions/dolor.txt", "## limpieza-dolor\nme va a doler\n"},
		{"questions/lugar.txt", "## parqueo\ndónde dejo el carro\n\n## wifi\ntienen internet\n"},
		{"sentences/otro.txt", "¿venden pizza?\n"},
		{"sentences/precio.txt", "a (uno otro) precio\na como la limpieza\n¿Y eso cuánto sale?\n"},
	}
	if diff := cmp.Diff(want, files); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if len(unknown) != 1 || unknown[0] != "gone" {
		t.Errorf("unknown answers: %v", unknown)
	}
}

func TestALabelNamesWhatThereIs(t *testing.T) {
	for label, want := range map[event.Label]bool{
		label(event.LabelIntent, "precio"): true, label(event.LabelIntent, "wifi"): false, label(event.LabelIntent, ""): false,
		label(event.LabelAnswer, "wifi"): true, label(event.LabelAnswer, "precio"): false,
		label(event.LabelOffTopic, ""): true, label(event.LabelOffTopic, "precio"): false,
		label(event.LabelSkipped, ""): true, label("", ""): false, label("other", "precio"): false,
	} {
		if got := choices.Names(label); got != want {
			t.Errorf("%+v: %v", label, got)
		}
	}
}
