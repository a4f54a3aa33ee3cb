package assistant

import (
	"slices"
	"time"
)

// dayWords name a day of the week in plain Spanish and English words.
var dayWords = map[string]time.Weekday{
	"domingo": time.Sunday, "domingos": time.Sunday, "sunday": time.Sunday, "sundays": time.Sunday,
	"lunes": time.Monday, "monday": time.Monday, "martes": time.Tuesday, "tuesday": time.Tuesday,
	"miercoles": time.Wednesday, "wednesday": time.Wednesday, "jueves": time.Thursday, "thursday": time.Thursday,
	"viernes": time.Friday, "friday": time.Friday,
	"sabado": time.Saturday, "sabados": time.Saturday, "saturday": time.Saturday, "saturdays": time.Saturday,
}

// askedDay finds the one day a text is about, seen from the moment of the question.
// Texts about several days, or none, are about the week.
func askedDay(list []string, at time.Time) (day time.Time, ok bool) {
	var days []time.Time
	for i, w := range list {
		weekday, named := dayWords[w]
		switch {
		case named:
			ahead := (int(weekday) - int(at.Weekday()) + 7) % 7
			days = append(days, midnight(at.AddDate(0, 0, ahead)))
		case w == "hoy" || w == "today":
			days = append(days, midnight(at))
		case isTomorrow(list, i):
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
func isTomorrow(list []string, i int) bool {
	if list[i] == "tomorrow" {
		return true
	}
	if list[i] != "manana" {
		return false
	}
	return i == 0 || !slices.Contains([]string{"la", "pasado", "de"}, list[i-1])
}

// asksAboutNow says whether a text is about this very moment.
func asksAboutNow(list []string) bool {
	return slices.ContainsFunc(list, func(w string) bool {
		return slices.Contains([]string{"ahora", "ahorita", "momento", "now", "abierto", "abiertos", "cerrados", "cerraron", "abrieron"}, w)
	})
}
