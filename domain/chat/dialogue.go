package chat

import (
	"slices"
	"strings"
	"time"

	"bitacora/domain/clinic"
	"bitacora/domain/event"
)

// steps are what has to be known before an appointment is booked, in the order in which
// it is asked for. What was told unasked is not asked for.
var steps = []struct {
	step  Step
	known func(*turn) bool
}{
	{StepConsent, func(t *turn) bool { return t.c.Consent }},
	{StepName, func(t *turn) bool { return t.c.Contact.Name != "" && (t.asked() != StepName || t.u.Name != "") }},
	{StepContact, func(t *turn) bool { return t.c.Contact.reachable() }},
	{StepSpecialty, func(t *turn) bool { return t.state.Specialty != "" }},
	{StepTime, func(t *turn) bool {
		return !t.doubted && len(t.days()) == 0 && t.state.Wish != event.Wish{} || !t.state.Slot.IsZero()
	}},
	{StepSlot, func(t *turn) bool { return !t.state.Slot.IsZero() }},
}

// next is the first step that is not known yet, or the last yes.
func (t *turn) next() Step {
	for _, s := range steps {
		if !s.known(t) {
			return s.step
		}
	}
	return StepConfirm
}

type rule struct {
	holds func(*turn) bool
	do    func(*turn)
}

// rules say what a message leads to; the first that holds decides. Danger and urgencies come
// before everything else, what was asked before what is new.
var rules = []rule{
	{func(t *turn) bool { return t.u.Danger.Found() }, (*turn).danger},
	{func(t *turn) bool { return t.u.Urgent }, (*turn).urgent},
	{func(t *turn) bool { return t.u.Callback }, (*turn).callback},
	{func(t *turn) bool { return t.u.Waits && t.u.Intent == IntentNone }, (*turn).wait},
	{func(t *turn) bool { return t.offered() && t.u.Answer == Yes && t.u.Intent == IntentNone }, (*turn).begin},
	{func(t *turn) bool { return t.offered() && t.u.Answer == No && t.u.Intent == IntentNone }, (*turn).stop},
	{func(t *turn) bool { return t.u.Intent == IntentNew || t.acceptsNew() }, (*turn).newConversation},
	{func(t *turn) bool { return t.asked() == StepCancel && (t.u.PlainYes || t.u.PlainCancel) }, (*turn).cancel},
	{func(t *turn) bool {
		return t.asked() == StepCancel && t.u.Answer == No && t.u.Intent != IntentReschedule
	}, (*turn).keep},
	{(*turn).changesDetail, (*turn).change},
	{(*turn).wantsAnother, (*turn).otherAppointment},
	{(*turn).acceptsToBegin, (*turn).begin},
	{func(t *turn) bool { return t.u.Intent == IntentStop }, (*turn).stop},
	{func(t *turn) bool { return t.u.Intent == IntentCancel }, (*turn).cancelAsked},
	{func(t *turn) bool { return t.u.Intent == IntentReschedule || t.cannotCome() }, (*turn).reschedule},
	{func(t *turn) bool { return t.u.Intent == IntentMyAppointment }, (*turn).myAppointment},
	{func(t *turn) bool { return t.asked() == StepConsent && t.u.Answer != Unsaid && !t.correctsWish() }, (*turn).consentAnswered},
	{func(t *turn) bool { return t.asked() == StepConfirm && t.u.PlainYes && !t.changes() }, (*turn).book},
	{func(t *turn) bool { return t.asked() == StepConfirm && t.u.Answer == No && !t.changes() }, (*turn).hesitate},
	{func(t *turn) bool { return t.asked() == StepSlot && t.turnsDown() }, (*turn).otherTimes},
	{func(t *turn) bool { return t.asked() != StepIdle && usable(t.c, t.u) }, (*turn).goOn},
	{func(t *turn) bool { return t.asked() != StepIdle && t.u.Intent == IntentBook }, (*turn).resume},
	{func(t *turn) bool { return t.u.Intent == IntentBook }, (*turn).begin},
	{func(t *turn) bool { return t.leavesContact() }, (*turn).begin},
	{func(t *turn) bool { return t.asked() == StepIdle && t.u.Intent == IntentNone && usable(t.c, t.u) }, (*turn).noteContact},
	{func(t *turn) bool { return t.content != nil && t.asked() != StepIdle && t.u.Intent == IntentLeave }, (*turn).leave},
	{func(t *turn) bool { return t.insists() && t.u.Answer == No }, (*turn).insist},
	{func(t *turn) bool { return t.content != nil && t.asked() != StepIdle }, (*turn).digress},
	{func(t *turn) bool { return t.content != nil }, (*turn).answerOnly},
	{func(t *turn) bool { return true }, (*turn).miss},
}

