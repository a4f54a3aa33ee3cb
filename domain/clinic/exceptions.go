package clinic

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Exception is a day with other opening hours than its day of the week has.
type Exception struct {
	// Date is "2026-12-24", or "12-25" for that day of every year.
	Date string
	// Name says why, "Carnaval"; it may be empty.
	Name string
	// Spans are the hours of that day; none where the clinic is closed.
	Spans []Span
}

// yearly is how the date of an exception of every year is written.
const yearly = "01-02"

// exception is that of the day of an instant, given in the business zone. One with its year counts
// before one of every year.
func (c Clinic) exception(day time.Time) (Exception, bool) {
	for _, layout := range []string{time.DateOnly, yearly} {
		date := day.Format(layout)
		if i := slices.IndexFunc(c.Exceptions, func(e Exception) bool { return e.Date == date }); i >= 0 {
			return c.Exceptions[i], true
		}
	}
	return Exception{}, false
}

// longestAhead bounds in days how far ahead exceptions are told of.
const longestAhead = 366

// Ahead are the exceptions of so many days from the day of an instant on, in order, each with its
// year.
func (c Clinic) Ahead(now time.Time, days int) []Exception {
	ahead := []Exception{}
	if len(c.Exceptions) == 0 {
		return ahead
	}
	now = now.In(c.Zone)
	for i := range days {
		day := time.Date(now.Year(), now.Month(), now.Day()+i, 0, 0, 0, 0, c.Zone)
		if e, ok := c.exception(day); ok {
			e.Date = day.Format(time.DateOnly)
			ahead = append(ahead, e)
		}
	}
	return ahead
}

// From is the clinic as it is told of at an instant: of its exceptions, those of the year ahead.
func (c Clinic) From(now time.Time) Clinic {
	if c.Exceptions != nil && !now.IsZero() {
		c.Exceptions = c.Ahead(now, longestAhead)
	}
	return c
}

// exceptionsInWords are the exceptions as people read them, neighbouring days with the same hours
// together: "del sábado 6 al martes 9 de febrero (Carnaval), cerrado; …".
func (c Clinic) exceptionsInWords() string {
	if c.Exceptions == nil {
		return ""
	}
	if len(c.Exceptions) == 0 {
		return "ninguno anunciado"
	}
	all := slices.SortedStableFunc(slices.Values(c.Exceptions), func(a, b Exception) int { return cmp.Compare(a.Date, b.Date) })
	var parts []string
	for first := 0; first < len(all); {
		last := first
		for last+1 < len(all) && follows(all[last], all[last+1]) {
			last++
		}
		parts = append(parts, daysInWords(all[first], all[last]))
		first = last + 1
	}
	return strings.Join(parts, "; ")
}

// follows says that b is the day after a, and the same otherwise.
func follows(a, b Exception) bool {
	day, err := time.Parse(time.DateOnly, a.Date)
	return err == nil && day.AddDate(0, 0, 1).Format(time.DateOnly) == b.Date && a.Name == b.Name && slices.Equal(a.Spans, b.Spans)
}

func daysInWords(first, last Exception) string {
	from, err := time.Parse(time.DateOnly, first.Date)
	to, err2 := time.Parse(time.DateOnly, last.Date)
	var days string
	switch {
	case err != nil || err2 != nil: // of every year
		from, _ = time.Parse(yearly, first.Date)
		days = fmt.Sprintf("cada %d de %s", from.Day(), MonthName(from.Month()))
	case first.Date == last.Date:
		days = Day(from)
	case from.Month() == to.Month():
		days = fmt.Sprintf("del %s %d al %s", DayName(from.Weekday()), from.Day(), Day(to))
	default:
		days = "del " + Day(from) + " al " + Day(to)
	}
	if first.Name != "" {
		days += " (" + first.Name + ")"
	}
	if len(first.Spans) == 0 {
		return days + ", cerrado"
	}
	return days + ", de " + InWords(first.Spans)
}
