package postgres_test

import (
	"bytes"
	"errors"
	"log/slog"
	"math"
	"strings"
	"testing"

	"bitacora/adapters/engines/enginestest"
	"bitacora/adapters/postgres"
	"bitacora/adapters/postgres/postgrestest"
	"bitacora/domain/event"
)

// withReplica is a database that is read from its standby, and what it logs.
func withReplica(t *testing.T) (*enginestest.Replicated, *postgres.DB, *bytes.Buffer) {
	t.Helper()
	r := enginestest.Replication(t)
	postgrestest.Open(t, r.URL, testKey)
	db, logged := readFrom(t, r.URL, r.StandbyURL)
	return r, db, logged
}

func readFrom(t *testing.T, url, replica string) (*postgres.DB, *bytes.Buffer) {
	t.Helper()
	logged := new(bytes.Buffer)
	db, err := postgres.Open(t.Context(), url, testKey, slog.New(slog.NewTextHandler(logged, nil)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	if err := db.UseReplica(t.Context(), replica); err != nil {
		t.Fatal(err)
	}
	return db, logged
}

// both reads the log from the replica, with personal data, and holds it against what the primary and
// a reading without personal data give.
func both(t *testing.T, db *postgres.DB) (events []event.Recorded) {
	t.Helper()
	all := func(scan func(after int64) ([]event.Recorded, error)) (list []event.Recorded) {
		for {
			part, err := scan(int64(len(list)))
			if err != nil {
				t.Fatal(err)
			}
			if len(part) == 0 {
				return list
			}
			list = append(list, part...)
		}
	}
	events = all(func(after int64) ([]event.Recorded, error) {
		return db.History().Scan(t.Context(), after, math.MaxInt64, 3)
	})
	clear := all(func(after int64) ([]event.Recorded, error) {
		return db.History().ScanClear(t.Context(), after, math.MaxInt64, 3)
	})
	primary := mustRead(t, db.Log(), 0, 1000)
	if len(events) != len(primary) || len(clear) != len(primary) {
		t.Fatalf("%d and %d events, want %d", len(events), len(clear), len(primary))
	}
	for i, want := range primary {
		for _, got := range []event.Recorded{events[i], clear[i]} {
			if got.ID != want.ID || got.Position != int64(i+1) || !got.RecordedAt.Equal(want.RecordedAt) {
				t.Errorf("event %d is %v, want %v", i+1, got, want)
			}
		}
		if is, should := text(events[i]), text(want); is != should || events[i].Erased != want.Erased {
			t.Errorf("event %d says %q, want %q", i+1, is, should)
		}
	}
	return events
}

func text(e event.Recorded) string {
	if p, ok := e.Payload.(*event.VisitorMessageSent); ok {
		return p.Text.Text
	}
	return ""
}

// eventsOf is how many events a server has.
func eventsOf(t *testing.T, url string) (n int) {
	t.Helper()
	if err := owner(t, url).QueryRow(t.Context(), "SELECT coalesce(max(position), 0) FROM events").Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// TestAReplicaThatLagsGivesWhatItHas and the primary the rest. What was erased since does not come
// back, although the replica has its key still.
func TestAReplicaThatLagsGivesWhatItHas(t *testing.T) {
	r, db, logged := withReplica(t)
	mustAppend(t, db.Log(), request("chat-1", 0, said("hola"), said("me llamo Ana")))
	mustAppend(t, db.Log(), request("chat-2", 0, said("buenas"), said("adiós"), said("hasta luego")))
	r.CutOff(t)
	mustAppend(t, db.Log(), request("chat-3", 0, said("esto no lo tiene")))
	destroyKey(t, db, "chat-1")
	events := both(t, db)
	if has := eventsOf(t, r.StandbyURL); has != 5 {
		t.Fatalf("the replica has %d events, want 5", has)
	}
	if lag, err := db.CheckReplica(t.Context()); err != nil || lag != int64(len(events)-5) {
		t.Errorf("lags by %d, %v", lag, err)
	}
	for _, e := range events[:2] {
		if !e.Erased || text(e) != "" {
			t.Errorf("%q came back", text(e))
		}
	}
	for i, want := range []string{"buenas", "adiós", "hasta luego", "esto no lo tiene"} {
		if is := text(events[2+i]); is != want {
			t.Errorf("%q, want %q", is, want)
		}
	}
	if logged.Len() > 0 {
		t.Errorf("it logged: %s", logged)
	}
}

// TestAReplicaIsRead and the primary only asked whether it has the same: its other columns cannot be read.
func TestAReplicaIsRead(t *testing.T) {
	r, db, logged := withReplica(t)
	mustAppend(t, db.Log(), request("chat-1", 0, opened(), said("hola")))
	r.CutOff(t)
	exec(t, owner(t, r.URL), "ALTER TABLE events RENAME COLUMN data TO hidden")
	events, err := db.History().Scan(t.Context(), 0, 2, 10)
	if err != nil || len(events) != 2 || text(events[1]) != "hola" {
		t.Errorf("%v, %v", events, err)
	}
	if clear, err := db.History().ScanClear(t.Context(), 0, 2, 10); err != nil || len(clear) != 2 || text(clear[1]) != "" {
		t.Errorf("%v, %v", clear, err)
	}
	if logged.Len() > 0 {
		t.Errorf("it logged: %s", logged)
	}
}

// TestAReplicaOfAnotherHistoryIsNotBelieved: the primary that a standby took the place of, and another
// log's server. One of the events that are lost comes to its place again, since its sender repeats it.
func TestAReplicaOfAnotherHistoryIsNotBelieved(t *testing.T) {
	r, db, _ := withReplica(t)
	mustAppend(t, db.Log(), request("chat-1", 0, opened()))
	r.CutOff(t)
	third := request("chat-3", 0, opened())
	mustAppend(t, db.Log(), request("chat-2", 0, opened()))
	mustAppend(t, db.Log(), third)
	db.Close()
	r.Promote(t)
	// The standby is the primary now, and the one before is read from, as its replica.
	db, logged := readFrom(t, r.StandbyURL, r.PrimaryURL)
	mustAppend(t, db.Log(), request("chat-4", 0, opened()))
	mustAppend(t, db.Log(), third)
	both(t, db)
	if !strings.Contains(logged.String(), postgres.ErrForeignReplica.Error()) || strings.Count(logged.String(), "\n") != 1 {
		t.Errorf("it logged: %s", logged)
	}
	if _, err := db.CheckReplica(t.Context()); !errors.Is(err, postgres.ErrForeignReplica) {
		t.Errorf("check gives %v", err)
	}
	url, other := fresh(t)
	mustAppend(t, other.Log(), request("chat-1", 0, opened()))
	db, logged = readFrom(t, r.StandbyURL, url)
	both(t, db)
	if !strings.Contains(logged.String(), postgres.ErrForeignReplica.Error()) {
		t.Errorf("it logged: %s", logged)
	}
}

// TestAReplicaThatIsGoneIsNotNeeded: the primary gives what it would, which is said once.
func TestAReplicaThatIsGoneIsNotNeeded(t *testing.T) {
	url, db := fresh(t)
	mustAppend(t, db.Log(), request("chat-1", 0, opened(), opened()))
	db, logged := readFrom(t, url, "postgres://nobody@127.0.0.1:1/bitacora")
	both(t, db)
	if !strings.Contains(logged.String(), "from the primary instead of the replica") || strings.Count(logged.String(), "\n") != 1 {
		t.Errorf("it logged: %s", logged)
	}
	if _, err := db.CheckReplica(t.Context()); err == nil {
		t.Error("nothing is missed")
	}
}
