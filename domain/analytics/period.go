// Package analytics knows what the dashboard's numbers mean: which instants a period
// covers, how counts become rates and averages, and how two periods compare. The counts
// themselves come from outside.
package analytics

import (
	"time"

	"bitacora/domain/clinic"
)

// Period is the half-open window [From, To). Both ends are in the business zone.
type Period struct {
	From, To time.Time
}

// PeriodError says, in a sentence for the screen, why a pair of dates is no period.
type PeriodError string

func (e PeriodError) Error() string { return string(e) }

// The ways in which a pair of dates can fail to be a period.
const (
	ErrUnreadable PeriodError = "La fecha no es válida: use AAAA-MM-DD o una fecha y hora ISO con zona horaria."
	ErrReversed   PeriodError = "La fecha inicial es posterior a la fecha final."
	ErrTooLong    PeriodError = "El período no puede superar los 400 días."
)

const (
	defaultDays = 30
	maxDays     = 400
)

// ParsePeriod reads the two ends a client sent. An ISO instant is inclusive to the
// millisecond at both ends; a date without time is a whole day of the zone. A missing
// end is now, a missing start is 30 days before the end. Errors are a [PeriodError].
func ParsePeriod(start, end string, now time.Time, zone *time.Location) (Period, error) {
	last, to, err := parseEnd(end, now, zone)
	if err != nil {
		return Period{}, err
	}
	from := last.AddDate(0, 0, -defaultDays)
	if start != "" {
		from, _, err = parseEnd(start, now, zone)
	} else {
		err = representable(from)
	}
	if err != nil {
		return Period{}, err
	}
	switch {
	case !from.Before(to):
		return Period{}, ErrReversed
	case from.AddDate(0, 0, maxDays).Before(to):
		return Period{}, ErrTooLong
	}
	return Period{From: from, To: to}, nil
}

// AllTime is everything up to an instant, which it includes.
func AllTime(now time.Time) Period {
	return Period{From: time.Unix(0, 0).UTC(), To: now.Add(time.Millisecond)}
}

// parseEnd gives the first instant that one end of a period covers and the first after it.
func parseEnd(s string, now time.Time, zone *time.Location) (first, after time.Time, err error) {
	if s == "" {
		s = now.Format(time.RFC3339Nano)
	}
	if day, err := time.Parse(time.DateOnly, s); err == nil {
		y, m, d := day.Date()
		return clinic.StartOfDay(y, m, d, zone), clinic.StartOfDay(y, m, d+1, zone), representable(day)
	}
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		return first, after, ErrUnreadable
	}
	first = t.Truncate(time.Millisecond).In(zone)
	return first, first.Add(time.Millisecond), representable(first)
}

// representable refuses years that ClickHouse's DateTime64 would silently clip.
func representable(t time.Time) error {
	if y := t.Year(); y < 1970 || y > 2200 {
		return ErrUnreadable
	}
	return nil
}

// MonthOf is the calendar month of the zone that t lies in.
func MonthOf(t time.Time, zone *time.Location) Period {
	y, m, _ := t.In(zone).Date()
	return Period{From: clinic.StartOfDay(y, m, 1, zone), To: clinic.StartOfDay(y, m+1, 1, zone)}
}

// wholeDays is the number of calendar days the period consists of; whole is false when it
// starts or ends within a day.
func (p Period) wholeDays() (days int, whole bool) {
	zone := p.From.Location()
	fy, fm, fd := p.From.Date()
	ty, tm, td := p.To.In(zone).Date()
	if !p.From.Equal(clinic.StartOfDay(fy, fm, fd, zone)) || !p.To.Equal(clinic.StartOfDay(ty, tm, td, zone)) {
		return 0, false
	}
	from := time.Date(fy, fm, fd, 0, 0, 0, 0, time.UTC)
	to := time.Date(ty, tm, td, 0, 0, 0, 0, time.UTC)
	return int(to.Sub(from) / (24 * time.Hour)), true
}

// In is the period by the calendar of another zone: the same days where it is whole days of its own,
// else the same instants.
func (p Period) In(zone *time.Location) Period {
	own := p.From.Location()
	if own.String() == zone.String() {
		return p
	}
	if _, whole := p.wholeDays(); !whole {
		return Period{From: p.From.In(zone), To: p.To.In(zone)}
	}
	sameDay := func(t time.Time) time.Time {
		y, m, d := t.In(own).Date()
		return clinic.StartOfDay(y, m, d, zone)
	}
	return Period{From: sameDay(p.From), To: sameDay(p.To)}
}

// MondayOf is the first midnight of a day's week, in the zone that the time is in.
func MondayOf(t time.Time) time.Time { return Weekly.start(t) }
