package chat

import (
	"slices"
	"time"

	"bitacora/domain/clinic"
	"bitacora/domain/event"
)

// refusesDay says that a day is named on which the visitor cannot come, where it matters: the
// time is asked for, or chosen on such a day.
func refusesDay(t *turn) bool {
	if len(t.u.Unwanted) == 0 || t.asked() != StepTime && t.asked() != StepSlot && t.asked() != StepConfirm {
		return false
	}
	return t.state.Slot.IsZero() || t.unwanted(t.state.Slot)
}

func (t *turn) unwanted(slot time.Time) bool {
	weekday := slot.In(t.clinic.Zone).Weekday()
	return slices.Contains(t.u.Unwanted, weekday) || t.u.Only != nil && !slices.Contains(t.u.Only, weekday)
}

// suiting is a wish for the first of its days in a row that have room and suit. Which days of the
// week do is known in this turn only, and no time is offered before the next.
func (t *turn) suiting(w clinic.Wish) clinic.Wish {
	if len(t.u.Unwanted)+len(t.u.Only) == 0 || !w.First.IsZero() && w.First.Equal(w.Last) {
		return w
	}
	free := t.free()
	i := slices.IndexFunc(free, func(at time.Time) bool { return w.Fits(at) && !t.unwanted(at) })
	if i < 0 {
		return w
	}
	first := t.midnight(free[i])
	last := first
	for range 6 {
		next := clinic.StartOfDay(last.Year(), last.Month(), last.Day()+1, last.Location())
		if t.unwanted(next) || !w.Last.IsZero() && next.After(w.Last) {
			break
		}
		last = next
	}
	w.First, w.Last = first, last
	return w
}

// changesDetail says that a detail of what is being arranged is to be another, or the chosen hour
// does not suit, and nothing is named instead.
func changesDetail(t *turn) bool {
	switch {
	case t.u.Intent != IntentNone || t.asked() == StepIdle || changesSomething(t) || t.u.Name != "" || t.c.Appointment != nil && t.u.Wrong == StepName:
		return false
	case t.asked() == StepConfirm:
		return t.u.Wrong != StepIdle || t.u.OtherTimes
	case t.asked() == StepSlot && t.u.Wrong == StepTime:
		return true
	}
	return t.asked() != t.u.Wrong && t.asked() != StepCancel &&
		(t.u.Wrong == StepName && t.c.Contact.Name != "" || t.u.Wrong == StepContact && t.c.Contact.reachable())
}

// changeDetail asks again for a detail; another hour is offered on the same day.
func changeDetail(t *turn) {
	offered := t.state.Offered
	if t.asked() == StepSlot {
		t.state.Offered = nil
	}
	switch t.u.Wrong {
	case StepName, StepContact, StepSpecialty:
		t.ask(t.u.Wrong)
	case StepTime:
		turnDown(t, offered)
		t.state.Wish, t.state.Slot, t.state.Offered = event.Wish{}, time.Time{}, nil
		t.ask(StepTime)
	default:
		day := t.midnight(t.state.Slot)
		t.state.Wish, t.state.Offered = event.Wish{First: day, Last: day}, []time.Time{t.state.Slot}
		otherTimes(t)
	}
}

// correctsWish says that a no before the consent is one to what was wished, as it names
// something else: "no, ortodoncia".
func correctsWish(t *turn) bool {
	return t.u.Answer == No && t.u.Intent == IntentNone && (t.u.Specialty != "" || t.u.NamesTime())
}
