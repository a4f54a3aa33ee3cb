package projections_test

import (
	"fmt"
	"testing"
	"time"

	"bitacora/domain/event"
	. "bitacora/projections"
)

func BenchmarkRowsOf(b *testing.B) {
	var log []event.Recorded
	for i := range 100_000 {
		at := time.Date(2026, 11, 20, 0, 0, i/10, 0, time.UTC)
		conv := event.Conversation{ConversationID: fmt.Sprintf("conversation-%d", i/10), ConversationStartedAt: at}
		progress := event.Progress{Ordinal: i%10 + 1}
		e := event.Recorded{Position: int64(i + 1), ID: event.DerivedID(fmt.Sprint(i)), OccurredAt: at}
		if i%2 == 0 {
			e.Payload = &event.VisitorMessageSent{Conversation: conv, Progress: progress, Text: event.Text{Text: "hola"}}
		} else {
			e.Payload = &event.AssistantReplied{Conversation: conv, Progress: progress, Text: event.Text{Text: "hola"}, Topic: "saludo"}
		}
		log = append(log, e)
	}
	for b.Loop() {
		RowsOf(log)
	}
	b.ReportMetric(float64(len(log))*float64(b.N)/b.Elapsed().Seconds(), "events/s")
}
