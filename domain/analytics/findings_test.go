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
		Quiet: 1800, OpenedQuiet: 200, VisitsSince: began.AddDate(0, 0, 10),
	}
	const all, conversations = "visit 2000 100% -, opening 400 20% 20%, conversation 200 10% 50%, consent 50 2.5% 25%, lead 40 2% 80%, appointment 20 1% 25%",
		"conversation 200 100% -, consent 50 25% 25%, lead 40 20% 80%, appointment 20 10% 25%"
	narrowed, before, uncounted := month, month, counted
	narrowed.Filter.Topic = "precios"
	before.Period = Period{From: began.AddDate(0, -1, 0), To: counted.VisitsSince}
	uncounted.VisitsSince = time.Time{}
	for name, c := range map[string]struct {
		steps Steps
		of    Cohort
		want  string
	}{
		"all":                        {counted, month, all},
		"of some conversations":      {counted, narrowed, conversations},
		"before visits were counted": {counted, before, conversations},
		"without any visit":          {uncounted, month, conversations},
		"of nothing":                 {Steps{}, month, "conversation 0 - -, consent 0 - -, lead 0 - -, appointment 0 - -"},
	} {
		var told []string
		for _, s := range c.steps.Funnel(c.of) {
			told = append(told, fmt.Sprintf("%s %d %s %s", s.Name, s.Count, inWords(s.Share), inWords(s.FromPrevious)))
		}
		if got := strings.Join(told, ", "); got != c.want {
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
