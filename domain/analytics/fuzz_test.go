package analytics

import (
	"errors"
	"testing"
	"time"
)

// FuzzParsePeriod: two dates are refused with a sentence, or are a period of bounded length,
// and naming it as an address of a next page does gives the same period.
func FuzzParsePeriod(f *testing.F) {
	f.Add("2026-11-01", "2026-11-30")
	f.Add("", "")
	f.Add("2026-11-03T09:00:00.1239-05:00", "2026-11-03T09:00:00.123-05:00")
	f.Add("1970-01-01", "1970-01-02T00:00:00Z")
	f.Add("2200-12-31", "2200-12-31")
	f.Add("2026-11-31", "-2026-11-03")
	zones := make([]*time.Location, 0, 2)
	for _, name := range []string{"America/Panama", "America/Havana"} { // where clocks change at midnight
		zone, err := time.LoadLocation(name)
		if err != nil {
			f.Fatal(err)
		}
		zones = append(zones, zone)
	}
	now := time.Date(2026, 11, 3, 17, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, start, end string) {
		for _, zone := range zones {
			p, err := ParsePeriod(start, end, now, zone)
			var sentence PeriodError
			if err != nil {
				if !errors.As(err, &sentence) {
					t.Errorf("%v", err)
				}
				continue
			}
			if !p.From.Before(p.To) || p.To.Sub(p.From) > (maxDays+1)*24*time.Hour {
				t.Errorf("%q to %q: %v", start, end, p)
			}
			const named = "2006-01-02T15:04:05.000Z"
			again, err := ParsePeriod(p.From.UTC().Format(named), p.To.Add(-time.Millisecond).UTC().Format(named), now, zone)
			if err != nil || !again.From.Equal(p.From) || !again.To.Equal(p.To) {
				t.Errorf("%v became %v, %v", p, again, err)
			}
		}
	})
}
