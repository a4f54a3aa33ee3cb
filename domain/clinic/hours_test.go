package clinic

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"bitacora/domain/privacy"
)

func TestOpenAt(t *testing.T) {
	panama, tokyo := Default().Zone, mustZone("Asia/Tokyo")
	tests := map[string]struct {
		at   time.Time
		open bool
	}{
		"Friday before eight":            {time.Date(2026, 11, 20, 7, 59, 59, 999_999_999, panama), false},
		"Friday at eight":                {time.Date(2026, 11, 20, 8, 0, 0, 0, panama), true},
		"Friday, last millisecond":       {time.Date(2026, 11, 20, 18, 59, 59, 999_000_000, panama), true},
		"Friday at seven":                {time.Date(2026, 11, 20, 19, 0, 0, 0, panama), false},
		"Saturday before nine":           {time.Date(2026, 11, 21, 8, 59, 59, 0, panama), false},
		"Saturday at nine":               {time.Date(2026, 11, 21, 9, 0, 0, 0, panama), true},
		"Saturday, last millisecond":     {time.Date(2026, 11, 21, 14, 59, 59, 999_000_000, panama), true},
		"Saturday at three":              {time.Date(2026, 11, 21, 15, 0, 0, 0, panama), false},
		"Sunday at noon":                 {time.Date(2026, 11, 22, 12, 0, 0, 0, panama), false},
		"Monday in UTC, night in Panama": {time.Date(2026, 11, 23, 12, 59, 0, 0, time.UTC), false},
		"Monday in UTC, open in Panama":  {time.Date(2026, 11, 23, 13, 0, 0, 0, time.UTC), true},
		"Sunday in Tokyo, Saturday here": {time.Date(2026, 11, 22, 0, 0, 0, 0, tokyo), true},
		"Saturday in Tokyo, Friday here": {time.Date(2026, 11, 21, 9, 0, 0, 0, tokyo), false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := Default().Calendar().OpenAt(tt.at); got != tt.open {
				t.Errorf("OpenAt(%v) = %v", tt.at, got)
			}
		})
	}
}

func TestNextOpeningAndClosing(t *testing.T) {
	c := Default()
	at := func(day, hour, minute int) time.Time { return time.Date(2026, 11, day, hour, minute, 0, 0, c.Zone) }
	tests := map[string]struct {
		at, opens time.Time
		closes    time.Time
	}{
		"Friday morning":    {at(20, 7, 0), at(20, 8, 0), time.Time{}},
		"Friday at eight":   {at(20, 8, 0), at(21, 9, 0), at(20, 19, 0)},
		"Friday at seven":   {at(20, 19, 0), at(21, 9, 0), time.Time{}},
		"Saturday at three": {at(21, 15, 0), at(23, 8, 0), time.Time{}},
		"Sunday":            {at(22, 12, 0), at(23, 8, 0), time.Time{}},
		"end of the month":  {at(30, 23, 0), at(31, 8, 0), time.Time{}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got, ok := c.Calendar().NextOpening(tt.at); !ok || !got.Equal(tt.opens) {
				t.Errorf("NextOpening(%v) = %v, want %v", tt.at, got, tt.opens)
			}
			if got, _ := c.Calendar().ClosesAt(tt.at); !got.Equal(tt.closes) {
				t.Errorf("ClosesAt(%v) = %v, want %v", tt.at, got, tt.closes)
			}
		})
	}
	if opens, ok := (Clinic{Zone: c.Zone}).Calendar().NextOpening(at(20, 8, 0)); ok {
		t.Errorf("a clinic that never opens opens at %v", opens)
	}
}

func TestOpeningHoursFollowTheClockOnTheWall(t *testing.T) {
	newYork := mustZone("America/New_York")
	c := Clinic{Zone: newYork, Hours: Hours{time.Sunday: {{9 * 60, 17 * 60}}}}
	changeover := time.Date(2026, 11, 1, 0, 30, 0, 0, newYork)
	if got, _ := c.Calendar().NextOpening(changeover); got.Hour() != 9 || got.Day() != 1 {
		t.Errorf("opening on the day the clock goes back: %v", got)
	}
}

