package httpapi

import (
	"net/http"
	"strings"
	"testing"

	"bitacora/adapters/httpapi/contract"
	"bitacora/domain/clinic"
	"bitacora/domain/staff"
)

const chartNote = `{"startDay":"2026-11-02","endDay":"2026-11-15","text":"Campaña"}`

func TestNotesOfTheChartAreWrittenSeenAndRemoved(t *testing.T) {
	h := newTestServer(t)
	h.withPersons()
	h.leaves("s1", "+50769001111")
	h.project()
	_, ana := h.sign("luis@clinica.example", staff.RoleReception)
	_, reader := h.sign("lea@clinica.example", staff.RoleReader)
	_, owner := h.sign("olga@clinica.example", staff.RoleOwner)
	set := func(id, from, to, text string, status int) {
		t.Helper()
		if got := ana.post("/api/dashboard/chart-notes/"+id, contract.ChartNoteText{StartDay: from, EndDay: to, Text: text}); got.Code != status {
			t.Errorf("%s: status %d, want %d: %s", text, got.Code, status, got.Body)
		}
	}
	seen := func(days string) (all string) {
		t.Helper()
		var series contract.Timeseries
		reader.get("/api/dashboard/timeseries?"+days).into(http.StatusOK, &series)
		for _, n := range series.Notes {
			all += n.StartDay + " " + n.EndDay + " " + n.Text + ";"
		}
		return all
	}
	const first, second = "2026-11-02 2026-11-15 Campaña;", "2026-11-05 2026-11-05 Obra en la calle;"
	set("n2", "2026-11-05", "2026-11-05", "Obra en la calle", http.StatusNoContent)
	set("n1", "2026-11-02", "2026-11-15", "Campana", http.StatusNoContent)
	set("n1", "2026-11-02", "2026-11-15", " Campaña ", http.StatusNoContent)
	for days, want := range map[string]string{
		"startDate=2026-11-01&endDate=2026-11-30": first + second,
		"startDate=2026-11-15&endDate=2026-11-16": first,
		"startDate=2026-11-03&endDate=2026-11-05": first + second,
		"startDate=2026-10-01&endDate=2026-11-01": "",
		"startDate=2026-11-16&endDate=2026-11-20": "",
	} {
		if got := seen(days); got != want {
			t.Errorf("%s: %s, want %s", days, got, want)
		}
	}

	for _, text := range []string{"Llamó 6900-1111", "De ana@example.com", strings.Repeat("ñ", 121)} {
		set("n3", "2026-11-02", "2026-11-02", text, http.StatusBadRequest)
	}
	set("n3", "2026-11-02", "2026-11-01", "Al revés", http.StatusBadRequest)
	set("n3", "2026-02-30", "2026-11-01", "Sin día", http.StatusBadRequest)

	set("n1", "2026-11-02", "2026-11-15", "", http.StatusNoContent)
	if got := seen("startDate=2026-11-01&endDate=2026-11-30"); got != second {
		t.Errorf("after one was removed: %s", got)
	}
	var audit []contract.AuditEntry
	owner.get("/api/audit?what=ChartNoted").into(http.StatusOK, &audit)
	if len(audit) != 4 || audit[0].Who != "luis@clinica.example" || audit[0].Details["removed"] != true || audit[0].Details["note"] != nil {
		t.Errorf("the activity lists %+v", audit)
	}
}

func TestTheChartNamesHolidaysWhereTheyBegin(t *testing.T) {
	h := newTestServer(t, func(h *testServer) {
		h.config.Staff.Clinic.Exceptions = []clinic.Exception{{Date: "11-03", Name: "Separación"}, {Date: "2026-11-04"}, {Date: "2027-11-02", Name: "De otro año"}}
	})
	h.browser().say("s1", "Hola")
	h.project()
	ana := h.staff()
	for query, want := range map[string]string{
		"startDate=2026-11-02&endDate=2026-11-05&interval=day":  "||Separación||Consolidación de la Separación",
		"startDate=2026-11-03&endDate=2026-11-03&interval=hour": "|Separación" + strings.Repeat("|", 23),
		"startDate=2025-11-01&endDate=2025-11-30&interval=week": "||Separación,Consolidación de la Separación|Primer Grito de Independencia||Independencia de Panamá de España",
	} {
		var series contract.Timeseries
		ana.get("/api/dashboard/timeseries?"+query).into(http.StatusOK, &series)
		got := ""
		for _, p := range series.Points {
			got += "|" + strings.Join(p.Holidays, ",")
		}
		if got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
}
