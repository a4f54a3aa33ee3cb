package chat

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"bitacora/domain/clinic"
	"bitacora/domain/danger"
	"bitacora/domain/event"
)

// pushes are what nobody in danger is to read.
var pushes = []string{"cita", "reserv", "agend", "appointment", "booking", "?", "¿"}

func wantVetted(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%q is not in: %s", part, text)
		}
	}
	for _, push := range pushes {
		if strings.Contains(strings.ToLower(text), push) {
			t.Errorf("%q is in: %s", push, text)
		}
	}
}

func TestDangerIsAnsweredAtEveryStep(t *testing.T) {
	for _, step := range []Step{StepIdle, StepOffer, StepConsent, StepName, StepContact, StepSpecialty, StepTime, StepSlot, StepConfirm, StepCancel} {
		t.Run(string(step), func(t *testing.T) {
			v := newVisit(t)
			v.to(step)
			before := v.conversation().Dialogue
			asked := false
			v.service.Assistant = assistantFunc(func(context.Context, Question) (Reply, error) {
				asked = true
				return Reply{Text: "¡Hasta luego! Que estés muy bien", Answered: true}, nil
			})
			v.service.Understander = understanderFunc(func(context.Context, Question) (Understanding, error) {
				asked = true
				return Understanding{Answer: Yes, Intent: IntentLeave, Name: "Ana"}, nil
			})
			wantVetted(t, v.says("Voy a matarme pronto", Understanding{}), "Línea 147 del MIDES", "6534-2546", "911")
			if asked {
				t.Error("somebody was asked before the answer")
			}
			c := v.conversation()
			if !slices.Equal(v.flagsIn(), []string{event.FlagCrisis}) || !sameDialogue(c.Dialogue, before) {
				t.Errorf("flags %v, dialogue %+v, want the crisis and %+v", c.Flags, c.Dialogue, before)
			}
			if v.count("AppointmentBooked")+v.count("AppointmentCancelled") != v.settled(step) {
				t.Errorf("events: %s", v.log.types(v.stream()))
			}
			events := v.log.streams[v.stream()]
			r := events[len(events)-1].Payload.(*event.AssistantReplied)
			if r.Topic != topicCrisis || !r.Answered || r.Provider != "embedded" || r.Model != dialogueModel || r.Text.Masked != "" {
				t.Errorf("recorded as %+v", r)
			}
		})
	}
}

func sameDialogue(a, b event.Dialogue) bool {
	return a.Asked == b.Asked && a.Specialty == b.Specialty && a.Slot.Equal(b.Slot) && slices.EqualFunc(a.Offered, b.Offered, time.Time.Equal) &&
		a.Replaces == b.Replaces && a.Misses == b.Misses
}

// to leads the visitor to a step.
func (v *visit) to(step Step) {
	v.t.Helper()
	switch step {
	case StepIdle:
		return
	case StepOffer:
		v.says("¿y la ortodoncia?", Understanding{Intent: IntentAsk, Specialty: "ortodoncia"})
	case StepCancel:
		v.toConfirm()
		v.says("sí", yes)
		v.says("cancela mi cita", Understanding{Intent: IntentCancel})
	default:
		way := []struct {
			text  string
			means Understanding
		}{
			{"quiero una cita", book}, {"sí", yes}, {"Ana Ruiz", ana}, {"6123-4567", phone},
			{"ortodoncia", Understanding{Specialty: "ortodoncia"}}, {"el martes", Understanding{When: on(24)}},
			{"a las 10", Understanding{When: on(24).With(at(10))}},
		}
		for _, w := range way {
			if v.says(w.text, w.means); v.conversation().Dialogue.Asked == string(step) {
				return
			}
		}
	}
	if got := v.conversation().Dialogue.Asked; got != string(step) {
		v.t.Fatalf("the dialogue is at %q, want %q", got, step)
	}
}

// settled is how many bookings were made on the way to a step.
func (v *visit) settled(step Step) int {
	if step == StepCancel {
		return 1
	}
	return 0
}

