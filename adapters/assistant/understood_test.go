package assistant

import (
	"testing"

	"bitacora/adapters/assistant/meaning"
	"bitacora/domain/chat"
	"bitacora/domain/event"
)

func TestWhatIsRecordedOfAMeaning(t *testing.T) {
	for name, of := range map[string]struct {
		m      meaning.Meaning
		intent chat.Intent
		want   event.Understood
	}{
		"believed": {
			meaning.Meaning{Intent: "horario", Likeliest: "horario", Confidence: .91251, RunnerUp: "reservar", RunnerUpConfidence: .04049}, chat.IntentAsk,
			event.Understood{Intent: "horario", Confidence: .913, RunnerUp: "reservar", RunnerUpConfidence: .04},
		},
		"not believed": {
			meaning.Meaning{Intent: meaning.Unknown, Likeliest: "precio", Confidence: .3, RunnerUp: "pago", RunnerUpConfidence: .2}, chat.IntentNone,
			event.Understood{Intent: meaning.Unknown, Confidence: .3, RunnerUp: "precio", RunnerUpConfidence: .3},
		},
		"urgent by a sign":           {meaning.Meaning{Intent: meaning.Urgent, Urgent: true, Likeliest: "precio", Confidence: .8}, chat.IntentAsk, event.Understood{Intent: "urgencia"}},
		"the dialogue goes by rules": {meaning.Meaning{Intent: "otro", Likeliest: "otro", Confidence: .8}, chat.IntentStop, event.Understood{Intent: "stop"}},
	} {
		if got := understood(of.m, of.intent); got != of.want {
			t.Errorf("%s: recorded %+v, want %+v", name, got, of.want)
		}
	}
}

func TestTheRunnerUpIsAnotherIntent(t *testing.T) {
	a := newTestAssistant(t)
	for _, text := range []string{"¿a qué hora abren los sábados?", "eres una porquería de bot", "quisiera un presupuesto y una cita", "do you have anything this week for a cleaning appointment?"} {
		u, err := a.Understand(t.Context(), chat.Question{Text: text})
		if err != nil {
			t.Fatal(err)
		}
		if got := u.Understood; got.RunnerUp == "" || got.RunnerUp == got.Intent || got.RunnerUpConfidence > got.Confidence {
			t.Errorf("%q: %+v", text, got)
		}
	}
}

func TestTheAnswerThatWasChosenIsTold(t *testing.T) {
	a := newTestAssistant(t)
	for text, want := range map[string]string{"¿La limpieza dental duele?": "limpieza-dolor", "hola": ""} {
		if r := ask(t, a, text, saturday); r.Chosen.Answer != want {
			t.Errorf("%q: chose %+v, want %q", text, r.Chosen, want)
		}
	}
}

// TestANameAsksForNothingElse gives names with words of treatments, days and ailments to who asks for one.
func TestANameAsksForNothingElse(t *testing.T) {
	a := newTestAssistant(t)
	for text, want := range map[string]string{
		"Luis Corona":               "Luis Corona",
		"luis corona":               "Luis Corona",
		"Tito Puente":               "Tito Puente",
		"Luz Implante":              "Luz Implante",
		"soy Marta Limpieza Ríos":   "Marta Limpieza Ríos",
		"me llamo Pilar Cordal":     "Pilar Cordal",
		"Dolores Muelas":            "Dolores Muelas",
		"Domingo Frenos, 6123-4567": "Domingo Frenos",
		"Ana Urgencia":              "Ana Urgencia",
	} {
		u, err := a.Understand(t.Context(), chat.Question{Text: text, Asked: chat.StepName, At: saturday})
		if err != nil {
			t.Fatal(err)
		}
		if u.Name != want || u.Specialty != "" || u.Urgent || u.NamesTime() || u.Intent != chat.IntentNone {
			t.Errorf("%q: name %q, specialty %q, urgent %t, when %v, intent %q", text, u.Name, u.Specialty, u.Urgent, u.When, u.Intent)
		}
	}
	u, err := a.Understand(t.Context(), chat.Question{Text: "Ana Ruiz, y es para una limpieza", Asked: chat.StepName, At: saturday})
	if err != nil || u.Name != "Ana Ruiz" || u.Specialty != "limpieza-dental" {
		t.Errorf("name %q, specialty %q, %v", u.Name, u.Specialty, err)
	}
}

// TestAQuestionThatSoundsLikeAnActIsAnswered asks about appointments in general, and about treatments beside a day.
func TestAQuestionThatSoundsLikeAnActIsAnswered(t *testing.T) {
	a := newTestAssistant(t)
	for text, want := range map[string]string{
		"¿Qué documentación debo presentar el día de la consulta?":                                    "que-llevar",
		"si llego tarde a la cita la pierdo?":                                                         "llegar-tarde",
		"tomo warfarina por el corazón y me tienen que sacar una muela, ¿dejo la pastilla unos días?": "anticoagulantes",
		"Quiero una cita para una limpieza el jueves, ¿se puede?":                                     "",
		"¿me agendan una limpieza para mañana?":                                                       "",
	} {
		u, err := a.Understand(t.Context(), chat.Question{Text: text, At: saturday})
		if err != nil {
			t.Fatal(err)
		}
		if arrangesOne(u.Intent) != (want == "") {
			t.Errorf("%q: intent %q", text, u.Intent)
		}
		if want == "" {
			continue
		}
		if r := ask(t, a, text, saturday); r.Chosen.Answer != want {
			t.Errorf("%q: chose %+v, want %q", text, r.Chosen, want)
		}
	}
}
