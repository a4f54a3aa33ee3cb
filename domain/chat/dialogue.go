package chat

import (
	"slices"
	"time"

	"bitacora/domain/clinic"
	"bitacora/domain/event"
)

// need is something that has to be known before an appointment is booked.
type need struct {
	step  Step
	known func(*turn) bool
}

// personal is needed of who comes, wished of the appointment, in the order in which it is asked
// for. What was said unasked is not asked for.
var personal = []need{
	{StepConsent, func(t *turn) bool { return t.c.Consent }},
	{StepName, func(t *turn) bool { return t.c.Contact.Name != "" && (t.asked() != StepName || t.u.Name != "") }},
	{StepContact, func(t *turn) bool { return t.c.Contact.reachable() }},
}

var wished = []need{
	{StepSpecialty, func(t *turn) bool { return t.state.Specialty != "" }},
	{StepTime, func(t *turn) bool {
		return !t.doubted && len(t.days()) == 0 && t.state.Wish != event.Wish{} || !t.state.Slot.IsZero()
	}},
	{StepSlot, func(t *turn) bool { return !t.state.Slot.IsZero() }},
}

// next is the first step that is not known yet, or the last yes.
func (t *turn) next() Step {
	first, then := personal, wished
	if t.timesFirst() {
		first, then = wished, personal
	}
	for _, s := range slices.Concat(first, then) {
		if !s.known(t) {
			return s.step
		}
	}
	return StepConfirm
}

// timesFirst says that free times are shown before anything personal is asked for: the visitor asked
// which there are, and has not chosen yet.
func (t *turn) timesFirst() bool {
	return !t.c.Consent && !t.callsBack && (t.u.AsksTimes || slices.Contains([]Step{StepSpecialty, StepTime, StepSlot}, t.asked()))
}

type rule struct {
	applies func(*turn) bool
	do      func(*turn)
}

// rules say what a message leads to; the first that applies decides. Danger and urgencies come
// before everything else, what was asked before what is new.
var rules = []rule{
	{func(t *turn) bool { return t.u.Danger.Found() }, answerDanger},
	{func(t *turn) bool { return t.u.Urgent }, answerUrgent},
	{(*turn).requested, goOnAfterRequest},
	{func(t *turn) bool { return len(t.u.Requests) > 0 }, refuseConsent},
	{func(t *turn) bool { return t.u.Callback }, takeCallback},
	{func(t *turn) bool { return t.u.Waits && t.u.Intent == IntentNone }, waitForVisitor},
	{func(t *turn) bool { return answersToPassOn(t, Yes) }, passOn},
	{func(t *turn) bool { return answersToPassOn(t, No) }, func(t *turn) { t.say("sin-pasar") }},
	{func(t *turn) bool { return t.offered() && t.u.Answer == Yes && t.u.Intent == IntentNone }, beginArranging},
	{func(t *turn) bool { return t.offered() && t.u.Answer == No && t.u.Intent == IntentNone }, stopArranging},
	{namesTimeInstead, beginArranging},
	{func(t *turn) bool { return t.u.Intent == IntentNew || acceptsNew(t) }, newConversation},
	{func(t *turn) bool { return t.asked() == StepCancel && (t.u.PlainYes || t.u.PlainCancel) }, cancelAppointment},
	{func(t *turn) bool {
		return t.asked() == StepCancel && t.u.Answer == No && t.u.Intent != IntentReschedule
	}, keepAppointment},
	{changesDetail, changeDetail},
	{wantsAnother, otherAppointment},
	{acceptsToBegin, beginArranging},
	{thinksBetter, beginArranging},
	{func(t *turn) bool { return t.u.Intent == IntentStop }, stopArranging},
	{func(t *turn) bool { return t.u.Intent == IntentCancel }, cancelAsked},
	{func(t *turn) bool { return t.u.Intent == IntentReschedule || cannotCome(t) || wantsOtherHour(t) }, reschedule},
	{func(t *turn) bool { return t.u.Intent == IntentMyAppointment }, myAppointment},
	{func(t *turn) bool { return t.asked() == StepConsent && t.u.Answer != Unsaid && !correctsWish(t) }, consentAnswered},
	{func(t *turn) bool { return t.asked() == StepConfirm && t.u.PlainYes && !changesSomething(t) }, bookAppointment},
	{func(t *turn) bool {
		return t.asked() == StepConfirm && t.u.Answer == No && !changesSomething(t) && !keepsTime(t)
	}, func(t *turn) { t.say("que-cambio") }},
	{func(t *turn) bool { return t.asked() == StepSlot && turnsDown(t) }, otherTimes},
	{func(t *turn) bool { return t.asked() != StepIdle && usable(t.c, t.u) }, goOn},
	{func(t *turn) bool { return t.asked() != StepIdle && t.u.Intent == IntentBook }, resumeArranging},
	{func(t *turn) bool { return t.u.Intent == IntentBook }, beginArranging},
	{leavesContact, beginArranging},
	{func(t *turn) bool { return t.asked() == StepIdle && t.u.Intent == IntentNone && usable(t.c, t.u) }, noteContact},
	{func(t *turn) bool { return t.content != nil && t.asked() != StepIdle && t.u.Intent == IntentLeave }, sayGoodbye},
	{func(t *turn) bool { return insistsOnDetail(t) && t.u.Answer == No }, insistOnDetail},
	{func(t *turn) bool { return t.content != nil && t.asked() != StepIdle }, digress},
	{func(t *turn) bool { return t.content != nil }, answerOnly},
	{func(t *turn) bool { return true }, missed},
}

