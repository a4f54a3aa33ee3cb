package httpapi

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"bitacora/adapters/httpapi/contract"
	"bitacora/domain/chat"
)

func TestReplyIsRated(t *testing.T) {
	h := newTestServer(t)
	b := h.browser()
	var said contract.ChatResponse
	b.say("s1", "¿Cuánto cuesta?").into(http.StatusOK, &said)
	rate := func(b *browser, rating contract.ReplyRatingRating, reason contract.RatingReason) answer {
		return b.post("/api/chatbot/rating", contract.ReplyRating{SessionID: "s1", MessageID: *said.MessageID, Rating: rating, Reason: contract.IfValid(reason)})
	}
	rate(h.browser(), "negative", "").refused(http.StatusNotFound)
	for _, rating := range []struct {
		rating contract.ReplyRatingRating
		reason contract.RatingReason
	}{{"positive", ""}, {"negative", ""}, {"negative", "incomplete"}} {
		if a := rate(b, rating.rating, rating.reason); a.Code != http.StatusNoContent {
			t.Fatalf("%s: %d %s", rating, a.Code, a.Body)
		}
	}
	var back contract.ChatConversation
	b.readBack("s1").into(http.StatusOK, &back)
	if m := back.Messages[1]; contract.Deref(m.Rating) != "negative" || contract.Deref(m.RatingReason) != "incomplete" || *m.MessageID != *said.MessageID || back.Messages[0].Rating != nil {
		t.Errorf("read back %+v", back.Messages)
	}
	h.project()
	staff := h.staff()
	var ratings contract.Ratings
	staff.get("/api/dashboard/ratings").into(http.StatusOK, &ratings)
	if ratings.All.Negative != 1 || ratings.All.Positive != 0 || *ratings.All.Approval != 0 || len(ratings.Topics) != 1 || ratings.Topics[0].Topic != "-" {
		t.Errorf("ratings %+v", ratings)
	}
	for filter, want := range map[string]int64{"rated=negative": 1, "rated=positive": 0, "rated=negative&ratedTopic=-": 1, "rated=negative&ratedTopic=precios": 0} {
		var kpis contract.Kpis
		staff.get("/api/dashboard/kpis?"+filter).into(http.StatusOK, &kpis)
		if kpis.TotalConversations != want {
			t.Errorf("%s: %d conversations", filter, kpis.TotalConversations)
		}
	}
	var messages []contract.ConversationMessage
	staff.get("/api/dashboard/conversation/"+chat.ConversationID("web", "s1")+"/messages").into(http.StatusOK, &messages)
	if m := messages[1]; contract.Deref(m.Rating) != "negative" || contract.Deref(m.RatingReason) != "incomplete" || messages[0].Rating != nil {
		t.Errorf("transcript %+v", messages)
	}
	rate(b, "none", "")
	h.project()
	var none contract.Ratings
	staff.get("/api/dashboard/ratings").into(http.StatusOK, &none)
	if none.All.Approval != nil || len(none.Topics) != 0 {
		t.Errorf("taken back: %+v", none)
	}
}

// TestReportsAreThoseOfTheSingleCalls also with a filter and a period.
func TestReportsAreThoseOfTheSingleCalls(t *testing.T) {
	h := newTestServer(t)
	h.browser().say("s1", "¿Cuánto cuesta?")
	h.browser().say("s2", "Hola")
	h.project()
	staff := h.staff()
	for _, query := range []string{"", "?topic=precios", "?startDate=2020-01-01&endDate=2020-02-01"} {
		var all map[string]json.RawMessage
		staff.get("/api/dashboard/reports"+query).into(http.StatusOK, &all)
		if len(all) != 6 {
			t.Errorf("%d reports", len(all))
		}
		for name, report := range all {
			if name == "outcomes" { // which has no call of its own
				continue
			}
			if single := strings.TrimSpace(staff.get("/api/dashboard/" + name + query).Body.String()); string(report) != single {
				t.Errorf("%s of %q: %s, alone %s", name, query, report, single)
			}
		}
	}
}

func TestManyRatingsAreSlowedDown(t *testing.T) {
	h := newTestServer(t, throttled)
	b := h.browser()
	var said contract.ChatResponse
	b.say("s1", "Hola").into(http.StatusOK, &said)
	rate := func() answer {
		return b.post("/api/chatbot/rating", contract.ReplyRating{SessionID: "s1", MessageID: *said.MessageID, Rating: "positive"})
	}
	for range sessionBurst - 1 {
		if a := rate(); a.Code != http.StatusNoContent {
			t.Fatalf("within the burst: %d", a.Code)
		}
	}
	a := rate()
	if e := a.refused(http.StatusTooManyRequests); a.Header().Get("Retry-After") != "2" || e.LimitReached != nil {
		t.Errorf("beyond it: Retry-After %q, %+v", a.Header().Get("Retry-After"), e)
	}
}

func TestRatingsThatAreNone(t *testing.T) {
	h := newTestServer(t)
	b := h.browser()
	b.say("s1", "Hola")
	for _, body := range []string{
		`{}`, `{"sessionId":"s1","messageId":"nada","rating":"positive"}`, `{"sessionId":"s1","messageId":"m","rating":"5"}`, `{"sessionId":"s1","messageId":"m","rating":"negative","reason":"5"}`,
	} {
		b.send(http.MethodPost, "/api/chatbot/rating", []byte(body), map[string]string{"Content-Type": "application/json"}).refused(http.StatusBadRequest)
	}
	staff := h.staff()
	for _, bad := range []string{"rated=5", "ratedTopic=precios"} {
		staff.get("/api/dashboard/kpis?" + bad).refused(http.StatusBadRequest)
	}
}
