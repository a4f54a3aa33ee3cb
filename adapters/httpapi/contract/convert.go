// Package contract has the types of schema/openapi.yaml, and the conversions that more than one
// kind of caller needs.
package contract

import (
	"fmt"
	"strings"

	"bitacora/domain/clinic"
)

// Deref is what a pointer holds; empty where there is none.
func Deref[T ~string](s *T) string {
	if s == nil {
		return ""
	}
	return string(*s)
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

// List is a list with each element turned into another one; empty where there is none.
func List[From, To any](all []From, of func(From) To) []To {
	list := make([]To, len(all))
	for i, one := range all {
		list[i] = of(one)
	}
	return list
}

// OpeningDays are the hours of a week, Monday first.
func OpeningDays(hours clinic.Hours) []OpeningDay {
	days := make([]OpeningDay, 7)
	for i := range days {
		days[i] = OpeningDay{Day: i + 1, Spans: List(hours[(i+1)%7], openSpan)}
	}
	return days
}

// DaysOf are days with other hours than those of the week.
func DaysOf(stretches []clinic.Stretch) []SpecialDays {
	return List(stretches, func(s clinic.Stretch) SpecialDays {
		words := s.Days()
		return SpecialDays{From: s.Date, Until: s.Until, Days: strings.ToUpper(words[:1]) + words[1:], Name: Optional(s.Name), Spans: List(s.Spans, openSpan)}
	})
}

func openSpan(s clinic.Span) OpenSpan {
	return OpenSpan{Opens: clockTime(s.Opens), Closes: clockTime(s.Closes)}
}

func clockTime(minute int) string { return fmt.Sprintf("%02d:%02d", minute/60, minute%60) }
