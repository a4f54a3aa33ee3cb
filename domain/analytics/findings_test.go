package analytics

import (
	"testing"

	"bitacora/domain/clinic"
)

func TestFunnel(t *testing.T) {
	steps := Steps{Conversations: 200, Consents: 50, Leads: 40, Appointments: 20, LeadsWithConsent: 40, AppointmentsWithLead: 10}.Funnel()
	for i, want := range []struct {
		name                string
		n                   int
		share, fromPrevious float64
	}{
		{"conversation", 200, 100, -1}, {"consent", 50, 25, 25}, {"lead", 40, 20, 80}, {"appointment", 20, 10, 25},
	} {
		got := steps[i]
		from := -1.0
		if got.FromPrevious != nil {
			from = *got.FromPrevious
		}
		if got.Name != want.name || got.Conversations != want.n || *got.Share != want.share || from != want.fromPrevious {
			t.Errorf("got %+v, want %+v", got, want)
		}
	}
	for _, s := range (Steps{}).Funnel() {
		if s.Share != nil || s.FromPrevious != nil {
			t.Errorf("of nothing: %+v", s)
		}
	}
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
