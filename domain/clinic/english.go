package clinic

import (
	"strings"
	"time"
)

// InEnglish are the opening hours of a week: "Monday to Friday, 8:00 a.m. to 7:00 p.m.; …".
func (h Hours) InEnglish() string {
	var parts []string
	for first := 1; first <= 7; {
		last := first
		for last < 7 && h.dayInEnglish(last+1) == h.dayInEnglish(first) {
			last++
		}
		days := time.Weekday(first % 7).String()
		if last > first {
			days += " to " + time.Weekday(last%7).String()
		}
		parts = append(parts, days+", "+h.dayInEnglish(first))
		first = last + 1
	}
	return strings.Join(parts, "; ")
}

// dayInEnglish are the hours of a day, counted from 1 for Monday to 7 for Sunday.
func (h Hours) dayInEnglish(day int) string { return InEnglish(h[day%7]) }

// InEnglish are the hours of a day: "8:00 a.m. to 7:00 p.m.", "closed".
func InEnglish(spans []Span) string {
	if len(spans) == 0 {
		return "closed"
	}
	parts := make([]string, len(spans))
	for i, s := range spans {
		parts[i] = ClockInEnglish(s.Opens) + " to " + ClockInEnglish(s.Closes)
	}
	return strings.Join(parts, " and ")
}

// ClockInEnglish is a minute after midnight: "7:00 p.m.".
func ClockInEnglish(minute int) string {
	at := time.Date(2000, 1, 1, 0, minute, 0, 0, time.UTC)
	return at.Format("3:04 ") + strings.NewReplacer("AM", "a.m.", "PM", "p.m.").Replace(at.Format("PM"))
}

// DayInEnglish is a date: "Friday, November 27".
func DayInEnglish(t time.Time) string { return t.Format("Monday, January 2") }

// DayAndTimeInEnglish is a moment: "Friday, November 27 at 9:00 a.m.".
func DayAndTimeInEnglish(t time.Time) string {
	return DayInEnglish(t) + " at " + ClockInEnglish(t.Hour()*60+t.Minute())
}

// NearDayInEnglish names a day as seen from an instant of the same zone: "today, Saturday", "tomorrow, Sunday",
// "on Monday", and with its date from a week on.
func NearDayInEnglish(day, from time.Time) string {
	switch ahead := daysAhead(day, from); {
	case ahead == 0:
		return "today, " + day.Weekday().String()
	case ahead == 1:
		return "tomorrow, " + day.Weekday().String()
	case ahead < 7:
		return "on " + day.Weekday().String()
	}
	return "on " + DayInEnglish(day)
}

// OpensInEnglish is [Calendar.Opens] in English: "tomorrow, Saturday at 9:00 a.m.".
func (c Calendar) OpensInEnglish(from, at time.Time) string {
	next, ok := c.NextOpening(from)
	if !ok {
		return ""
	}
	return NearDayInEnglish(next, at.In(c.Zone)) + " at " + ClockInEnglish(next.Hour()*60+next.Minute())
}
