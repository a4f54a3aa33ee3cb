package postgres_test

import (
	"testing"
	"time"

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

// TestATokenThatAFailoverLostIsGivenToNobodyAgain: its owner, who knows of no failover, is none any more
// once another one has the lease.
func TestATokenThatAFailoverLostIsGivenToNobodyAgain(t *testing.T) {
	for name, had := range map[string]bool{"taken before": true, "never taken before": false} {
		t.Run(name, func(t *testing.T) {
			url, db := fresh(t)
			leases, conn := db.Feed().Leases, owner(t, url)
			acquire := func(who string) int64 {
				t.Helper()
				token, ok, err := leases.Acquire(t.Context(), "work", who, time.Hour)
				if err != nil || !ok {
					t.Fatalf("%s: %v, %v", who, ok, err)
				}
				return token
			}
			if had {
				acquire("before")
				exec(t, conn, "UPDATE leases SET expires_at = '-infinity'")
			}
			exec(t, conn, "CREATE TEMPORARY TABLE standby AS TABLE leases")
			lost := acquire("lost")
			exec(t, conn, "DELETE FROM leases")
			exec(t, conn, "INSERT INTO leases TABLE standby")
			acquire("next")
			if ok, err := leases.Renew(t.Context(), "work", lost, time.Hour); ok || err != nil {
				t.Errorf("two owners have the lease: %v", err)
			}
		})
	}
}
