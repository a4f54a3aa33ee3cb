package analytics

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"bitacora/domain/clinic"
)

func TestFunnel(t *testing.T) {
	began := time.Date(2026, 11, 1, 5, 0, 0, 0, time.UTC)
	month := Cohort{Period: Period{From: began, To: began.AddDate(0, 1, 0)}}
	counted := Steps{
		Conversations: 200, Consents: 50, Leads: 40, Appointments: 20, LeadsWithConsent: 40, AppointmentsWithLead: 10,
		QuietVisits: 1800, OpenedQuietVisits: 200,
	}
	const all, conversations = "visit 2000 100% -, opening 400 20% 20%, conversation 200 10% 50%, consent 50 2.5% 25%, lead 40 2% 80%, appointment 20 1% 25%",
		"conversation 200 100% -, consent 50 25% 25%, lead 40 20% 80%, appointment 20 10% 25%"
	narrowed := month
	narrowed.Filter.Topic = "precios"
	for name, c := range map[string]struct {
		steps Steps
		of    Cohort
		since time.Time
		from  time.Time
		want  string
	}{
		"counted all the time":        {counted, month, began.AddDate(-1, 0, 0), began, all},
		"counted from the first on":   {counted, month, began, began, all},
		"counted from the tenth on":   {counted, month, began.AddDate(0, 0, 9), began.AddDate(0, 0, 9), all},
		"counted in the last moment":  {counted, month, month.To.Add(-time.Millisecond), month.To.Add(-time.Millisecond), all},
		"counted from the end on":     {counted, month, month.To, began, conversations},
		"not counted yet":             {counted, month, time.Time{}, began, conversations},
		"of some conversations":       {counted, narrowed, began.AddDate(0, 0, 9), began, conversations},
		"of nothing, without a visit": {Steps{}, month, time.Time{}, began, "conversation 0 - -, consent 0 - -, lead 0 - -, appointment 0 - -"},
	} {
		visited, ok := c.of.Visited(c.since)
		if !visited.From.Equal(c.from) || !visited.To.Equal(c.of.To) || visited.Filter != c.of.Filter {
			t.Errorf("%s: counted in %v, want from %v", name, visited.Period, c.from)
		}
		var reported []string
		for _, s := range c.steps.Funnel(ok) {
			reported = append(reported, fmt.Sprintf("%s %d %s %s", s.Name, s.Count, inWords(s.Share), inWords(s.FromPrevious)))
		}
		if got := strings.Join(reported, ", "); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", name, got, c.want)
		}
	}
}

func inWords(percent *float64) string {
	if percent == nil {
		return "-"
	}
	return fmt.Sprintf("%v%%", *percent)
}

func TestHeatmap(t *testing.T) {
	c := Cohort{Hours: clinic.Hours{1: {{Opens: 8*60 + 30, Closes: 12 * 60}, {Opens: 13 * 60, Closes: 19 * 60}}, 6: {{Opens: 20 * 60, Closes: 24 * 60}}, 0: {{Opens: 0, Closes: 60}}}}
	h := c.Heatmap([]Start{
		{Weekday: 1, Hour: 8, Conversations: 3, Leads: 1}, {Weekday: 1, Hour: 8, OutOfHours: true, Conversations: 2, Appointments: 1}, {Weekday: 7, Hour: 23, OutOfHours: true, Conversations: 1},
	})
	if len(h.Cells) != 168 || h.All.Conversations != 6 || h.Closed != (Cell{Conversations: 3, Appointments: 1}) {
		t.Errorf("%d cells, all %+v, closed %+v", len(h.Cells), h.All, h.Closed)
	}
	if got, want := h.Cells[8], (Cell{Weekday: 1, Hour: 8, Conversations: 5, Leads: 1, Appointments: 1, OpenMinutes: 30}); got != want {
		t.Errorf("Monday at 8: got %+v, want %+v", got, want)
	}
	if got, want := h.Cells[167], (Cell{Weekday: 7, Hour: 23, Conversations: 1}); got != want {
		t.Errorf("Sunday at 23: got %+v, want %+v", got, want)
	}
	open := 0
	for _, cell := range h.Cells {
		open += cell.OpenMinutes
	}
	if open != 3*60+30+6*60+4*60+60 || h.Cells[12].OpenMinutes != 0 || h.Cells[5*24+23].OpenMinutes != 60 || h.Cells[6*24].OpenMinutes != 60 {
		t.Errorf("open for %d minutes", open)
	}
}
