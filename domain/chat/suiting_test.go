package chat

import (
	"slices"
	"testing"
	"time"

	"bitacora/domain/clinic"
)

// booking is a message that says everything but the time.
func booking(u Understanding) Understanding {
	u.Intent, u.Name, u.Emails, u.Specialty = IntentBook, "Ana", []string{"ana@example.com"}, "ortodoncia"
	return u
}

func TestOnlyDaysOfTheWeekThatSuitAreOffered(t *testing.T) {
	tuesdayOrThursday := Understanding{When: clinic.Wish{First: on(24).First, Last: on(26).First}, Only: []time.Weekday{time.Tuesday, time.Thursday}}
	lateButMonday := Understanding{When: clinic.Wish{Earliest: 17 * 60}, Unwanted: []time.Weekday{time.Monday, time.Tuesday}}
	suits := map[string]func(time.Weekday) bool{
		"martes o jueves":                      func(d time.Weekday) bool { return d == time.Tuesday || d == time.Thursday },
		"ni lunes ni martes, después de las 5": func(d time.Weekday) bool { return d != time.Monday && d != time.Tuesday },
	}
	for text, u := range map[string]Understanding{"martes o jueves": tuesdayOrThursday, "ni lunes ni martes, después de las 5": lateButMonday} {
		asked, said := newVisit(t), newVisit(t)
		asked.says("una cita", booking(Understanding{}))
		asked.at(StepTime, asked.says("sí", yes))
		asked.at(StepSlot, asked.says(text, u))
		// Said before a time can be offered, it is kept until then.
		said.at(StepConsent, said.says("una cita, "+text, booking(u)))
		said.at(StepSlot, said.says("sí", yes))
		for _, v := range []*visit{asked, said} {
			offered := v.conversation().Dialogue.Offered
			if len(offered) == 0 || slices.ContainsFunc(offered, func(at time.Time) bool { return !suits[text](at.In(v.service.Clinic.Zone).Weekday()) }) {
				t.Errorf("%q: %v", text, offered)
			}
		}
	}
}

func TestAWishOutsideOfTheAgendaIsSaidToBeOneAtOnce(t *testing.T) {
	far := clinic.Wish{First: on(26).First.AddDate(0, 3, 0), Last: on(26).First.AddDate(0, 3, 0)}
	for want, wish := range map[string]clinic.Wish{"El domingo no atendemos": on(29), "Por ahora doy citas hasta el": far} {
		v := newVisit(t)
		v.at(StepConsent, v.says("una cita", booking(Understanding{When: wish})), want)
	}
}

func TestATimeOnAHolidayIsOfferedWithItsName(t *testing.T) {
	on8December := clinic.Wish{First: on(24).First.AddDate(0, 0, 14), Last: on(24).First.AddDate(0, 0, 14)}
	v := newVisit(t)
	v.at(StepConsent, v.says("una cita", booking(Understanding{When: on8December})))
	v.at(StepSlot, v.says("sí", yes), "(feriado: Día de las Madres)")
	v.at(StepConfirm, v.says("1", Understanding{Choice: 1}), "(feriado: Día de las Madres)")
}