// In some of these zones the clocks change at midnight, so that a day begins at 01:00 or its first hour
// comes twice.
func TestEveryDayComesOnce(t *testing.T) {
	for _, day := range []struct{ zone, sunday string }{
		{"America/Panama", "2026-03-08"}, {"America/New_York", "2026-03-08"}, {"Europe/Madrid", "2026-10-25"}, {"Asia/Beirut", "2026-03-29"},
		{"America/Havana", "2026-03-08"}, {"America/Havana", "2026-11-01"}, {"America/Santiago", "2026-09-06"}, {"America/Santiago", "2026-04-05"},
	} {
		zone := mustZone(day.zone)
		noon, err := time.ParseInLocation("2006-01-02 15", day.sunday+" 12", zone)
		if err != nil {
			t.Fatal(err)
		}
		at := func(days, hour int) time.Time {
			return time.Date(noon.Year(), noon.Month(), noon.Day()+days, hour, 0, 0, 0, zone)
		}
		c := Clinic{Zone: zone, Agenda: Agenda{Days: 4, Standard: Visit{Minutes: 60, Chairs: 1}}}
		for weekday := range c.Hours {
			c.Hours[weekday] = []Span{{9 * 60, 10 * 60}}
		}
		if got, want := c.Free("x", nil, at(-2, 12)), []time.Time{at(-1, 9), at(0, 9), at(1, 9)}; !slices.EqualFunc(got, want, time.Time.Equal) {
			t.Errorf("%v: free are %v, want %v", day, got, want)
		}
		if got, _ := c.Calendar().NextOpening(at(-1, 12)); !got.Equal(at(0, 9)) {
			t.Errorf("%v: after Saturday it opens at %v", day, got)
		}
		c.Hours[time.Saturday] = []Span{{9 * 60, 24 * 60}}
		if closes, open := c.Calendar().ClosesAt(at(-1, 23)); !open || !closes.Equal(StartOfDay(noon.Year(), noon.Month(), noon.Day(), zone)) {
			t.Errorf("%v: Saturday ends at %v", day, closes)
		}
		c.Exceptions = []Exception{{Date: day.sunday}}
		if got := c.Calendar().Ahead(at(-2, 12), 4); len(got) != 1 {
			t.Errorf("%v: other hours have %v", day, got)
		}
		if got, want := c.Calendar().RequestDue(at(-3, 12), privacy.Erase), at(4, 23).Add(time.Hour-time.Second); !got.Equal(want) {
			t.Errorf("%v: what is asked on Thursday is due %v, want %v", day, got.In(zone), want)
		}
	}
}

func TestRowsReadAsPeopleWriteThem(t *testing.T) {
	want := []Row{
		{"Lunes a viernes", "8:00 a. m. a 7:00 p. m."},
		{"Sábado", "9:00 a. m. a 3:00 p. m."},
		{"Domingo", "cerrado"},
	}
	hours := Default().Hours
	if got := hours.Rows(); !reflect.DeepEqual(got, want) {
		t.Errorf("rows = %v, want %v", got, want)
	}
	hours[time.Saturday] = nil
	if got := hours.Rows()[1]; got != (Row{"Sábado y domingo", "cerrado"}) {
		t.Errorf("two days read %v", got)
	}
}

func TestDayAndTime(t *testing.T) {
	tests := map[string]time.Time{
		"martes 24 de noviembre a las 10:30 a. m.": time.Date(2026, 11, 24, 10, 30, 0, 0, time.UTC),
		"domingo 1 de marzo a la 1:00 p. m.":       time.Date(2026, 3, 1, 13, 0, 0, 0, time.UTC),
		"viernes 1 de enero a las 12:05 a. m.":     time.Date(2027, 1, 1, 0, 5, 0, 0, time.UTC),
	}
	for want, at := range tests {
		if got := DayAndTime(at); got != want {
			t.Errorf("DayAndTime = %q, want %q", got, want)
		}
	}
}

func TestDaysThatTheAgendaClosesAreClosed(t *testing.T) {
	c := Default()
	at := func(day, hour int) time.Time { return time.Date(2026, 12, day, hour, 0, 0, 0, c.Zone) }
	c.Exceptions = []Exception{{Date: "2026-12-24"}, {Date: "12-25"}, {Date: "2026-12-26"}, {Date: "2026-12-28"}}
	if c.Calendar().OpenAt(at(25, 10)) || !c.Calendar().OpenAt(at(23, 10)) {
		t.Error("Christmas is open, or the day before the holidays closed")
	}
	for from, want := range map[time.Time]string{
		at(23, 7):  "hoy miércoles a las 8:00 a. m.",
		at(23, 20): "el martes a las 8:00 a. m.",
		at(22, 20): "mañana miércoles a las 8:00 a. m.",
		at(27, 12): "el martes a las 8:00 a. m.",
	} {
		if got := c.Calendar().Opens(from, from); got != want {
			t.Errorf("%v: opens %q, want %q", from, got, want)
		}
	}
	if got := c.Calendar().Opens(at(23, 20), at(18, 9)); got != "el martes 29 de diciembre a las 8:00 a. m." {
		t.Errorf("from afar it opens %q", got)
	}
	c.Hours = Hours{}
	if got := c.Calendar().Opens(at(23, 7), at(23, 7)); got != "" {
		t.Errorf("a clinic without hours opens %q", got)
	}
}

func TestBreaksAreBetweenTheSpansOfADay(t *testing.T) {
	split := []Span{{9 * 60, 13 * 60}, {15 * 60, 20 * 60}}
	for name, tt := range map[string]struct {
		hours Hours
		want  string
	}{
		"none":            {Default().Hours, ""},
		"on some days":    {Hours{time.Monday: split, time.Tuesday: split, time.Friday: {{9 * 60, 18 * 60}}}, "lunes y martes, 1:00 p. m. a 3:00 p. m."},
		"another on each": {Hours{time.Monday: split, time.Wednesday: {{8 * 60, 12 * 60}, {13 * 60, 17 * 60}}}, "lunes, 1:00 p. m. a 3:00 p. m.; miércoles, 12:00 p. m. a 1:00 p. m."},
	} {
		if got := tt.hours.Breaks(); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}
