package httpapi

import (
	"net/http"
	"testing"
)

func TestVisitsAreCountedAndShown(t *testing.T) {
	h := newHouse(t)
	b, visitor := h.browser(), Visitor
	itself := Auto
	for _, v := range []Visit{
		{SessionID: "s1"}, {SessionID: "s1"}, {SessionID: "s2"}, {SessionID: "s2", OpenedBy: &itself},
		{SessionID: "s3", OpenedBy: &visitor}, {SessionID: "s4", OpenedBy: &visitor},
	} {
		if a := b.post("/api/visits", v); a.Code != http.StatusNoContent || len(a.Result().Cookies()) != 0 {
			t.Errorf("%+v: %d with %v", v, a.Code, a.Result().Cookies())
		}
	}
	b.say("s4", "Hola")
	b.say("s5", "Hola, sin visita contada")
	h.project()

	var funnel Funnel
	staff := h.staff()
	staff.get("/api/dashboard/funnel").into(http.StatusOK, &funnel)
	counts := map[FunnelStepStep]int64{}
	for _, s := range funnel.Steps {
		counts[s.Step] = s.Count
	}
	if funnel.Steps[0].Step != "visit" || counts["visit"] != 5 || counts["opening"] != 3 || counts["conversation"] != 2 {
		t.Errorf("funnel %+v", funnel.Steps)
	}
	if funnel.VisitsSince == nil || !funnel.VisitsSince.Equal(h.clock.Now()) {
		t.Errorf("visits since %v", funnel.VisitsSince)
	}
	var narrowed Funnel
	staff.get("/api/dashboard/funnel?lead=false").into(http.StatusOK, &narrowed)
	if first := narrowed.Steps[0]; first.Step != "conversation" || first.Count != 2 || *first.Share != 100 {
		t.Errorf("a narrowed funnel begins with %+v", first)
	}
	var kpis Kpis
	staff.get("/api/dashboard/kpis").into(http.StatusOK, &kpis)
	if kpis.TotalConversations != counts["conversation"] {
		t.Errorf("%d conversations, %d in the funnel", kpis.TotalConversations, counts["conversation"])
	}
}

func TestWhoWantsNotToBeCountedIsNot(t *testing.T) {
	h := newHouse(t)
	b := h.browser()
	for _, header := range []string{"Sec-GPC", "DNT"} {
		a := b.send(http.MethodPost, "/api/visits", []byte(`{"sessionId":"s1"}`), map[string]string{"Content-Type": "application/json", header: "1"})
		if a.Code != http.StatusNoContent {
			t.Errorf("%s: %d", header, a.Code)
		}
	}
	if events, err := h.db.Log().Read(t.Context(), 0, 10); err != nil || len(events) != 0 {
		t.Errorf("%d events, %v", len(events), err)
	}
}

func TestVisitsThatAreNone(t *testing.T) {
	b := newHouse(t).browser()
	for _, body := range []string{`{}`, `{"sessionId":""}`, `{"sessionId":"s","openedBy":"bot"}`, `{`} {
		b.send(http.MethodPost, "/api/visits", []byte(body), map[string]string{"Content-Type": "application/json"}).refused(http.StatusBadRequest)
	}
	if a := b.send(http.MethodPost, "/api/visits", []byte(`{"sessionId":"s"}`), nil); a.Code != http.StatusUnsupportedMediaType {
		t.Errorf("without a type: %d", a.Code)
	}
}

func TestManyVisitsFromOneAddressAreSlowedDown(t *testing.T) {
	h := newHouse(t, func(h *house) { h.config.Throttle = true })
	b := h.browser()
	for range int(visitRate.burst) {
		if a := b.post("/api/visits", Visit{SessionID: "s"}); a.Code != http.StatusNoContent {
			t.Fatalf("within the burst: %d", a.Code)
		}
	}
	if a := b.post("/api/visits", Visit{SessionID: "s"}); a.Code != http.StatusServiceUnavailable || a.Header().Get("Retry-After") == "" {
		t.Errorf("beyond it: %d", a.Code)
	}
	if a := b.say("s", "Hola"); a.Code != http.StatusOK {
		t.Errorf("the chat pays for it: %d", a.Code)
	}
}
