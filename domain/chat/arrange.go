package chat

import (
	"slices"
	"time"

	"bitacora/domain/clinic"
	"bitacora/domain/event"
)

// maxOffers is how many times are offered at once.
const maxOffers = 3

// keptRefusals bounds what is remembered of times that were turned down.
const keptRefusals = 12

// advance asks for the next thing that is missing.
func (t *turn) advance() {
	step := t.next()
	if calledBack(t) {
		t.say("recado")
		switch {
		case step == StepSpecialty && t.c.invited:
			t.reset()
			return
		case step == StepSpecialty:
			step = StepOffer
		}
	}
	switch step {
	case StepSlot:
		t.offer("")
	case StepConfirm:
		if !t.isFree(t.state.Slot) {
			t.lost()
			return
		}
		t.askConfirm()
	default:
		t.state.Wish = event.Wish(t.suiting(clinic.Wish(t.state.Wish)))
		if outside := render("fuera", t.textData()); outside != "" && !t.u.When.IsZero() {
			t.said = append(t.said, outside)
		}
		t.ask(step)
	}
}

// ask asks for something and remembers that.
func (t *turn) ask(step Step) {
	again := step == StepConsent && t.asked() == step && t.state.Notice == t.clinic.NoticeVersion && t.callsBack == t.askedToCallBack()
	t.state.Asked = string(step)
	if again {
		t.say(consentAgain)
		return
	}
	if step == StepConsent {
		t.state.Notice = t.clinic.NoticeVersion
	}
	t.say(string(step))
}

// consentAgain is the text that asks for the consent once more, to the notice that stands above.
const consentAgain = "consent-otra-vez"

// askConfirm asks for the last yes, which then also moves the active appointment.
func (t *turn) askConfirm() {
	t.state.Replaces = t.c.activeBooking()
	t.ask(StepConfirm)
}

// askAgain repeats the open question; offered times that are gone by now are replaced.
func (t *turn) askAgain() {
	switch t.asked() {
	case StepSlot:
		if slices.ContainsFunc(t.state.Offered, func(at time.Time) bool { return !t.isFree(at) }) {
			t.state.Offered = nil
			t.offer("")
			return
		}
		t.say("ofrezco", "slot")
	case StepConfirm:
		t.advance()
	case StepCancel:
		cancelAsked(t)
	default:
		t.ask(t.asked())
	}
}

// free are the times at which the wanted service can be booked.
func (t *turn) free() []time.Time {
	return t.clinic.Free(t.state.Specialty, t.taken, t.at)
}

func (t *turn) isFree(slot time.Time) bool {
	if own := t.c.Appointment; own != nil && t.state.Replaces == own.ID && t.state.Specialty == own.Specialty && slot.Equal(own.Slot) && slot.After(t.at) {
		return true // its chair is free for the one that replaces it
	}
	return slices.ContainsFunc(t.free(), slot.Equal)
}

// offer proposes times near the wish. The preface says why, if it is not the wish itself.
func (t *turn) offer(preface string) {
	free := t.free()
	fresh := slices.DeleteFunc(slices.Clone(free), func(at time.Time) bool {
		return slices.ContainsFunc(t.state.Refused, at.Equal) || t.unwanted(at) || t.staysAt(at)
	})
	if len(fresh) == 0 {
		fresh = free
	}
	times, asWished := clinic.Offer(fresh, clinic.Wish(t.state.Wish), maxOffers)
	switch {
	case len(times) == 0:
		if preface == "ocupada" {
			t.say("ocupada-sin-mas")
		}
		t.say("sin-espacio")
		t.reset()
		return
	case asWished && len(times) == 1 && t.state.Wish.Exact && !t.state.Wish.First.IsZero() && t.state.Wish.First.Equal(t.state.Wish.Last) && preface == "":
		t.state.Slot = times[0].UTC()
		if !t.c.Consent {
			t.say("hay-espacio")
			t.ask(StepConsent)
			return
		}
		t.askConfirm()
		return
	case preface == "" && asWished:
		preface = "ofrezco"
	case preface == "":
		preface = "no-como-pediste"
	}
	t.say(preface)
	t.state.Slot, t.state.Offered = time.Time{}, inUTC(times)
	t.ask(StepSlot)
}

