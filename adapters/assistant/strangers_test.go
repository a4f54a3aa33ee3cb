package assistant

import (
	"strings"
	"testing"

	"bitacora/domain/chat"
)

// understand is what a message means after a question of the dialogue.
func understand(t *testing.T, a *Assistant, q chat.Question) chat.Understanding {
	t.Helper()
	q.At = saturday
	u, err := a.Understand(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func TestANameGivenAnewIsOnlyAName(t *testing.T) {
	a := newTestAssistant(t)
	for _, tt := range []struct {
		q    chat.Question
		want string
	}{
		{chat.Question{Text: "Delia Vergara", Asked: chat.StepContact, Name: "Delia"}, "Delia Vergara"},
		{chat.Question{Text: "Emma and Noah Baker", Asked: chat.StepName}, "Emma Baker"},
		{chat.Question{Text: "José Ortega y Gasset", Asked: chat.StepName}, "José Ortega y Gasset"},
		{chat.Question{Text: "Marta Gil", Asked: chat.StepContact, Name: "Ana"}, ""},
	} {
		if u := understand(t, a, tt.q); u.Name != tt.want || u.Urgent || tt.want != "" && u.Intent != chat.IntentNone {
			t.Errorf("%q: name %q, urgent %t, intent %q", tt.q.Text, u.Name, u.Urgent, u.Intent)
		}
	}
}

func TestWhatStrangersWantToBeDone(t *testing.T) {
	a := newTestAssistant(t)
	for text, want := range map[string]struct {
		intent    chat.Intent
		specialty string
	}{
		"a checkup for my twins, they are 5":                                             {chat.IntentBook, "odontologia-pediatrica"},
		"yo quería que me vieran la dentadura":                                           {chat.IntentBook, "protesis-dental"},
		"yo tomo pastilla para la presión, ¿me pueden sacar una muela así?":              {chat.IntentAsk, "cirugia-maxilofacial"},
		"quisiera consultar si disponen de atención para pacientes con mal de Alzheimer": {chat.IntentAsk, ""},
		"can someone see me today? my filling came out":                                  {chat.IntentBook, "odontologia-general"},
	} {
		if u := understand(t, a, chat.Question{Text: text}); u.Intent != want.intent || u.Specialty != want.specialty {
			t.Errorf("%q: intent %q, specialty %q", text, u.Intent, u.Specialty)
		}
	}
	if u := understand(t, a, chat.Question{Text: "lo más pronto que tengas", Asked: chat.StepOffer}); u.Intent != chat.IntentNone || !u.AnyTime {
		t.Errorf("the offer is not taken: %q %t", u.Intent, u.AnyTime)
	}
}

func TestEachQuestionBesideThanksAndInAListIsAnswered(t *testing.T) {
	a := newTestAssistant(t)
	for text, want := range map[string][]string{
		"perfecto gracias, y cuánto demora la limpieza?":                  {"30 minutos"},
		"¡muchas gracias! otra pregunta, ¿cada cuánto cambio el cepillo?": {"tres meses"},
		"cuánto cuesta la limpieza, cuánto dura y si duele":               {"30 minutos", "vibración"},
		"cuánto cuesta, cuánto dura y duele la limpieza?":                 {"en limpieza dental", "30 minutos", "vibración"},
		"thanks! and how often should I change my toothbrush?":            {"three months"},
		"gracias por todo": {"Con mucho gusto"},
	} {
		reply, err := a.Reply(t.Context(), chat.Question{Text: text, At: saturday, Understood: understand(t, a, chat.Question{Text: text})})
		if err != nil {
			t.Fatal(err)
		}
		said := reply.Text
		for _, part := range want {
			if !strings.Contains(said, part) {
				t.Errorf("%q lacks %q: %s", text, part, said)
			}
		}
	}
}
