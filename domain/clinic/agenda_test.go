package clinic

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// agendaClinic opens Monday to Friday 8:00 to 12:00 and 13:00 to 17:00, and gives hours.
func agendaClinic() Clinic {
	c := Default()
	day := []Span{{8 * 60, 12 * 60}, {13 * 60, 17 * 60}}
	c.Hours = Hours{time.Monday: day, time.Tuesday: day, time.Wednesday: day, time.Thursday: day, time.Friday: day}
	c.Agenda = Agenda{
		Lead: 2 * time.Hour, Days: 7, Standard: Visit{Minutes: 60, Chairs: 1},
		Visits: map[string]Visit{"doble": {Minutes: 60, Chairs: 2}, "largo": {Minutes: 150, Chairs: 1}},
	}
	return c
}

func panamaTime(day, hour, minute int) time.Time {
	return time.Date(2026, 11, day, hour, minute, 0, 0, Default().Zone)
}

// clockTimes are the days and times of a list, "24 10:00".
func clockTimes(times []time.Time) string {
	var texts []string
	for _, t := range times {
		texts = append(texts, t.Format("2 15:04"))
	}
	return strings.Join(texts, ", ")
}

func TestFreeTimesLieWithinTheHoursAheadOfTheLead(t *testing.T) {
	c := agendaClinic()
	now := panamaTime(26, 11, 30) // Thursday; Monday is the 30th
	for _, test := range []struct {
		name, service, want string
		taken               []Taken
		days                int
	}{
		{"lead and lunch", "x", "26 14:00, 26 15:00, 26 16:00", nil, 1},
		{"a long visit ends before closing", "largo", "27 8:00, 27 13:00", nil, 2},
		{"closed at the weekend", "largo", "27 8:00, 27 13:00, 30 8:00, 30 13:00", nil, 5},
		{"what is taken is not free", "x", "26 14:00, 26 16:00", []Taken{{"x/1", panamaTime(26, 15, 0), panamaTime(26, 16, 0)}}, 1},
		{"overlap is enough", "x", "26 16:00", []Taken{{"x/1", panamaTime(26, 14, 59), panamaTime(26, 15, 1)}}, 1},
		{"another chair does not matter", "x", "26 14:00, 26 15:00, 26 16:00", []Taken{{"y/1", panamaTime(26, 15, 0), panamaTime(26, 16, 0)}}, 1},
		{"a second chair", "doble", "26 14:00, 26 15:00, 26 16:00", []Taken{{"doble/1", panamaTime(26, 15, 0), panamaTime(26, 16, 0)}}, 1},
		{"both chairs", "doble", "26 14:00, 26 16:00", []Taken{
			{"doble/1", panamaTime(26, 15, 0), panamaTime(26, 16, 0)}, {"doble/2", panamaTime(26, 15, 0), panamaTime(26, 16, 0)},
		}, 1},
	} {
		c.Agenda.Days = test.days
		got := clockTimes(c.Free(test.service, test.taken, now.UTC()))
		if got = strings.ReplaceAll(got, " 08:", " 8:"); got != test.want {
			t.Errorf("%s: got %s, want %s", test.name, got, test.want)
		}
	}
	c.Agenda.Days, c.Exceptions = 1, []Exception{{Date: "2026-11-26"}}
	if free := c.Free("x", nil, now); len(free) > 0 {
		t.Errorf("free on a closed day: %s", clockTimes(free))
	}
}

func TestEveryFreeTimeIsOpenAndAhead(t *testing.T) {
	c := Default()
	for hour := range 49 {
		now := panamaTime(20, hour, 17)
		for _, service := range c.Services {
			for _, begins := range c.Free(service.Slug, nil, now) {
				ends := begins.Add(c.Agenda.Length(service.Slug))
				if begins.Before(now.Add(c.Agenda.Lead)) || !c.Calendar().OpenAt(begins) || !c.Calendar().OpenAt(ends.Add(-time.Minute)) {
					t.Fatalf("%s at %v is offered at %v", service.Slug, begins, now)
				}
			}
		}
	}
}

