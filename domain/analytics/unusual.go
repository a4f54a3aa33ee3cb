package analytics

import (
	"slices"
	"time"

	"bitacora/domain/clinic"
)

// What a day has to rest on before it is called unusual.
const (
	// comparedWeeks is how many of the same weekday a day is compared with, leastWeeks how many of them there must be.
	comparedWeeks, leastWeeks = 8, 4
	// leastUnusual is how many conversations a drop must come from, and a spike must have.
	leastUnusual = 10
	// unusualFactor is how many times less or more than the median a day must have.
	unusualFactor = 2
)

// Weekday is a day beside the same weekdays before it, as far back as the clinic had conversations.
type Weekday struct {
	Day   time.Time
	Count int
	// Weeks is how many days it is compared with. Least and Most of them had so many conversations, Median half of them.
	Weeks, Least, Most int
	Median             float64
}

// WeekdayBefore is the last whole day before an instant, and the period of all days that it is compared with.
func WeekdayBefore(now time.Time, zone *time.Location) Period {
	y, m, d := now.In(zone).Date()
	return Period{From: clinic.StartOfDay(y, m, d-1-7*comparedWeeks, zone), To: clinic.StartOfDay(y, m, d, zone)}
}

// WeekdayOf compares the last of some days with the same weekdays before.
func WeekdayOf(days []Point) (w Weekday) {
	first := slices.IndexFunc(days, func(p Point) bool { return p.Conversations > 0 })
	if first < 0 {
		return w
	}
	last := len(days) - 1
	w.Day, w.Count = days[last].From, days[last].Conversations
	var before []int
	for i := last - 7; i >= first; i -= 7 {
		before = append(before, days[i].Conversations)
	}
	if w.Weeks = len(before); w.Weeks == 0 {
		return w
	}
	slices.Sort(before)
	half := len(before) - 1
	w.Least, w.Most, w.Median = before[0], before[half], float64(before[half/2]+before[len(before)/2])/2
	return w
}

// Drop reports whether the day had at most half of the usual number, and less than any day before.
func (w Weekday) Drop() bool {
	return w.Weeks >= leastWeeks && w.Median >= leastUnusual && w.Count < w.Least && unusualFactor*float64(w.Count) <= w.Median
}

// Spike reports whether the day had at least twice the usual number, and more than any day before.
func (w Weekday) Spike() bool {
	return w.Weeks >= leastWeeks && w.Count >= leastUnusual && w.Count > w.Most && float64(w.Count) >= unusualFactor*w.Median
}
