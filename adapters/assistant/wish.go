package assistant

import (
	"strings"
	"time"

	"bitacora/adapters/assistant/details"
	"bitacora/domain/chat"
	"bitacora/domain/clinic"
	"bitacora/domain/timex"
)

// readTimes reads the day and the hour, and which offer is picked.
func readTimes(c clinic.Clinic, q chat.Question, text string, u *chat.Understanding) {
	u.Choice = details.ReadChoice(text, len(q.Offered))
	// Where days stand for choice, "el 1" is a day rather than the first of them.
	days := q.Asked == chat.StepTime && len(q.Offered) > 0
	if q.Asked == chat.StepTime && !days && details.FirstOne(text) {
		u.AnyTime = true
		return
	}
	if q.Asked == chat.StepContact && len(u.Phones)+len(u.Emails) > 0 && !details.Chooses(text) {
		return // "6612-3344, en las tardes" is when to call
	}
	// A day without a number may be a name: "Domingo", "Julio".
	if u.Choice != 0 && !days && !timex.NamesWeekday(text) || q.Asked == chat.StepName && u.Name != "" && !strings.ContainsAny(text, "0123456789") {
		return
	}
	moment := timex.Moment{
		At: q.At.In(c.Zone), Ahead: c.Agenda.Days, Known: inZone(q.Known, c.Zone),
		Bare: q.Asked == chat.StepTime || q.Asked == chat.StepSlot,
	}
	read := timex.Read(withoutName(text, u.Name), moment)
	when, doubt := read.Wish, read.Doubt
	u.Unwanted = read.Unwanted
	if u.Choice != 0 && (when.First.IsZero() || !days && fits(when, q.Offered, u.Choice, c.Zone)) {
		return
	}
	u.Choice, u.When, u.Only, u.Doubt = 0, when, read.Only, doubt
	u.PlainYes = u.PlainYes || !when.IsZero() && doubt == nil && details.PlainYes(q.Text, true)
}

// readWish reads a day or an hour that is wished beside a question: "el jueves a las 3, ¿duele?"
func readWish(c clinic.Clinic, q chat.Question, u *chat.Understanding) {
	stated := details.Stated(q.Text)
	if stated == q.Text && (!u.When.Exact || question.MatchString(q.Text)) || !u.NamesTime() {
		return
	}
	beside := chat.Understanding{Name: u.Name}
	readTimes(c, q, stated, &beside)
	if u.WishesTime = beside.NamesTime(); u.WishesTime {
		u.When, u.Only, u.Doubt = beside.When, beside.Only, beside.Doubt
	}
}

// fits says that an offer, picked by its place, is on the wished days.
func fits(w clinic.Wish, offered []time.Time, choice int, zone *time.Location) bool {
	if choice < 0 {
		choice = len(offered)
	}
	return clinic.Wish{First: w.First, Last: w.Last}.Fits(offered[choice-1].In(zone))
}

func inZone(days []time.Time, zone *time.Location) []time.Time {
	local := make([]time.Time, len(days))
	for i, day := range days {
		local[i] = day.In(zone)
	}
	return local
}
