package analytics

import (
	"time"

	"bitacora/domain/clinic"
)

// Base is what a period is compared with.
type Base string

const (
	// PreviousPeriod is the window of the same length that ends where the period starts; of calendar months, and of the
	// first days of one, the months before.
	PreviousPeriod Base = "previous"
	// SameWeekdays is the latest one before the period that starts on the same weekday.
	SameWeekdays Base = "weekday"
	// YearBefore is the same days of the year before.
	YearBefore Base = "year"
)

// Other is the period that another one is compared with.
type Other struct {
	Period
	shift func(time.Time) time.Time
}

// Other finds the period to compare with. When the period reaches beyond now, it is cut to
// the part that has elapsed, so that like is compared with like.
func (p Period) Other(base Base, now time.Time) Other {
	length := p.To.Sub(p.From)
	days, whole := p.wholeDays()
	var o Other
	switch {
	case base == SameWeekdays:
		weeks := 1
		for daysBack(p.To, 7*weeks).After(p.From) {
			weeks++
		}
		o.shift = func(t time.Time) time.Time { return daysBack(t, 7*weeks) }
	case base == YearBefore:
		o.shift = func(t time.Time) time.Time { return monthsBack(t, 12) }
	case p.months() > 0:
		o.shift = func(t time.Time) time.Time { return monthsBack(t, p.months()) }
	case whole:
		o.shift = func(t time.Time) time.Time { return daysBack(t, days) }
	default:
		o.shift = func(t time.Time) time.Time { return t.Add(-length) }
	}
	o.Period = p.elapsed(Period{From: o.shift(p.From), To: o.shift(p.To)}, now)
	return o
}

// elapsed cuts another period to the part of this one that has passed.
func (p Period) elapsed(other Period, now time.Time) Period {
	next := now.Truncate(time.Millisecond).Add(time.Millisecond)
	if next.Before(p.To) {
		other.To = earlier(other.To, other.From.Add(max(0, next.Sub(p.From))))
	}
	return other
}

// daysBack is the same time of day some days before; the start of a day stays one.
func daysBack(t time.Time, days int) time.Time {
	y, m, d := t.Date()
	if t.Equal(clinic.StartOfDay(y, m, d, t.Location())) {
		return clinic.StartOfDay(y, m, d-days, t.Location())
	}
	return t.AddDate(0, 0, -days)
}

// months is the number of calendar months that the period consists of. The first days of a month, two or more, are
// one; 0 where it is something else.
func (p Period) months() int {
	days, whole := p.wholeDays()
	fy, fm, fd := p.From.Date()
	ty, tm, td := p.To.In(p.From.Location()).Date()
	months := (ty-fy)*12 + int(tm-fm)
	switch {
	case !whole || fd != 1:
		return 0
	case td == 1:
		return months
	case months == 0 && days > 1:
		return 1
	}
	return 0
}

// monthsBack is the same day and time some months before. A day that the month does not have is its end.
func monthsBack(t time.Time, months int) time.Time {
	y, m, d := t.Date()
	switch last := time.Date(y, m-time.Month(months)+1, 0, 0, 0, 0, 0, time.UTC).Day(); {
	case d > last:
		return clinic.StartOfDay(y, m-time.Month(months), last+1, t.Location())
	case t.Equal(clinic.StartOfDay(y, m, d, t.Location())):
		return clinic.StartOfDay(y, m-time.Month(months), d, t.Location())
	}
	return t.AddDate(0, -months, 0)
}

// Stretches are the parts of the other period that correspond to the buckets of the first:
// together all of it, some empty where the other period is cut or clocks were changed.
func (o Other) Stretches(buckets []Bucket) []Period {
	stretches := make([]Period, len(buckets))
	from := o.From
	for i, b := range buckets {
		to := later(from, earlier(o.shift(b.To), o.To))
		stretches[i] = Period{From: from, To: to}
		from = to
	}
	return stretches
}

// Previous is the [Other] period that ends where this one starts.
func (p Period) Previous(now time.Time) Period { return p.Other(PreviousPeriod, now).Period }