// turn is the decision on one visitor message.
type turn struct {
	clinic clinic.Clinic
	links  bookingLinks
	c      *Conversation
	u      Understanding
	// content is the answer out of the clinic's content, where one was asked for.
	content   *Reply
	messageID string
	at        time.Time
	// taken is when the chairs that the message may be about are taken.
	taken []clinic.Taken

	// state is that of the dialogue after this turn.
	state event.Dialogue
	said  []string
	// callsBack says that the contact is asked for so that the staff can call back.
	callsBack bool
	decision  Decision
	// doubted: the day that was named cannot be taken as it was said.
	doubted bool
	// due is when a request about the visitor's data is done at the latest.
	due time.Time
}

// decide follows the first rule that applies, and gives the reply that the decision stores.
func (t *turn) decide(latency time.Duration) Reply {
	t.state = t.c.Dialogue
	t.state.Misses = 0
	if t.offered() {
		t.reset()
	}
	for _, flag := range t.u.flags() {
		t.add(t.c.flag(flag, t.messageID, t.at))
	}
	t.callsBack = t.u.Callback || t.u.Intent != IntentBook && t.askedToCallBack()
	if t.requested() {
		takeRequests(t)
	}
	if t.u.Asks {
		t.sayContent()
		t.content = nil // what follows is about the appointment
	}
	i := slices.IndexFunc(rules, func(r rule) bool { return r.applies(t) })
	rules[i].do(t)
	return t.reply(latency)
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

// askedToCallBack says that it was for calling back that the contact was asked for last: the words
// tell, in which that was done.
func (t *turn) askedToCallBack() bool {
	if !slices.Contains(t.c.Flags, event.FlagCallback) {
		return false
	}
	booking, callback := t.textData(), t.textData()
	callback.Callback = true
	for _, l := range slices.Backward(t.c.Lines) {
		for _, step := range []Step{StepConsent, StepName} {
			switch {
			case l.FromVisitor:
			case ends(l.Text, string(step), callback):
				return true
			case ends(l.Text, string(step), booking):
				return false
			}
		}
	}
	return false
}

// answers says that the message came right after a reply that asked for a step in the very
// words in which it would be asked for now: what a yes agrees to is what was said.
func (t *turn) answers(step Step) bool {
	before, direct := t.c.Lines.repliedBefore(t.messageID)
	return direct && (ends(before.Text, string(step), t.textData()) || step == StepConsent && ends(before.Text, consentAgain, t.textData()))
}

// say adds a text of the dialogue to the reply.
func (t *turn) say(names ...string) {
	for _, name := range names {
		t.said = append(t.said, render(name, t.textData()))
	}
}

func (t *turn) textData() textData {
	return textData{
		Clinic: t.clinic, state: t.state, days: t.days(), doubt: t.u.Doubt, booked: t.c.Appointment, given: t.c.Contact, consent: t.c.Consent, held: t.c.resumeHash != "", bound: t.c.bound,
		Link: t.clinic.Links.Configured().Booking, at: t.at, due: t.due, NewConversation: NewConversation,
		Callback: !t.c.Lead && t.callsBack, English: t.u.English,
	}
}

// sayContent adds the answer out of the clinic's content, where there is one.
func (t *turn) sayContent() {
	if t.content != nil {
		t.said = append(t.said, t.content.Text)
	}
}

// record folds an event into the conversation, and adds it to the decision.
func (t *turn) record(p event.Payload) { t.add(t.c.record(t.at, p)) }

func (t *turn) add(decided []event.Payload) {
	t.decision.Events = append(t.decision.Events, decided...)
}

// reset ends what was being arranged.
func (t *turn) reset() { t.state = event.Dialogue{} }