func TestWhatFollowsDangerIsNoAnswerToTheDialogue(t *testing.T) {
	v := newVisit(t)
	v.toConfirm()
	v.says("me quiero morir", Understanding{})
	for text, means := range map[string]Understanding{
		"sí": yes, "no": no, "gracias": {}, "adiós": {Intent: IntentLeave}, "nadie me entiende": {Intent: IntentAsk, Understood: event.Understood{Confidence: .5}}, "déjalo": {Intent: IntentStop},
	} {
		v.at(StepConfirm, v.says(text, means), "147", "911")
	}
	if v.count("AppointmentBooked") != 0 {
		t.Error("a yes after a crisis booked")
	}
	v.at(StepConfirm, v.says("seguir con la cita", book), "¿Confirmo")
	v.at(StepIdle, v.says("sí", yes), "agendada")
	v.says("no puedo respirar", Understanding{})
	v.at(StepIdle, v.says("¿cuánto cuesta?", Understanding{Intent: IntentAsk, Understood: event.Understood{Confidence: .9}}), "[¿cuánto cuesta?]")
	if got := v.flagsIn(); !slices.Equal(got, []string{event.FlagCrisis, event.FlagEmergency}) {
		t.Errorf("flags %v", got)
	}
}

func TestDangerIsFoundInTwoMessages(t *testing.T) {
	v := newVisit(t)
	v.to(StepName)
	v.says("me voy a", Understanding{})
	v.at(StepName, v.says("matar", Understanding{}), "147", "911")
	v.flagged(event.FlagCrisis)
	v.at(StepName, v.says("no tengo a nadie", Understanding{}), "147")
	v.at(StepContact, v.says("seguir con la cita, soy Ana Ruiz", Understanding{Intent: IntentBook, Name: "Ana Ruiz"}))

	v = newVisit(t)
	v.says("tengo la encía hinchada y me duele mucho", Understanding{})
	v.says("me cuesta tragar por la llaga", Understanding{})
	v.flagged()
}

// classifierFunc hears one kind of danger in some texts, beside what phrases found.
type classifierFunc func(text string) danger.Kind

func (f classifierFunc) Classify(text string, found danger.Danger) danger.Danger {
	if kind := f(text); kind != "" && !found.Found() {
		return danger.Danger{Kinds: []danger.Kind{kind}, Language: "es"}
	}
	return found
}

// farewells hears a crisis in all that speaks of no more.
var farewells = classifierFunc(func(text string) danger.Kind {
	if strings.Contains(text, "ya no") {
		return danger.Crisis
	}
	return ""
})

func TestALikelyDangerIsAnsweredBeforeTheDialogueAndAnyProvider(t *testing.T) {
	const farewell = "dígale a la doctora que gracias por todo, ya no nos veremos"
	for _, step := range []Step{StepIdle, StepOffer, StepConsent, StepName, StepContact, StepSpecialty, StepTime, StepSlot, StepConfirm, StepCancel} {
		t.Run(string(step), func(t *testing.T) {
			v := newVisit(t)
			v.service.Danger = farewells
			v.to(step)
			before := v.conversation().Dialogue
			v.service.Assistant = assistantFunc(func(context.Context, Question) (Reply, error) {
				t.Error("the assistant was asked")
				return Reply{}, nil
			})
			v.service.Further = understanderFunc(func(context.Context, Question) (Understanding, error) {
				t.Error("a provider was asked")
				return Understanding{}, nil
			})
			wantVetted(t, v.says(farewell, Understanding{Intent: IntentLeave, Answer: Yes}), "Línea 147 del MIDES", "911")
			v.flagged(event.FlagCrisis)
			if c := v.conversation(); !sameDialogue(c.Dialogue, before) {
				t.Errorf("dialogue %+v, want %+v", c.Dialogue, before)
			}
			wantVetted(t, v.says("nadie me entiende", Understanding{}), "147")
		})
	}
}

// figuresOfSpeech takes all that a phrase names for one.
type figuresOfSpeech struct{}

func (figuresOfSpeech) Classify(string, danger.Danger) danger.Danger { return danger.Danger{} }

func TestAFigureOfSpeechIsAnsweredAsAnyOtherMessage(t *testing.T) {
	v := newVisit(t)
	v.service.Danger = figuresOfSpeech{}
	for _, text := range []string{"me quiero morir", "me voy a", "matar"} {
		v.says(text, Understanding{})
	}
	v.flagged()
	if _, found := v.service.InDanger("me quiero morir"); found {
		t.Error("it is answered as danger")
	}
}

