package settings

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Keeping is how many backups are kept: the latest of each of so many days, weeks and months.
type Keeping struct{ Daily, Weekly, Monthly int }

func (k *Keeping) UnmarshalText(text []byte) error {
	*k = Keeping{}
	counts := map[string]*int{"daily": &k.Daily, "weekly": &k.Weekly, "monthly": &k.Monthly}
	for part := range strings.SplitSeq(string(text), ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		n, err := strconv.Atoi(value)
		if counts[name] == nil || err != nil || n < 0 {
			return fmt.Errorf("%q is not like daily=7,weekly=4,monthly=6", part)
		}
		*counts[name] = n
	}
	if k.Daily+k.Weekly+k.Monthly == 0 {
		return fmt.Errorf("%q keeps nothing", text)
	}
	return nil
}

func (k Keeping) String() string {
	return fmt.Sprintf("daily=%d,weekly=%d,monthly=%d", k.Daily, k.Weekly, k.Monthly)
}

// Kept says which of some times, the latest first, are kept: the latest of each period, until there
// are enough. The latest of all always is.
func (k Keeping) Kept(times []time.Time) []bool {
	rules := []struct {
		left   int
		period func(time.Time) string
		last   string
	}{
		{k.Daily, func(t time.Time) string { return t.Format(time.DateOnly) }, ""},
		{k.Weekly, func(t time.Time) string { year, week := t.ISOWeek(); return fmt.Sprint(year, "-", week) }, ""},
		{k.Monthly, func(t time.Time) string { return t.Format("2006-01") }, ""},
	}
	keep := make([]bool, len(times))
	for i, t := range times {
		keep[i] = i == 0
		for r := range rules {
			rule := &rules[r]
			if period := rule.period(t); rule.left > 0 && period != rule.last {
				rule.left, rule.last, keep[i] = rule.left-1, period, true
			}
		}
	}
	return keep
}
