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
func (c Calendar) exception(day time.Time) (Exception, bool) {
	if len(c.Exceptions) == 0 {
		return Exception{}, false
	}
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
func (c Calendar) Ahead(now time.Time, days int) []Exception {
	ahead := []Exception{}
	now = now.In(c.Zone)
	for i := range days {
		day := StartOfDay(now.Year(), now.Month(), now.Day()+i, c.Zone)
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
		c.Exceptions = c.Calendar().Ahead(now, longestAhead)
	}
	return c
}

// Stretch is days that follow each other and have the same hours.
type Stretch struct {
	Exception
	// Until is the last of the days, Date the first.
	Until string
}

// Stretches puts exceptions in order, and together where they are the same.
func Stretches(exceptions []Exception) []Stretch {
	all := slices.SortedStableFunc(slices.Values(exceptions), func(a, b Exception) int { return cmp.Compare(a.Date, b.Date) })
	stretches := []Stretch{}
	for i, e := range all {
		if i > 0 && follows(all[i-1], e) {
			stretches[len(stretches)-1].Until = e.Date
		} else {
			stretches = append(stretches, Stretch{e, e.Date})
		}
	}
	return stretches
}

// exceptionsInWords are the exceptions as people read them: "del sábado 6 al martes 9 de febrero
// (Carnaval), cerrado; …".
func exceptionsInWords(c Clinic) string {
	if c.Exceptions != nil && len(c.Exceptions) == 0 {
		return "ninguno anunciado"
	}
	return strings.Join(eachOf(Stretches(c.Exceptions), Stretch.String), "; ")
}

// follows says that b is the day after a, and the same otherwise.
func follows(a, b Exception) bool {
	day, err := time.Parse(time.DateOnly, a.Date)
	return err == nil && day.AddDate(0, 0, 1).Format(time.DateOnly) == b.Date && a.Name == b.Name && slices.Equal(a.Spans, b.Spans)
}

// Days are the days in words: "jueves 24 de diciembre", "del sábado 6 al martes 9 de febrero".
func (s Stretch) Days() string {
	first, err := time.Parse(time.DateOnly, s.Date)
	last, err2 := time.Parse(time.DateOnly, s.Until)
	switch {
	case err != nil || err2 != nil: // of every year
		first, _ = time.Parse(yearly, s.Date)
		return fmt.Sprintf("cada %d de %s", first.Day(), MonthName(first.Month()))
	case first.Equal(last):
		return Day(first)
	case first.Month() == last.Month():
		return fmt.Sprintf("del %s %d al %s", DayName(first.Weekday()), first.Day(), Day(last))
	}
	return "del " + Day(first) + " al " + Day(last)
}

func (s Stretch) String() string {
	text := s.Days()
	if s.Name != "" {
		text += " (" + s.Name + ")"
	}
	if len(s.Spans) == 0 {
		return text + ", cerrado"
	}
	return text + ", de " + InWords(s.Spans)
}
