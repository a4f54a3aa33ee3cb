package clinic

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Hours are the opening hours of a week, by [time.Weekday]; a day without spans is
// closed. The spans of a day are in order and do not overlap.
type Hours [7][]Span

// Span is a time of day during which the clinic is open, in minutes after midnight.
// The clinic is closed at the very minute of Closes.
type Span struct {
	Opens, Closes int
}

func (s Span) contains(minute int) bool { return s.Opens <= minute && minute < s.Closes }

// closesAt is when spans that hold a time of day end; open is false if none does.
func closesAt(spans []Span, t time.Time) (closes time.Time, open bool) {
	minute := t.Hour()*60 + t.Minute()
	for _, s := range spans {
		if s.contains(minute) {
			return atMinute(t, s.Closes), true
		}
	}
	return time.Time{}, false
}

// Contains says whether the clinic is open at a minute after midnight of a day of the week.
func (h Hours) Contains(day time.Weekday, minute int) bool {
	return slices.ContainsFunc(h[day], func(s Span) bool { return s.contains(minute) })
}

// atMinute is a time of day on the day of t, by the clock on the wall.
func atMinute(t time.Time, minute int) time.Time {
	y, m, d := t.Date()
	at := time.Date(y, m, d, minute/60, minute%60, 0, 0, t.Location())
	if start := StartOfDay(y, m, d+minute/(24*60), t.Location()); at.Before(start) {
		return start
	}
	return at
}

// StartOfDay is the first instant of a calendar day. In zones where clocks change at
// midnight that is not always 00:00, and 00:00 may come twice; time.Date promises
// neither case. So both offsets in force around the day are tried.
func StartOfDay(y int, m time.Month, d int, zone *time.Location) time.Time {
	utc := time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
	var start time.Time
	for _, around := range []int{-1, 1} {
		_, offset := utc.AddDate(0, 0, around).In(zone).Zone()
		t := utc.Add(-time.Duration(offset) * time.Second).In(zone)
		if t.Day() == utc.Day() && (start.IsZero() || t.Before(start)) {
			start = t
		}
	}
	return start
}

// ParseSpans reads the opening hours of one day: "08:00-12:00, 13:00-19:00", or an empty
// text for a closed day.
func ParseSpans(text string) ([]Span, error) {
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	var spans []Span
	for part := range strings.SplitSeq(text, ",") {
		from, to, ok := strings.Cut(strings.TrimSpace(part), "-")
		opens, err1 := parseMinute(from)
		closes, err2 := parseMinute(to)
		if !ok || errors.Join(err1, err2) != nil {
			return nil, fmt.Errorf("%q is not like 08:00-19:00", part)
		}
		if opens >= closes {
			return nil, fmt.Errorf("%q closes before it opens", part)
		}
		if n := len(spans); n > 0 && opens < spans[n-1].Closes {
			return nil, fmt.Errorf("%q begins before the span before it ends", part)
		}
		spans = append(spans, Span{opens, closes})
	}
	return spans, nil
}

func parseMinute(text string) (int, error) {
	if text = strings.TrimSpace(text); text == "24:00" {
		return 24 * 60, nil
	}
	t, err := time.Parse("15:04", text)
	return t.Hour()*60 + t.Minute(), err
}

// Row is one line of the opening hours as people read them.
type Row struct {
	// Days is "Lunes a viernes".
	Days string
	// Hours is "8:00 a. m. a 7:00 p. m.", or "cerrado".
	Hours string
}

// weekFromMonday is the order in which a week is read.
var weekFromMonday = [...]time.Weekday{
	time.Monday, time.Tuesday, time.Wednesday, time.Thursday, time.Friday, time.Saturday, time.Sunday,
}

// String is the opening hours of a week in a sentence: "lunes a viernes, 8:00 a. m. a 7:00 p. m.; …".
func (h Hours) String() string {
	var parts []string
	for _, row := range h.Rows() {
		parts = append(parts, strings.ToLower(row.Days)+", "+row.Hours)
	}
	return strings.Join(parts, "; ")
}

// Breaks are the times between the spans of a day, in a sentence: "lunes a viernes, 1:00 p. m. a 3:00 p. m.";
// empty where no day has any.
func (h Hours) Breaks() string {
	var breaks Hours
	for day, spans := range h {
		for i := 1; i < len(spans); i++ {
			breaks[day] = append(breaks[day], Span{spans[i-1].Closes, spans[i].Opens})
		}
	}
	var parts []string
	for _, row := range breaks.Rows() {
		if row.Hours != InWords(nil) {
			parts = append(parts, strings.ToLower(row.Days)+", "+row.Hours)
		}
	}
	return strings.Join(parts, "; ")
}

// Rows are the opening hours of a week from Monday on; neighbouring days with the same
// hours share a row.
func (h Hours) Rows() []Row {
	var rows []Row
	for first := 0; first < len(weekFromMonday); {
		last := first
		for last+1 < len(weekFromMonday) && slices.Equal(h[weekFromMonday[last+1]], h[weekFromMonday[first]]) {
			last++
		}
		days := DayName(weekFromMonday[first])
		switch last - first {
		case 0:
		case 1:
			days += " y " + DayName(weekFromMonday[last])
		default:
			days += " a " + DayName(weekFromMonday[last])
		}
		rows = append(rows, Row{capitalised(days), h.Of(weekFromMonday[first])})
		first = last + 1
	}
	return rows
}

// Of is the opening hours of a day of the week as people read them, "cerrado" for a closed one.
func (h Hours) Of(day time.Weekday) string { return InWords(h[day]) }

// InWords is the opening hours of a day as people read them, "cerrado" where there are none.
func InWords(spans []Span) string {
	if len(spans) == 0 {
		return "cerrado"
	}
	parts := make([]string, len(spans))
	for i, s := range spans {
		parts[i] = Clock(s.Opens) + " a " + Clock(s.Closes)
	}
	return strings.Join(parts, " y ")
}
