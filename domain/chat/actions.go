package chat

import (
	"cmp"
	"slices"

	"bitacora/domain/event"
)

func answerUrgent(t *turn) {
	t.takeContact()
	t.sayContent()
	switch {
	case t.asked() == StepSpecialty && !t.u.Grave:
		// What hurts is also what the appointment is for.
		t.u.AnySpecialty = true
		t.takeSpecialty()
		t.advance()
	case t.asked() != StepIdle:
		t.say("seguimos-luego")
	default:
		offerEarliest(t)
	}
}

// takeCallback asks for what the staff needs to call back a visitor who asks for a person.
func takeCallback(t *turn) {
	t.takeContact()
	t.sayContent()
	switch {
	case t.c.Lead:
		t.say("recado")
		if t.asked() != StepIdle {
			t.say("seguimos")
			t.askAgain()
		}
	case t.asked() != StepIdle:
		t.askAgain()
	default:
		t.reset()
		t.advance()
	}
}

// calledBack says that the message completed what the staff needs to call back, as was asked for.
func calledBack(t *turn) bool {
	return t.callsBack && slices.ContainsFunc(t.decision.Events, func(p event.Payload) bool {
		_, captured := p.(*event.LeadCaptured)
		return captured
	})
}

func stopArranging(t *turn) {
	switch {
	case t.asked() != StepIdle && t.c.Appointment != nil:
		t.say("dejado-con-cita")
	case t.asked() != StepIdle:
		t.say("dejado")
	case t.c.Appointment != nil:
		cancelAsked(t)
		return
	default:
		t.say("nada-que-dejar")
	}
	t.reset()
}

// thinksBetter says that the message agrees to what was refused before: the consent is asked for
// again, and what was said until then still holds.
func thinksBetter(t *turn) bool {
	return t.u.Agrees && t.c.left.Asked != "" && t.asked() == StepIdle && t.u.Intent != IntentStop && t.u.Intent != IntentLeave
}

func beginArranging(t *turn) {
	t.state = event.Dialogue{Specialty: cmp.Or(t.c.Dialogue.Specialty, t.cancelledService())}
	if left := t.c.left; left.Asked != "" {
		t.state.Specialty, t.state.Wish, t.state.Slot = left.Specialty, left.Wish, left.Slot
	}
	if t.offered() && t.u.Answer == Yes {
		t.state.Slot = t.c.Dialogue.Slot
	}
	if t.u.Intent == IntentBook || t.offered() || acceptsToBegin(t) || thinksBetter(t) {
		t.content, t.callsBack = nil, false
		t.say("empezar")
	} else {
		t.say("te-contactamos")
	}
	if t.u.Several {
		t.say("una-a-la-vez")
	}
	t.takeDetails()
	if t.u.ForOther && t.c.Consent && t.u.Name == "" {
		// Whose name is known need not be who comes.
		t.ask(StepName)
		return
	}
	t.advance()
}

// noteContact takes a detail of somebody who is known already.
func noteContact(t *turn) {
	t.takeContact()
	t.say("corregido")
}

// waitForVisitor says that there is no hurry.
func waitForVisitor(t *turn) {
	t.content = nil
	t.say("espero")
	if t.asked() != StepIdle {
		t.askAgain()
	}
}

// leavesContact says that somebody leaves a phone or an address without being asked.
func leavesContact(t *turn) bool {
	return t.asked() == StepIdle && t.c.Appointment == nil && !t.c.Lead && t.u.Intent == IntentNone && usable(t.c, t.u)
}

func consentAnswered(t *turn) {
	if t.u.Answer == No {
		refuseConsent(t)
		return
	}
	if !t.answers(StepConsent) {
		// The yes was said to something else.
		t.takeDetails()
		t.askAgain()
		return
	}
	t.record(&event.ConsentGiven{Conversation: t.c.carried(), NoticeVersion: t.state.Notice, Channel: t.c.Channel})
	t.sayContent()
	t.takeDetails()
	t.advance()
}

// refuseConsent ends what would have needed the consent.
func refuseConsent(t *turn) {
	t.reset()
	t.say("sin-consentimiento")
}

