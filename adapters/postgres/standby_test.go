package postgres_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"bitacora/adapters/engines/enginestest"
	"bitacora/adapters/postgres"
	"bitacora/adapters/postgres/logdump"
	"bitacora/adapters/postgres/postgrestest"
	"bitacora/domain/clinic"
	"bitacora/domain/event"
	"bitacora/domain/teaching"
	"bitacora/domain/throttle"
)

// TestSeveralServersMeanThePrimary: without target_session_attrs, and with the standby named first.
func TestSeveralServersMeanThePrimary(t *testing.T) {
	r := enginestest.Replication(t)
	db := postgrestest.Open(t, r.Hosts, testKey)
	mustAppend(t, db.Log(), request("chat-1", 0, said("hola")))
	if about, err := postgres.AboutServer(t.Context(), r.Hosts); err != nil || about.ReadOnly {
		t.Errorf("%+v, %v", about, err)
	}
	bucket := throttle.Bucket{Rate: throttle.Rate{Every: time.Hour, Burst: 1}, Key: "one"}
	for n := range 2 {
		if needed, err := db.Throttle(nil).Take(t.Context(), bucket); err != nil || (needed[0] > 0) != (n > 0) {
			t.Errorf("token %d: %v, %v", n, needed, err)
		}
	}
	r.FailOver(t)
	eventually(t, "the new primary is found", func() bool {
		_, err := db.Log().Append(t.Context(), request("chat-2", 0, said("hola")))
		return err == nil
	})
	// Which stood in no log: the standby has none of them.
	if needed, err := db.Throttle(nil).Take(t.Context(), bucket); err != nil || needed[0] != 0 {
		t.Errorf("after the failover: %v, %v", needed, err)
	}
	if _, err := postgres.Migrate(t.Context(), r.Hosts); err != nil {
		t.Error(err)
	}
	if _, err := logdump.Write(t.Context(), r.Hosts, t.TempDir()+"/dump", logdump.Extras{}); err != nil {
		t.Error(err)
	}
}

// TestAConnectionToAStandbyIsNotKept: it answers who asks, and whoever comes next gets another.
func TestAConnectionToAStandbyIsNotKept(t *testing.T) {
	enginestest.Long(t)
	r := enginestest.Replication(t)
	db := postgrestest.Open(t, r.URL, testKey)
	mustAppend(t, db.Log(), request("chat-1", 0, said("hola")))
	r.CutOff(t)
	for _, toStandby := range []bool{true, false} {
		r.Mislead(t, toStandby)
		// As many at once as there may be connections, so that none from before is left alone.
		var asking sync.WaitGroup
		for range 30 {
			asking.Go(func() {
				if events, err := db.Log().ReadStream(t.Context(), "chat-1"); err != nil || len(events) != 1 {
					t.Errorf("to the standby %v: %d events, %v", toStandby, len(events), err)
				}
			})
		}
		asking.Wait()
	}
	for range 30 {
		if ok, err := db.TryWithLease(t.Context(), "work", time.Second, func(context.Context) error { return nil }); err != nil || !ok {
			t.Fatalf("a connection to the standby was kept: %v, %v", ok, err)
		}
	}
}

