package clickhouse

import (
	"fmt"
	"testing"
	"time"

	"bitacora/domain/event"
	"bitacora/projections/builds"
	"bitacora/projections/projectionstest/suite"
)

func TestTablesKeepTheirPromises(t *testing.T) {
	db := open(t)
	if err := db.DropBuild(t.Context(), build); err != nil {
		t.Fatal(err)
	}
	began := time.Date(2026, 11, 3, 14, 0, 0, 0, time.UTC)
	var log []event.Recorded
	for i := range 6 {
		log = append(log, event.Recorded{
			Position: int64(i + 1), ID: event.DerivedID("suite", fmt.Sprint(i)), Stream: "conversation/c", OccurredAt: began,
			Payload: &event.VisitorMessageSent{
				Conversation: event.Conversation{ConversationID: "c", ConversationStartedAt: began},
				Progress:     event.Progress{Ordinal: i + 1}, Text: event.Text{Text: "hola"},
			},
		})
	}
	suite.TablesOf(t, db, func(build string) builds.RetryWriter { return db.Writer(build) }, log)
}
