package analytics

import (
	"errors"
	"testing"
	"time"
)

func load(t *testing.T, name string) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

func at(t *testing.T, s string) time.Time {
	t.Helper()
	v, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// The clinic closes at 19:00 in Panama, which is midnight in UTC.
const frozen = "2026-11-21T02:30:00.250Z"

func TestParsePeriod(t *testing.T) {
	for _, c := range []struct {
		name, zone, start, end string
		from, to               string
	}{
		{"missing: the last 30 days up to now", "America/Panama", "", "",
			"2026-10-22T02:30:00.250Z", "2026-11-21T02:30:00.251Z"},
		{"missing start: 30 days before the end", "America/Panama", "", "2026-03-31T12:00:00Z",
			"2026-03-01T12:00:00Z", "2026-03-31T12:00:00.001Z"},
		{"missing start before a date", "America/Panama", "", "2026-03-31",
			"2026-03-01T05:00:00Z", "2026-04-01T05:00:00Z"},
		{"missing end: up to now", "America/Panama", "2026-11-01", "",
			"2026-11-01T05:00:00Z", "2026-11-21T02:30:00.251Z"},
		{"both ends are inclusive to the millisecond", "America/Panama", "2026-11-20T18:59:59.999-05:00", "2026-11-20T19:00:00-05:00",
			"2026-11-20T23:59:59.999Z", "2026-11-21T00:00:00.001Z"},
		{"one instant is a window of one millisecond", "America/Panama", "2026-11-20T23:59:59.999-05:00", "2026-11-20T23:59:59.999-05:00",
			"2026-11-21T04:59:59.999Z", "2026-11-21T05:00:00Z"},
		{"finer than a millisecond is cut", "America/Panama", "2026-11-20T00:00:00.0009Z", "2026-11-20T23:59:59.999999Z",
			"2026-11-20T00:00:00Z", "2026-11-21T00:00:00Z"},
		{"the picker's last day, from a browser in any zone", "America/Panama", "2026-11-01T05:00:00.000Z", "2026-12-01T04:59:59.999Z",
			"2026-11-01T05:00:00Z", "2026-12-01T05:00:00Z"},
		{"one day", "America/Panama", "2026-11-20", "2026-11-20",
			"2026-11-20T05:00:00Z", "2026-11-21T05:00:00Z"},
		{"month end", "America/Panama", "2026-02-28", "2026-02-28",
			"2026-02-28T05:00:00Z", "2026-03-01T05:00:00Z"},
		{"leap day", "America/Panama", "2024-02-29", "2024-02-29",
			"2024-02-29T05:00:00Z", "2024-03-01T05:00:00Z"},
		{"year end", "America/Panama", "2025-12-31", "2026-01-01",
			"2025-12-31T05:00:00Z", "2026-01-02T05:00:00Z"},
		{"a day of 23 hours", "Europe/Madrid", "2026-03-29", "2026-03-29",
			"2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z"},
		{"the day after it", "Europe/Madrid", "2026-03-30", "2026-03-30",
			"2026-03-29T22:00:00Z", "2026-03-30T22:00:00Z"},
		{"a day of 25 hours", "America/New_York", "2026-11-01", "2026-11-01",
			"2026-11-01T04:00:00Z", "2026-11-02T05:00:00Z"},
		{"a day that begins at 01:00", "America/Santiago", "2026-09-06", "2026-09-06",
			"2026-09-06T04:00:00Z", "2026-09-07T03:00:00Z"},
		{"a day whose last hour comes twice", "America/Santiago", "2026-04-04", "2026-04-04",
			"2026-04-04T03:00:00Z", "2026-04-05T04:00:00Z"},
		{"a day whose first hour comes twice", "America/Havana", "2026-11-01", "2026-11-01",
			"2026-11-01T04:00:00Z", "2026-11-02T05:00:00Z"},
		{"east of Greenwich", "Pacific/Auckland", "2026-09-27", "2026-09-27",
			"2026-09-26T12:00:00Z", "2026-09-27T11:00:00Z"},
		{"exactly 400 days", "America/Panama", "2025-01-01", "2026-02-04",
			"2025-01-01T05:00:00Z", "2026-02-05T05:00:00Z"},
	} {
		t.Run(c.name, func(t *testing.T) {
			zone := load(t, c.zone)
			got, err := ParsePeriod(c.start, c.end, at(t, frozen), zone)
			if err != nil {
				t.Fatal(err)
			}
			if !got.From.Equal(at(t, c.from)) || !got.To.Equal(at(t, c.to)) {
				t.Errorf("got  %s … %s\nwant %s … %s", got.From.UTC(), got.To.UTC(), c.from, c.to)
			}
			if got.From.Location() != zone || got.To.Location() != zone {
				t.Error("the ends are not in the business zone")
			}
		})
	}
}

func TestParsePeriodRefuses(t *testing.T) {
	for _, c := range []struct {
		name, start, end string
		want             PeriodError
	}{
		{"start after end", "2026-11-02", "2026-11-01", ErrReversed},
		{"start a millisecond after end", "2026-11-01T00:00:00.001Z", "2026-11-01T00:00:00Z", ErrReversed},
		{"start after now", "2026-11-22", "", ErrReversed},
		{"401 days", "2025-01-01", "2026-02-05", ErrTooLong},
		{"400 days and a millisecond", "2025-01-01T00:00:00Z", "2026-02-05T00:00:00Z", ErrTooLong},
		{"words", "ayer", "hoy", ErrUnreadable},
		{"a day that does not exist", "2026-02-29", "2026-03-01", ErrUnreadable},
		{"no zone", "2026-11-01T00:00:00", "2026-11-02", ErrUnreadable},
		{"a year no clinic has", "0001-01-01", "0001-01-02", ErrUnreadable},
		{"an instant in such a year", "1500-01-01T00:00:00Z", "1500-01-02", ErrUnreadable},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := ParsePeriod(c.start, c.end, at(t, frozen), load(t, "America/Panama"))
			if !errors.Is(err, c.want) {
				t.Errorf("got %v, want %v", err, c.want)
			}
			if typed := PeriodError(""); !errors.As(err, &typed) {
				t.Errorf("%T is no PeriodError", err)
			}
		})
	}
}

