package analytics

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

func between(t *testing.T, zone, start, end string) Period {
	t.Helper()
	p, err := ParsePeriod(start, end, at(t, frozen), load(t, zone))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestIntervals(t *testing.T) {
	for _, c := range []struct {
		name, start, end string
		sensible         string
		chosen           Interval
	}{
		{"an instant", "2026-11-10T12:00:00Z", "2026-11-10T12:00:00Z", "[hour]", Hourly},
		{"within an hour", "2026-11-10T12:00:00Z", "2026-11-10T12:30:00Z", "[hour]", Hourly},
		{"a day", "2026-11-10", "2026-11-10", "[hour]", Hourly},
		{"over midnight", "2026-11-10T04:30:00Z", "2026-11-10T05:30:00Z", "[hour day]", Hourly},
		{"a weekend and its Monday", "2026-11-14", "2026-11-16", "[hour day week]", Hourly},
		{"a week", "2026-11-09", "2026-11-15", "[hour day]", Daily},
		{"16 days", "2026-11-01", "2026-11-16", "[hour day week]", Daily},
		{"17 days", "2026-11-01", "2026-11-17", "[day week]", Daily},
		{"over the month's end", "2026-10-25", "2026-11-20", "[day week month]", Daily},
		{"three months", "2026-08-01", "2026-10-31", "[day week month]", Daily},
		{"a year", "2025-11-21", "2026-11-20", "[day week month]", Weekly},
		{"400 days", "2025-01-01", "2026-02-04", "[day week month]", Weekly},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := between(t, "America/Panama", c.start, c.end)
			if got := fmt.Sprint(p.Intervals()); got != c.sensible {
				t.Errorf("sensible are %s, want %s", got, c.sensible)
			}
			if got, err := p.Interval(""); err != nil || got != c.chosen {
				t.Errorf("chosen is %s (%v), want %s", got, err, c.chosen)
			}
			for _, asked := range []Interval{Hourly, Daily, Weekly, Monthly, "year"} {
				got, err := p.Interval(asked)
				if sensible := strings.Contains(c.sensible, string(asked)); sensible != (err == nil) || sensible && got != asked || !sensible && !errors.Is(err, ErrInterval) {
					t.Errorf("asked for %s: %s, %v", asked, got, err)
				}
			}
		})
	}
}

func TestBuckets(t *testing.T) {
	for _, c := range []struct {
		name, zone, start, end string
		interval               Interval
		// want are the starts in UTC, marked where clipped (c), in progress (p) or to come (f).
		want string
	}{
		{"hours up to now", "America/Panama", "2026-11-20T19:15:00-05:00", "", Hourly,
			"00:15c 01:00 02:00cp"},
		{"a day that ends with the period", "America/Panama", "2026-11-19", "2026-11-20T12:00:00-05:00", Daily,
			"19T05 20T05cp"},
		{"a month long over", "America/Panama", "2026-10-05", "2026-10-20", Monthly,
			"10-05T05c"},
		{"days of the zone", "America/Panama", "2026-11-19", "2026-11-22", Daily,
			"19T05 20T05p 21T05f 22T05f"},
		{"weeks begin on Monday", "America/Panama", "2026-11-05", "2026-11-18", Weekly,
			"05T05c 09T05 16T05c"},
		{"months of any length", "America/Panama", "2026-01-31", "2026-04-01", Monthly,
			"01-31T05c 02-01T05 03-01T05 04-01T05c"},
		{"a leap February", "America/Panama", "2024-02-28", "2024-03-01", Daily,
			"28T05 29T05 01T05"},
		{"a day of 23 hours", "Europe/Madrid", "2026-03-28", "2026-03-30", Daily,
			"27T23 28T23 29T22"},
		{"a day of 25 hours", "America/New_York", "2026-10-31", "2026-11-02", Daily,
			"31T04 01T04 02T05"},
		{"a day that begins at 01:00", "America/Santiago", "2026-09-05", "2026-09-07", Daily,
			"05T04 06T04 07T03"},
		{"a day whose first hour comes twice", "America/Havana", "2026-10-31", "2026-11-02", Daily,
			"31T04 01T04 02T05"},
		{"the hour that is skipped", "Europe/Madrid", "2026-03-29T00:00:00Z", "2026-03-29T02:59:59.999Z", Hourly,
			"00:00 01:00 02:00"},
		{"half hours from Greenwich", "Asia/Kolkata", "2026-11-01T00:00:00+05:30", "2026-11-01T01:59:59.999+05:30", Hourly,
			"18:30 19:30"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := between(t, c.zone, c.start, c.end)
			buckets := p.Buckets(c.interval, at(t, frozen))
			var got []string
			form := map[Interval]string{Hourly: "15:04", Daily: "02T15", Weekly: "02T15", Monthly: "01-02T15"}[c.interval]
			for i, b := range buckets {
				mark := b.From.UTC().Format(form)
				if b.Future {
					mark += "f"
				}
				if b.Clipped {
					mark += "c"
				}
				if b.Partial {
					mark += "p"
				}
				got = append(got, mark)
				if i > 0 && !buckets[i-1].To.Equal(b.From) {
					t.Errorf("a gap before %s", b.From)
				}
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("got  %s\nwant %s", strings.Join(got, " "), c.want)
			}
			if !buckets[0].From.Equal(p.From) || !buckets[len(buckets)-1].To.Equal(p.To) {
				t.Error("the buckets do not end where the period does")
			}
		})
	}
}

