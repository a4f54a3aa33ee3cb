package enginestest_test

import (
	"syscall"
	"testing"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/jackc/pgx/v5"

	"bitacora/adapters/engines"
	"bitacora/adapters/engines/enginestest"
)

func TestMain(m *testing.M) { enginestest.Main(m) }

func TestPostgresIsFresh(t *testing.T) {
	for range 2 {
		conn, err := pgx.Connect(t.Context(), enginestest.Postgres(t))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := conn.Exec(t.Context(), "CREATE TABLE proof (id int)"); err != nil {
			t.Error(err)
		}
		if err := conn.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}
}

func TestClickHouseIsFresh(t *testing.T) {
	for range 2 {
		options, err := clickhouse.ParseDSN(enginestest.ClickHouse(t))
		if err != nil {
			t.Fatal(err)
		}
		conn, err := clickhouse.Open(options)
		if err != nil {
			t.Fatal(err)
		}
		if err := conn.Exec(t.Context(), "CREATE TABLE proof (id Int32) ORDER BY id"); err != nil {
			t.Error(err)
		}
		if err := conn.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestSupervisorHasBoth(t *testing.T) {
	s := enginestest.Supervisor(t)
	for _, engine := range []string{engines.Postgres, engines.ClickHouse} {
		pid := s.PID(engine)
		if pid == 0 {
			t.Fatalf("%s is missing", engine)
		}
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		for end := time.Now().Add(time.Minute); s.PID(engine) == 0 || s.PID(engine) == pid; time.Sleep(20 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("%s does not come back", engine)
			}
		}
	}
}

func TestAStandbyTakesOver(t *testing.T) {
	enginestest.Long(t)
	count := func(r *enginestest.Replicated, statement string) (n int) {
		t.Helper()
		conn, err := pgx.Connect(t.Context(), r.URL)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close(t.Context())
		if _, err := conn.Exec(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
		if err := conn.QueryRow(t.Context(), "SELECT count(*) FROM proof").Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	const one = "INSERT INTO proof DEFAULT VALUES"
	for name, c := range map[string]struct {
		replicate func(*enginestest.Replicated, testing.TB)
		held      int
	}{"that lags": {(*enginestest.Replicated).CutOff, 2}, "that holds everything": {(*enginestest.Replicated).Synchronous, 3}} {
		t.Run(name, func(t *testing.T) {
			r := enginestest.Replication(t)
			count(r, "CREATE TABLE proof (id int DEFAULT 1)")
			count(r, one)
			c.replicate(r, t)
			count(r, one)
			r.FailOver(t)
			if n := count(r, one); n != c.held {
				t.Errorf("it holds %d rows, want %d", n, c.held)
			}
		})
	}
}

func TestAClusterWritesEveryReplica(t *testing.T) {
	enginestest.Long(t)
	c := enginestest.StartCluster(t, 2, 2)
	ofAll := func(statement string) {
		t.Helper()
		for _, n := range c.Nodes {
			n.Ask(t, statement)
		}
	}
	ofAll("CREATE TABLE bitacora.local (id UInt64) ENGINE = ReplacingMergeTree ORDER BY id")
	ofAll("CREATE TABLE bitacora.proof AS bitacora.local ENGINE = Distributed(" + enginestest.ClusterName + ", bitacora, local, intHash64(id))")
	asked, down := c.Node(2, 1), c.Node(1, 2)
	const insert = "INSERT INTO bitacora.proof SELECT number FROM numbers(1000) SETTINGS distributed_foreground_insert = 1"
	asked.Ask(t, insert)
	down.Kill(t)
	if err := asked.Try(insert); err == nil {
		t.Error("an insert succeeds although a replica is down")
	}
	if got := asked.Ask(t, "SELECT count() FROM bitacora.proof FINAL"); got != "1000" {
		t.Errorf("%s rows while a replica is down, want 1000", got)
	}
	down.Start(t)
	asked.Ask(t, insert)
	for shard := range 2 {
		first, second := c.Node(shard+1, 1), c.Node(shard+1, 2)
		const count = "SELECT count() FROM bitacora.local FINAL"
		if a, b := first.Ask(t, count), second.Ask(t, count); a != b || a == "0" || a == "1000" {
			t.Errorf("shard %d: %s and %s rows", shard+1, a, b)
		}
	}
	down.Kill(t)
	down.Wipe(t)
	down.Start(t)
	if got := down.Ask(t, "SELECT count() FROM system.tables WHERE database = 'bitacora'"); got != "0" {
		t.Errorf("%s tables on a wiped disk", got)
	}
}
