package clinic

import (
	"slices"
	"time"
)

// ClosedOn says whether the clinic is closed all day on the day of an instant: for want of
// hours, or because the agenda names the day.
func (c Clinic) ClosedOn(t time.Time) bool {
	t = t.In(c.Zone)
	return len(c.Hours[t.Weekday()]) == 0 || slices.Contains(c.Agenda.Closed, t.Format(time.DateOnly))
}

// OpenAt says whether the clinic is open at an instant.
func (c Clinic) OpenAt(t time.Time) bool {
	_, open := c.ClosesAt(t)
	return open
}

// ClosesAt is when the clinic closes, in the business zone, if it is open at an instant; open
// is false if it is not.
func (c Clinic) ClosesAt(t time.Time) (closes time.Time, open bool) {
	if c.ClosedOn(t) {
		return time.Time{}, false
	}
	return c.Hours.ClosesAt(t.In(c.Zone))
}

// longestClosure bounds in days how far ahead an opening is looked for.
const longestClosure = 366

// NextOpening is the first opening after an instant, in the business zone; ok is false if the
// clinic does not open within a year.
func (c Clinic) NextOpening(t time.Time) (opens time.Time, ok bool) {
	t = t.In(c.Zone)
	for range longestClosure {
		if opens, ok = c.Hours.NextOpening(t); !ok || !c.ClosedOn(opens) {
			return opens, ok
		}
		t = atMinute(opens, lastMinute)
	}
	return time.Time{}, false
}

// Opens is the first opening after from in words, as seen from an instant: "mañana sábado a las
// 9:00 a. m."; empty if there is none.
func (c Clinic) Opens(from, at time.Time) string {
	next, ok := c.NextOpening(from)
	if !ok {
		return ""
	}
	return NearDay(next, at.In(c.Zone)) + " " + At(next.Hour()*60+next.Minute())
}

// lastMinute is the last one of a day.
const lastMinute = 24*60 - 1
