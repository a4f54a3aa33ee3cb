package clinic

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"
	"time"
)

// publicHolidays has a line for each yearly holiday of a country: its day, and its name. The day is a
// date, the first Monday from a date on ("monday:"), the nearest Monday to a date that is neither a weekend's
// nor a Monday ("near:", a Tuesday to Thursday goes back, a Friday ahead), or so many days from Easter Sunday.
//
//go:embed holidays.txt
var publicHolidays string

type publicHoliday struct{ rule, name string }

// holidaysOf are those of each country, read once: a chart asks for each of its days.
var holidaysOf = sync.OnceValue(func() map[string][]publicHoliday {
	all := map[string][]publicHoliday{}
	for line := range strings.Lines(publicHolidays) {
		country, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		rule, name, _ := strings.Cut(rest, " ")
		all[country] = append(all[country], publicHoliday{rule, name})
	}
	return all
})

// Holiday names the day of an instant, given in the business zone: by the clinic's own exceptions,
// and where they say nothing by the public holidays of its country.
func Holiday(c Clinic, day time.Time) (name string, ok bool) {
	own, ok := c.Calendar().exception(day)
	if own.Name != "" {
		return own.Name, true
	}
	if name := PublicHoliday(c.Country, day); name != "" {
		return name, true
	}
	return "", ok
}

// PublicHoliday names the holiday of a country ("PA") on the day of an instant, given in the business
// zone; empty without one.
func PublicHoliday(country string, day time.Time) string {
	for _, h := range holidaysOf()[country] {
		if isOn(h.rule, day) {
			return h.name
		}
	}
	return ""
}

// isOn says whether a rule of [publicHolidays] names a day.
func isOn(rule string, day time.Time) bool {
	if offset, ok := strings.CutPrefix(rule, "easter"); ok {
		days, err := strconv.Atoi(offset)
		y, m, d := easter(day.Year()).AddDate(0, 0, days).Date()
		return err == nil && m == day.Month() && d == day.Day() && y == day.Year()
	}
	if date, near := strings.CutPrefix(rule, "near:"); near {
		for days := -3; days <= 3; days++ {
			if d := day.AddDate(0, 0, days); d.Format(yearly) == date {
				return nearestMonday(d).Equal(day)
			}
		}
		return false
	}
	date, monday := strings.CutPrefix(rule, "monday:")
	if !monday {
		return day.Format(yearly) == date
	}
	for back := range 7 {
		if day.AddDate(0, 0, -back).Format(yearly) == date {
			return day.Weekday() == time.Monday
		}
	}
	return false
}

// nearestMonday is where Chile keeps a holiday of a day (law 19.668).
func nearestMonday(day time.Time) time.Time {
	switch w := day.Weekday(); w {
	case time.Tuesday, time.Wednesday, time.Thursday:
		return day.AddDate(0, 0, int(time.Monday-w))
	case time.Friday:
		return day.AddDate(0, 0, 3)
	default:
		return day
	}
}

// easter is Easter Sunday of a year of the Gregorian calendar, by the rule of Meeus, Jones and Butcher.
func easter(year int) time.Time {
	golden, century, ofCentury := year%19, year/100, year%100
	moon := (19*golden + century - century/4 - (century-(century+8)/25+1)/3 + 15) % 30
	weekday := (32 + 2*(century%4) + 2*(ofCentury/4) - moon - ofCentury%4) % 7
	late := (golden + 11*moon + 22*weekday) / 451
	day := moon + weekday - 7*late + 114
	return time.Date(year, time.Month(day/31), day%31+1, 0, 0, 0, 0, time.UTC)
}
