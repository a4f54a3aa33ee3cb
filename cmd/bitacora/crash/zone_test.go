package crash

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bitacora/adapters/engines/enginestest"
	"bitacora/cmd/bitacora/programtest"
)

// TestEverythingIsOfTheClinicsZone asks a program whose clinic lies elsewhere about days on
// which the clocks are moved there. In each hour of such a day, and in those beside it, one
// conversation begins.
func TestEverythingIsOfTheClinicsZone(t *testing.T) {
	enginestest.Long(t)
	t.Parallel()
	for _, c := range []struct {
		zone string
		// days are those on which clocks are moved, with their hours.
		days map[string]int
	}{
		{"Europe/Madrid", map[string]int{"2026-03-29": 23, "2025-10-26": 25, "2026-07-01": 24}},
		{"Pacific/Auckland", map[string]int{"2026-04-05": 25, "2025-09-28": 23}},
	} {
		t.Run(c.zone, func(t *testing.T) {
			zone, err := time.LoadLocation(c.zone)
			if err != nil {
				t.Fatal(err)
			}
			facts := filepath.Join(t.TempDir(), "clinic.json")
			if err := os.WriteFile(facts, fmt.Appendf(nil, `{"zone": %q, "name": "Clínica Lejana"}`, c.zone), 0o644); err != nil {
				t.Fatal(err)
			}
			p := programtest.NewProgram(t, "BITACORA_CLINIC_FILE="+facts)
			p.Start()
			a := p.App()
			for day, hours := range c.days {
				from := midnight(t, day, zone)
				for i := -1; i <= hours; i++ {
					programtest.NewVisit(t, a, fmt.Sprintf("%s-%d", day, i), from.Add(time.Duration(i)*time.Hour))
				}
			}
			p.Applied(a)
			cookie := p.SignIn()
			for _, page := range []string{"/", "/dashboard"} {
				if text := textAt(p, page, ""); !strings.Contains(text, fmt.Sprintf(`"zone":%q`, c.zone)) || !strings.Contains(text, "Clínica Lejana</title>") && page == "/dashboard" {
					t.Errorf("%s does not say where it is: %.300s", page, text)
				}
			}
			for day, hours := range c.days {
				checkDay(p, cookie, day, hours, zone)
			}
		})
	}
}

func midnight(t testing.TB, day string, zone *time.Location) time.Time {
	t.Helper()
	at, err := time.ParseInLocation(time.DateOnly, day, zone)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// checkDay asks for a day as the picker does, from its first to its last millisecond.
func checkDay(p *programtest.Program, cookie, day string, hours int, zone *time.Location) {
	p.T.Helper()
	from, err := time.ParseInLocation(time.DateOnly, day, zone)
	if err != nil {
		p.T.Fatal(err)
	}
	last := from.AddDate(0, 0, 1).Add(-time.Millisecond)
	if last.Sub(from) != time.Duration(hours)*time.Hour-time.Millisecond {
		p.T.Fatalf("%s has %v", day, last.Sub(from))
	}
	between := func(from, last time.Time) string {
		return url.Values{"startDate": {from.UTC().Format(time.RFC3339Nano)}, "endDate": {last.UTC().Format(time.RFC3339Nano)}}.Encode()
	}
	asked := between(from, last)
	ask := func(question string, into any) {
		p.T.Helper()
		if err := p.Get("/api/dashboard/"+question, cookie, into); err != nil {
			p.T.Fatal(err)
		}
	}
	type bucket struct {
		StartDate, EndDate time.Time
		Clipped            bool
		Numbers            struct{ Conversations int }
	}
	var series struct {
		Zone   string
		Points []bucket
	}
	ask("timeseries?interval=day&"+between(from.AddDate(0, 0, -1), last.AddDate(0, 0, 1)), &series)
	if series.Zone != zone.String() || len(series.Points) != 3 {
		p.T.Errorf("%s: days of %s %+v", day, series.Zone, series.Points)
	}
	for i, b := range series.Points {
		if b.Clipped || b.Numbers.Conversations != []int{1, hours, 1}[i] {
			p.T.Errorf("%s, day %d: %+v", day, i, b)
		}
	}
	ask("timeseries?interval=hour&"+asked, &series)
	if len(series.Points) != hours {
		p.T.Errorf("%s: %d hours, want %d", day, len(series.Points), hours)
	}
	for i, b := range series.Points {
		if b.Clipped || b.Numbers.Conversations != 1 || !b.StartDate.Equal(from.Add(time.Duration(i)*time.Hour)) {
			p.T.Errorf("%s, hour %d: %+v", day, i, b)
		}
	}
	var kpis struct{ TotalConversations int }
	for _, period := range []string{asked, "startDate=" + day + "&endDate=" + day} {
		if ask("kpis?"+period, &kpis); kpis.TotalConversations != hours {
			p.T.Errorf("%s: %d conversations in %s, want %d", day, kpis.TotalConversations, period, hours)
		}
	}
	var list []struct{ StartedAt time.Time }
	if ask("conversations?"+asked, &list); len(list) != hours || !list[0].StartedAt.Equal(last.Add(time.Millisecond-time.Hour)) || !list[hours-1].StartedAt.Equal(from) {
		p.T.Errorf("%s: list of %d", day, len(list))
	}
	var week struct {
		Zone  string
		Cells []struct{ Weekday, Hour, Conversations int }
	}
	ask("heatmap?"+asked, &week)
	want := map[[2]int]int{}
	for i := range hours {
		at := from.Add(time.Duration(i) * time.Hour)
		want[[2]int{(int(at.Weekday())+6)%7 + 1, at.Hour()}]++
	}
	for _, c := range week.Cells {
		if c.Conversations != want[[2]int{c.Weekday, c.Hour}] {
			p.T.Errorf("%s: %d conversations on weekday %d at %d, want %d", day, c.Conversations, c.Weekday, c.Hour, want[[2]int{c.Weekday, c.Hour}])
		}
	}
	exported := textAt(p, "/api/dashboard/export?format=csv&"+asked, cookie)
	if lines := strings.Count(exported, "\n"); lines != hours+1 || !strings.Contains(exported, from.Format(time.RFC3339)) {
		p.T.Errorf("%s: %d lines exported\n%.400s", day, lines, exported)
	}
}

// textAt is what the program answers, as it is.
func textAt(p *programtest.Program, path, cookie string) string {
	p.T.Helper()
	request, err := http.NewRequest(http.MethodGet, "http://"+p.Addr+path, nil)
	if err != nil {
		p.T.Fatal(err)
	}
	request.Header.Set("Cookie", cookie)
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		p.T.Fatal(err)
	}
	defer answer.Body.Close()
	var b bytes.Buffer
	if _, err := io.Copy(&b, answer.Body); err != nil {
		p.T.Fatal(err)
	}
	return b.String()
}

