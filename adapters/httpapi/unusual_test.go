package httpapi

import (
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"bitacora/adapters/httpapi/contract"
	"bitacora/domain/chat"
	"bitacora/domain/clinic"
	"bitacora/domain/event"
)

// TestWhatIsUnusualIsRecountedFromTheLog counts the events themselves, day by day.
func TestWhatIsUnusualIsRecountedFromTheLog(t *testing.T) {
	zone := clinic.Default().Zone
	for name, yesterday := range map[string]int{"drop": 4, "": 12, "spike": 26} {
		h := newTestServer(t)
		now := h.clock.Now().In(zone)
		midnight := clinic.StartOfDay(now.Year(), now.Month(), now.Day(), zone)
		n := 0
		begin := func(at time.Time, p func(event.Conversation) event.Payload) {
			n++
			id := fmt.Sprint("recounted-", n)
			of := event.Conversation{ConversationID: id, ConversationStartedAt: at.UTC()}
			if _, err := h.db.Log().Append(t.Context(), event.Append{Stream: chat.Stream(id), Drafts: []event.Draft{{ID: event.DerivedID(id), OccurredAt: at.UTC(), Payload: p(of)}}}); err != nil {
				t.Fatal(err)
			}
		}
		started := func(of event.Conversation) event.Payload {
			return &event.ConversationStarted{Conversation: of, Channel: "web"}
		}
		for week := range 6 {
			for i := range map[bool]int{true: yesterday, false: 11 + week%3}[week == 0] {
				begin(midnight.AddDate(0, 0, -1-7*week).Add(time.Duration(1439-i)*time.Minute), started)
			}
			begin(midnight.AddDate(0, 0, -2-7*week), started)
		}
		month := clinic.StartOfDay(now.Year(), now.Month(), 1, zone)
		for _, at := range []time.Time{month.Add(-time.Millisecond), month, now, month.AddDate(0, -1, 0).Add(-time.Millisecond)} {
			begin(at, func(event.Conversation) event.Payload {
				return &event.ChatRefused{Month: at.In(zone).Format("2006-01"), Limit: 100}
			})
		}
		h.project()

		counted, refused := map[string]int{}, map[string]int{}
		for i := range n {
			for _, e := range h.events(chat.Stream(fmt.Sprint("recounted-", i+1))) {
				switch p := e.Payload.(type) {
				case *event.ConversationStarted:
					counted[e.OccurredAt.In(zone).Format(time.DateOnly)]++
				case *event.ChatRefused:
					refused[p.Month]++
				}
			}
		}
		var before []int
		for week := 1; week <= 8; week++ {
			if day := counted[midnight.AddDate(0, 0, -1-7*week).Format(time.DateOnly)]; day > 0 {
				before = append(before, day)
			}
		}
		slices.Sort(before)
		want := []contract.UnusualFinding{
			{Kind: "refusals", At: new(month.AddDate(0, -1, 0).UTC()), Count: new(int64(refused[month.AddDate(0, -1, 0).Format("2006-01")]))},
			{Kind: "refusals", At: new(month.UTC()), Count: new(int64(refused[month.Format("2006-01")]))},
		}
		if name != "" {
			want = append(want, contract.UnusualFinding{
				Kind: contract.UnusualFindingKind(name), At: new(midnight.AddDate(0, 0, -1).UTC()),
				Count: new(int64(counted[midnight.AddDate(0, 0, -1).Format(time.DateOnly)])), Weeks: new(int64(len(before))),
				Least: new(int64(before[0])), Most: new(int64(before[len(before)-1])), Median: new(float64(before[len(before)/2])),
			})
		}
		var got contract.Unusual
		h.staff().get("/api/dashboard/unusual").into(http.StatusOK, &got)
		if got, want := fmt.Sprint(contract.List(got.Findings, plainFinding)), fmt.Sprint(contract.List(want, plainFinding)); got != want {
			t.Errorf("%q: found %s, want %s", name, got, want)
		}
	}
}

// plainFinding is a finding without pointers.
func plainFinding(f contract.UnusualFinding) string {
	text := fmt.Sprint(f.Kind, " ", f.At.UTC())
	for _, n := range []*int64{f.Count, f.Weeks, f.Least, f.Most} {
		if n != nil {
			text += fmt.Sprint(" ", *n)
		}
	}
	if f.Median != nil {
		text += fmt.Sprint(" ", *f.Median)
	}
	return text
}