func TestAnAnswerToABookingIsNoLikelyDanger(t *testing.T) {
	for name, tt := range map[string]struct {
		step   Step
		text   string
		means  Understanding
		danger bool
	}{
		"gives up":        {StepConfirm, "ya no la quiero", Understanding{Intent: IntentCancel, PlainCancel: true}, false},
		"stops":           {StepTime, "ya no quiero seguir", Understanding{Intent: IntentStop}, false},
		"another day":     {StepTime, "el martes ya no, el miércoles", Understanding{When: on(25)}, false},
		"a no":            {StepConsent, "no, ya no", Understanding{Answer: No}, false},
		"answers nothing": {StepConfirm, "ya no hay para qué", Understanding{}, true},
		"asks":            {StepConfirm, "¿y si ya no estoy?", Understanding{Intent: IntentAsk}, true},
		"says more":       {StepTime, "el martes, y díganle adiós porque ya no me verán", Understanding{When: on(24)}, true},
		"cancels":         {StepIdle, "ya no la quiero", Understanding{Intent: IntentCancel, PlainCancel: true}, false},
		"asked nothing":   {StepIdle, "ya no, gracias, adiós", Understanding{Intent: IntentLeave}, true},
		"was offered":     {StepOffer, "ya no, gracias, adiós", Understanding{Intent: IntentLeave}, false},
	} {
		t.Run(name, func(t *testing.T) {
			v := newVisit(t)
			v.service.Danger = farewells
			v.to(tt.step)
			v.says(tt.text, tt.means)
			if got := slices.Contains(v.flagsIn(), event.FlagCrisis); got != tt.danger {
				t.Errorf("a danger: %v", got)
			}
		})
	}
}

func TestNobodyElseIsToldOfADanger(t *testing.T) {
	v := newVisit(t)
	v.says("hola", Understanding{})
	v.says("me quiero morir", Understanding{})
	v.says("nadie me entiende", Understanding{})
	var asked Question
	v.service.Assistant = assistantFunc(func(_ context.Context, q Question) (Reply, error) {
		asked = q
		return Reply{Text: "[respuesta]", Answered: true}, nil
	})
	v.at(StepIdle, v.says("¿cuánto cuesta?", Understanding{Intent: IntentAsk, Understood: event.Understood{Confidence: .9}}), "[respuesta]")
	if len(asked.History) != 2 || asked.History[0].Text != "hola" {
		t.Errorf("history = %+v", asked.History)
	}
}

func TestDangerOfBodyAndMindNamesBoth(t *testing.T) {
	v := newVisit(t)
	wantVetted(t, v.says("me corté las venas porque me quiero morir", Understanding{}), "Presiona", "911", "147")
	v.flagged(event.FlagEmergency, event.FlagCrisis)
}

func TestDangerIsAnsweredWhateverFails(t *testing.T) {
	down := errors.New("down")
	failing := understanderFunc(func(context.Context, Question) (Understanding, error) { return Understanding{}, down })
	none := 0
	tests := map[string]struct {
		broken func(*Service)
		m      Message
		stored bool
	}{
		"understander": {func(d *Service) { d.Understander = failing }, Message{SessionID: "s", Text: "kiero morirme"}, true},
		"time is over": {func(d *Service) { d.ReplyTimeout = 0 }, Message{SessionID: "s", Text: "kiero morirme"}, true},
		"stopping": {func(d *Service) {
			over, cancel := context.WithCancel(context.Background())
			cancel()
			d.Running = over
		}, Message{SessionID: "s", Text: "kiero morirme"}, true},
		"month is full": {func(d *Service) { d.MonthlyLimit = &none }, Message{SessionID: "s", Text: "kiero morirme"}, true},
		"log":           {func(d *Service) { d.Log = brokenLog{d.Log, down} }, Message{SessionID: "s", Text: "kiero morirme"}, false},
		"too long":      {func(*Service) {}, Message{SessionID: "s", Text: strings.Repeat("estoy cansada de todo. ", 60) + "kiero morirme"}, false},
		"likely danger": {func(d *Service) { d.Understander, d.MonthlyLimit, d.Danger = failing, &none, farewells }, Message{SessionID: "s", Text: "a mí ya no me verán"}, true},
		"log, likely":   {func(d *Service) { d.Log, d.Danger = brokenLog{d.Log, down}, farewells }, Message{SessionID: "s", Text: "a mí ya no me verán"}, false},
		"no session":    {func(*Service) {}, Message{Text: "kiero morirme"}, false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			service, log := newService(assistantFunc(func(context.Context, Question) (Reply, error) { return Reply{}, down }))
			tt.broken(service)
			answer, err := service.Receive(t.Context(), tt.m)
			if err != nil {
				t.Fatal(err)
			}
			wantVetted(t, answer.Text, "147", "911")
			if stored := answer.Unstored == nil; stored != tt.stored || stored != (answer.MessageID != "") {
				t.Errorf("answer = %+v", answer)
			}
			if want := "ConversationStarted VisitorMessageSent ConversationFlagged AssistantReplied"; tt.stored && log.types(Stream(answer.ConversationID)) != want {
				t.Errorf("events = %s, want %s", log.types(Stream(answer.ConversationID)), want)
			}
		})
	}
}

