package analytics

import (
	"testing"
	"time"
)

func TestExhaustion(t *testing.T) {
	panama := load(t, "America/Panama")
	for _, c := range []struct {
		name, now      string
		current, limit int
		want           string
	}{
		{"half of it in ten days", "2026-11-11T00:00:00-05:00", 500, 1000, "2026-11-21"},
		{"just within the month", "2026-11-16T00:00:00-05:00", 501, 1000, "2026-11-30"},
		{"not within the month", "2026-11-16T00:00:00-05:00", 500, 1000, ""},
		{"far below", "2026-11-20T12:00:00-05:00", 100, 1000, ""},
		{"reached already", "2026-11-20T12:00:00-05:00", 1000, 1000, ""},
		{"too early in the month", "2026-11-05T23:00:00-05:00", 500, 1000, ""},
		{"too few to go by", "2026-11-20T12:00:00-05:00", 29, 30, ""},
		{"the month of the zone, not of UTC", "2026-11-30T23:00:00-05:00", 998, 1000, ""},
		{"its last hours", "2026-11-30T12:00:00-05:00", 990, 1000, "2026-11-30"},
		{"the chat is off", "2026-11-20T12:00:00-05:00", 0, 0, ""},
		{"February", "2026-02-15T00:00:00-05:00", 600, 1000, "2026-02-24"},
	} {
		limit := UsageOf(c.current, &c.limit)
		got := ""
		if at := limit.Exhaustion(at(t, c.now), panama); !at.IsZero() {
			got = at.In(panama).Format(time.DateOnly)
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestThreshold(t *testing.T) {
	for current, want := range map[int]int{0: 0, 799: 0, 800: 80, 999: 80, 1000: 100, 1001: 100} {
		if got := UsageOf(current, new(1000)).Threshold(); got != want {
			t.Errorf("%d of 1000: %d, want %d", current, got, want)
		}
	}
	if got := UsageOf(0, new(0)).Threshold(); got != 100 {
		t.Errorf("a chat that is off: %d", got)
	}
}
