package httpapi

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"bitacora/adapters/httpapi/contract"
)

const requestsPath = contactsPath + "/requests"

// requests are those that the staff sees, as "what name".
func (b *browser) requests(query string) (list []contract.Contact, summary string) {
	b.h.t.Helper()
	b.get(requestsPath+query).into(http.StatusOK, &list)
	var parts []string
	for _, c := range list {
		for _, r := range c.Requests {
			parts = append(parts, string(r.Request)+" "+contract.Deref(c.Name))
		}
	}
	return list, strings.Join(parts, ", ")
}

// What visitors ask about their data, in the chat and with the form, is seen with its term until
// somebody says what became of it; neither the period nor the projections hide it.
func TestStaffSeesAndFinishesRequests(t *testing.T) {
	h := newTestServer(t)
	h.browser().post("/api/contact", contract.ContactMessage{
		Name: "Íñigo", Email: "inigo@correo.example", Message: "Buenas. Quiero una copia de mis datos.",
	})
	h.clock.advance(time.Hour)
	if a := h.browser().say("s1", "borren mis datos"); !strings.Contains(a.Body.String(), "martes 10 de noviembre") {
		t.Errorf("answered %s", a.Body)
	}
	staff := h.staff()
	list, summary := staff.requests("")
	if summary != "erase , copy Íñigo" { // what is due first
		t.Fatalf("requests: %s", summary)
	}
	var counts contract.ContactCounts
	if staff.get(contactsPath+"/counts").into(http.StatusOK, &counts); counts.OpenRequests != 2 || counts.NextRequestDue == nil || !counts.NextRequestDue.Equal(list[0].Requests[0].DueAt) {
		t.Errorf("counts %+v", counts)
	}
	chat := list[0]
	due := time.Date(2026, 11, 11, 4, 59, 59, 0, time.UTC)
	if r := chat.Requests[0]; !r.DueAt.Equal(due) || r.DoneAt != nil || chat.Kind != "lead" || chat.Withdrawn {
		t.Errorf("%+v", chat)
	}
	path := contactsPath + "/lead/" + chat.ID + "/requests/" + chat.Requests[0].ID
	staff.post(path, contract.FinishedRequest{Outcome: "lost"}).refused(http.StatusBadRequest)
	staff.post(contactsPath+"/lead/"+chat.ID+"/requests/x", contract.FinishedRequest{Outcome: contract.RequestEmpty}).refused(http.StatusNotFound)
	for range 2 {
		var after []contract.ContactRequest
		staff.post(path, contract.FinishedRequest{Outcome: contract.RequestEmpty}).into(http.StatusOK, &after)
		if len(after) != 1 || after[0].DoneAt == nil || *after[0].Outcome != contract.RequestEmpty || contract.Deref(after[0].DoneBy) != anaEmail {
			t.Fatalf("%+v", after)
		}
	}
	if _, summary = staff.requests(""); summary != "copy Íñigo" {
		t.Errorf("open: %s", summary)
	}
	if _, summary = staff.requests("?done=true"); summary != "copy Íñigo, erase " {
		t.Errorf("all: %s", summary)
	}
	staff.get(requestsPath + "?done=x").refused(http.StatusBadRequest)
}