// brokenLog takes nothing.
type brokenLog struct {
	Log
	err error
}

func (l brokenLog) Append(context.Context, event.Append) ([]event.Recorded, error) { return nil, l.err }

func TestEveryKindOfDangerHasATextInBothLanguages(t *testing.T) {
	elsewhere := clinic.Default()
	elsewhere.Emergency, elsewhere.CrisisLine = "112", clinic.CrisisLine{}
	for _, language := range []string{"es", "en"} {
		for _, kind := range danger.Kinds {
			d := danger.Danger{Kinds: []danger.Kind{kind}, Language: language}
			wantVetted(t, dangerReply(clinic.Default(), d).Text, "911")
			if kind.OfMind() || kind == danger.Poisoning || kind == danger.Violence {
				wantVetted(t, dangerReply(clinic.Default(), d).Text, "147", "6534-2546")
			}
			text := dangerReply(elsewhere, d).Text
			if wantVetted(t, text, "112"); strings.Contains(text, "147") || strings.Contains(text, "MIDES") || strings.Contains(text, "911") {
				t.Errorf("a clinic elsewhere says: %s", text)
			}
		}
	}
}

func TestUrgencyOffersTheFirstFreeTime(t *testing.T) {
	urgent := Understanding{Urgent: true, Intent: IntentAsk}
	v := newVisit(t)
	// Monday at 9: two hours ahead at the earliest.
	v.at(StepOffer, v.says("me duele mucho la muela", urgent), "lunes 23 de noviembre a las 11:30 a. m.", "¿Te ayudo a reservarlo?")
	v.flagged(event.FlagUrgency)
	if v.count("AppointmentBooked") != 0 {
		t.Error("booked without a yes")
	}
	v.at(StepConsent, v.says("sí", yes))
	v.says("sí", yes)
	v.says("Ana Ruiz", ana)
	v.at(StepConfirm, v.says("6123-4567", phone), "lunes 23 de noviembre a las 11:30 a. m.", "¿Confirmo")
	v.at(StepIdle, v.says("sí", yes), "agendada")
	v.at(StepIdle, v.says("me duele otra vez", urgent), "[me duele otra vez]")

	v = newVisit(t)
	v.says("me duele mucho la muela", urgent)
	v.at(StepTime, bookAna(v), "¿Qué día")

	v = newVisit(t)
	v.at(StepIdle, v.says("fiebre y la cara hinchada", Understanding{Urgent: true, Grave: true, Intent: IntentAsk}))
}

// bookAna asks for an appointment anew.
func bookAna(v *visit) string {
	v.says("quiero una cita de ortodoncia", Understanding{Intent: IntentBook, Specialty: "ortodoncia"})
	v.says("sí", yes)
	v.says("Ana Ruiz", ana)
	return v.says("6123-4567", phone)
}

func TestUrgencyWithoutContentKnowsTheHour(t *testing.T) {
	v := newVisit(t)
	v.service.Assistant = assistantFunc(func(context.Context, Question) (Reply, error) { return Reply{}, errors.New("down") })
	urgent := Understanding{Urgent: true, Intent: IntentAsk}
	if text := v.says("me duele", urgent); !strings.Contains(text, "llámanos ahora") {
		t.Errorf("open: %s", text)
	}
	for name, now := range map[string]time.Time{
		"night":   time.Date(2026, 11, 23, 22, 0, 0, 0, panama),
		"holiday": time.Date(2026, 11, 24, 10, 0, 0, 0, panama),
	} {
		v.service.Clinic.Exceptions = []clinic.Exception{{Date: "2026-11-24"}}
		v.now = now
		text := v.says("me duele", urgent)
		if strings.Contains(text, "llámanos ahora") || !strings.Contains(text, "miércoles a las 8:00 a. m.") || !strings.Contains(text, "cuarto de urgencias") {
			t.Errorf("%s: %s", name, text)
		}
	}
	// Elsewhere it is called otherwise.
	v.service.Clinic.Country = "CO"
	if text := v.says("me duele", urgent); strings.Contains(text, "cuarto") || !strings.Contains(text, "servicio de urgencias") {
		t.Errorf("in another country: %s", text)
	}
}
