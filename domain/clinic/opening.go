package clinic

import "time"

// Calendar says when a clinic is open: by its hours, and by the exceptions from them.
type Calendar struct {
	// Zone is the business zone, in which days begin.
	Zone       *time.Location
	Hours      Hours
	Exceptions []Exception
}

// Calendar is when the clinic is open.
func (c Clinic) Calendar() Calendar { return Calendar{c.Zone, c.Hours, c.Exceptions} }

// HoursOn is when the clinic is open on the day of an instant: as on every such day of the week,
// or as an exception says.
func (c Calendar) HoursOn(t time.Time) []Span {
	t = t.In(c.Zone)
	if exception, ok := c.exception(t); ok {
		return exception.Spans
	}
	return c.Hours[t.Weekday()]
}

// ClosedOn says whether the clinic is closed all day on the day of an instant.
func (c Calendar) ClosedOn(t time.Time) bool { return len(c.HoursOn(t)) == 0 }

// OpenAt says whether the clinic is open at an instant.
func (c Calendar) OpenAt(t time.Time) bool {
	_, open := c.ClosesAt(t)
	return open
}

// ClosesAt is when the clinic closes, in the business zone, if it is open at an instant; open
// is false if it is not.
func (c Calendar) ClosesAt(t time.Time) (closes time.Time, open bool) {
	t = t.In(c.Zone)
	return closesAt(c.HoursOn(t), t)
}

// longestClosure bounds in days how far ahead an opening is looked for.
const longestClosure = 366

// NextOpening is the first opening after an instant, in the business zone; ok is false if the
// clinic does not open within a year.
func (c Calendar) NextOpening(t time.Time) (opens time.Time, ok bool) {
	t = t.In(c.Zone)
	for ahead := range longestClosure {
		day := StartOfDay(t.Year(), t.Month(), t.Day()+ahead, c.Zone)
		for _, s := range c.HoursOn(day) {
			if opens := atMinute(day, s.Opens); opens.After(t) {
				return opens, true
			}
		}
	}
	return time.Time{}, false
}

// Opens is the first opening after from in words, as seen from an instant: "mañana sábado a las
// 9:00 a. m."; empty if there is none.
func (c Calendar) Opens(from, at time.Time) string {
	next, ok := c.NextOpening(from)
	if !ok {
		return ""
	}
	return NearDay(next, at.In(c.Zone)) + " " + At(next.Hour()*60+next.Minute())
}
