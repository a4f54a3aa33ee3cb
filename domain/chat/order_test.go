package chat

import (
	"strings"
	"testing"

	"bitacora/domain/event"
)

// said is one message with its meaning, the step after it, and parts of the reply.
type said struct {
	text    string
	means   Understanding
	asks    Step
	has     string
	hasNot  string
	offered int
}

func (v *visit) goesThrough(all []said) {
	v.t.Helper()
	for _, one := range all {
		reply := v.says(one.text, one.means)
		v.at(one.asks, reply, one.has)
		if one.hasNot != "" && strings.Contains(reply, one.hasNot) {
			v.t.Errorf("%s: %q is in: %s", one.text, one.hasNot, reply)
		}
		if n := len(v.conversation().Dialogue.Offered); n != one.offered {
			v.t.Errorf("%s: %d times are offered, want %d", one.text, n, one.offered)
		}
	}
}

func TestWhatIsAskedForAndInWhichOrder(t *testing.T) {
	const personal, notice = "¿Aceptas", "El equipo de"
	free := Understanding{Intent: IntentBook, AsksTimes: true, Specialty: "ortodoncia", When: on(24)}
	exact := free
	exact.When = on(24).With(at(10))
	for name, test := range map[string][]said{
		"free times come before anything personal": {
			{"¿hay campo el martes?", free, StepSlot, "1. martes 24", personal, 3},
			{"¿y el miércoles?", Understanding{When: on(25)}, StepSlot, "miércoles 25", personal, 3},
			{"la primera", Understanding{Choice: 1}, StepConsent, notice, "", 0},
			{"sí", yes, StepName, "", "", 0},
			{"Ana Ruiz", ana, StepContact, "", "", 0},
			{"6123-4567", phone, StepConfirm, "miércoles 25 de noviembre a las 8:00", "", 0},
		},
		"a free hour is said to be free": {
			{"¿tienen el martes a las 10?", exact, StepConsent, "el martes 24 de noviembre a las 10:00 a. m. hay espacio", "", 0},
			{"sí", yes, StepName, "", "", 0},
		},
		"what is missing of the wish is asked for first": {
			{"¿qué días hay?", Understanding{Intent: IntentBook, AsksTimes: true}, StepSpecialty, "¿Para qué", personal, 0},
			{"ortodoncia", Understanding{Specialty: "ortodoncia"}, StepTime, "¿Qué día", personal, 0},
			{"el martes", Understanding{When: on(24)}, StepSlot, "1. martes", personal, 3},
		},
		"the notice is not repeated": {
			{"una cita", book, StepConsent, notice, "", 0},
			{"¿dónde están?", Understanding{Intent: IntentAsk}, StepConsent, personal, notice, 0},
			{"el martes", Understanding{When: on(24)}, StepConsent, personal, notice, 0},
			{"que me llamen", Understanding{Callback: true}, StepConsent, notice, "", 0},
			{"sí", yes, StepName, "", "", 0},
		},
		"a day beside a question is wished": {
			{"ortodoncia", Understanding{Intent: IntentBook, Specialty: "ortodoncia"}, StepConsent, "", "", 0},
			{"el martes, ¿duele?", Understanding{Intent: IntentAsk, WishesTime: true, When: on(24)}, StepConsent, "[el martes", "", 0},
			{"sí", yes, StepName, "", "", 0},
			{"Ana, 6123-4567", Understanding{Name: "Ana Ruiz", Phones: phone.Phones}, StepSlot, "1. martes 24", "", 3},
		},
		"a day that is only asked about is none": {
			{"ortodoncia", Understanding{Intent: IntentBook, Specialty: "ortodoncia"}, StepConsent, "", "", 0},
			{"¿abren el martes?", Understanding{Intent: IntentAsk, When: on(24)}, StepConsent, "", "", 0},
			{"sí", yes, StepName, "", "", 0},
			{"Ana, 6123-4567", Understanding{Name: "Ana Ruiz", Phones: phone.Phones}, StepTime, "", "", 0},
		},
		"a time is named instead of the first one": {
			{"me duele", Understanding{Urgent: true}, StepOffer, "primer espacio", "", 0},
			{"el miércoles", Understanding{When: on(25)}, StepConsent, "", "", 0},
			{"sí", yes, StepName, "", "", 0},
			{"Ana, 6123-4567", Understanding{Name: "Ana Ruiz", Phones: phone.Phones}, StepSlot, "miércoles 25", "lunes", 3},
		},
		"the first free time is of the treatment that is meant": {
			{"a mi hijo le duele", Understanding{Urgent: true, Specialty: "ortodoncia"}, StepOffer, "para ortodoncia", "", 0},
		},
	} {
		t.Run(name, func(t *testing.T) { v := newVisit(t); v.t = t; v.goesThrough(test) })
	}
}

func TestAnotherTimeAfterACancellation(t *testing.T) {
	for name, test := range map[string]struct {
		text  string
		means Understanding
		begun bool
	}{
		"a day":              {"el miércoles", Understanding{When: on(25)}, true},
		"another, asked for": {"¿y otra para el miércoles?", Understanding{Intent: IntentBook, Another: true, When: on(25)}, true},
		"a question":         {"¿abren el miércoles?", Understanding{Intent: IntentAsk, When: on(25)}, false},
		"thanks":             {"gracias", Understanding{Acknowledges: true}, false},
	} {
		t.Run(name, func(t *testing.T) {
			v := newVisit(t)
			v.toConfirm()
			v.says("sí", yes)
			v.at(StepCancel, v.says("cancela mi cita", Understanding{Intent: IntentCancel}))
			v.at(StepIdle, v.says("sí", yes), "cancelé")
			reply := v.says(test.text, test.means)
			if !test.begun {
				v.at(StepIdle, reply)
				return
			}
			v.at(StepSlot, reply, "Para ortodoncia tengo", "miércoles 25")
			v.at(StepConfirm, v.says("la primera", Understanding{Choice: 1}), "ortodoncia para Ana Ruiz")
			v.at(StepIdle, v.says("sí", yes), "quedó agendada")
			if c := v.conversation(); c.Appointment == nil || c.Appointment.Slot.In(panama).Day() != 25 || v.count((&event.AppointmentBooked{}).EventType()) != 2 {
				t.Errorf("appointment %+v", c.Appointment)
			}
		})
	}
}

// A consent is taken only to a question that followed its notice.
func TestTheShortQuestionTakesTheConsentToItsNotice(t *testing.T) {
	v := newVisit(t)
	v.says("una cita", book)
	v.says("¿dónde están?", Understanding{Intent: IntentAsk})
	v.service.Clinic.NoticeVersion = "changed"
	v.at(StepConsent, v.says("¿y cuándo?", Understanding{Intent: IntentAsk}), "El equipo de")
	v.says("sí", yes)
	for _, e := range v.log.streams[v.stream()] {
		if given, ok := e.Payload.(*event.ConsentGiven); ok && given.NoticeVersion != "changed" {
			t.Errorf("consent to %s", given.NoticeVersion)
		}
	}
	if v.count((&event.ConsentGiven{}).EventType()) != 1 {
		t.Error("no consent")
	}
}
