package clinic

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// Agenda is how appointments are laid out over the opening hours.
type Agenda struct {
	// Lead is how long before its beginning an appointment can be booked at the latest.
	Lead time.Duration
	// Days is how many days ahead appointments are given, today included.
	Days int
	// Standard is the visit of a service that has no entry in Visits.
	Standard Visit
	// Visits are the visits of the services that differ, by slug.
	Visits map[string]Visit
}

// Visit is how long an appointment takes, and how many take place side by side.
type Visit struct {
	Minutes int
	Chairs  int
	// Visits is how many visits the service usually takes, "1 o 2"; empty where it is not told.
	Visits string
}

// Visit is the visit of a service.
func (a Agenda) Visit(service string) Visit {
	if v, ok := a.Visits[service]; ok {
		return v
	}
	return a.Standard
}

// Chairs names the chairs at which a service is given, "ortodoncia/1" and so on: one
// appointment at a time takes each.
func (a Agenda) Chairs(service string) []string {
	chairs := make([]string, a.Visit(service).Chairs)
	for i := range chairs {
		chairs[i] = fmt.Sprintf("%s/%d", service, i+1)
	}
	return chairs
}

// Length is how long an appointment of a service takes.
func (a Agenda) Length(service string) time.Duration {
	return time.Duration(a.Visit(service).Minutes) * time.Minute
}

// Taken is a time at which a chair is not free.
type Taken struct {
	Chair        string
	Begins, Ends time.Time
}

// Wish is when somebody would like to come. The zero value is no wish at all.
type Wish struct {
	// First and Last are the days, both included, as midnights of the business zone; zero
	// if any day will do. "El sábado" has both on the next Saturday, "la próxima semana"
	// spans Monday to Sunday.
	First, Last time.Time
	// Earliest and Latest bound the time of day at which an appointment begins, in minutes
	// after midnight: Earliest ≤ begin < Latest. A Latest of 0 is no bound. "En la tarde"
	// is 720 to 1140, "después de las 4" is 960 to 0.
	Earliest, Latest int
	// Exact says that Earliest is the very minute that was asked for ("a las 10").
	Exact bool
}

// IsZero says that nothing is wished.
func (w Wish) IsZero() bool { return w == Wish{} }

// Fits says whether an appointment that begins at t, in the business zone, is as wished.
func (w Wish) Fits(t time.Time) bool { return w.fitsDay(t) && w.fitsTime(t) }

func (w Wish) fitsDay(t time.Time) bool {
	if w.First.IsZero() {
		return true
	}
	day := atMinute(t, 0)
	return !day.Before(w.First.In(t.Location())) && !day.After(w.Last.In(t.Location()))
}

func (w Wish) fitsTime(t time.Time) bool {
	minute := t.Hour()*60 + t.Minute()
	switch {
	case w.Exact:
		return minute == w.Earliest
	default:
		return minute >= w.Earliest && (w.Latest == 0 || minute < w.Latest)
	}
}

// With takes over what a newer wish says and keeps what it leaves open: "el sábado", then
// "mejor en la tarde", is Saturday afternoon.
func (w Wish) With(newer Wish) Wish {
	if !newer.First.IsZero() {
		w.First, w.Last = newer.First, newer.Last
	}
	if newer.Earliest != 0 || newer.Latest != 0 || newer.Exact {
		w.Earliest, w.Latest, w.Exact = newer.Earliest, newer.Latest, newer.Exact
	}
	return w
}

// Doubt is why a day or an hour that somebody named cannot be taken as it was said.
type Doubt struct {
	Kind DoubtKind
	// Day is the one that was named by its number or counted from today, Weekday the name that
	// does not fit it.
	Day     time.Time
	Weekday time.Weekday
	// Said is the day in the words of who named it: "31 de noviembre", "mañana".
	Said string
	// Options are the days that may have been meant, in order; none where nothing is likely.
	Options []time.Time
}

// DoubtKind tells doubts apart.
type DoubtKind int

// What may be doubtful about a day or an hour.
const (
	// OtherWeekday: the date is another day of the week than the one that was named.
	OtherWeekday DoubtKind = iota + 1
	// OtherThanNear: today or tomorrow is another day than the one that was named with it.
	OtherThanNear
	PastDay
	NoSuchDay
	NoSuchHour
)

