package clinic

import (
	"reflect"
	"testing"
	"time"
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
			if got := Default().OpenAt(tt.at); got != tt.open {
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
			if got, ok := c.NextOpening(tt.at); !ok || !got.Equal(tt.opens) {
				t.Errorf("NextOpening(%v) = %v, want %v", tt.at, got, tt.opens)
			}
			if got, _ := c.ClosesAt(tt.at); !got.Equal(tt.closes) {
				t.Errorf("ClosesAt(%v) = %v, want %v", tt.at, got, tt.closes)
			}
		})
	}
	if opens, ok := (Clinic{Zone: c.Zone}).NextOpening(at(20, 8, 0)); ok {
		t.Errorf("a clinic that never opens opens at %v", opens)
	}
}

func TestOpeningHoursFollowTheClockOnTheWall(t *testing.T) {
	newYork := mustZone("America/New_York")
	c := Clinic{Zone: newYork, Hours: Hours{time.Sunday: {{9 * 60, 17 * 60}}}}
	changeover := time.Date(2026, 11, 1, 0, 30, 0, 0, newYork)
	if got, _ := c.NextOpening(changeover); got.Hour() != 9 || got.Day() != 1 {
		t.Errorf("opening on the day the clock goes back: %v", got)
	}
}

func TestRowsReadAsPeopleWriteThem(t *testing.T) {
	want := []Row{
		{"Lunes a viernes", "8:00 a. m. a 7:00 p. m."},
		{"Sábado", "9:00 a. m. a 3:00 p. m."},
		{"Domingo", "cerrado"},
	}
	if got := Default().Hours.Rows(); !reflect.DeepEqual(got, want) {
		t.Errorf("rows = %v, want %v", got, want)
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
	if c.OpenAt(at(25, 10)) || !c.OpenAt(at(23, 10)) {
		t.Error("Christmas is open, or the day before the holidays closed")
	}
	for from, want := range map[time.Time]string{
		at(23, 7):  "hoy miércoles a las 8:00 a. m.",
		at(23, 20): "el martes a las 8:00 a. m.",
		at(22, 20): "mañana miércoles a las 8:00 a. m.",
		at(27, 12): "el martes a las 8:00 a. m.",
	} {
		if got := c.Opens(from, from); got != want {
			t.Errorf("%v: opens %q, want %q", from, got, want)
		}
	}
	if got := c.Opens(at(23, 20), at(18, 9)); got != "el martes 29 de diciembre a las 8:00 a. m." {
		t.Errorf("from afar it opens %q", got)
	}
	c.Hours = Hours{}
	if got := c.Opens(at(23, 7), at(23, 7)); got != "" {
		t.Errorf("a clinic without hours opens %q", got)
	}
}
