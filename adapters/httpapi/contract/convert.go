// Package contract has the types of schema/openapi.yaml, and the conversions that more than one
// kind of caller needs.
package contract

import (
	"fmt"

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
		days[i] = openingDay(i+1, hours[(i+1)%7])
	}
	return days
}

func openingDay(day int, spans []clinic.Span) OpeningDay {
	o := OpeningDay{Day: day}
	o.Spans = make([]struct {
		Closes string `json:"closes"`
		Opens  string `json:"opens"`
	}, len(spans))
	for i, s := range spans {
		o.Spans[i].Opens, o.Spans[i].Closes = clockTime(s.Opens), clockTime(s.Closes)
	}
	return o
}

func clockTime(minute int) string { return fmt.Sprintf("%02d:%02d", minute/60, minute%60) }
