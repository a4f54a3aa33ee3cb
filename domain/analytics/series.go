package analytics

import (
	"slices"
	"time"

	"bitacora/domain/clinic"
)

// Interval is the length of a chart's buckets, by the calendar of the business zone.
type Interval string

// Weeks start on Monday.
const (
	Hourly  Interval = "hour"
	Daily   Interval = "day"
	Weekly  Interval = "week"
	Monthly Interval = "month"
)

const (
	// maxBuckets is as many days as a period can touch.
	maxBuckets = maxDays + 1
	// easyBuckets are as many as a chart shows without crowding: three months of days.
	easyBuckets = 93
)

// ErrInterval says that an interval makes no sense for a period.
const ErrInterval PeriodError = "Ese intervalo no es adecuado para el período."

// start is the first instant of the hour, day, week or month that t lies in.
func (i Interval) start(t time.Time) time.Time {
	y, m, d := t.Date()
	switch i {
	case Hourly:
		within := time.Duration(t.Minute())*time.Minute + time.Duration(t.Second())*time.Second + time.Duration(t.Nanosecond())
		return t.Add(-within)
	case Weekly:
		d -= int(t.Weekday()+6) % 7
	case Monthly:
		d = 1
	}
	return clinic.StartOfDay(y, m, d, t.Location())
}

// next is the first instant after the hour, day, week or month that starts at t.
func (i Interval) next(t time.Time) time.Time {
	y, m, d := t.Date()
	switch i {
	case Hourly:
		return t.Add(time.Hour)
	case Daily:
		d++
	case Weekly:
		d += 7
	case Monthly:
		m++
	}
	return clinic.StartOfDay(y, m, d, t.Location())
}

// Intervals are those that make sense for the period, the finest first: with two buckets at
// least, and not more than can be drawn. A period within an hour has that hour.
func (p Period) Intervals() []Interval {
	var sensible []Interval
	for _, i := range []Interval{Hourly, Daily, Weekly, Monthly} {
		if n := p.count(i, maxBuckets); n >= 2 && n <= maxBuckets {
			sensible = append(sensible, i)
		}
	}
	if sensible == nil {
		return []Interval{Hourly}
	}
	return sensible
}

// Interval chooses one for the period: what was asked for if it makes sense, else an error;
// the finest that does not crowd a chart where nothing was.
func (p Period) Interval(asked Interval) (Interval, error) {
	sensible := p.Intervals()
	switch {
	case asked == "":
		for _, i := range sensible {
			if p.count(i, easyBuckets) <= easyBuckets {
				return i, nil
			}
		}
		return sensible[len(sensible)-1], nil
	case !slices.Contains(sensible, asked):
		return "", ErrInterval
	}
	return asked, nil
}

// count is the number of buckets, or one more than the greatest that matters.
func (p Period) count(i Interval, most int) int {
	n := 0
	for t := i.start(p.From); t.Before(p.To) && n <= most; t = i.next(t) {
		n++
	}
	return n
}

// Bucket is an hour, day, week or month, as far as it lies in a period.
type Bucket struct {
	Period
	// Clipped says that the period covers only a part of it.
	Clipped bool
	// Partial says that the hour, day, week or month is in progress and the period reaches
	// today: also one that ends now. Future says that it has not begun.
	Partial, Future bool
}

// Buckets cut the period into an interval's, without gaps.
func (p Period) Buckets(i Interval, now time.Time) []Bucket {
	var buckets []Bucket
	current := p.To.After(Daily.start(now.In(p.From.Location())))
	for start := i.start(p.From); start.Before(p.To); {
		next := i.next(start)
		b := Bucket{Period: Period{From: later(start, p.From), To: earlier(next, p.To)}}
		b.Clipped = start.Before(p.From) || next.After(p.To)
		b.Future = b.From.After(now)
		b.Partial = !b.Future && current && next.After(now)
		buckets = append(buckets, b)
		start = next
	}
	return buckets
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

// Point is a bucket of a chart with its numbers.
type Point struct {
	Bucket
	Drawn
	// Previous is the same stretch of the other period; nil where there is none.
	Previous *PreviousPoint
}

// PreviousPoint is a stretch of the other period with its numbers.
type PreviousPoint struct {
	Period
	Drawn
}

// Fill gives every bucket its numbers, by the instant at which it starts; those without are 0.
func Fill(buckets []Bucket, counted map[int64]Drawn) []Point {
	points := make([]Point, len(buckets))
	for i, b := range buckets {
		points[i] = Point{Bucket: b, Drawn: counted[b.From.UnixMilli()]}
	}
	return points
}

// Align sets beside each point the stretch of the other period at the same distance from
// its start.
func Align(points []Point, stretches []Period, counted map[int64]Drawn) {
	for i, s := range stretches {
		if s.From.Before(s.To) {
			points[i].Previous = &PreviousPoint{Period: s, Drawn: counted[s.From.UnixMilli()]}
		}
	}
}
