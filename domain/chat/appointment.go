package chat

import (
	"slices"
	"strings"
	"time"

	"bitacora/domain/clinic"
	"bitacora/domain/event"
)

// cancelAsked asks whether the active appointment is to be cancelled.
func cancelAsked(t *turn) {
	switch {
	case t.c.Appointment != nil:
		t.state = event.Dialogue{Asked: string(StepCancel), Misses: t.state.Misses}
		t.say("cancel")
	case t.asked() != StepIdle:
		stopArranging(t)
	default:
		t.say("sin-cita")
	}
}

// cancelAppointment cancels the very appointment that the visitor was asked about.
func cancelAppointment(t *turn) {
	switch {
	case t.c.Appointment == nil:
		t.say("sin-cita")
	case !t.answers(StepCancel):
		cancelAsked(t)
		return
	default:
		t.say("cancelada")
		t.decision.Release = t.c.Appointment.ID
		t.record(&event.AppointmentCancelled{Conversation: t.c.carried(), BookingID: t.decision.Release, Source: "chat"})
	}
	t.reset()
}

// keepAppointment leaves the appointment as it is.
func keepAppointment(t *turn) {
	if t.c.Appointment == nil {
		t.say("sin-cita")
	} else {
		t.say("dejado-con-cita")
	}
	t.reset()
}

// wantsAnother says that an appointment is asked for beside the one that this conversation
// arranges, or for another person than the one it names.
func wantsAnother(t *turn) bool {
	switch {
	case t.u.Intent == IntentCancel, t.u.Intent == IntentMyAppointment, t.u.Intent == IntentStop, t.u.Intent == IntentLeave:
		return false
	case t.c.Appointment != nil:
		return t.u.Another || t.u.ForOther || otherName(t) || t.u.Intent == IntentBook && !t.u.OtherTimes && !t.unwanted(t.c.Appointment.Slot) && (t.state.Replaces == "" || t.asked() == StepCancel)
	case t.asked() == StepIdle:
		return false
	}
	chosen := t.asked() == StepSpecialty && t.u.Specialty != ""
	corrected := t.u.Correction && t.u.Name != ""
	return t.u.Another || t.u.ForOther && t.c.Contact.Name != "" && t.asked() != StepName && !chosen && !corrected
}

// otherName says that the message names another person than the one whom the active appointment is
// for, and not as a correction: that appointment stays theirs.
func otherName(t *turn) bool {
	known := strings.Fields(t.c.Contact.Name)
	other := slices.ContainsFunc(strings.Fields(t.u.Name), func(word string) bool { return !slices.Contains(known, word) })
	return other && !t.u.Correction || t.asked() != StepIdle && t.u.Wrong == StepName
}

// cannotCome says that the appointment is on a day on which the visitor cannot come.
func cannotCome(t *turn) bool {
	return t.c.Appointment != nil && t.asked() == StepIdle && slices.Contains([]Intent{IntentNone, IntentAsk, IntentBook}, t.u.Intent) && t.unwanted(t.c.Appointment.Slot)
}

// wantsOtherHour says that a later or an earlier hour is asked for than that of the appointment.
func wantsOtherHour(t *turn) bool {
	return t.c.Appointment != nil && t.asked() == StepIdle && t.u.OtherTimes && slices.Contains([]Intent{IntentNone, IntentAsk, IntentBook}, t.u.Intent)
}

// otherAppointment says where another appointment is arranged, and changes nothing.
func otherAppointment(t *turn) {
	if t.content != nil && t.u.Intent == IntentAsk {
		t.sayContent()
	} else {
		t.content = nil
	}
	if t.c.Appointment != nil {
		t.say("ya-tienes")
	} else {
		t.say("otra-persona")
	}
	switch t.asked() {
	case StepIdle:
	case StepCancel:
		t.reset() // a yes is none to that any more
	default:
		t.askAgain()
	}
}

// acceptsNew says that the message is a yes to a reply that offers another conversation.
func acceptsNew(t *turn) bool {
	last := t.c.Lines.lastReply()
	return t.u.PlainYes && t.asked() == StepIdle && last.Action() == ActionNewConversation && last.Text != render("nueva-conversacion", t.textData())
}

// invitations are the texts that invite to begin, and that a yes may answer.
var invitations = []string{"invita-otra", "invita-nueva"}

// acceptsToBegin says that the message is a yes to a reply that invites to book, or names the time.
func acceptsToBegin(t *turn) bool {
	if t.asked() != StepIdle || t.c.Appointment != nil || !slices.ContainsFunc(invitations, t.repliedLast) {
		return false
	}
	return t.u.Intent == IntentNone && (t.u.PlainYes && !t.u.Acknowledges || t.u.NamesTime())
}

// repliedLast says that the last reply ends with a text.
func (t *turn) repliedLast(name string) bool {
	return ends(t.c.Lines.lastReply().Text, name, t.textData())
}

// cancelledService is that of the appointment that was just cancelled, in whose place another is
// looked for; empty where none was, and for somebody else.
func (t *turn) cancelledService() string {
	if n := len(t.c.bookings); n > 0 && t.c.Appointment == nil && !t.u.ForOther && t.repliedLast("invita-otra") {
		return t.c.bookings[n-1].Specialty
	}
	return ""
}

// namesTimeInstead says that a time is named in answer to the offer to look for one.
func namesTimeInstead(t *turn) bool {
	return t.offered() && t.u.Intent == IntentNone && (t.u.NamesTime() || t.u.AnyTime)
}

// newConversation says how another conversation is begun.
func newConversation(t *turn) {
	t.content = nil
	t.say("nueva-conversacion")
	if t.asked() != StepIdle {
		t.askAgain()
	}
}

// reschedule looks for another time; the active appointment is kept until that is agreed to.
func reschedule(t *turn) {
	switch {
	case t.c.Appointment != nil && (t.asked() == StepIdle || t.asked() == StepCancel || t.state.Replaces != t.c.Appointment.ID):
		t.state = event.Dialogue{
			Replaces: t.c.Appointment.ID, Specialty: t.c.Appointment.Specialty, Notice: t.state.Notice,
		}
		if t.u.When != (clinic.Wish{}) && t.u.When.First.IsZero() {
			// Another hour is meant on that day.
			day := t.midnight(t.c.Appointment.Slot)
			t.state.Wish = event.Wish{First: day, Last: day}
		}
		if t.u.OtherTimes && t.u.Shift != 0 {
			shiftHour(t, []time.Time{t.c.Appointment.Slot})
		}
		t.say("mover")
		t.takeDetails()
		if t.state.Specialty != t.c.Appointment.Specialty {
			t.say("otro-servicio")
		}
		t.advance()
	case t.asked() != StepIdle:
		t.state.Wish, t.state.Slot, t.state.Offered = event.Wish{}, time.Time{}, nil
		t.takeDetails()
		t.advance()
	default:
		t.say("sin-cita")
	}
}

// myAppointment says when the appointment is.
func myAppointment(t *turn) {
	switch {
	case t.c.Appointment != nil:
		t.say("tu-cita")
	case t.asked() != StepIdle:
		t.say("aun-no")
	default:
		t.say("sin-cita")
	}
	if t.asked() != StepIdle {
		t.askAgain()
	}
}
