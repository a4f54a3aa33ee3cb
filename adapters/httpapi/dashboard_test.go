package httpapi

import (
	"fmt"
	"math"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"

	"bitacora/adapters/httpapi/contract"
	"bitacora/domain/chat"
	"bitacora/domain/event"
)

func TestKpis(t *testing.T) {
	h := newTestServer(t, limited(10))
	visitor := h.browser()
	visitor.say("s1", "Hola")
	h.clock.advance(90 * time.Second)
	visitor.say("s1", "Gracias")
	h.clock.advance(time.Hour)
	visitor.say("s2", "Buenas")
	h.project()

	var got contract.Kpis
	a := h.staff().get("/api/dashboard/kpis")
	a.into(http.StatusOK, &got)
	if got.DataThrough.Position == 0 || got.DataThrough.Time == nil {
		t.Errorf("data through %+v", got.DataThrough)
	}
	if got.FlaggedConversations == nil || *got.FlaggedConversations != 0 {
		t.Errorf("flagged conversations %v", got.FlaggedConversations)
	}
	got.DataThrough, got.FlaggedConversations = contract.DataThrough{}, nil
	got.P90ConversationDuration = math.Round(got.P90ConversationDuration)
	limit := got.MonthlyLimit
	got.MonthlyLimit = nil
	want := contract.Kpis{KpiNumbers: contract.KpiNumbers{
		TotalConversations: 2, TotalMessages: 6, AvgMessagesPerConversation: 3,
		AvgConversationDuration: 45, MedianConversationDuration: 45, P90ConversationDuration: 81,
	}}
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if limit == nil || *limit != (contract.MonthlyLimit{Current: 2, Limit: 10, PercentageUsed: 20, Remaining: 8}) {
		t.Errorf("monthly limit %+v", limit)
	}
	if !strings.Contains(a.Body.String(), `"totalLeads":0`) || a.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("answer %s %v", a.Body, a.Header())
	}
}

func TestKpisWithoutLimitOrData(t *testing.T) {
	h := newTestServer(t)
	a := h.staff().get("/api/dashboard/kpis?startDate=2020-01-01&endDate=2020-01-31")
	if a.Code != http.StatusOK || strings.Contains(a.Body.String(), "monthlyLimit") {
		t.Errorf("got %d %s", a.Code, a.Body)
	}
}

func TestPeriods(t *testing.T) {
	h := newTestServer(t)
	h.browser().say("s1", "Hola") // at 17:00 UTC, noon in Panama
	h.project()
	b := h.staff()
	for _, c := range []struct {
		start, end string
		status     int
		count      int64
	}{
		{"", "", 200, 1},
		{"2026-11-03", "2026-11-03", 200, 1},
		{"2026-11-04", "2026-11-04", 200, 0},
		{"2026-11-03T17:00:00.000Z", "2026-11-03T17:00:00.000Z", 200, 1},
		{"2026-11-03T17:00:00.001Z", "2026-11-03T18:00:00Z", 200, 0},
		{"2026-11-03T12:00:00-05:00", "2026-11-03T12:00:00-05:00", 200, 1},
		{"2026-11-03T00:00:00Z", "2026-11-03T16:59:59.999Z", 200, 0},
		{"2026-11-04", "2026-11-03", 400, 0},
		{"2025-01-01", "2026-11-03", 400, 0},
		{"yesterday", "2026-11-03", 400, 0},
		{"2026-11-03", "2026-02-30", 400, 0},
		{"2026-11-03", "'; DROP TABLE conversations; --", 400, 0},
		{"2026-11-03", strings.Repeat("9", 5000), 400, 0},
		{"0000-01-01", "0000-01-02", 400, 0},
	} {
		q := url.Values{}
		if c.start != "" {
			q.Set("startDate", c.start)
		}
		if c.end != "" {
			q.Set("endDate", c.end)
		}
		for _, path := range []string{"/api/dashboard/kpis?", "/api/dashboard/conversations?"} {
			a := b.get(path + q.Encode())
			if a.Code != c.status {
				t.Errorf("%s … %s: %s got %d, want %d: %s", c.start, c.end, path, a.Code, c.status, a.Body)
			}
			if c.status != http.StatusOK {
				a.refused(c.status)
			}
		}
		if c.status == http.StatusOK {
			var got contract.Kpis
			b.get("/api/dashboard/kpis?"+q.Encode()).into(http.StatusOK, &got)
			if got.TotalConversations != c.count {
				t.Errorf("%s … %s: got %d, want %d", c.start, c.end, got.TotalConversations, c.count)
			}
		}
	}
}

