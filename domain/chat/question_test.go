package chat

import (
	"context"
	"strings"
	"testing"

	"bitacora/domain/event"
)

// newOpenVisit is a visit to a clinic that has not told the answer to any question.
func newOpenVisit(t *testing.T) *visit {
	v := newVisit(t)
	v.service.Assistant = assistantFunc(func(_ context.Context, q Question) (Reply, error) {
		return Reply{Text: "[" + q.Text + "]", Provider: "p", Model: "m", Topic: "lugar", Open: true, Sources: []string{"answer/wifi"}}, nil
	})
	return v
}

const passes = "¿Quieres que le pase tu pregunta al equipo?"

var asks = Understanding{Intent: IntentAsk}

func TestAQuestionIsPassedOnToTheStaff(t *testing.T) {
	v := newOpenVisit(t)
	v.at(StepIdle, v.says("¿hay wifi?", asks), "[¿hay wifi?]", passes)
	v.flagged()
	v.at(StepConsent, v.says("sí", yes), "le dejo tu pregunta", "¿Aceptas")
	v.flagged(event.FlagCallback)
	v.at(StepName, v.says("sí", yes), "¿Cómo te llamas?")
	v.at(StepContact, v.says("Ana Ruiz", ana))
	v.at(StepOffer, v.says("6123-4567", phone), "Le dejé el recado")
	if v.count("LeadCaptured") != 1 {
		t.Error("no lead")
	}
	v.says("no", no)
	v.at(StepIdle, v.says("¿hay café?", asks), passes)
	v.at(StepIdle, v.says("sí", yes), "le dejo tu pregunta", "Le dejé el recado")
}

func TestAQuestionIsNotPassedOnWithoutAYes(t *testing.T) {
	v := newOpenVisit(t)
	v.says("¿hay wifi?", asks)
	if said := v.says("no", no); strings.Contains(said, "cita") || !strings.Contains(said, "De acuerdo") {
		t.Errorf("said %q", said)
	}
	v.says("¿hay wifi?", asks)
	v.says("¿y café?", asks)
	v.at(StepIdle, v.says("sí", Understanding{Answer: Yes, Intent: IntentAsk}))
	v.flagged()
}

func TestAYesToSomethingElsePassesNothingOn(t *testing.T) {
	v := newOpenVisit(t)
	v.says("¿hay wifi?", asks)
	v.says("quiero una cita", Understanding{Intent: IntentBook})
	v.says("sí", yes)
	v.flagged()
}

func TestAnAppointmentIsOfferedOnce(t *testing.T) {
	ask := Understanding{Intent: IntentAsk, Specialty: "ortodoncia"}
	for name, refuse := range map[string]func(*visit){
		"refused":  func(v *visit) { v.says("no", no) },
		"ignored":  func(v *visit) { v.says("¿dónde quedan?", asks) },
		"given up": func(v *visit) { v.says("sí", yes); v.says("no", no) },
	} {
		v := newVisit(t)
		v.at(StepOffer, v.says("¿hacen ortodoncia?", ask), "¿Te busco una cita?")
		refuse(v)
		for range 2 {
			if said := v.says("¿y duele la ortodoncia?", ask); strings.Contains(said, "¿Te busco") {
				t.Errorf("%s: %s", name, said)
			}
		}
	}
}

// An answer of the clinic that invites to book is the offer that is made once.
func TestAnAnswerThatInvitesToBookIsTheOffer(t *testing.T) {
	ask := Understanding{Intent: IntentAsk, Specialty: "ortodoncia"}
	v := newVisit(t)
	own := v.service.Assistant
	v.service.Assistant = assistantFunc(func(context.Context, Question) (Reply, error) {
		return Reply{Text: "Lo vemos en la agenda: dime «quiero una cita» y te muestro los espacios.", Answered: true}, nil
	})
	v.at(StepIdle, v.says("¿hay espacio en ortodoncia?", ask), "quiero una cita")
	v.service.Assistant = own
	if said := v.says("¿y duele la ortodoncia?", ask); strings.Contains(said, "¿Te busco") {
		t.Errorf("offered %q", said)
	}
}

func TestTheFirstFreeTimeIsOfferedOnce(t *testing.T) {
	v := newVisit(t)
	v.at(StepOffer, v.says("me duele la muela", Understanding{Intent: IntentAsk, Urgent: true}), "¿Te ayudo a reservarlo?")
	v.says("no", no)
	if said := v.says("me duele mucho", Understanding{Intent: IntentAsk, Urgent: true}); strings.Contains(said, "reservarlo") {
		t.Errorf("said %q", said)
	}
}

func TestWhoWritesInEnglishIsToldThatTheQuestionsAreInSpanish(t *testing.T) {
	v := newVisit(t)
	v.at(StepConsent, v.says("book an appointment", Understanding{Intent: IntentBook, English: true}), "I can help you book", "¿Aceptas")
}
