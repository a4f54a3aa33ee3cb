package main

import (
	"errors"
	"math"
	"testing"
)

// FuzzAsOf: what somebody types after --as-of is refused as their mistake, or is a position or an
// instant.
func FuzzAsOf(f *testing.F) {
	for _, text := range []string{"", "0", "12", "-1", "9223372036854775808", "2026-11-15T12:00:00-05:00", "2026-11-15", "+1", "0x1"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		position, at, err := parseAsOf(text)
		var mistake misuse
		if err != nil {
			if !errors.As(err, &mistake) {
				t.Errorf("%q: %v", text, err)
			}
			return
		}
		if position < 0 || at.IsZero() && position != math.MaxInt64 {
			t.Errorf("%q is position %d and %v", text, position, at)
		}
	})
}