func TestConversationList(t *testing.T) {
	h := newTestServer(t)
	b := h.staff()
	empty := b.get("/api/dashboard/conversations")
	if body := strings.TrimSpace(empty.Body.String()); body != "[]" {
		t.Errorf("an empty list is %s", body)
	}
	const n = 7
	for i := range n {
		// Pairs that begin in the same millisecond test the order within one.
		if i%2 == 0 {
			h.clock.advance(time.Minute)
		}
		h.browser().say(fmt.Sprint("s", i), "Hola")
	}
	h.project()

	var all []contract.ConversationSummary
	a := b.get("/api/dashboard/conversations")
	a.into(http.StatusOK, &all)
	if len(all) != n || a.Header().Get("X-Total-Count") != "7" || a.Header().Get("Link") != "" {
		t.Fatalf("%d conversations, headers %v", len(all), a.Header())
	}
	if !strings.HasPrefix(a.Header().Get("X-Data-Through"), "position=") {
		t.Errorf("X-Data-Through is %q", a.Header().Get("X-Data-Through"))
	}
	for i := 1; i < n; i++ {
		if all[i].StartedAt.After(all[i-1].StartedAt) {
			t.Error("the list is not newest first")
		}
	}
	if all[0].MessageCount != 2 || all[0].LeadGenerated || all[0].AppointmentScheduled {
		t.Errorf("first line %+v", all[0])
	}

	var paged []contract.ConversationSummary
	for path := "/api/dashboard/conversations?limit=3"; path != ""; {
		var part []contract.ConversationSummary
		a := b.get(path)
		a.into(http.StatusOK, &part)
		if len(part) > 3 || a.Header().Get("X-Total-Count") != "7" {
			t.Fatalf("page of %d, total %s", len(part), a.Header().Get("X-Total-Count"))
		}
		for i := range part { // what only pages contain
			part[i].Question, part[i].Reasons = nil, nil
		}
		paged = append(paged, part...)
		// What comes in while somebody turns pages belongs to none of them.
		h.clock.advance(time.Second)
		h.browser().say(fmt.Sprint("late", len(paged)), "Hola")
		h.project()
		path, _, _ = strings.Cut(strings.TrimPrefix(a.Header().Get("Link"), "<"), ">")
	}
	if !reflect.DeepEqual(paged, all) {
		t.Errorf("pages give\n%v\nthe whole list\n%v", paged, all)
	}
	var jumped []contract.ConversationSummary
	still := "&endDate=" + all[0].StartedAt.Format(isoTime)
	a = b.get("/api/dashboard/conversations?limit=3&offset=5" + still)
	a.into(http.StatusOK, &jumped)
	for i := range jumped {
		jumped[i].Question, jumped[i].Reasons = nil, nil
	}
	if !reflect.DeepEqual(jumped, all[5:]) || a.Header().Get("X-Total-Count") != "7" || a.Header().Get("Link") != "" {
		t.Errorf("a jump gives %v, headers %v", jumped, a.Header())
	}
	for _, bad := range []string{"limit=0", "limit=-1", "limit=1001", "limit=x", "offset=-1", "offset=x", "offset=99999999999", "cursor=x", "cursor=1-", "cursor=99999999999999-x", "cursor=1-a%00b"} {
		b.get("/api/dashboard/conversations?" + bad).refused(http.StatusBadRequest)
	}
}

func TestTranscript(t *testing.T) {
	h := newTestServer(t)
	h.browser().say("s1", "Soy Luis, 6123-4567")
	b := h.staff()
	id := chat.ConversationID("web", "s1")
	var got []contract.ConversationMessage
	a := b.get("/api/dashboard/conversation/" + id + "/messages")
	a.into(http.StatusOK, &got)
	if len(got) != 2 || got[0].ID == got[1].ID {
		t.Fatalf("transcript %+v", got)
	}
	if m := got[0]; m.Message != "Soy Luis, 6123-4567" || !m.IsUser || m.AiModel != nil || !m.Timestamp.Equal(noon) {
		t.Errorf("visitor's message %+v", m)
	}
	if m := got[1]; m.Message != "Usted dijo: Soy Luis, 6123-4567" || m.IsUser || m.AiModel == nil || *m.AiModel != "loro-1" {
		t.Errorf("reply %+v", m)
	}
	if a.Header().Get("X-Data-Through") == "" || a.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("headers %v", a.Header())
	}

	account, err := h.db.Staff().AccountByEmail(t.Context(), anaEmail)
	if err != nil {
		t.Fatal(err)
	}
	recorded := h.events("staff/" + account.ID)
	last := recorded[len(recorded)-1]
	if opened, ok := last.Payload.(*event.TranscriptOpened); !ok || *opened != (event.TranscriptOpened{StaffID: account.ID, ConversationID: id}) {
		t.Errorf("recorded %+v", last)
	}
	if last.Metadata["requestId"] != a.Header().Get("X-Request-Id") {
		t.Errorf("recorded with %v", last.Metadata)
	}

	for _, unknown := range []string{"nobody", "a%00b", "..%2F..%2Fstaff", "%F0%28", strings.Repeat("a", 300)} {
		a := b.get("/api/dashboard/conversation/" + unknown + "/messages")
		if body := strings.TrimSpace(a.Body.String()); a.Code != http.StatusOK || body != "[]" {
			t.Errorf("%q: %d %s", unknown, a.Code, body)
		}
	}
	if after := h.events("staff/" + account.ID); len(after) != len(recorded) {
		t.Error("opening nothing was recorded")
	}
}