// goOn takes over what the message says and asks for what is missing.
func goOn(t *turn) {
	t.sayContent()
	before, was := len(t.decision.Events), t.state
	t.takeDetails()
	switch {
	case t.asked() == StepConfirm && t.u.Answer == Yes && len(t.decision.Events) == before && t.state.Slot.Equal(was.Slot) && t.state.Specialty == was.Specialty:
		t.say("un-si-claro")
	case t.asked() == StepConsent && len(t.decision.Events) > before:
		t.say("consent-primero")
	case t.asked() == StepContact && t.u.BadContact && !t.c.Contact.reachable():
		t.say("contacto-malo")
	case was.Specialty != "" && t.state.Specialty != was.Specialty:
		t.say("otro-servicio")
	case t.u.Correction && (len(t.decision.Events) > before || t.state.Wish != was.Wish || !t.state.Slot.Equal(was.Slot) || t.state.Specialty != was.Specialty):
		t.say("corregido")
	case t.u.ForSomebody, t.asked() == StepConsent, t.u.Unwanted != nil, insistsOnDetail(t) && t.asked() != StepTime && t.state.Wish != was.Wish:
		t.say("anotado")
	}
	if t.asked() == StepCancel {
		t.askAgain()
		return
	}
	t.advance()
}

// resumeArranging returns to what was being arranged before.
func resumeArranging(t *turn) {
	t.takeDetails()
	t.say("seguimos")
	if t.asked() == StepCancel {
		beginArranging(t)
		return
	}
	t.advance()
}

// sayGoodbye says goodbye; what is being arranged waits.
func sayGoodbye(t *turn) {
	t.sayContent()
	t.say("seguimos-luego")
}

// insistsOnDetail says that a detail was asked for without which there is no appointment.
func insistsOnDetail(t *turn) bool {
	return slices.Contains([]Step{StepName, StepContact, StepSpecialty, StepTime}, t.asked())
}

// insistOnDetail says why a detail is needed, and how to do without it.
func insistOnDetail(t *turn) {
	t.say("hace-falta")
	t.askAgain()
}

// digress answers something else and repeats the open question.
func digress(t *turn) {
	if !t.content.Answered && t.content.Chosen.Answer == "" && t.u.Intent != IntentAsk {
		missed(t)
		return
	}
	t.sayContent()
	t.say("seguimos")
	t.askAgain()
}

// pricesTopic is that of questions about prices: who asks what a treatment costs is offered an
// appointment, since the price depends on the case.
const pricesTopic = "precios"

// answerOnly answers a question. What the clinic has not told can be passed on to the staff;
// after an answer about a treatment an appointment is offered, once in a conversation.
func answerOnly(t *turn) {
	t.sayContent()
	_, treats := t.clinic.Service(t.u.Specialty)
	invites := treats && t.u.Intent == IntentAsk && t.c.Appointment == nil && !t.c.invited && !invitation.MatchString(t.content.Text)
	switch {
	case t.content.Open && !(invites && t.content.Topic == pricesTopic):
		t.say("pasar-pregunta")
	case invites:
		t.state.Specialty = t.u.Specialty
		t.ask(StepOffer)
	}
}

// answersToPassOn says that the message answers, right after it, the offer to pass a question on.
func answersToPassOn(t *turn, answer YesNo) bool {
	before, _ := t.c.Lines.repliedBefore(t.messageID)
	offered := t.asked() == StepIdle && ends(before.Text, "pasar-pregunta", t.textData())
	return offered && t.u.Answer == answer && t.u.Intent == IntentNone
}

// passOn passes a question on to the staff, who read it in the conversation: that is flagged, and
// the visitor is asked how to be reached.
func passOn(t *turn) {
	t.add(t.c.flag(event.FlagCallback, t.messageID, t.at))
	t.content, t.callsBack = nil, true
	t.say("pregunta-pasada")
	takeCallback(t)
}

// missesBeforeHelp is how many misses in a row it takes to name another way.
const missesBeforeHelp = 2

func missed(t *turn) {
	if t.asked() == StepIdle {
		t.say("nada-que-dejar")
		return
	}
	t.state.Misses = t.c.Dialogue.Misses + 1
	if t.state.Misses >= missesBeforeHelp {
		t.say("no-entendi-ayuda")
	} else {
		t.say("no-entendi")
	}
	t.askAgain()
}