// TestAnotherZoneMakesTheTablesAnew changes the zone of a clinic with a past while people write. Every
// answer is wholly of the former zone, and says so, until all are of the new one.
func TestAnotherZoneMakesTheTablesAnew(t *testing.T) {
	enginestest.Long(t)
	t.Parallel()
	former, now := zoneOf(t, "America/Panama"), zoneOf(t, "Europe/Madrid")
	facts := filepath.Join(t.TempDir(), "clinic.json")
	tell := func(zone *time.Location) {
		if err := os.WriteFile(facts, fmt.Appendf(nil, `{"zone": %q, "name": "Clínica Mudada"}`, zone), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	tell(former)
	p := programtest.NewProgram(t, "BITACORA_CLINIC_FILE="+facts)
	p.Start()
	a := p.App()
	// Every third hour of four days, over the day on which clocks were moved in Madrid.
	past := zonedPast{first: "2026-03-28", last: "2026-03-30"}
	for i := range 32 {
		at := midnight(t, "2026-03-27", time.UTC).Add(time.Duration(3*i) * time.Hour)
		past.starts = append(past.starts, at)
		programtest.NewVisit(t, a, fmt.Sprint("past-", i), at)
	}
	p.Applied(a)
	p.Stop()
	release := holdRebuilds(t, a)

	tell(now)
	p.Start()
	cookie := p.SignIn()
	if zone := past.check(p, cookie, now, former); zone != former {
		t.Errorf("before it rebuilds, it answers in %v", zone)
	}
	const reason = "build b1 was made with the zone America/Panama, and the clinic's is Europe/Madrid"
	for _, command := range []string{"doctor", "projections"} {
		p.Eventually(command+" names the reason", time.Minute, func() error {
			if out, _ := p.Run("", command); !strings.Contains(out, reason) || strings.Contains(out, "stuck") {
				return errors.New(out)
			}
			return nil
		})
	}
	written := 0
	write := func() {
		written++
		programtest.NewVisit(t, a, fmt.Sprint("now-", written), midnight(t, "2026-08-01", time.UTC).Add(time.Duration(written)*time.Second))
	}
	write()
	p.Applied(a) // the former build is kept up
	release()
	p.Eventually("all answers are of the new zone", time.Minute, func() error {
		write()
		if zone := past.check(p, cookie, now, former); zone != now {
			return fmt.Errorf("they are of %v", zone)
		}
		return nil
	})
	if zone := past.check(p, cookie, now); zone != now {
		t.Errorf("an answer is of %v again", zone)
	}
	p.Applied(a)
	var kpis struct{ TotalConversations int }
	if err := p.Get("/api/dashboard/kpis?startDate=2026-08-01&endDate=2026-08-01", cookie, &kpis); err != nil || kpis.TotalConversations != written {
		t.Errorf("%d conversations that were held meanwhile are counted as %d, %v", written, kpis.TotalConversations, err)
	}
	// The rebuild answers before it ends, and as long as it lasts nothing else verifies.
	p.Eventually("the new tables are verified", time.Minute, func() error {
		out, err := p.Run("", "verify")
		if err == nil && !strings.Contains(out, "build b2 against the log") {
			err = errors.New(out)
		}
		return err
	})
	for _, command := range [][]string{{"rollback"}, {"verify", "b1"}} {
		if out, err := p.Run("", command...); err == nil || !strings.Contains(out, reason) {
			t.Errorf("%v: %v\n%s", command, err, out)
		}
	}
	if out := p.MustRun("audit", "--since", "2026-01-01"); !strings.Contains(out, "TablesRebuilt") || !strings.Contains(out, "program") {
		t.Errorf("the audit does not say who rebuilt:\n%s", out)
	}
}

func zoneOf(t *testing.T, name string) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

// zonedPast is when conversations began, and the days that are asked for.
type zonedPast struct {
	starts      []time.Time
	first, last string
}

// check counts them independently by the days, hours and weekdays of the zone that each answer says it
// is of, which must be among those allowed, and gives the one that all are of; nil where they differ. The
// clinic's is the first.
func (z zonedPast) check(p *programtest.Program, cookie string, allowed ...*time.Location) (all *time.Location) {
	p.T.Helper()
	clinic := allowed[0]
	zones := map[*time.Location]bool{}
	ask := func(question string, into any) {
		p.T.Helper()
		if err := p.Get("/api/dashboard/"+question, cookie, into); err != nil {
			p.T.Fatal(err)
		}
	}
	in := func(name string) *time.Location {
		for _, zone := range allowed {
			if zone.String() == name {
				zones[zone] = true
				return zone
			}
		}
		p.T.Fatalf("an answer is of %q", name)
		return nil
	}
	// Days are asked for by their names, and as the picker does, which knows the clinic's zone.
	from, last := midnight(p.T, z.first, clinic), midnight(p.T, z.last, clinic).AddDate(0, 0, 1).Add(-time.Millisecond)
	for _, period := range []string{
		"startDate=" + z.first + "&endDate=" + z.last,
		url.Values{"startDate": {from.UTC().Format(time.RFC3339Nano)}, "endDate": {last.UTC().Format(time.RFC3339Nano)}}.Encode(),
	} {
		var kpis struct {
			TotalConversations int
			FormerZone         string
		}
		ask("kpis?"+period, &kpis)
		days, _ := z.count(in(cmp.Or(kpis.FormerZone, clinic.String())))
		if total := days[0] + days[1] + days[2]; kpis.TotalConversations != total {
			p.T.Errorf("%d conversations, want %d, in %q", kpis.TotalConversations, total, kpis.FormerZone)
		}
		var series struct {
			Zone   string
			Points []struct {
				StartDate time.Time
				Clipped   bool
				Numbers   struct{ Conversations int }
			}
		}
		ask("timeseries?interval=day&"+period, &series)
		zone := in(series.Zone)
		days, _ = z.count(zone)
		if len(series.Points) != 3 {
			p.T.Fatalf("the days are %+v", series)
		}
		for i, point := range series.Points {
			if begins := midnight(p.T, z.first, zone).AddDate(0, 0, i); point.Clipped || !point.StartDate.Equal(begins) || point.Numbers.Conversations != days[i] {
				p.T.Errorf("day %d in %v is %+v, want %d from %v", i, zone, point, days[i], begins)
			}
		}
		var week struct {
			Zone  string
			Cells []struct{ Weekday, Hour, Conversations int }
		}
		ask("heatmap?"+period, &week)
		_, hours := z.count(in(week.Zone))
		for _, c := range week.Cells {
			if want := hours[[2]int{c.Weekday, c.Hour}]; c.Conversations != want {
				p.T.Errorf("weekday %d at %d in %s: %d, want %d", c.Weekday, c.Hour, week.Zone, c.Conversations, want)
			}
		}
		ask("kpis?weekday=6&hour=9&"+period, &kpis)
		_, hours = z.count(in(cmp.Or(kpis.FormerZone, clinic.String())))
		if want := hours[[2]int{6, 9}]; kpis.TotalConversations != want {
			p.T.Errorf("on Saturdays at 9 in %q: %d, want %d", kpis.FormerZone, kpis.TotalConversations, want)
		}
	}
	if len(zones) != 1 {
		return nil
	}
	for zone := range zones {
		all = zone
	}
	return all
}

// count counts by each of the three days, and by weekday and hour.
func (z zonedPast) count(zone *time.Location) (days [3]int, hours map[[2]int]int) {
	hours = map[[2]int]int{}
	for _, at := range z.starts {
		local := at.In(zone)
		first, err := time.Parse(time.DateOnly, z.first)
		if err != nil {
			panic(err)
		}
		for i := range days {
			if local.Format(time.DateOnly) == first.AddDate(0, 0, i).Format(time.DateOnly) {
				days[i]++
				hours[[2]int{(int(local.Weekday())+6)%7 + 1, local.Hour()}]++
			}
		}
	}
	return days, hours
}
