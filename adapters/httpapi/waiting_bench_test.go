package httpapi

import (
	"fmt"
	"testing"
	"time"

	"bitacora/domain/chat"
	"bitacora/domain/event"
)

// BenchmarkWaiting asks for the first page of a queue of 5,000 people after one more came, and beside it, as the
// control, for that of a queue of 50.
func BenchmarkWaiting(b *testing.B) {
	queues := map[int]*browser{}
	for _, people := range []int{50, 5000} {
		h := newTestServer(b)
		var all []event.Append
		for i := range people {
			all = append(all, lead(fmt.Sprint("waiting-", i), fmt.Sprintf("+5076%07d", i), h.clock.Now()))
		}
		if err := h.db.Log().AppendAll(b.Context(), all); err != nil {
			b.Fatal(err)
		}
		queues[people] = h.staff()
		queues[people].waiting("") // reads the log
	}
	spent := map[int]time.Duration{}
	for n := 0; b.Loop(); n++ {
		for people, staff := range queues {
			if err := staff.h.db.Log().AppendAll(b.Context(), []event.Append{lead(fmt.Sprint("new-", n), fmt.Sprintf("+5077%07d", n), staff.h.clock.Now())}); err != nil {
				b.Fatal(err)
			}
			begun := time.Now()
			if list := staff.waiting(""); list.Waiting != people+n+1 || len(list.People) != 50 {
				b.Fatalf("%d of %d wait, %d are shown", list.Waiting, people+n+1, len(list.People))
			}
			spent[people] += time.Since(begun)
		}
	}
	b.ReportMetric(float64(spent[5000].Milliseconds())/float64(b.N), "ms/5000")
	b.ReportMetric(float64(spent[50].Milliseconds())/float64(b.N), "ms/50")
	b.ReportMetric(float64(spent[5000])/float64(spent[50]), "ratio")
}

// lead is the conversation of somebody who left a phone.
func lead(id, phone string, at time.Time) event.Append {
	of := event.Conversation{ConversationID: id, ConversationStartedAt: at}
	draft := func(p event.Payload) event.Draft {
		return event.Draft{ID: event.DerivedID(id, p.EventType()), OccurredAt: at, Payload: p}
	}
	return event.Append{Stream: chat.Stream(id), ExpectedVersion: event.AnyVersion, Drafts: []event.Draft{
		draft(&event.ConversationStarted{Conversation: of, Channel: "web"}),
		draft(&event.VisitorMessageSent{Conversation: of, Progress: event.Progress{Ordinal: 1}, MessageID: "m", Text: event.Text{Text: "¿Cuánto cuesta un implante?"}}),
		draft(&event.LeadCaptured{Conversation: of, Name: "Ana " + id, Phone: phone, HasPhone: true}),
	}}
}
