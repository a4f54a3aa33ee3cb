package chat

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"bitacora/domain/event"
)

var (
	callback  = Understanding{Intent: IntentAsk, Callback: true}
	complaint = Understanding{Intent: IntentAsk, Complaint: true}
)

// flagsIn lists the flags of what is stored, and checks that each stands beside the reply to the
// message that raised it.
func (v *visit) flagsIn() []string {
	v.t.Helper()
	var flags []string
	events := v.log.streams[v.stream()]
	for i, e := range events {
		p, ok := e.Payload.(*event.ConversationFlagged)
		if !ok {
			continue
		}
		flags = append(flags, p.Flag)
		if !slices.ContainsFunc(events[i:], func(o event.Recorded) bool {
			r, ok := o.Payload.(*event.AssistantReplied)
			return ok && r.ReplyTo == p.MessageID && o.OccurredAt.Equal(e.OccurredAt)
		}) {
			v.t.Errorf("%s stands without the reply to %s", p.Flag, p.MessageID)
		}
	}
	return flags
}

func (v *visit) flagged(want ...string) {
	v.t.Helper()
	if got := v.flagsIn(); !slices.Equal(got, want) {
		v.t.Fatalf("flags %v, want %v", got, want)
	}
}

func TestCallbackAsksHowToReachTheVisitor(t *testing.T) {
	v := newVisit(t)
	v.at(StepConsent, v.says("quiero hablar con una persona", callback), "[quiero", "Si prefieres que te contacten", "¿Aceptas")
	v.flagged(event.FlagCallback)
	v.at(StepConsent, v.says("que me llamen", callback), "¿Aceptas")
	v.at(StepName, v.says("sí", yes), "¿Cómo te llamas?")
	v.at(StepContact, v.says("Ana Ruiz", ana))
	v.at(StepOffer, v.says("6123-4567", phone), "Le dejé el recado", "al número que me diste", "¿Te busco una cita?")
	v.at(StepIdle, v.says("no", no))
	v.at(StepIdle, v.says("¿me llaman?", callback), "Le dejé el recado", "al número que me diste")
	v.flagged(event.FlagCallback)
	if n := v.count("LeadCaptured"); n != 1 {
		t.Errorf("%d leads", n)
	}
}

func TestCallbackWithItsNumberAsksForTheRest(t *testing.T) {
	v := newVisit(t)
	v.at(StepConsent, v.says("soy Ana Ruiz, llámenme al 6123-4567", Understanding{Callback: true, Name: "Ana Ruiz", Phones: phone.Phones}), "¿Aceptas")
	v.at(StepOffer, v.says("sí", yes), "Le dejé el recado")
	v.flagged(event.FlagCallback)
}

func TestCallbackWithoutConsentKeepsNothing(t *testing.T) {
	v := newVisit(t)
	v.says("quiero hablar con una persona", callback)
	v.at(StepIdle, v.says("no", no), "no guardo tus datos")
	v.flagged(event.FlagCallback)
	v.at(StepConsent, v.says("que me llamen", callback), "¿Aceptas")
	if v.count("ContactGiven")+v.count("LeadCaptured") != 0 {
		t.Error("a contact was kept")
	}
}

// A booking after a refused callback is one, and no message is left; so is a callback after that.
func TestABookingAfterARefusedCallbackIsNone(t *testing.T) {
	v := newVisit(t)
	ask := Understanding{Intent: IntentAsk, Specialty: "ortodoncia"}
	v.says("quiero hablar con una persona", callback)
	v.says("no", no)
	said := v.says("quiero una cita", Understanding{Intent: IntentBook})
	v.at(StepConsent, said, "Para agendar necesito")
	if strings.Contains(said, "contacten") {
		t.Errorf("asked %q", said)
	}
	v.at(StepName, v.says("sí", yes), "¿A nombre de quién")
	v.says("Ana Ruiz", ana)
	if said := v.says("6123-4567", phone); strings.Contains(said, "recado") {
		t.Errorf("said %q", said)
	}

	v = newVisit(t)
	v.says("quiero hablar con una persona", callback)
	v.says("no", no)
	v.says("quiero una cita", Understanding{Intent: IntentBook})
	v.says("no", no)
	if said := v.says("¿hacen ortodoncia?", ask); strings.Contains(said, "¿Te busco") {
		t.Errorf("offered %q", said)
	}
	v.at(StepConsent, v.says("que me llamen", callback), "Si prefieres que te contacten")
	v.at(StepName, v.says("sí", yes), "¿Cómo te llamas?")
	v.says("Ana Ruiz", ana)
	if said := v.says("6123-4567", phone); !strings.Contains(said, "Le dejé el recado") {
		t.Errorf("said %q", said)
	}
}

func TestWhatWasToldBeforeARefusalIsNotUsed(t *testing.T) {
	v := newVisit(t)
	v.says("llámenme al 6123-4567", Understanding{Callback: true, Phones: phone.Phones})
	if said := v.says("no", no); !strings.Contains(said, "no usamos los datos que escribiste") || strings.Contains(said, "no guardo") {
		t.Errorf("said %q", said)
	}
	if v.count("LeadCaptured")+v.count("ConsentGiven") != 0 {
		t.Error("the contact is a lead")
	}
}

func TestCallbackDoesNotEndABooking(t *testing.T) {
	v := newVisit(t)
	v.at(StepConsent, v.says("quiero una cita de ortodoncia", Understanding{Intent: IntentBook, Specialty: "ortodoncia"}))
	v.at(StepConsent, v.says("mejor con una persona", callback), "[mejor", "¿Aceptas")
	v.says("sí", yes)
	v.says("Ana Ruiz", ana)
	v.at(StepTime, v.says("6123-4567", phone), "Le dejé el recado")
	v.at(StepTime, v.says("¿hay alguien?", callback), "Le dejé el recado", "Sigamos con tu cita")
	v.flagged(event.FlagCallback)
}

func TestComplaintIsFlaggedOnce(t *testing.T) {
	v := newVisit(t)
	v.at(StepIdle, v.says("me atendieron mal", complaint), "[me atendieron mal]")
	v.says("muy mal", complaint)
	v.says("que me llame el gerente", Understanding{Intent: IntentAsk, Complaint: true, Callback: true})
	v.flagged(event.FlagComplaint, event.FlagCallback)
}

func TestFlagIsKeptWhereTheContentGivesNoAnswer(t *testing.T) {
	v := newVisit(t)
	v.service.Assistant = assistantFunc(func(context.Context, Question) (Reply, error) { return Reply{}, errors.New("down") })
	if said := v.says("tengo una queja", complaint); !strings.Contains(said, "te lo dicen en el") {
		t.Errorf("said %q", said)
	}
	v.flagged(event.FlagComplaint)
}