func TestOfferStaysNearTheWish(t *testing.T) {
	c := agendaClinic()
	free := c.Free("x", nil, panamaTime(23, 6, 0)) // Monday, the whole week is free
	day := func(d int) time.Time { return panamaTime(d, 0, 0) }
	for _, test := range []struct {
		name     string
		wish     Wish
		asWished bool
		want     string
	}{
		{"no wish: one of each of the next days", Wish{}, true, "23 08:00, 24 08:00, 25 08:00"},
		{"a day: spread over it", Wish{First: day(25), Last: day(25)}, true, "25 08:00, 25 11:00, 25 16:00"},
		{"an afternoon", Wish{First: day(25), Last: day(25), Earliest: 12 * 60, Latest: 19 * 60}, true, "25 13:00, 25 14:00, 25 16:00"},
		{"a time of any day", Wish{Earliest: 10 * 60, Exact: true}, true, "23 10:00, 24 10:00, 25 10:00"},
		{"the very time", Wish{First: day(24), Last: day(24), Earliest: 10 * 60, Exact: true}, true, "24 10:00"},
		{"a closed day: the next ones", Wish{First: day(28), Last: day(28)}, false, "27 08:00"},
		{"a time without a beginning: the nearest that day", Wish{First: day(24), Last: day(24), Earliest: 12*60 + 15, Exact: true}, false, "24 11:00, 24 13:00, 24 14:00"},
		{"too late in the day", Wish{First: day(24), Last: day(24), Earliest: 18 * 60, Latest: 21 * 60}, false, "24 14:00, 24 15:00, 24 16:00"},
	} {
		times := free
		if test.name == "a closed day: the next ones" {
			times = only(free, func(t time.Time) bool { return t.Day() == 27 && t.Hour() == 8 })
		}
		got, asWished := Offer(times, test.wish, 3)
		if clockTimes(got) != test.want || asWished != test.asWished {
			t.Errorf("%s: got %s (%v), want %s (%v)", test.name, clockTimes(got), asWished, test.want, test.asWished)
		}
		if !slices.IsSortedFunc(got, time.Time.Compare) {
			t.Errorf("%s: not in order", test.name)
		}
	}
	if got, _ := Offer(nil, Wish{}, 3); len(got) != 0 {
		t.Errorf("offered without a free time: %v", got)
	}
}

func TestWishesAddUp(t *testing.T) {
	saturday := Wish{First: panamaTime(28, 0, 0), Last: panamaTime(28, 0, 0)}
	afternoon := Wish{Earliest: 12 * 60, Latest: 19 * 60}
	got := saturday.With(afternoon)
	if !got.First.Equal(saturday.First) || got.Earliest != afternoon.Earliest || got.Latest != afternoon.Latest {
		t.Errorf("got %+v", got)
	}
	if got := got.With(Wish{}); !got.Fits(panamaTime(28, 14, 0)) || got.Fits(panamaTime(28, 9, 0)) || got.Fits(panamaTime(27, 14, 0)) {
		t.Errorf("got %+v", got)
	}
}

func TestAgendaIsConfigured(t *testing.T) {
	c, err := Load(strings.NewReader(`{"agenda": {"leadMinutes": 30, "visits": {"endodoncia": {"minutes": 90, "chairs": 2}}, "closed": ["2026-12-25"]}}`))
	if err != nil {
		t.Fatal(err)
	}
	if c.Agenda.Lead != 30*time.Minute || c.Agenda.Days != Default().Agenda.Days || c.Agenda.Visit("endodoncia") != (Visit{Minutes: 90, Chairs: 2}) ||
		c.Agenda.Visit("limpieza-dental") != Default().Agenda.Visit("limpieza-dental") || !c.Calendar().ClosedOn(time.Date(2026, 12, 25, 12, 0, 0, 0, c.Zone)) {
		t.Errorf("got %+v", c.Agenda)
	}
	for _, text := range []string{
		`{"agenda": {"days": 0}}`, `{"agenda": {"leadMinutes": -1}}`, `{"agenda": {"standard": {"minutes": 0, "chairs": 1}}}`,
		`{"agenda": {"visits": {"x": {"minutes": 30, "chairs": 0}}}}`, `{"agenda": {"closed": ["25-12-2026"]}}`, `{"agenda": {"x": 1}}`,
	} {
		if _, err := Load(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), "agenda") {
			t.Errorf("%s: %v", text, err)
		}
	}
}