// Free lists when an appointment of a service can begin, in order and in the business
// zone: within the opening hours from beginning to end, on a day of those who do it, not before
// now and the lead time, and where a chair is free.
func (c Clinic) Free(service string, taken []Taken, now time.Time) []time.Time {
	visit, chairs := c.Agenda.Visit(service), c.Agenda.Chairs(service)
	earliest := now.Add(c.Agenda.Lead).In(c.Zone)
	today := now.In(c.Zone)
	var free []time.Time
	for ahead := range c.Agenda.Days {
		day := StartOfDay(today.Year(), today.Month(), today.Day()+ahead, c.Zone)
		if !c.isThere(service, day.Weekday()) {
			continue
		}
		for _, span := range c.Calendar().HoursOn(day) {
			for minute := span.Opens; minute+visit.Minutes <= span.Closes; minute += visit.Minutes {
				begins := atMinute(day, minute)
				if !begins.Before(earliest) && hasFreeChair(chairs, taken, begins, begins.Add(c.Agenda.Length(service))) {
					free = append(free, begins)
				}
			}
		}
	}
	return free
}

func hasFreeChair(chairs []string, taken []Taken, begins, ends time.Time) bool {
	return slices.ContainsFunc(chairs, func(chair string) bool {
		return !slices.ContainsFunc(taken, func(t Taken) bool {
			return t.Chair == chair && t.Begins.Before(ends) && t.Ends.After(begins)
		})
	})
}

// Offer chooses up to n of the free times, in order, as near to a wish as they are: as
// wished; else on the wished days at another time; else at the wished time on other days;
// else whatever comes next. The result says whether they are as wished.
func Offer(free []time.Time, w Wish, n int) (offered []time.Time, asWished bool) {
	if fitting := only(free, w.Fits); len(fitting) > 0 {
		return spread(fitting, n), true
	}
	if sameDay := only(free, w.fitsDay); !w.First.IsZero() && len(sameDay) > 0 {
		return nearest(sameDay, w, n), false
	}
	later := only(free, func(t time.Time) bool { return w.First.IsZero() || t.After(w.First) })
	if len(later) == 0 {
		later = free
	}
	if sameTime := only(later, w.fitsTime); len(sameTime) > 0 {
		return spread(sameTime[:min(len(sameTime), 3*n)], n), false
	}
	if w.Exact {
		return nearest(later[:min(len(later), 40)], w, n), false
	}
	return spread(later[:min(len(later), 40)], n), false
}

func only(times []time.Time, keep func(time.Time) bool) []time.Time {
	return slices.DeleteFunc(slices.Clone(times), func(t time.Time) bool { return !keep(t) })
}

// spread takes one time of each of the next days, or, where there are fewer days than
// asked for, times that lie evenly apart.
func spread(times []time.Time, n int) []time.Time {
	days := slices.CompactFunc(slices.Clone(times), func(a, b time.Time) bool { return a.YearDay() == b.YearDay() && a.Year() == b.Year() })
	if len(days) >= n {
		return days[:n]
	}
	if len(times) <= n {
		return times
	}
	chosen := make([]time.Time, n)
	for i := range chosen {
		chosen[i] = times[i*(len(times)-1)/max(n-1, 1)]
	}
	return chosen
}

// nearest takes the times of day that are closest to the wished one.
func nearest(times []time.Time, w Wish, n int) []time.Time {
	distance := func(t time.Time) int {
		minute := t.Hour()*60 + t.Minute()
		switch {
		case minute < w.Earliest:
			return w.Earliest - minute
		case w.Exact:
			return minute - w.Earliest
		case w.Latest > 0 && minute >= w.Latest:
			return minute - w.Latest
		}
		return 0
	}
	times = slices.Clone(times)
	slices.SortStableFunc(times, func(a, b time.Time) int { return cmp.Compare(distance(a), distance(b)) })
	times = times[:min(len(times), n)]
	slices.SortFunc(times, time.Time.Compare)
	return times
}
