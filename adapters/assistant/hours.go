package assistant

import (
	"strings"
	"time"

	"bitacora/domain/clinic"
)

// hoursInEnglish are the opening hours of a week: "Monday to Friday, 8:00 a.m. to 7:00 p.m.; …".
func hoursInEnglish(h clinic.Hours) string {
	var parts []string
	for first := 1; first <= 7; {
		last := first
		for last < 7 && hoursOf(h, last+1) == hoursOf(h, first) {
			last++
		}
		days := time.Weekday(first % 7).String()
		if last > first {
			days += " to " + time.Weekday(last%7).String()
		}
		parts = append(parts, days+", "+hoursOf(h, first))
		first = last + 1
	}
	return strings.Join(parts, "; ")
}

// hoursOf are those of a day, counted from 1 for Monday to 7 for Sunday.
func hoursOf(h clinic.Hours, day int) string {
	var spans []string
	for _, s := range h[day%7] {
		spans = append(spans, clockInEnglish(s.Opens)+" to "+clockInEnglish(s.Closes))
	}
	if len(spans) == 0 {
		return "closed"
	}
	return strings.Join(spans, " and ")
}

// clockInEnglish is a minute after midnight: "7:00 p.m.".
func clockInEnglish(minute int) string {
	at := time.Date(2000, 1, 1, 0, minute, 0, 0, time.UTC)
	return at.Format("3:04 ") + strings.NewReplacer("AM", "a.m.", "PM", "p.m.").Replace(at.Format("PM"))
}