func TestOther(t *testing.T) {
	for _, c := range []struct {
		name, zone, start, end string
		base                   Base
		from, to               string
	}{
		{"a week against the week before", "America/Panama", "2026-11-09", "2026-11-15", SameWeekdays,
			"2026-11-02T05:00:00Z", "2026-11-09T05:00:00Z"},
		{"a Monday against the Monday before", "America/Panama", "2026-11-09", "2026-11-09", SameWeekdays,
			"2026-11-02T05:00:00Z", "2026-11-03T05:00:00Z"},
		{"30 days against those 35 days before", "America/Panama", "2026-09-01", "2026-09-30", SameWeekdays,
			"2026-07-28T05:00:00Z", "2026-08-27T05:00:00Z"},
		{"a month in progress is cut", "America/Panama", "2026-11-01", "2026-11-30", SameWeekdays,
			"2026-09-27T05:00:00Z", "2026-10-17T02:30:00.251Z"},
		{"October against September", "America/Panama", "2026-10-01", "2026-10-31", PreviousPeriod,
			"2026-09-01T05:00:00Z", "2026-10-01T05:00:00Z"},
		{"this month, in progress", "America/Panama", "2026-11-01", "2026-11-20", PreviousPeriod,
			"2026-10-01T05:00:00Z", "2026-10-21T02:30:00.251Z"},
		{"March against February", "America/Panama", "2026-03-01", "2026-03-31", PreviousPeriod,
			"2026-02-01T05:00:00Z", "2026-03-01T05:00:00Z"},
		{"30 days of March against February", "America/Panama", "2026-03-01", "2026-03-30", PreviousPeriod,
			"2026-02-01T05:00:00Z", "2026-03-01T05:00:00Z"},
		{"February against January", "America/Panama", "2026-02-01", "2026-02-28", PreviousPeriod,
			"2026-01-01T05:00:00Z", "2026-02-01T05:00:00Z"},
		{"January against December", "America/Panama", "2026-01-01", "2026-01-31", PreviousPeriod,
			"2025-12-01T05:00:00Z", "2026-01-01T05:00:00Z"},
		{"a quarter against the one before", "America/Panama", "2026-07-01", "2026-09-30", PreviousPeriod,
			"2026-04-01T05:00:00Z", "2026-07-01T05:00:00Z"},
		{"the first of a month against the day before", "America/Panama", "2026-10-01", "2026-10-01", PreviousPeriod,
			"2026-09-30T05:00:00Z", "2026-10-01T05:00:00Z"},
		{"a month with a change of clocks", "America/New_York", "2026-03-01", "2026-03-31", PreviousPeriod,
			"2026-02-01T05:00:00Z", "2026-03-01T05:00:00Z"},
		{"a month a year ago", "America/Panama", "2026-10-01", "2026-10-31", YearBefore,
			"2025-10-01T05:00:00Z", "2025-11-01T05:00:00Z"},
		{"a leap day a year ago", "America/Panama", "2024-02-29", "2024-02-29", YearBefore,
			"2023-03-01T05:00:00Z", "2023-03-01T05:00:00Z"},
		{"February of a leap year, a year ago", "America/Panama", "2024-02-01", "2024-02-29", YearBefore,
			"2023-02-01T05:00:00Z", "2023-03-01T05:00:00Z"},
		{"a turn of the year, a year ago", "America/Panama", "2025-12-20", "2026-01-10", YearBefore,
			"2024-12-20T05:00:00Z", "2025-01-11T05:00:00Z"},
		{"hours of a day", "America/Panama", "2026-11-10T08:00:00Z", "2026-11-10T09:59:59.999Z", SameWeekdays,
			"2026-11-03T08:00:00Z", "2026-11-03T10:00:00Z"},
		{"a week of 169 hours", "America/New_York", "2026-10-26", "2026-11-01", SameWeekdays,
			"2026-10-19T04:00:00Z", "2026-10-26T04:00:00Z"},
		{"the same hours across a change of clocks", "America/New_York", "2026-11-02T13:00:00Z", "2026-11-02T13:59:59.999Z", SameWeekdays,
			"2026-10-26T12:00:00Z", "2026-10-26T13:00:00Z"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := between(t, c.zone, c.start, c.end).Other(c.base, at(t, frozen))
			if !got.From.Equal(at(t, c.from)) || !got.To.Equal(at(t, c.to)) {
				t.Errorf("got  %s … %s\nwant %s … %s", got.From.UTC(), got.To.UTC(), c.from, c.to)
			}
		})
	}
}

