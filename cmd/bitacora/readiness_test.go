package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"bitacora/adapters/engines/enginestest"
	"bitacora/adapters/httpapi/contract"
)

// readiness is what the program says of itself to whoever watches it.
func (p *program) readiness() (said contract.Readiness, err error) {
	var refused *refusal
	if err = p.get("/readyz", "", &said); errors.As(err, &refused) && refused.status == http.StatusServiceUnavailable {
		err = json.Unmarshal([]byte(refused.said), &said)
	}
	return said, err
}

func (p *program) says(want contract.Readiness) error {
	said, err := p.readiness()
	// TestVersion and TestClickHouseIsDamagedUnderTraffic look at these.
	want.Version, want.ClickhouseCause, want.ClickhouseSince = said.Version, said.ClickhouseCause, said.ClickhouseSince
	if err == nil && said != want {
		err = fmt.Errorf("it says %+v, want %+v", said, want)
	}
	return err
}

// askClickHouse sends statements as the program's own user.
func askClickHouse(t *testing.T, a *app, statements ...string) string {
	t.Helper()
	u, err := url.Parse(a.at.ClickHouseURL)
	if err != nil {
		t.Fatal(err)
	}
	u.Path = "/"
	said := ""
	for _, statement := range statements {
		answer, err := httpClient.Post(u.String(), "text/plain", strings.NewReader(statement))
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if err != nil || answer.StatusCode != http.StatusOK {
			t.Fatalf("%s: %s %s %v", statement, answer.Status, text, err)
		}
		said = string(text)
	}
	return said
}

func askPostgres(t *testing.T, url string, statements ...string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	for _, statement := range statements {
		if _, err := conn.Exec(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
}

// fullTables makes every table of the live build refuse rows as on a full disk, until undo.
func fullTables(t *testing.T, a *app) (undo func()) {
	t.Helper()
	live, err := a.db.LiveBuild(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	database := a.tables.Database(live)
	tables := strings.Fields(askClickHouse(t, a, "SELECT name FROM system.tables WHERE database = '"+database+"'"))
	each := func(change string) {
		for _, table := range tables {
			askClickHouse(t, a, "ALTER TABLE "+database+"."+table+" "+change)
		}
	}
	each("MODIFY SETTING min_free_disk_bytes_to_perform_insert = 1000000000000000000")
	return func() { each("RESET SETTING min_free_disk_bytes_to_perform_insert") }
}

// endSessions makes everybody connect anew.
const endSessions = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = current_user AND pid <> pg_backend_pid()"

// TestReadinessOfEveryFault: whatever befalls an engine is told at once and by name, pages are
// served meanwhile, and what is over is over by itself.
func TestReadinessOfEveryFault(t *testing.T) {
	p, a, _ := runningEmbedded(t, "BITACORA_STORE_TIMEOUT=2s")
	ready := contract.Readiness{Status: "ready", Postgres: "ok", Clickhouse: "ok"}
	degraded := func(said contract.ReadinessClickhouse) contract.Readiness {
		return contract.Readiness{Status: "degraded", Postgres: "ok", Clickhouse: said}
	}
	unavailable := func(said contract.ReadinessPostgres) contract.Readiness {
		return contract.Readiness{Status: "unavailable", Postgres: said, Clickhouse: "ok"}
	}
	for _, fault := range []struct {
		name string
		// cause brings it about; it is called again while the fault has passed before it was seen.
		cause func() (undo func())
		want  contract.Readiness
		// chat says whether visitors can write meanwhile.
		chat bool
	}{
		{"clickhouse dead", func() func() { p.kill("clickhouse"); return nil }, degraded("unavailable"), true},
		{"clickhouse hung", func() func() { return enginestest.Hang(t, p.pid("clickhouse")) }, degraded("unavailable"), true},
		{"clickhouse full", func() func() { return fullTables(t, a) }, degraded("readonly"), true},
		{"postgres dead", func() func() { p.kill("postgres"); return nil }, unavailable("unavailable"), false},
		{"postgres hung", func() func() { return enginestest.Hang(t, p.pid("postgres")) }, unavailable("unavailable"), false},
		{"postgres full", func() func() {
			sql(t, a, `CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS
				$$ BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$`,
				"CREATE TRIGGER full_disk BEFORE INSERT ON events EXECUTE FUNCTION full_disk()")
			return func() {
				sql(t, a, "DROP TRIGGER full_disk ON events", "DROP FUNCTION full_disk")
			}
		}, unavailable("readonly"), false},
		{"postgres read-only", func() func() {
			sql(t, a, "ALTER DATABASE bitacora SET default_transaction_read_only = on")
			askPostgres(t, a.at.DatabaseURL, endSessions)
			return func() {
				sql(t, a, "SET default_transaction_read_only = off", "ALTER DATABASE bitacora RESET default_transaction_read_only")
			}
		}, unavailable("readonly"), false},
	} {
		t.Run(fault.name, func(t *testing.T) {
			whole := p.t
			p.t = t
			defer func() { p.t = whole }()
			p.eventually("it is ready before", time.Minute, func() error { return p.says(ready) })
			undo := fault.cause()
			turn := 0
			say := func() error {
				turn++
				return p.post("/api/chatbot", map[string]string{"sessionId": fmt.Sprint(fault.name, turn), "message": "¿A qué hora abren?"}, nil)
			}
			if err := say(); fault.chat && err != nil {
				t.Errorf("a visitor is refused: %v", err)
			}
			p.eventually("what is missing is told", time.Minute, func() error {
				if err := p.get("/healthz", "", nil); err != nil {
					t.Errorf("the program does not count as alive: %v", err)
				}
				if err := p.get("/", "", nil); err != nil {
					t.Errorf("no page is served: %v", err)
				}
				err := p.says(fault.want)
				if err != nil && undo == nil && p.says(ready) == nil { // it is started again at once, and this looked too late
					fault.cause()
				}
				return err
			})
			var refused *refusal
			if err := say(); undo != nil && fault.chat != (err == nil) || err != nil && (!errors.As(err, &refused) || refused.status != http.StatusServiceUnavailable) {
				t.Errorf("a visitor is answered %v", err)
			}
			if undo != nil {
				undo()
			}
			p.eventually("it is ready again", time.Minute, func() error { return p.says(ready) })
			p.eventually("visitors are answered", time.Minute, say)
		})
	}
	p.applied(a)
}
