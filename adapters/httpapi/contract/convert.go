// Package contract has the types of schema/openapi.yaml, and the conversions that more than one
// kind of caller needs.
package contract

import (
	"fmt"
	"strings"

	"bitacora/domain/clinic"
)

// Deref is what a pointer holds; empty where there is none.
func Deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// Optional is what may be missing: nil where it is empty.
func Optional[T comparable](value T) *T {
	var empty T
	if value == empty {
		return nil
	}
	return &value
}

// IfValid is a value that the contract knows; nil for any other.
func IfValid[T interface{ Valid() bool }](value T) *T {
	if !value.Valid() {
		return nil
	}
	return &value
}

// OpeningDays are the hours of a week, Monday first.
func OpeningDays(hours clinic.Hours) []OpeningDay {
	days := make([]OpeningDay, 7)
	for i := range days {
		days[i] = OpeningDay{Day: i + 1, Spans: openSpans(hours[(i+1)%7])}
	}
	return days
}

// DaysOf are days with other hours than those of the week.
func DaysOf(stretches []clinic.Stretch) []SpecialDays {
	days := make([]SpecialDays, len(stretches))
	for i, s := range stretches {
		words := s.Days()
		days[i] = SpecialDays{From: s.Date, Until: s.Until, Days: strings.ToUpper(words[:1]) + words[1:], Name: Optional(s.Name), Spans: openSpans(s.Spans)}
	}
	return days
}

func openSpans(spans []clinic.Span) []OpenSpan {
	open := make([]OpenSpan, len(spans))
	for i, s := range spans {
		open[i] = OpenSpan{Opens: clockTime(s.Opens), Closes: clockTime(s.Closes)}
	}
	return open
}

func clockTime(minute int) string { return fmt.Sprintf("%02d:%02d", minute/60, minute%60) }