func TestStretchesAreAllOfTheOtherPeriod(t *testing.T) {
	for _, zone := range []string{"America/Panama", "America/New_York", "America/Santiago", "Europe/Madrid", "America/Havana", "Australia/Lord_Howe"} {
		for _, ends := range [][2]string{
			{"2026-11-01", "2026-11-30"}, {"2026-10-26", "2026-11-01"}, {"2026-03-29", "2026-03-29"}, {"2026-04-05", "2026-04-05"},
			{"2026-09-06", "2026-09-06"}, {"2025-11-21", "2026-11-20"}, {"", ""}, {"2026-11-10T08:17:00Z", "2026-11-10T19:59:59.999Z"}, {"2026-12-01", "2026-12-05"},
		} {
			p := between(t, zone, ends[0], ends[1])
			for _, base := range []Base{PreviousPeriod, SameWeekdays, YearBefore} {
				other := p.Other(base, at(t, frozen))
				if other.To.After(p.From) || other.From.After(other.To) {
					t.Fatalf("%s, %v, %s: %v", zone, ends, base, other.Period)
				}
				for _, i := range p.Intervals() {
					from := other.From
					for _, s := range other.Stretches(p.Buckets(i, at(t, frozen))) {
						if !s.From.Equal(from) || s.To.Before(s.From) {
							t.Fatalf("%s, %v, %s by %s: a stretch %v after %s", zone, ends, base, i, s, from)
						}
						from = s.To
					}
					if !from.Equal(other.To) {
						t.Errorf("%s, %v, %s by %s: ends at %s, not %s", zone, ends, base, i, from, other.To)
					}
				}
			}
		}
	}
}

func TestFillAndAlign(t *testing.T) {
	p := between(t, "America/Panama", "2026-11-18", "2026-11-20")
	now := at(t, frozen)
	buckets := p.Buckets(Daily, now)
	points := Fill(buckets, map[int64]Drawn{buckets[1].From.UnixMilli(): {Counts: Counts{Conversations: 4, Leads: 1, Messages: 10, TotalActiveMillis: 6000}, Replies: 5, UnansweredReplies: 1}})
	other := p.Other(PreviousPeriod, now)
	stretches := other.Stretches(buckets)
	Align(points, stretches, map[int64]Drawn{stretches[2].From.UnixMilli(): {Counts: Counts{Conversations: 2}}})
	if got := points[0].BucketNumbers(); got != (BucketNumbers{}) {
		t.Errorf("an empty bucket: %+v", got)
	}
	if q := points[1].BucketNumbers(); *q.ConversionRate != 25 || *q.AvgMessagesPerConversation != 2.5 || *q.AvgConversationDuration != 1.5 || *q.UnansweredRate != 20 || q.Approval != nil {
		t.Errorf("a bucket with conversations: %+v", q)
	}
	last := points[2]
	if !last.Partial || last.Previous == nil || last.Previous.Conversations != 2 || last.Previous.To.Sub(last.Previous.From) != now.Sub(last.From)+time.Millisecond {
		t.Errorf("the bucket in progress: %+v beside %+v", last.Bucket, last.Previous)
	}
	future := between(t, "America/Panama", "2026-11-20", "2026-11-22")
	points = Fill(future.Buckets(Daily, now), nil)
	Align(points, future.Other(PreviousPeriod, now).Stretches(future.Buckets(Daily, now)), nil)
	if points[0].Previous == nil || points[1].Previous != nil || !points[1].Future {
		t.Errorf("what is to come is compared with nothing: %+v", points)
	}
}
