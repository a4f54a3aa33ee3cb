package site

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"strings"
	"testing"
	"time"

	"bitacora/domain/clinic"
)

var update = flag.Bool("update", false, "write webapp/e2e/opening.json anew")

// openingClinics are clinics whose hours are not the default's, with days around which to ask.
var openingClinics = []struct{ name, file, from string }{
	{"default", `{}`, "2026-11-20"},
	{"lunch break and a holiday", `{"zone": "America/Bogota", "hours": {"monday": "07:00-12:00, 14:00-18:30", "tuesday": "07:00-12:00, 14:00-18:30",
		"saturday": "", "friday": "13:00-18:00"}, "exceptions": [{"date": "12-08", "name": "Inmaculada"}, {"date": "2026-12-07", "hours": "08:00-10:00"}]}`, "2026-12-06"},
	{"across midnight", `{"zone": "Europe/Madrid", "hours": {"friday": "20:00-24:00", "saturday": "00:00-02:00, 22:00-24:00", "sunday": "00:00-01:00"}}`, "2026-10-23"},
	{"clocks go forward", `{"zone": "America/New_York", "hours": {"sunday": "01:00-05:00"}}`, "2026-03-07"},
	{"clocks go back", `{"zone": "America/New_York", "hours": {"sunday": "01:00-05:00"}}`, "2026-10-31"},
	{"clocks go forward at midnight", `{"zone": "America/Santiago", "hours": {"sunday": "01:00-03:00", "saturday": "09:00-24:00"}}`, "2026-09-05"},
	{"on holiday", `{"exceptions": [{"date": "2026-12-20", "until": "2027-02-20", "name": "Vacaciones"}]}`, "2026-12-18"},
	{"the year's end", `{"exceptions": [{"date": "01-01"}, {"date": "12-31", "hours": "08:00-12:00"}]}`, "2026-12-31"},
	{"never open", `{"hours": {"monday": "", "tuesday": "", "wednesday": "", "thursday": "", "friday": "", "saturday": "", "sunday": ""}}`, "2026-11-20"},
}

// sureAhead is for how many days ahead the browser is sure of the hours.
const sureAhead = specialAhead - 7

// openingCase is what holds at an instant: whether the clinic is open, and when it opens next, by
// its own clock; empty where it is open or stays closed for all days that the site knows.
type openingCase struct {
	Now  time.Time `json:"now"`
	Open bool      `json:"open"`
	Next string    `json:"next"`
}

// The browser decides by itself whether the clinic is open; both must come to the same.
func TestTheBrowserKnowsTheHoursAsTheProgramDoes(t *testing.T) {
	type table struct {
		Name  string        `json:"name"`
		Facts any           `json:"facts"`
		Cases []openingCase `json:"cases"`
	}
	var all []table
	for _, c := range openingClinics {
		facts, err := clinic.Load(strings.NewReader(c.file))
		if err != nil {
			t.Fatal(c.name, err)
		}
		day, err := time.ParseInLocation(time.DateOnly, c.from, facts.Zone)
		if err != nil {
			t.Fatal(err)
		}
		told := clinicOf(facts, day)
		one := table{Name: c.name, Facts: map[string]any{"hours": told.Hours, "specialDays": told.SpecialDays, "zone": told.Zone, "offsets": told.Offsets}}
		for at := day; at.Before(day.Add(72 * time.Hour)); at = at.Add(30 * time.Minute) {
			for _, now := range []time.Time{at, at.Add(-time.Second)} {
				one.Cases = append(one.Cases, caseAt(facts, now))
			}
		}
		all = append(all, one)
	}
	var want bytes.Buffer
	e := json.NewEncoder(&want)
	for _, one := range all {
		if err := e.Encode(one); err != nil {
			t.Fatal(err)
		}
	}
	const file = "../../../webapp/e2e/opening.jsonl"
	if *update {
		if err := os.WriteFile(file, want.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if kept, err := os.ReadFile(file); err != nil || !bytes.Equal(kept, want.Bytes()) {
		t.Errorf("%s is not what the program knows; -update writes it (%v)", file, err)
	}
}

func caseAt(facts clinic.Clinic, now time.Time) openingCase {
	c := openingCase{Now: now.UTC(), Open: facts.Calendar().OpenAt(now)}
	last := now.In(facts.Zone).AddDate(0, 0, sureAhead-1).Format(time.DateOnly)
	if next, ok := facts.Calendar().NextOpening(now); ok && !c.Open && next.Format(time.DateOnly) <= last {
		c.Next = next.Format("2006-01-02 15:04")
	}
	return c
}
