package command

import (
	"fmt"
	"time"
)

// startOfDay is the hour at which a day begins that --now names without one.
const startOfDay = "T09"

// NowFlag says what --now takes.
const NowFlag = "the moment that it is taken to be: RFC 3339, or a day, at 9 o'clock in the business zone (default: the present)"

// ClockFrom gives a clock that goes on from the moment that --now names; the real one for an empty text.
func ClockFrom(text string, zone *time.Location) (func() time.Time, error) {
	if text == "" {
		return time.Now, nil
	}
	began := time.Now()
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		if at, err = time.ParseInLocation("2006-01-02T15", text+startOfDay, zone); err != nil {
			return nil, Misuse(fmt.Errorf("--now %q is neither like 2026-11-24T10:00:00-05:00 nor like 2026-11-24", text))
		}
	}
	return func() time.Time { return at.Add(time.Since(began)) }, nil
}
