package clinic

import (
	"slices"
	"time"
)

// RequestDays are the working days within which the clinic does what somebody asks about their own
// data: the term that Ley 81 de 2019 sets for giving access.
const RequestDays = 10

// RequestDue is when a request of an instant must have been done at the latest, in whole seconds of
// UTC: the end of the last working day, in the business zone. The day of the request does not count.
func (c Clinic) RequestDue(at time.Time) time.Time {
	day := atMinute(at.In(c.Zone), 0)
	for left := RequestDays; left > 0; {
		day = day.AddDate(0, 0, 1)
		if c.worksOn(day) {
			left--
		}
	}
	return day.AddDate(0, 0, 1).Add(-time.Second).UTC()
}

// worksOn says whether a day counts as a working day: offices rest on weekends, whatever hours the
// clinic has then, and when the agenda says so.
func (c Clinic) worksOn(day time.Time) bool {
	weekend := day.Weekday() == time.Saturday || day.Weekday() == time.Sunday
	return !weekend && !slices.Contains(c.Agenda.Closed, day.Format(time.DateOnly))
}
