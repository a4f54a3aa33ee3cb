package httpapi

import (
	"fmt"
	"math/rand/v2"
	"net/url"
	"time"

	"bitacora/adapters/httpapi/contract"
)

// span is [from, to) in the clinic's zone. By the calendar it is of whole months, of the first days of one, of
// whole days, or of none of these.
type span struct {
	from, to time.Time
	// months is by how many calendar months the span before it is earlier; 0 for its own length.
	months int
	// days is the number of its whole days; 0 for a span that begins or ends within one.
	days int
}

func (s span) holds(at time.Time) bool { return !at.Before(s.from) && at.Before(s.to) }

// query asks for the span as the dashboard does.
func (s span) query() url.Values {
	if s.days == 0 {
		return url.Values{"startDate": {s.from.Format(time.RFC3339Nano)}, "endDate": {s.to.Add(-time.Millisecond).Format(time.RFC3339Nano)}}
	}
	return url.Values{"startDate": {s.from.Format(time.DateOnly)}, "endDate": {s.to.AddDate(0, 0, -1).Format(time.DateOnly)}}
}

func wholeMonths(year int, month time.Month, n int, zone *time.Location) span {
	first := func(m time.Month) time.Time { return time.Date(year, m, 1, 0, 0, 0, 0, zone) }
	from, to := first(month), first(month+time.Month(n))
	return span{from: from, to: to, months: n, days: daysBetween(from, to)}
}

// firstDays are those of a month, two at least.
func firstDays(year int, month time.Month, n int, zone *time.Location) span {
	from := time.Date(year, month, 1, 0, 0, 0, 0, zone)
	return span{from: from, to: from.AddDate(0, 0, n), months: 1, days: n}
}

// someDays are whole days from a day on that is not the first of a month, or a single day.
func someDays(from time.Time, n int) span {
	return span{from: from, to: from.AddDate(0, 0, n), days: n}
}

func daysBetween(from, to time.Time) (n int) {
	for day := from; day.Before(to); day = day.AddDate(0, 0, 1) {
		n++
	}
	return n
}

// someSpan draws a span between two days, most of them as the dashboard offers them.
func someSpan(r *rand.Rand, first, last time.Time) span {
	zone := first.Location()
	day := first.AddDate(0, 0, r.IntN(daysBetween(first, last)))
	switch r.IntN(5) {
	case 0:
		return wholeMonths(day.Year(), day.Month(), 1+r.IntN(3), zone)
	case 1:
		return firstDays(day.Year(), day.Month(), 2+r.IntN(26), zone)
	case 2:
		from := day.Add(time.Duration(1+r.IntN(86_399_998)) * time.Millisecond)
		return span{from: from, to: from.Add(time.Duration(1+r.Int64N(40*86_400_000)) * time.Millisecond)}
	}
	if day.Day() == 1 {
		return someDays(day, 1)
	}
	return someDays(day, 1+r.IntN(90))
}

// comparing is a span that another one is compared with.
type comparing struct {
	span
	// beside finds the instant that stands beside one of the first span.
	beside func(time.Time) time.Time
}

// other finds what the span is compared with, cut to what has passed of the span by now.
func (s span) other(base string, now time.Time) comparing {
	back := func(months, days int) func(time.Time) time.Time {
		return func(t time.Time) time.Time {
			y, m, d := t.Date()
			at := func(y int, m time.Month, d int) time.Time {
				return time.Date(y, m, d, t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), t.Location())
			}
			if lastDay := time.Date(y, m-time.Month(months)+1, 0, 0, 0, 0, 0, time.UTC).Day(); months > 0 && d > lastDay {
				return time.Date(y, m-time.Month(months)+1, 1, 0, 0, 0, 0, t.Location())
			}
			return at(y, m-time.Month(months), d-days)
		}
	}
	c := comparing{beside: func(t time.Time) time.Time { return t.Add(s.from.Sub(s.to)) }}
	switch {
	case base == "year":
		c.beside = back(12, 0)
	case base == "weekday":
		weeks := 1
		for back(0, 7*weeks)(s.to).After(s.from) {
			weeks++
		}
		c.beside = back(0, 7*weeks)
	case s.months > 0:
		c.beside = back(s.months, 0)
	case s.days > 0:
		c.beside = back(0, s.days)
	}
	c.from, c.to = c.beside(s.from), c.beside(s.to)
	if passed := now.Add(time.Millisecond).Sub(s.from); passed < s.to.Sub(s.from) {
		if cut := c.from.Add(max(0, passed)); cut.Before(c.to) {
			c.to = cut
		}
	}
	return c
}

// bucket is an hour, day, week or month as far as it lies in a span.
type bucket struct {
	span
	clipped, partial, future bool
}

// buckets cuts the span by the calendar.
func (s span) buckets(by contract.Interval, now time.Time) (all []bucket) {
	y, m, d := s.from.Date()
	start := time.Date(y, m, d, 0, 0, 0, 0, s.from.Location())
	next := func(t time.Time) time.Time { return t.AddDate(0, 0, 1) }
	switch by {
	case contract.Hour:
		next = func(t time.Time) time.Time { return t.Add(time.Hour) }
	case contract.Week:
		for start.Weekday() != time.Monday {
			start = start.AddDate(0, 0, -1)
		}
		next = func(t time.Time) time.Time { return t.AddDate(0, 0, 7) }
	case contract.Month:
		start = start.AddDate(0, 0, 1-start.Day())
		next = func(t time.Time) time.Time { return t.AddDate(0, 1, 0) }
	}
	today := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, now.Location())
	for ; start.Before(s.to); start = next(start) {
		end := next(start)
		if !end.After(s.from) {
			continue
		}
		b := bucket{span: span{from: start, to: end}, clipped: start.Before(s.from) || end.After(s.to)}
		if b.from.Before(s.from) {
			b.from = s.from
		}
		if b.to.After(s.to) {
			b.to = s.to
		}
		b.future = b.from.After(now)
		b.partial = !b.future && end.After(now) && s.to.After(today)
		all = append(all, b)
	}
	return all
}

// intervals are those with two buckets at least and 401 at most.
func (s span) intervals(now time.Time) (all []contract.Interval) {
	for _, by := range []contract.Interval{contract.Hour, contract.Day, contract.Week, contract.Month} {
		if n := len(s.buckets(by, now)); n >= 2 && n <= 401 {
			all = append(all, by)
		}
	}
	if all == nil {
		return []contract.Interval{contract.Hour}
	}
	return all
}

func (s span) String() string {
	return fmt.Sprintf("%s – %s", s.from.Format(time.RFC3339Nano), s.to.Format(time.RFC3339Nano))
}
