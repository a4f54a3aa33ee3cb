package httpapi

import (
	"math"
	"net/http"
	"strings"
	"testing"
	"time"

	"bitacora/adapters/httpapi/contract"
)

func TestVisitsAreCountedAndShown(t *testing.T) {
	h := newTestServer(t)
	b, visitor := h.browser(), contract.Visitor
	itself := contract.Auto
	for _, v := range []contract.Visit{
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

	var funnel contract.Funnel
	staff := h.staff()
	staff.get("/api/dashboard/funnel").into(http.StatusOK, &funnel)
	counts := map[contract.FunnelStepStep]int64{}
	for _, s := range funnel.Steps {
		counts[s.Step] = s.Count
	}
	if funnel.Steps[0].Step != "visit" || counts["visit"] != 5 || counts["opening"] != 3 || counts["conversation"] != 2 {
		t.Errorf("funnel %+v", funnel.Steps)
	}
	if funnel.VisitsSince == nil || !funnel.VisitsSince.Equal(h.clock.Now()) {
		t.Errorf("visits since %v", funnel.VisitsSince)
	}
	var narrowed contract.Funnel
	staff.get("/api/dashboard/funnel?lead=false").into(http.StatusOK, &narrowed)
	if first := narrowed.Steps[0]; first.Step != "conversation" || first.Count != 2 || *first.Share != 100 {
		t.Errorf("a narrowed funnel begins with %+v", first)
	}
	var kpis contract.Kpis
	staff.get("/api/dashboard/kpis").into(http.StatusOK, &kpis)
	if kpis.TotalConversations != counts["conversation"] {
		t.Errorf("%d conversations, %d in the funnel", kpis.TotalConversations, counts["conversation"])
	}
}

func TestWhoWantsNotToBeCountedIsNot(t *testing.T) {
	h := newTestServer(t)
	b := h.browser()
	for _, header := range []string{"Sec-GPC", "DNT"} {
		a := b.send(http.MethodPost, "/api/visits", []byte(`{"sessionId":"s1"}`), map[string]string{"Content-Type": "application/json", header: "1"})
		if a.Code != http.StatusNoContent {
			t.Errorf("%s: %d", header, a.Code)
		}
	}
	if events, err := h.db.Log().Scan(t.Context(), 0, math.MaxInt64, 10); err != nil || len(events) != 0 {
		t.Errorf("%d events, %v", len(events), err)
	}
}

func TestVisitsThatAreNone(t *testing.T) {
	b := newTestServer(t).browser()
	for _, body := range []string{`{}`, `{"sessionId":""}`, `{"sessionId":"s","openedBy":"bot"}`, `{`} {
		b.send(http.MethodPost, "/api/visits", []byte(body), map[string]string{"Content-Type": "application/json"}).refused(http.StatusBadRequest)
	}
	if a := b.send(http.MethodPost, "/api/visits", []byte(`{"sessionId":"s"}`), nil); a.Code != http.StatusUnsupportedMediaType {
		t.Errorf("without a type: %d", a.Code)
	}
}

func TestManyVisitsFromOneAddressAreSlowedDown(t *testing.T) {
	h := newTestServer(t, throttled)
	b := h.browser()
	for range 60 {
		if a := b.post("/api/visits", contract.Visit{SessionID: "s"}); a.Code != http.StatusNoContent {
			t.Fatalf("within the burst: %d", a.Code)
		}
	}
	a := b.post("/api/visits", contract.Visit{SessionID: "s"})
	if e := a.refused(http.StatusTooManyRequests); a.Header().Get("Retry-After") != "1" || e.LimitReached != nil || !strings.Contains(e.Message, "intentar de nuevo") {
		t.Errorf("beyond it: Retry-After %q, %+v", a.Header().Get("Retry-After"), e)
	}
	if a := b.say("s", "Hola"); a.Code != http.StatusOK {
		t.Errorf("the chat pays for it: %d", a.Code)
	}
}

// Whatever the period, all steps of the funnel are of the same visits and conversations: none
// exceeds the one before, and the list of what the funnel counts has as many rows.
func TestFunnelCountsEveryStepFromTheSameStart(t *testing.T) {
	h := newTestServer(t)
	h.past(hostile...)
	began := h.clock.Now()
	visitor := contract.Visitor
	for i, v := range []contract.Visit{{SessionID: "v1"}, {SessionID: "v2", OpenedBy: &visitor}, {SessionID: "v3", OpenedBy: &visitor}, {SessionID: "v4"}} {
		h.browser().post("/api/visits", v)
		h.clock.advance(time.Hour)
		if i >= 2 {
			h.browser().say(v.SessionID, "Hola")
		}
	}
	h.project()
	staff := h.staff()
	for hours := -7 * len(hostile); hours <= 4; hours += 9 {
		from := began.Add(time.Duration(hours) * time.Hour)
		for _, to := range []time.Time{from.Add(30 * time.Hour), began.Add(5 * time.Hour)} {
			ends := "startDate=" + from.Format(isoTime) + "&endDate=" + to.Format(isoTime)
			var funnel contract.Funnel
			staff.get("/api/dashboard/funnel?"+ends).into(http.StatusOK, &funnel)
			visited, counted := !to.Before(began), from
			if visited && from.Before(began) {
				counted = began
			}
			if !funnel.StartDate.Equal(counted) || (funnel.Steps[0].Step == "visit") != visited {
				t.Errorf("%s: from %v with %s, want from %v", ends, funnel.StartDate, funnel.Steps[0].Step, counted)
			}
			var list []contract.ConversationSummary
			staff.get("/api/dashboard/conversations?startDate="+funnel.StartDate.Format(isoTime)+"&endDate="+to.Format(isoTime)).into(http.StatusOK, &list)
			for i, step := range funnel.Steps {
				if i > 0 && step.Count > funnel.Steps[i-1].Count || step.Share != nil && *step.Share > 100 {
					t.Errorf("%s: %s %d after %d", ends, step.Step, step.Count, funnel.Steps[max(0, i-1)].Count)
				}
				if step.Step == "conversation" && step.Count != int64(len(list)) {
					t.Errorf("%s: %d conversations, %d listed", ends, step.Count, len(list))
				}
			}
		}
	}
	var year contract.Funnel
	staff.get("/api/dashboard/funnel?startDate="+began.AddDate(-1, 0, 0).Format(isoTime)).into(http.StatusOK, &year)
	if year.Steps[0].Count != 5 || year.Steps[2].Count != 3 || *year.Steps[2].Share != 60 {
		t.Errorf("a year: %+v", year.Steps)
	}
}
