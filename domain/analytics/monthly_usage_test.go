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

func TestMonthlyLimit(t *testing.T) {
	for _, c := range []struct {
		current, limit int
		want           MonthlyUsage
	}{
		{0, 1000, MonthlyUsage{0, 1000, 0, 1000, false}},
		{800, 1000, MonthlyUsage{800, 1000, 80, 200, false}},
		{999, 1000, MonthlyUsage{999, 1000, 99.9, 1, false}},
		{1000, 1000, MonthlyUsage{1000, 1000, 100, 0, true}},
		{1010, 1000, MonthlyUsage{1010, 1000, 101, 0, true}},
		{0, 0, MonthlyUsage{0, 0, 100, 0, true}},
		{3, 0, MonthlyUsage{3, 0, 100, 0, true}},
	} {
		if got := UsageOf(c.current, &c.limit); *got != c.want {
			t.Errorf("%d of %d: got %+v, want %+v", c.current, c.limit, *got, c.want)
		}
	}
	if got := UsageOf(5, nil); got != nil {
		t.Errorf("no limit configured: got %+v", *got)
	}
}