// TestWhatNoSynchronousStandbyHasIsNotAcknowledged: neither at once, nor when it is asked for again, nor
// to whoever reads it. The standby is promoted then, and lacks nothing that anybody was told.
func TestWhatNoSynchronousStandbyHasIsNotAcknowledged(t *testing.T) {
	enginestest.Long(t)
	r := enginestest.Replication(t)
	db := postgrestest.Open(t, r.URL, testKey)
	r.Synchronous(t)
	ctx, stop := context.WithCancel(t.Context())
	var watching sync.WaitGroup
	watching.Go(func() { db.Watch(ctx, 5*time.Second) })
	defer watching.Wait()
	defer stop()
	mustAppend(t, db.Log(), request("chat-1", 0, opened()))
	r.CutOff(t)
	waits := request("chat-2", 0, said("hola"))
	for range 3 {
		if recorded, err := db.Log().Append(t.Context(), waits); !postgres.Unavailable(err) {
			t.Errorf("acknowledged without a standby: %v, %v", recorded, err)
		}
		if events, err := db.Log().ReadStream(t.Context(), "chat-2"); err != nil || len(events) > 0 {
			t.Errorf("seen without a standby: %v, %v", events, err)
		}
		if err := db.Ping(t.Context()); !errors.Is(err, postgres.ErrReadOnly) {
			t.Errorf("ping gives %v", err)
		}
	}
	r.FailOver(t)
	eventually(t, "it is stored where it was not", func() bool {
		_, err := db.Log().Append(t.Context(), waits)
		return err == nil
	})
	if n := len(mustRead(t, db.Log(), 0, 10)); n != 2 {
		t.Errorf("%d events", n)
	}
	eventually(t, "it stores again", func() bool { return db.Ping(t.Context()) == nil })
}

// TestASynchronousStandbyThatComesBackEndsTheWait without anything being said twice.
func TestASynchronousStandbyThatComesBackEndsTheWait(t *testing.T) {
	enginestest.Long(t)
	r := enginestest.Replication(t)
	db := postgrestest.Open(t, r.URL, testKey)
	r.Synchronous(t)
	r.CutOff(t)
	waits := request("chat-1", 0, said("hola"))
	if _, err := db.Log().Append(t.Context(), waits); !postgres.Unavailable(err) {
		t.Errorf("append gives %v", err)
	}
	r.Reconnect(t)
	eventually(t, "it is acknowledged", func() bool {
		_, err := db.Log().Append(t.Context(), waits)
		return err == nil
	})
	if n := len(mustRead(t, db.Log(), 0, 10)); n != 1 {
		t.Errorf("%d events", n)
	}
}

// TestWhatIsTaughtIsNotSeenBeforeTheStandbyHasIt, although whoever taught it gave up waiting.
func TestWhatIsTaughtIsNotSeenBeforeTheStandbyHasIt(t *testing.T) {
	enginestest.Long(t)
	r := enginestest.Replication(t)
	db := postgrestest.Open(t, r.URL, testKey)
	if _, err := db.Content().Seed(t.Context(), clinic.DefaultContent()); err != nil {
		t.Fatal(err)
	}
	r.Synchronous(t)
	r.CutOff(t)
	ctx := postgres.WithTimeout(t.Context(), time.Second)
	if _, err := registerOf(db).Publish(ctx, ana, teaching.Draft{Answer: water, Reason: "Lo preguntan."}); !postgres.Unavailable(err) {
		t.Errorf("teaching gives %v", err)
	}
	// Longer than a connection that is given up takes to have its statement cancelled.
	time.Sleep(time.Second)
	if events, err := db.Log().ReadStream(t.Context(), event.AnswerStream(water.Slug, 1)); err != nil || len(events) > 0 {
		t.Errorf("seen without a standby: %v, %v", events, err)
	}
	r.Reconnect(t)
	eventually(t, "it is stored when the standby has it", func() bool { return stored(t, db, water.Slug) == water.Text })
}

// TestAListenerLeavesAServerThatHangs, which never ends the connection.
func TestAListenerLeavesAServerThatHangs(t *testing.T) {
	enginestest.Long(t)
	r := enginestest.Replication(t)
	db := postgrestest.Open(t, r.Hosts, testKey)
	db.Feed().Signals.Grown() // begins to listen
	mustAppend(t, db.Log(), request("chat-1", 0, opened()))
	r.HangPrimary(t)
	r.Promote(t)
	other := open(t, r.StandbyURL, testKey)
	eventually(t, "it hears of the new primary's events", func() bool {
		grown := db.Feed().Signals.Grown()
		mustAppend(t, other.Log(), request("chat-2", event.AnyVersion, opened()))
		select {
		case <-grown:
			return true
		case <-time.After(time.Second):
			return false
		}
	})
}
