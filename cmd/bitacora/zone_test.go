package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestEverythingIsOfTheClinicsZone asks a program whose clinic lies elsewhere about days on
// which the clocks are moved there. In each hour of such a day, and in those beside it, one
// conversation begins.
func TestEverythingIsOfTheClinicsZone(t *testing.T) {
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
			p := newProgram(t, "BITACORA_CLINIC_FILE="+facts)
			p.start()
			a := p.app()
			for day, hours := range c.days {
				from := midnight(t, day, zone)
				for i := -1; i <= hours; i++ {
					newVisit(t, a, fmt.Sprintf("%s-%d", day, i), from.Add(time.Duration(i)*time.Hour))
				}
			}
			p.applied(a)
			cookie := p.signIn()
			for _, page := range []string{"/", "/dashboard"} {
				if text := p.text(page, ""); !strings.Contains(text, fmt.Sprintf(`"zone":%q`, c.zone)) || !strings.Contains(text, "Clínica Lejana</title>") && page == "/dashboard" {
					t.Errorf("%s does not say where it is: %.300s", page, text)
				}
			}
			for day, hours := range c.days {
				p.checkDay(cookie, day, hours, zone)
			}
		})
	}
}

func midnight(t *testing.T, day string, zone *time.Location) time.Time {
	t.Helper()
	at, err := time.ParseInLocation(time.DateOnly, day, zone)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// checkDay asks for a day as the picker does, from its first to its last millisecond.
func (p *program) checkDay(cookie, day string, hours int, zone *time.Location) {
	p.t.Helper()
	from, err := time.ParseInLocation(time.DateOnly, day, zone)
	if err != nil {
		p.t.Fatal(err)
	}
	last := from.AddDate(0, 0, 1).Add(-time.Millisecond)
	if last.Sub(from) != time.Duration(hours)*time.Hour-time.Millisecond {
		p.t.Fatalf("%s has %v", day, last.Sub(from))
	}
	between := func(from, last time.Time) string {
		return url.Values{"startDate": {from.UTC().Format(time.RFC3339Nano)}, "endDate": {last.UTC().Format(time.RFC3339Nano)}}.Encode()
	}
	asked := between(from, last)
	ask := func(question string, into any) {
		p.t.Helper()
		if err := p.get("/api/dashboard/"+question, cookie, into); err != nil {
			p.t.Fatal(err)
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
		p.t.Errorf("%s: days of %s %+v", day, series.Zone, series.Points)
	}
	for i, b := range series.Points {
		if b.Clipped || b.Numbers.Conversations != []int{1, hours, 1}[i] {
			p.t.Errorf("%s, day %d: %+v", day, i, b)
		}
	}
	ask("timeseries?interval=hour&"+asked, &series)
	if len(series.Points) != hours {
		p.t.Errorf("%s: %d hours, want %d", day, len(series.Points), hours)
	}
	for i, b := range series.Points {
		if b.Clipped || b.Numbers.Conversations != 1 || !b.StartDate.Equal(from.Add(time.Duration(i)*time.Hour)) {
			p.t.Errorf("%s, hour %d: %+v", day, i, b)
		}
	}
	var kpis struct{ TotalConversations int }
	for _, period := range []string{asked, "startDate=" + day + "&endDate=" + day} {
		if ask("kpis?"+period, &kpis); kpis.TotalConversations != hours {
			p.t.Errorf("%s: %d conversations in %s, want %d", day, kpis.TotalConversations, period, hours)
		}
	}
	var list []struct{ StartedAt time.Time }
	if ask("conversations?"+asked, &list); len(list) != hours || !list[0].StartedAt.Equal(last.Add(time.Millisecond-time.Hour)) || !list[hours-1].StartedAt.Equal(from) {
		p.t.Errorf("%s: list of %d", day, len(list))
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
			p.t.Errorf("%s: %d conversations on weekday %d at %d, want %d", day, c.Conversations, c.Weekday, c.Hour, want[[2]int{c.Weekday, c.Hour}])
		}
	}
	exported := p.text("/api/dashboard/export?format=csv&"+asked, cookie)
	if lines := strings.Count(exported, "\n"); lines != hours+1 || !strings.Contains(exported, from.Format(time.RFC3339)) {
		p.t.Errorf("%s: %d lines exported\n%.400s", day, lines, exported)
	}
}

// text is what the program answers, as it is.
func (p *program) text(path, cookie string) string {
	p.t.Helper()
	request, err := http.NewRequest(http.MethodGet, "http://"+p.addr+path, nil)
	if err != nil {
		p.t.Fatal(err)
	}
	request.Header.Set("Cookie", cookie)
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		p.t.Fatal(err)
	}
	defer answer.Body.Close()
	var b bytes.Buffer
	if _, err := io.Copy(&b, answer.Body); err != nil {
		p.t.Fatal(err)
	}
	return b.String()
}
