package postgres_test

import (
	"testing"

	"bitacora/domain/event"
	"bitacora/projections"
	"bitacora/projections/projectionstest/suite"
)

func TestStoresOfTheFeed(t *testing.T) {
	t.Run("leases", func(t *testing.T) {
		_, db := fresh(t)
		suite.Leases(t, db.Feed().Leases)
	})
	t.Run("checkpoints", func(t *testing.T) {
		_, db := fresh(t)
		suite.Checkpoints(t, suite.Feed{Stores: db.Feed(), Pauses: db.Pauses(), Append: func(n int) []event.Recorded {
			var drafts []event.Draft
			for range n {
				drafts = append(drafts, said("hola"))
			}
			return mustAppend(t, db.Log(), request("chat-1", event.AnyVersion, drafts...))
		}})
	})
	t.Run("parking", func(t *testing.T) {
		_, db := fresh(t)
		if err := db.FirstBuild(t.Context(), "b1", projections.Version); err != nil {
			t.Fatal(err)
		}
		log := mustAppend(t, db.Log(), request("chat-1", event.AnyVersion, said("a"), said("b"), said("c"), said("d")))
		suite.WriteAhead(t, db.Feed(), "b1", log[3])
		suite.ParkingOf(t, db.Parking("b1"), db)
	})
}
