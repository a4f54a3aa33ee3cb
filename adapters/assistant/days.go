package assistant

import (
	"slices"
	"time"
)

// dayWords name a day of the week, in the stems of Spanish and English words.
var dayWords = stems(map[time.Weekday][]string{
	time.Sunday:    {"domingo", "domingos", "sunday"},
	time.Monday:    {"lunes", "monday"},
	time.Tuesday:   {"martes", "tuesday"},
	time.Wednesday: {"miercoles", "wednesday"},
	time.Thursday:  {"jueves", "thursday"},
	time.Friday:    {"viernes", "friday"},
	time.Saturday:  {"sabado", "sabados", "saturday"},
})

func stems(days map[time.Weekday][]string) map[string]time.Weekday {
	byStem := map[string]time.Weekday{}
	for day, words := range days {
		for _, w := range words {
			byStem[stem(w)] = day
		}
	}
	return byStem
}

// askedDay finds the one day a text is about, seen from the moment of the question.
// Texts about several days, or none, are about the week.
func askedDay(tokens []token, at time.Time) (day time.Time, ok bool) {
	var days []time.Time
	for i, t := range tokens {
		weekday, named := dayWords[t.stem]
		switch {
		case named:
			ahead := (int(weekday) - int(at.Weekday()) + 7) % 7
			days = append(days, midnight(at.AddDate(0, 0, ahead)))
		case t.stem == stem("hoy") || t.stem == "today":
			days = append(days, midnight(at))
		case isTomorrow(tokens, i):
			days = append(days, midnight(at.AddDate(0, 0, 1)))
		}
	}
	days = slices.Compact(days)
	if len(days) != 1 {
		return time.Time{}, false
	}
	return days[0], true
}

// isTomorrow tells "mañana" from "en la mañana" and "pasado mañana".
func isTomorrow(tokens []token, i int) bool {
	if tokens[i].stem == "tomorrow" {
		return true
	}
	if tokens[i].stem != stem("manana") {
		return false
	}
	return i == 0 || !slices.Contains([]string{"la", stem("pasado"), "de"}, tokens[i-1].stem)
}

// asksAboutNow says whether a text is about this very moment.
func asksAboutNow(tokens []token) bool {
	return slices.ContainsFunc(tokens, func(t token) bool {
		return slices.Contains([]string{stem("ahora"), stem("ahorita"), stem("momento"), "now", stem("abierto"), stem("abiertos")}, t.stem)
	})
}
