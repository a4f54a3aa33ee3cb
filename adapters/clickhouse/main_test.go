package clickhouse

import (
	"context"
	"flag"
	"os"
	"testing"
	"time"

	"bitacora/adapters/engines/enginestest"
	"bitacora/domain/analytics"
	"bitacora/domain/clinic"
	"bitacora/domain/event"
	"bitacora/projections"
)

func TestMain(m *testing.M) {
	if config := os.Getenv(engineConfig); config != "" {
		if err := runEngine(config); err != nil {
			panic(err)
		}
		return
	}
	// Every check of a property goes through the engine, which takes its time;
	// -rapid.checks=100 looks closer.
	if err := flag.Set("rapid.checks", "6"); err != nil {
		panic(err)
	}
	enginestest.Main(m)
}

const build = "b1"

func panama(t fatal) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation("America/Panama")
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

// open gives a house of its own on the test engine, or on the cluster of the running test, with
// one empty build.
func open(t testing.TB) *DB {
	t.Helper()
	var db *DB
	if cluster == nil {
		db = house(t, enginestest.ClickHouse(t), Cluster{})
	} else {
		db = openOn(t, cluster)
	}
	create(t, db, build)
	return db
}

// house gives a house at a URL.
func house(t testing.TB, url string, of Cluster) *DB {
	t.Helper()
	db, err := OpenCluster(url, of, panama(t))
	if err != nil {
		t.Fatal(err)
	}
	db.Opening = analytics.Cohort{Hours: clinic.Default().Hours}.Opening()
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

func create(t testing.TB, db *DB, build string) {
	t.Helper()
	if err := db.CreateBuild(t.Context(), build); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.DropBuild(context.WithoutCancel(t.Context()), build); err != nil {
			t.Error(err)
		}
	})
}

// fatal is what the tests of a property and ordinary tests have in common.
type fatal interface {
	Helper()
	Fatal(...any)
}

func write(t fatal, db *DB, events []event.Recorded) {
	t.Helper()
	if err := db.Writer(build).Write(context.Background(), projections.RowsOf(events)); err != nil {
		t.Fatal(err)
	}
}

// empty leaves the build without rows.
func empty(t fatal, db *DB) {
	t.Helper()
	for _, table := range []string{"conversations", "messages", "contacts", "visits", "ratings", "bookings", "contact_history", "chat_refusals", "answers_taught", "data_access"} {
		execute(t, db, "TRUNCATE TABLE "+table)
	}
}

// tell runs a statement on the build's own rows, on every replica of one shard.
func tell(t fatal, db *DB, statement string) {
	t.Helper()
	executeOn(t, db, func(n *node) bool { return n.place.shard <= 1 }, statement)
}

// execute runs a statement on the build's own rows, on every node.
func execute(t fatal, db *DB, statement string) {
	t.Helper()
	executeOn(t, db, func(*node) bool { return true }, statement)
}

func executeOn(t fatal, db *DB, some func(*node) bool, statement string) {
	t.Helper()
	err := db.each(context.Background(), func(ctx context.Context, n *node) error {
		if !some(n) {
			return nil
		}
		conn, err := n.conn(db.local(n, build))
		if err != nil {
			return err
		}
		return conn.Exec(ctx, statement)
	})
	if err != nil {
		t.Fatal(statement, err)
	}
}
