package demo

import (
	"math"
	"math/rand/v2"
	"slices"
	"time"
)

// arrival is a visitor's first message, or the begin of a visit without one, or the staff's
// in the morning.
type arrival struct {
	at time.Time
	// staff says that somebody signs in to the dashboard.
	staff bool
	// quiet says that nothing is said in the visit.
	quiet bool
	// refused says that the month was full.
	refused bool
	// overMidnight asks for a conversation that goes on after midnight.
	overMidnight bool
}

// arrivals are the first messages of a month, in order, at most one a millisecond.
func (g *generator) arrivals(month time.Time) []arrival {
	counts := g.counts(month)
	full := sameMonth(month, g.Until.AddDate(0, 0, 1-g.Until.Day()).AddDate(0, -profile.fullMonth.monthsAgo, 0))
	if full {
		fillUpTo(counts, profile.fullMonth.day, float64(g.Limit))
	}
	var list []arrival
	for i, n := range counts {
		day := month.AddDate(0, 0, i)
		list = append(list, g.onDay(day, n)...)
	}
	if sameMonth(month, g.Until) {
		list = append(list, g.beginnings(list, month)...)
	}
	slices.SortFunc(list, func(a, b arrival) int { return a.at.Compare(b.at) })
	for i := range list {
		if i > 0 && !list[i].at.After(list[i-1].at) {
			list[i].at = list[i-1].at.Add(time.Millisecond)
		}
		list[i].refused = i >= g.Limit
	}
	return list
}

func sameMonth(a, b time.Time) bool { return a.Year() == b.Year() && a.Month() == b.Month() }

// counts are the numbers of conversations by day of the month.
func (g *generator) counts(month time.Time) []float64 {
	days := month.AddDate(0, 1, -1).Day()
	counts := make([]float64, days)
	for i := range counts {
		day := month.AddDate(0, 0, i)
		r := rand.New(rand.NewPCG(g.Seed^0xda7, uint64(day.Unix())))
		counts[i] = negativeBinomial(r, g.expected(day), profile.dispersion)
	}
	return counts
}

// expected is the mean number of conversations that begin on a day.
func (g *generator) expected(day time.Time) float64 {
	monthsAgo := (g.Until.Year()-day.Year())*12 + int(g.Until.Month()-day.Month())
	mean := profile.dailyBase * math.Pow(profile.growth, -float64(monthsAgo)) * g.Scale
	mean *= profile.weekday[day.Weekday()] * profile.month[day.Month()]
	for _, s := range profile.spells {
		if day.Month() == s.month && s.from <= day.Day() && day.Day() <= s.to {
			mean *= s.factor
		}
	}
	fromEaster := int(math.Round(day.Sub(easter(day.Year(), day.Location())).Hours() / 24))
	for _, s := range profile.aroundEaster {
		if s.from <= fromEaster && fromEaster <= s.to {
			mean *= s.factor
		}
	}
	return mean
}

// fillUpTo stretches a month so that the limit is reached in the middle of a day.
func fillUpTo(counts []float64, day int, limit float64) {
	before := 0.0
	for _, n := range counts[:day-1] {
		before += n
	}
	factor := limit / (before + counts[day-1]/2)
	for i := range counts {
		counts[i] = math.Round(counts[i] * factor)
	}
}

// onDay spreads arrivals over the hours of a day. The last of them goes on after
// midnight if it begins late enough to do so.
func (g *generator) onDay(day time.Time, n float64) []arrival {
	r := rand.New(rand.NewPCG(g.Seed^0x0da7, uint64(day.Unix())))
	weights := hourWeights(day)
	list := make([]arrival, int(n))
	for i := range list {
		list[i].at = inHour(r, day, pick(r, weights[:]))
	}
	slices.SortFunc(list, func(a, b arrival) int { return a.at.Compare(b.at) })
	if len(list) > 0 {
		switch last := &list[len(list)-1]; last.at.Hour() {
		case 23:
			last.at = day.Add(23*time.Hour + between(r, 56*time.Minute, 59*time.Minute+30*time.Second))
			last.overMidnight = true
		case 22:
			last.overMidnight = true
		}
	}
	return list
}

func hourWeights(day time.Time) [24]float64 {
	if day.Weekday() == time.Saturday || day.Weekday() == time.Sunday {
		return profile.weekendHours
	}
	return profile.hours
}

func inHour(r *rand.Rand, day time.Time, hour int) time.Time {
	at := time.Date(day.Year(), day.Month(), day.Day(), hour, 0, 0, 0, day.Location())
	return at.Add(time.Duration(r.Int64N(int64(time.Hour/time.Millisecond))) * time.Millisecond)
}

// settling is how long before the end of the history a conversation must begin to be
// over by then, nearly always.
const settling = 15 * time.Minute

// beginnings are further arrivals for a month that has only begun, so that there is
// something to see in it: as many as are believable in the time that it had.
func (g *generator) beginnings(list []arrival, month time.Time) []arrival {
	end := g.Until.Add(-settling)
	had := 0
	for _, a := range list {
		if !a.at.After(end) {
			had++
		}
	}
	wanted := int(min(profile.youngMonth.conversations, profile.youngMonth.perHour*g.Until.Sub(month).Hours()))
	r := rand.New(rand.NewPCG(g.Seed^0xbe9, uint64(month.Unix())))
	var more []arrival
	for end.After(month) && had+len(more) < wanted {
		day := month.AddDate(0, 0, r.IntN(g.Until.Day()))
		weights := hourWeights(day)
		at := inHour(r, day, pick(r, weights[:]))
		if at.After(end) {
			// Early in the night the hours' weights would hardly ever do.
			at = month.Add(time.Duration(r.Int64N(int64(end.Sub(month)/time.Millisecond))) * time.Millisecond)
		}
		more = append(more, arrival{at: at})
	}
	return more
}

// easter is Easter Sunday (the Gregorian computus of Butcher).
func easter(year int, zone *time.Location) time.Time {
	a, b, c := year%19, year/100, year%100
	d, e, f := b/4, b%4, (b+8)/25
	g := (b - f + 1) / 3
	h := (19*a + b - d - g + 15) % 30
	i, k := c/4, c%4
	l := (32 + 2*e + 2*i - h - k) % 7
	m := (a + 11*h + 22*l) / 451
	n := h + l - 7*m + 114
	return time.Date(year, time.Month(n/31), n%31+1, 0, 0, 0, 0, zone)
}
