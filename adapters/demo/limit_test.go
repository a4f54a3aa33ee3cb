package demo

import (
	"testing"
	"time"
)

func TestOneMonthIsFullOnItsTwentyEighth(t *testing.T) {
	for seed := range uint64(3) {
		c := config()
		c.Seed, c.Months = seed, 4
		conversations, last := 0, time.Time{}
		var refused []Item
		for _, i := range items(t, c) {
			switch {
			case i.Repeated, i.StaffAppend != nil, i.quiet():
			case i.Refused != "":
				refused = append(refused, i)
			case sameMonth(startOf(i), time.Date(2026, 7, 1, 0, 0, 0, 0, panama)):
				conversations++
				last = startOf(i)
			}
		}
		if conversations != 1000 || last.Day() != 28 {
			t.Errorf("seed %d: %d conversations, the last on %v", seed, conversations, last)
		}
		if len(refused) < 10 {
			t.Fatalf("seed %d: %d refusals", seed, len(refused))
		}
		for _, i := range refused {
			if i.At.Before(last) || i.At.In(panama).Month() != time.July {
				t.Errorf("refused at %v, the last was taken at %v", i.At, last)
			}
			a, err := i.Append(panama)
			if err != nil || a.Stream != "refusal/2026-07" {
				t.Errorf("refusal goes to %s, %v", a.Stream, err)
			}
		}
	}
}

func TestYoungMonth(t *testing.T) {
	tests := map[string]struct {
		until  time.Time
		least  int
		yellow bool
	}{
		"first minutes":       {time.Date(2026, 11, 1, 0, 5, 0, 0, panama), 0, false},
		"first morning":       {time.Date(2026, 11, 1, 8, 0, 0, 0, panama), 30, true},
		"second, a holiday":   {time.Date(2026, 11, 3, 9, 0, 0, 0, panama), 30, true},
		"middle of the month": {time.Date(2026, 11, 15, 9, 0, 0, 0, panama), 200, true},
		"last minute":         {time.Date(2026, 11, 30, 23, 59, 59, 0, panama), 500, true},
		"January":             {time.Date(2027, 1, 31, 20, 0, 0, 0, panama), 700, true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			c := config()
			c.Until, c.Months = tt.until, 1
			n := 0
			for _, i := range conversations(items(t, c)) {
				if sameMonth(startOf(i), tt.until) {
					n++
				}
			}
			if n < tt.least {
				t.Errorf("%d conversations, want at least %d", n, tt.least)
			}
			use := 100 * float64(n) / float64(Limit(n))
			if use >= 100 || (use >= 82 && use <= 92) != tt.yellow {
				t.Errorf("%d of %d are %.1f %%", n, Limit(n), use)
			}
		})
	}
}

func TestLimitIsYellow(t *testing.T) {
	for n := 23; n < 5_000; n++ {
		if use := 100 * float64(n) / float64(Limit(n)); use < 82 || use > 92 {
			t.Errorf("Limit(%d) = %d: %.1f %%", n, Limit(n), use)
		}
	}
	for n := range 23 {
		if Limit(n) < n+5 {
			t.Errorf("Limit(%d) = %d", n, Limit(n))
		}
	}
}
