package clinic

import (
	"time"

	"bitacora/domain/privacy"
)

// The working days within which the clinic does what somebody asks about their own data, after
// Ley 81 de 2019: RequestDays for a copy, and at the longest; ErasureDays for everything else.
const (
	RequestDays = 10
	ErasureDays = 5
)

// RequestDue is when a request of an instant must have been done at the latest, in whole seconds of
// UTC: the end of the last working day, in the business zone. The day of the request does not count.
func (c Calendar) RequestDue(at time.Time, r privacy.Request) time.Time {
	left := ErasureDays
	if r == privacy.Copy {
		left = RequestDays
	}
	y, m, d := at.In(c.Zone).Date()
	for left > 0 {
		d++
		if c.worksOn(StartOfDay(y, m, d, c.Zone)) {
			left--
		}
	}
	return StartOfDay(y, m, d+1, c.Zone).Add(-time.Second).UTC()
}

// worksOn says whether a day counts as a working day: offices rest on weekends, whatever hours the
// clinic has then, and on days on which it closes besides.
func (c Calendar) worksOn(day time.Time) bool {
	weekend := day.Weekday() == time.Saturday || day.Weekday() == time.Sunday
	exception, ok := c.exception(day)
	return !weekend && (!ok || len(exception.Spans) > 0)
}
