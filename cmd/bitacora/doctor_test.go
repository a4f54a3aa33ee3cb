package main

import (
	"strings"
	"testing"
	"time"

	"bitacora/domain/clinic"
)

func TestDoctorRemindsOfTheEmergencyNumbersAfterAYear(t *testing.T) {
	c := clinic.Default()
	c.NumbersChecked = time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)
	if got := numbersReminder(c, time.Date(2027, 11, 20, 12, 0, 0, 0, time.UTC)); got != "" {
		t.Errorf("within the year: %s", got)
	}
	got := numbersReminder(c, time.Date(2027, 11, 21, 0, 0, 0, 0, time.UTC))
	for _, part := range []string{"911, 147, 6534-2546", "2026-11-21", "numbersChecked"} {
		if !strings.Contains(got, part) {
			t.Errorf("%q is not in: %s", part, got)
		}
	}
	c.NumbersChecked, c.CrisisLine = time.Time{}, clinic.CrisisLine{}
	if got := numbersReminder(c, time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)); !strings.Contains(got, "call 911, last checked at an unknown time") {
		t.Errorf("an unknown day: %s", got)
	}
}

func TestDoctorTellsOfAKernelWithoutLandlock(t *testing.T) {
	for _, c := range []struct {
		embedded, possible, analyst bool
		says, todo                  string
	}{
		{false, false, false, "a server of its own", ""},
		{true, true, true, "no others", ""},
		{true, false, true, "no Landlock", "BITACORA_CLICKHOUSE_URL"},
		{true, false, false, "there is no analyst", ""},
	} {
		f := confinement(c.embedded, c.possible, c.analyst)
		if !strings.Contains(f.said, c.says) || !strings.Contains(f.todo, c.todo) || (f.todo == "") != (c.todo == "") {
			t.Errorf("embedded %v, possible %v: %+v", c.embedded, c.possible, f)
		}
	}
}
