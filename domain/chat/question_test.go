package chat

import (
	"context"
	"slices"
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

// There is no English notice: a consent is one to the Spanish text, of which a summary is given.
func TestABookingInEnglish(t *testing.T) {
	v := newVisit(t)
	english := func(u Understanding) Understanding {
		u.English = true
		return u
	}
	asked := v.says("book an appointment", english(Understanding{Intent: IntentBook}))
	v.at(StepConsent, asked, "I will gladly help you book.", "Do you agree? (yes or no)", "¿Aceptas que los usemos así? (sí o no)")
	if !slices.Equal(v.conversation().Suggestions(v.service.Clinic), []string{"Sí", "No"}) {
		t.Errorf("suggested %v", v.conversation().Suggestions(v.service.Clinic))
	}
	v.at(StepName, v.says("yes", english(Understanding{Answer: Yes, PlainYes: true})), "Whose name is the appointment for?")
	if v.count("ConsentGiven") != 1 {
		t.Error("no consent")
	}
	v.at(StepContact, v.says("Ann Lee", english(Understanding{Name: "Ann Lee"})), "At which phone number")
	v.at(StepSpecialty, v.says("6123-4567", english(Understanding{Phones: []string{"+50761234567"}})), "What is the appointment for?")
	v.at(StepTime, v.says("cleaning", english(Understanding{Specialty: "limpieza-dental"})), "Which day and time")
	v.at(StepSlot, v.says("any", english(Understanding{AnyTime: true})), "For “limpieza dental” I have:", "1. Monday, November 23 at", "Which one would you like?")
	v.at(StepConfirm, v.says("1", english(Understanding{Choice: 1})), "for Ann Lee, on Monday, November 23 at", "Shall I confirm the appointment?")
	// A yes holds in either language.
	v.at(StepIdle, v.says("sí", Understanding{Answer: Yes, PlainYes: true}), "¡Listo!")
	if v.conversation().Appointment == nil {
		t.Error("no appointment")
	}
}

func TestWhatIsSuggestedIsPressed(t *testing.T) {
	v := newVisit(t)
	var pressed []bool
	v.service.Understander = understanderFunc(func(_ context.Context, q Question) (Understanding, error) {
		pressed = append(pressed, q.Pressed)
		return v.meaning, nil
	})
	v.says("Sí", Understanding{Intent: IntentBook})
	v.says("Sí", Understanding{Answer: Yes, PlainYes: true})
	v.says("No sé", Understanding{})
	if !slices.Equal(pressed, []bool{false, true, false}) {
		t.Errorf("pressed %v", pressed)
	}
}

func TestWhatIsAskedBesideABookingIsAnsweredFirst(t *testing.T) {
	v := newVisit(t)
	v.at(StepConsent, v.says("¿dónde están? una cita", Understanding{Intent: IntentBook, Asks: true}), "¿dónde están?", "Con gusto", "¿Aceptas")
	v = newVisit(t)
	if said := v.says("una cita, ¿sí?", Understanding{Intent: IntentBook}); strings.Contains(said, "una cita, ¿sí?") {
		t.Errorf("said %q", said)
	}
}

func TestWhatTheClinicHasNotToldIsSaidInABookingToo(t *testing.T) {
	for chosen, want := range map[string]string{"acompanantes": "[¿la acompaño?]", "": "no te entendí"} {
		v := newVisit(t)
		v.service.Assistant = assistantFunc(func(_ context.Context, q Question) (Reply, error) {
			return Reply{Text: "[" + q.Text + "]", Provider: "p", Model: "m", Open: true, Chosen: event.Chosen{Answer: chosen}}, nil
		})
		v.says("quiero una cita", Understanding{Intent: IntentBook})
		v.at(StepConsent, v.says("¿la acompaño?", Understanding{}), want, "¿Aceptas")
	}
}