// needsAnswer says whether the clinic's content is to be asked: for every question, and
// for what the dialogue itself makes nothing of.
func needsAnswer(c *Conversation, u Understanding) bool {
	switch {
	case u.Urgent, u.Intent == IntentAsk, u.Intent == IntentLeave:
		return true
	case u.Intent != IntentNone, usable(c, u):
		return false
	}
	return c.Dialogue.Asked == string(StepIdle) || u.Answer == Unsaid
}

// usable says whether a message holds something that the open question can use.
func usable(c *Conversation, u Understanding) bool {
	asked := Step(c.Dialogue.Asked)
	contact := u.Name != "" || len(u.Phones)+len(u.Emails) > 0
	if c.idle() {
		if c.Appointment != nil && u.Name != "" && u.Correction && u.Intent == IntentNone {
			return true
		}
		return len(u.Phones)+len(u.Emails) > 0 && u.Intent == IntentNone
	}
	if u.Intent == IntentAsk {
		// A question may name a treatment or a day without choosing it.
		return contact ||
			asked == StepSpecialty && u.Specialty != "" ||
			asked == StepTime && u.NamesTime()
	}
	if u.Waits || u.Wrong != StepIdle || len(u.Unwanted) > 0 || u.OtherTimes {
		return true
	}
	switch asked {
	case StepConsent, StepConfirm, StepCancel:
		if u.Answer != Unsaid {
			return true
		}
	case StepContact:
		if u.BadContact {
			return true
		}
	case StepSpecialty:
		if u.AnySpecialty {
			return true
		}
	case StepTime:
		if len(c.Dialogue.Offered) > 0 && (u.Choice != 0 || u.PlainYes && len(c.Dialogue.Offered) == 1) {
			return true
		}
	case StepSlot:
		if u.Choice != 0 || u.OtherTimes || u.Answer == No || u.Answer == Yes && len(c.Dialogue.Offered) == 1 {
			return true
		}
	}
	return contact || u.Specialty != "" || u.NamesTime() || u.AnyTime || u.ForSomebody
}

// turn is the decision on one visitor message.
type turn struct {
	service *Service
	c       *Conversation
	u       Understanding
	// content is the answer out of the clinic's content, where one was asked for.
	content   *Reply
	at        time.Time
	messageID string
	taken     []clinic.Taken

	// state is where the dialogue will stand.
	state   event.Dialogue
	said    []string
	decided []event.Payload
	claim   *event.Claim
	release string
	// doubted: the day that was named cannot be taken as it was said.
	doubted bool
}

// decideTurn applies the first rule that holds.
func (t *turn) decideTurn() {
	t.state = t.c.Dialogue
	t.state.Misses = 0
	if t.offered() {
		t.rest()
	}
	for _, flag := range t.u.flags() {
		t.decided = append(t.decided, t.c.flag(flag, t.messageID, t.at)...)
	}
	i := slices.IndexFunc(rules, func(r rule) bool { return r.holds(t) })
	rules[i].do(t)
}

// asked is what the visitor was asked for to arrange an appointment.
func (t *turn) asked() Step {
	if t.c.idle() {
		return StepIdle
	}
	return Step(t.c.Dialogue.Asked)
}

// offered says that the visitor was asked whether to arrange an appointment.
func (t *turn) offered() bool { return t.c.Dialogue.Asked == string(StepOffer) }

// answers says that the message came right after a reply that asked for a step in the very
// words in which it would be asked for now: what a yes agrees to is what was said.
func (t *turn) answers(step Step) bool {
	before, direct := t.c.repliedBefore(t.messageID)
	return direct && strings.HasSuffix(before.Text, render(string(step), t.scene()))
}

// say adds a text of the dialogue to the reply.
func (t *turn) say(names ...string) {
	for _, name := range names {
		t.said = append(t.said, render(name, t.scene()))
	}
}

func (t *turn) scene() scene {
	return scene{
		Clinic: t.service.Clinic, state: t.state, days: t.days(), doubt: t.u.Doubt, booked: t.c.Appointment, given: t.c.Contact, bound: t.c.bound,
		Link: t.service.Clinic.Links.Booking, at: t.at, NewConversation: NewConversation,
		Callback: !t.c.Lead && slices.Contains(t.c.Flags, event.FlagCallback),
	}
}

// sayContent adds the answer out of the clinic's content, where there is one.
func (t *turn) sayContent() {
	if t.content != nil {
		t.said = append(t.said, t.content.Text)
	}
}

// record takes an event into the conversation.
func (t *turn) record(p event.Payload) {
	t.c.apply(p, t.at)
	t.decided = append(t.decided, p)
}

// rest ends what was being arranged.
func (t *turn) rest() { t.state = event.Dialogue{} }

