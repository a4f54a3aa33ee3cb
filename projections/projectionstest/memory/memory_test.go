package memory_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"bitacora/domain/event"
	"bitacora/projections"
	"bitacora/projections/builds"
	. "bitacora/projections/projectionstest/memory"
	"bitacora/projections/projectionstest/suite"
)

func said(n int) (events []event.Recorded) {
	began := time.Date(2026, 11, 3, 14, 0, 0, 0, time.UTC)
	for i := range n {
		events = append(events, event.Recorded{
			Position: int64(i + 1), ID: fmt.Sprintf("00000000-0000-0000-0000-%012d", i+1), Stream: "conversation/c", OccurredAt: began,
			Payload: &event.VisitorMessageSent{
				Conversation: event.Conversation{ConversationID: "c", ConversationStartedAt: began},
				Progress:     event.Progress{Ordinal: i + 1}, Text: event.Text{Text: "hola"},
			},
		})
	}
	return events
}

func open() (*Postgres, *DB) {
	p := NewPostgres(time.Now, "epoch")
	return p, p.As(Direct)
}

func TestPostgres(t *testing.T) {
	t.Run("leases", func(t *testing.T) {
		_, db := open()
		suite.Leases(t, db.Leases())
	})
	t.Run("checkpoints", func(t *testing.T) {
		p, db := open()
		suite.Checkpoints(t, suite.Feed{Stores: db.Stores(), Pauses: db.Pauses(), Append: func(n int) []event.Recorded {
			p.Append(said(n)...)
			return p.Events()
		}})
	})
	t.Run("parking", func(t *testing.T) {
		p, db := open()
		if err := db.FirstBuild(t.Context(), "b1", projections.Version); err != nil {
			t.Fatal(err)
		}
		p.Append(said(4)...)
		suite.WriteAhead(t, db.Stores(), "b1", p.Events()[3])
		suite.ParkingOf(t, db.Parking("b1"), db)
	})
}

func TestTables(t *testing.T) {
	tables := NewClickHouse().As(Direct)
	suite.TablesOf(t, tables, func(build string) builds.RetryWriter { return tables.Writer(build) }, said(6))
}

func TestAStoreGoesBack(t *testing.T) {
	p, db := open()
	p.Append(said(2)...)
	putBack := p.Snapshot()
	p.Append(said(1)...)
	if _, _, err := db.Leases().Acquire(context.Background(), "work", "one", time.Hour); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		putBack()
		if len(p.Events()) != 2 || db.Owns("work") {
			t.Errorf("it holds %d events, and a lease: %v", len(p.Events()), db.Owns("work"))
		}
		p.Append(said(3)...)
	}
}
