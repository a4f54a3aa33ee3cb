package analytics

import (
	"testing"
	"time"
)

func TestADayIsUnusualBesideTheSameWeekdays(t *testing.T) {
	zone := time.FixedZone("here", -5*3600)
	now := time.Date(2026, 11, 24, 8, 0, 0, 0, zone)
	for name, of := range map[string]struct {
		before      []int // the weeks before, the latest first
		count       int
		drop, spike bool
	}{
		"as usual":                   {[]int{20, 22, 18, 20, 24, 20, 20, 20}, 19, false, false},
		"half, and less than ever":   {[]int{20, 22, 18, 20, 24, 20, 20, 20}, 10, true, false},
		"more than half":             {[]int{20, 22, 18, 20, 24, 20, 20, 20}, 11, false, false},
		"half, as once before":       {[]int{20, 22, 10, 20, 24, 20, 20, 20}, 10, false, false},
		"nothing":                    {[]int{20, 22, 18, 20}, 0, true, false},
		"twice, and more than ever":  {[]int{20, 22, 18, 20, 24, 20, 20, 20}, 40, false, true},
		"less than twice":            {[]int{20, 22, 18, 20, 24, 20, 20, 20}, 39, false, false},
		"twice, as once before":      {[]int{20, 22, 18, 40, 24, 20, 20, 20}, 40, false, false},
		"few weeks":                  {[]int{20, 22, 18}, 0, false, false},
		"few conversations":          {[]int{9, 9, 9, 9, 9}, 0, false, false},
		"many where there were none": {[]int{0, 0, 0, 1}, 10, false, true},
		"few where there were none":  {[]int{0, 0, 0, 1}, 9, false, false},
		"no conversation at all":     {nil, 0, false, false},
		"the first day":              {nil, 30, false, false},
	} {
		p := WeekdayBefore(now, zone)
		counted := map[int64]Drawn{}
		buckets := p.Buckets(Daily, now)
		for i := range buckets {
			weeks := (len(buckets) - 1 - i) / 7
			switch { // other weekdays have many, as long as the clinic has been there
			case i == len(buckets)-1:
				counted[buckets[i].From.UnixMilli()] = Drawn{Counts: Counts{Conversations: of.count}}
			case (len(buckets)-1-i)%7 != 0 && weeks < len(of.before):
				counted[buckets[i].From.UnixMilli()] = Drawn{Counts: Counts{Conversations: 90}}
			case weeks <= len(of.before) && (len(buckets)-1-i)%7 == 0:
				counted[buckets[i].From.UnixMilli()] = Drawn{Counts: Counts{Conversations: of.before[weeks-1]}}
			}
		}
		w := WeekdayOf(Fill(buckets, counted))
		if w.Drop() != of.drop || w.Spike() != of.spike {
			t.Errorf("%s: drop %t, spike %t, %+v", name, w.Drop(), w.Spike(), w)
		}
	}
	if p := WeekdayBefore(now, zone); p.From.Format(time.DateTime) != "2026-09-28 00:00:00" || p.To.Format(time.DateTime) != "2026-11-24 00:00:00" {
		t.Errorf("compared are the days of %v", p)
	}
}
