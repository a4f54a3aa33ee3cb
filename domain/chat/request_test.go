package chat

import (
	"slices"
	"testing"
	"time"

	"bitacora/domain/event"
	"bitacora/domain/privacy"
)

// requests are those recorded in the conversation, in order.
func (v *visit) requests() (asked []event.PrivacyRequestReceived) {
	for _, e := range v.log.streams[v.stream()] {
		if p, ok := e.Payload.(*event.PrivacyRequestReceived); ok {
			asked = append(asked, *p)
		}
	}
	return asked
}

func TestARequestIsTakenDownWithItsTerm(t *testing.T) {
	v := newVisit(t)
	v.at(StepIdle, v.says("quiero una copia de mis datos", Understanding{}), "Recibí tu solicitud de una copia", "lunes 7 de diciembre", "escribe a")
	asked := v.requests()
	if len(asked) != 1 {
		t.Fatalf("%d requests", len(asked))
	}
	c, want := v.conversation(), time.Date(2026, 12, 7, 23, 59, 59, 0, panama)
	if r := asked[0]; r.Request != string(privacy.Copy) || !r.DueAt.Equal(want) || r.Kind != "lead" || r.ContactID != c.ID || !r.ContactAt.Equal(c.StartedAt) || r.RequestID == "" {
		t.Errorf("request %+v", r)
	}
	if last := c.Lines.lastReply(); last.Topic != "privacidad" {
		t.Errorf("topic %q", last.Topic)
	}
	v.now = v.now.AddDate(0, 0, 3)
	v.at(StepIdle, v.says("¿me dan una copia de mis datos?", Understanding{}), "lunes 7 de diciembre")
	if asked = v.requests(); len(asked) != 1 {
		t.Errorf("the same request is there %d times", len(asked))
	}
	v.at(StepIdle, v.says("mejor borren mis datos", Understanding{}), "borra tus datos a más tardar el", "jueves 3 de diciembre")
	if asked = v.requests(); len(asked) != 2 || asked[1].Request != string(privacy.Erase) || len(v.conversation().Requests) != 2 {
		t.Errorf("requests %+v", asked)
	}
}

func TestACopyIsAskedForWhileAnAppointmentIsArranged(t *testing.T) {
	v := newVisit(t)
	v.toConfirm()
	v.at(StepConfirm, v.says("antes quiero una copia de mis datos", Understanding{}), "y te escribe al número que me diste", "Sigamos con tu cita", "¿Confirmo")
	v.at(StepIdle, v.says("sí", yes), "quedó agendada")
}

func TestAConsentIsTakenBackAtOnce(t *testing.T) {
	v := newVisit(t)
	v.toConfirm()
	v.says("sí", yes)
	v.at(StepIdle, v.says("retiro mi consentimiento", Understanding{}), "retiré tu permiso", "Tu cita de ortodoncia del martes 24", "sigue en pie")
	c := v.conversation()
	if c.Consent || c.Lead || c.Contact.Phone != "" || c.Appointment == nil || v.count("ConsentWithdrawn") != 1 {
		t.Errorf("after it %+v", c)
	}
	status := func() (last *event.ContactStatusChanged) {
		for _, e := range v.log.streams[v.stream()] {
			if p, ok := e.Payload.(*event.ContactStatusChanged); ok {
				last = p
			}
		}
		return last
	}
	if s := status(); s == nil || s.Status != "discarded" || s.StaffID != event.ByVisitor {
		t.Errorf("status %+v", s)
	}
	v.at(StepIdle, v.says("revoco mi consentimiento", Understanding{}), "no hay nada que retirar")
	if n := v.count("ConsentWithdrawn"); n != 1 {
		t.Errorf("%d times taken back", n)
	}
	// Who agrees anew is to be called again.
	v.at(StepConsent, v.says("que me llamen", callback), "¿Aceptas")
	v.at(StepContact, v.says("sí", yes))
	v.says("6123-4567", phone)
	if c := v.conversation(); !c.Consent || !c.Lead || c.Contact.Phone == "" || status().Status != "new" {
		t.Errorf("after a new consent %+v, status %+v", c, status())
	}
}

func TestARequestEndsWhatNeedsTheData(t *testing.T) {
	for _, text := range []string{"borren mis datos", "retiro mi consentimiento y borren mis datos"} {
		v := newVisit(t)
		v.says("quiero una cita", book)
		v.at(StepIdle, v.says(text, Understanding{}), "borra tus datos")
		v.at(StepConsent, v.says("quiero una cita", book))
	}
}

// A no to the question whether data may be used is no request.
func TestARefusedConsentIsNoRequest(t *testing.T) {
	v := newVisit(t)
	v.at(StepConsent, v.says("quiero una cita", book))
	v.at(StepIdle, v.says("no autorizo que guarden mis datos", Understanding{}), "no guardo tus datos")
	if asked := v.requests(); len(asked) != 0 {
		t.Errorf("requests %+v", asked)
	}
}

func TestAnUrgencyIsAnsweredBesideARequest(t *testing.T) {
	v := newVisit(t)
	v.at(StepOffer, v.says("me duele muchísimo. Y borren mis datos", Understanding{Urgent: true}), "borra tus datos", "[me duele")
	v.flagged(event.FlagUrgency)
}

// What was asked is known until somebody has done it.
func TestADoneRequestMayBeAskedAgain(t *testing.T) {
	v := newVisit(t)
	v.says("quiero una copia de mis datos", Understanding{})
	c := v.conversation()
	done := &event.PrivacyRequestDone{Contact: c.asContact(), RequestID: c.Requests[0].ID, Outcome: event.RequestGranted, By: "s1"}
	_, err := v.log.Append(t.Context(), event.Append{Stream: v.stream(), ExpectedVersion: event.AnyVersion, Drafts: []event.Draft{{ID: "done", OccurredAt: v.now, Payload: done}}})
	if err != nil {
		t.Fatal(err)
	}
	v.says("quiero una copia de mis datos", Understanding{})
	if asked := v.requests(); len(asked) != 2 || slices.Compact(asked)[0].RequestID == asked[1].RequestID {
		t.Errorf("requests %+v", asked)
	}
}