func inUTC(times []time.Time) []time.Time {
	out := make([]time.Time, len(times))
	for i, at := range times {
		out[i] = at.UTC()
	}
	return out
}

// offerEarliest offers the first free time to somebody in need of it who has no appointment. It
// is booked like any other, after the usual questions and the last yes.
func offerEarliest(t *turn) {
	if t.u.Grave || t.c.Appointment != nil || t.c.offeredSlot {
		return
	}
	t.state = event.Dialogue{Specialty: generalService(t.clinic)}
	if meant, ok := t.clinic.Service(t.u.Specialty); ok {
		t.state.Specialty = meant.Slug
	}
	free := t.free()
	if len(free) == 0 {
		t.reset()
		return
	}
	t.state.Asked, t.state.Slot = string(StepOffer), free[0].UTC()
	t.say("primer-espacio")
}

// staysAt says that an appointment that is to be moved would stay where it is.
func (t *turn) staysAt(at time.Time) bool {
	own := t.c.Appointment
	return own != nil && t.state.Replaces == own.ID && t.state.Specialty == own.Specialty && at.Equal(own.Slot)
}

// otherTimes proposes what was not offered yet.
func otherTimes(t *turn) {
	if offered := t.state.Offered; t.u.Shift != 0 && len(offered) > 0 {
		shiftHour(t, offered)
	}
	turnDown(t, t.state.Offered)
	t.offer("ofrezco-otras")
}

// turnDown remembers times that do not suit.
func turnDown(t *turn, times []time.Time) {
	refused := append(slices.Clone(t.state.Refused), times...)
	t.state.Refused = refused[max(0, len(refused)-keptRefusals):]
}

// shiftHour wishes for an hour later or earlier than those that were offered, on their days.
func shiftHour(t *turn, offered []time.Time) {
	minutes := make([]int, len(offered))
	for i, at := range offered {
		local := at.In(t.clinic.Zone)
		minutes[i] = local.Hour()*60 + local.Minute()
	}
	wish := event.Wish{First: t.midnight(offered[0]), Last: t.midnight(offered[len(offered)-1])}
	if t.u.Shift > 0 {
		wish.Earliest = slices.Max(minutes) + 1
	} else {
		wish.Latest = slices.Min(minutes)
	}
	t.state.Wish = wish
}

// bookAppointment records the appointment, whose chair is claimed in the same append; the
// reply that says so is stored with it or not at all.
func bookAppointment(t *turn) {
	if !t.isFree(t.state.Slot) {
		t.lost()
		return
	}
	if t.state.Replaces = t.c.activeBooking(); !t.answers(StepConfirm) {
		// The yes was said to something else than what would be booked now.
		t.ask(StepConfirm)
		return
	}
	if t.state.Replaces != "" {
		t.say("movida")
	} else {
		t.say("agendada")
	}
	booking := event.DerivedID("booking", t.c.ID, t.messageID)
	t.decision.Claim = claim(t.clinic, booking, t.state.Specialty, t.state.Slot)
	t.decision.Release = t.state.Replaces
	t.record(&event.AppointmentBooked{
		Conversation: t.c.carried(), BookingID: booking, Source: "chat",
		Slot: t.state.Slot, Specialty: t.state.Specialty, Offered: true, Replaces: t.state.Replaces,
	})
	t.sayContent()
	t.reset()
}

// lost says that the chosen time is gone and proposes the nearest ones.
func (t *turn) lost() {
	if t.state.Slot.After(t.at) {
		t.wishFor(t.state.Slot)
	}
	t.offer("ocupada")
}

// claim takes one of a service's chairs for an appointment.
func claim(c clinic.Clinic, booking, service string, slot time.Time) *event.Claim {
	return &event.Claim{
		BookingID: booking, Chairs: c.Agenda.Chairs(service),
		Begins: slot, Ends: slot.Add(c.Agenda.Length(service)),
	}
}