func TestMonthOf(t *testing.T) {
	for _, c := range []struct{ at, from, to string }{
		{"2026-11-01T04:59:59.999Z", "2026-10-01T05:00:00Z", "2026-11-01T05:00:00Z"},
		{"2026-11-01T05:00:00Z", "2026-11-01T05:00:00Z", "2026-12-01T05:00:00Z"},
		{"2026-12-31T23:59:59.999Z", "2026-12-01T05:00:00Z", "2027-01-01T05:00:00Z"},
		{"2024-02-29T12:00:00Z", "2024-02-01T05:00:00Z", "2024-03-01T05:00:00Z"},
	} {
		got := MonthOf(at(t, c.at), load(t, "America/Panama"))
		if !got.From.Equal(at(t, c.from)) || !got.To.Equal(at(t, c.to)) {
			t.Errorf("%s: got %s … %s, want %s … %s", c.at, got.From.UTC(), got.To.UTC(), c.from, c.to)
		}
	}
}

func TestPrevious(t *testing.T) {
	for _, c := range []struct {
		name, zone, start, end string
		from, to               string
	}{
		{"a closed week", "America/Panama", "2026-11-09", "2026-11-15",
			"2026-11-02T05:00:00Z", "2026-11-09T05:00:00Z"},
		{"a month", "America/Panama", "2026-10-01", "2026-10-31",
			"2026-09-01T05:00:00Z", "2026-10-01T05:00:00Z"},
		{"a February", "America/New_York", "2024-02-01", "2024-02-29",
			"2024-01-01T05:00:00Z", "2024-02-01T05:00:00Z"},
		{"a year", "America/Panama", "2025-01-01", "2025-12-31",
			"2024-01-01T05:00:00Z", "2025-01-01T05:00:00Z"},
		{"a month that reaches now is cut to what has elapsed", "America/Panama", "2026-11-01", "2026-11-30",
			"2026-10-01T05:00:00Z", "2026-10-20T21:30:00.251-05:00"},
		{"up to now", "America/Panama", "", "",
			"2026-09-22T02:30:00.249Z", "2026-10-22T02:30:00.250Z"},
		{"today", "America/Panama", "2026-11-20", "2026-11-20",
			"2026-11-19T05:00:00Z", "2026-11-20T02:30:00.251Z"},
		{"not begun yet", "America/Panama", "2026-12-01", "2026-12-02",
			"2026-11-01T05:00:00Z", "2026-11-01T05:00:00Z"},
		{"hours", "America/Panama", "2026-11-10T08:00:00Z", "2026-11-10T09:59:59.999Z",
			"2026-11-10T06:00:00Z", "2026-11-10T08:00:00Z"},
		{"whole days across a change of clocks", "America/New_York", "2026-11-02", "2026-11-08",
			"2026-10-26T04:00:00Z", "2026-11-02T05:00:00Z"},
	} {
		t.Run(c.name, func(t *testing.T) {
			now := at(t, frozen)
			p, err := ParsePeriod(c.start, c.end, now, load(t, c.zone))
			if err != nil {
				t.Fatal(err)
			}
			got := p.Previous(now)
			if !got.From.Equal(at(t, c.from)) || !got.To.Equal(at(t, c.to)) {
				t.Errorf("got  %s … %s\nwant %s … %s", got.From.UTC(), got.To.UTC(), c.from, c.to)
			}
		})
	}
}

func TestAPeriodOfAnotherZoneIsOfTheSameDays(t *testing.T) {
	panama, madrid := load(t, "America/Panama"), load(t, "Europe/Madrid")
	now := time.Date(2026, 11, 25, 12, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct{ start, end, from, to string }{
		"days":         {"2026-03-28", "2026-03-29", "2026-03-28T00:00:00+01:00", "2026-03-30T00:00:00+02:00"},
		"whole days":   {"2026-03-29T00:00:00-05:00", "2026-03-29T23:59:59.999-05:00", "2026-03-29T00:00:00+01:00", "2026-03-30T00:00:00+02:00"},
		"part of days": {"2026-03-28T10:00:00-05:00", "2026-03-29T23:59:59.999-05:00", "2026-03-28T16:00:00+01:00", "2026-03-30T07:00:00+02:00"},
	} {
		p, err := ParsePeriod(c.start, c.end, now, panama)
		if err != nil {
			t.Fatal(err)
		}
		if in := p.In(madrid); in.From.Format(time.RFC3339) != c.from || in.To.Format(time.RFC3339) != c.to {
			t.Errorf("%s: from %v to %v, want from %s to %s", name, in.From, in.To, c.from, c.to)
		}
		if in := p.In(panama); in != p {
			t.Errorf("%s: %v becomes %v in its own zone", name, p, in)
		}
	}
}