func (t *turn) urgent() {
	t.takeContact()
	t.sayContent()
	if t.asked() != StepIdle {
		t.say("seguimos-luego")
		return
	}
	t.offerEarliest()
}

// callback sees to it that the staff can reach a visitor who asks for a person.
func (t *turn) callback() {
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
		t.rest()
		t.advance()
	}
}

// calledBack says that the message completed what the staff needs to call back, as was asked for.
func (t *turn) calledBack() bool {
	return slices.Contains(t.c.Flags, event.FlagCallback) && slices.ContainsFunc(t.decided, func(p event.Payload) bool {
		_, captured := p.(*event.LeadCaptured)
		return captured
	})
}

func (t *turn) stop() {
	switch {
	case t.asked() != StepIdle && t.c.Appointment != nil:
		t.say("dejado-con-cita")
	case t.asked() != StepIdle:
		t.say("dejado")
	case t.c.Appointment != nil:
		t.cancelAsked()
		return
	default:
		t.say("nada-que-dejar")
	}
	t.rest()
}

func (t *turn) begin() {
	t.state = event.Dialogue{Specialty: t.c.Dialogue.Specialty}
	if t.offered() && t.u.Answer == Yes {
		t.state.Slot = t.c.Dialogue.Slot
	}
	if t.u.Intent == IntentBook || t.offered() || t.acceptsToBegin() {
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
func (t *turn) noteContact() {
	t.takeContact()
	t.say("corregido")
}

// wait says that there is no hurry.
func (t *turn) wait() {
	t.content = nil
	t.say("espero")
	if t.asked() != StepIdle {
		t.askAgain()
	}
}

// leavesContact says that somebody leaves a phone or an address without being asked.
func (t *turn) leavesContact() bool {
	return t.asked() == StepIdle && t.c.Appointment == nil && !t.c.Lead && t.u.Intent == IntentNone && usable(t.c, t.u)
}

func (t *turn) consentAnswered() {
	if t.u.Answer == No {
		t.rest()
		t.say("sin-consentimiento")
		return
	}
	t.record(&event.ConsentGiven{Conversation: t.c.carried(), NoticeVersion: t.state.Notice, Channel: t.c.Channel})
	t.sayContent()
	t.takeDetails()
	t.advance()
}

// goOn takes over what the message tells and asks for what is missing.
func (t *turn) goOn() {
	t.sayContent()
	before, was := len(t.decided), t.state
	t.takeDetails()
	switch {
	case t.asked() == StepConfirm && t.u.Answer == Yes && len(t.decided) == before && t.state.Slot.Equal(was.Slot) && t.state.Specialty == was.Specialty:
		t.say("un-si-claro")
	case t.asked() == StepConsent && len(t.decided) > before:
		t.say("consent-primero")
	case t.asked() == StepContact && t.u.BadContact && !t.c.Contact.reachable():
		t.say("contacto-malo")
	case was.Specialty != "" && t.state.Specialty != was.Specialty:
		t.say("otro-servicio")
	case t.u.Correction && (len(t.decided) > before || t.state.Wish != was.Wish || !t.state.Slot.Equal(was.Slot) || t.state.Specialty != was.Specialty):
		t.say("corregido")
	case t.u.ForSomebody, t.asked() == StepConsent, t.u.Unwanted != nil:
		t.say("anotado")
	}
	if t.asked() == StepCancel {
		t.askAgain()
		return
	}
	t.advance()
}

// resume comes back to what was being arranged before.
func (t *turn) resume() {
	t.takeDetails()
	t.say("seguimos")
	if t.asked() == StepCancel {
		t.begin()
		return
	}
	t.advance()
}

// leave says goodbye; what is being arranged waits.
func (t *turn) leave() {
	t.sayContent()
	t.say("seguimos-luego")
}

// insists says that a detail was asked for without which there is no appointment.
func (t *turn) insists() bool {
	return slices.Contains([]Step{StepName, StepContact, StepSpecialty, StepTime}, t.asked())
}

// insist says why a detail is needed, and how to do without it.
func (t *turn) insist() {
	t.say("hace-falta")
	t.askAgain()
}

// digress answers something else and comes back.
func (t *turn) digress() {
	if !t.content.Answered && t.u.Intent != IntentAsk {
		t.miss()
		return
	}
	t.sayContent()
	t.say("seguimos")
	t.askAgain()
}

// answerOnly answers a question. After one about a treatment, an appointment is offered.
func (t *turn) answerOnly() {
	t.sayContent()
	_, treats := t.service.Clinic.Service(t.u.Specialty)
	if treats && t.u.Intent == IntentAsk && t.c.Appointment == nil {
		t.state.Specialty = t.u.Specialty
		t.ask(StepOffer)
	}
}

// missesBeforeHelp is how many misses in a row it takes to name another way.
const missesBeforeHelp = 2

func (t *turn) miss() {
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
