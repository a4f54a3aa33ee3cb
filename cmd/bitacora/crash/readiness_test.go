package crash

import (
	"errors"
	"fmt"
	"net/http"
	"testing"
	"time"

	"bitacora/adapters/engines/enginestest"
	"bitacora/adapters/httpapi/contract"
	"bitacora/cmd/bitacora/programtest"
)

// endSessions makes everybody connect anew.
const endSessions = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = current_user AND pid <> pg_backend_pid()"

// TestReadinessOfEveryFault: whatever befalls an engine is told at once and by name, pages are
// served meanwhile, and what is over is over by itself.
func TestReadinessOfEveryFault(t *testing.T) {
	enginestest.Long(t)
	p, a, _ := programtest.RunningEmbedded(t, "BITACORA_STORE_TIMEOUT=2s")
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
		{"clickhouse dead", func() func() { p.Kill("clickhouse"); return nil }, degraded("unavailable"), true},
		{"clickhouse hung", func() func() { return enginestest.Hang(t, p.Pid("clickhouse")) }, degraded("unavailable"), true},
		{"clickhouse full", func() func() { return programtest.FullTables(t, a) }, degraded("readonly"), true},
		{"postgres dead", func() func() { p.Kill("postgres"); return nil }, unavailable("unavailable"), false},
		{"postgres hung", func() func() { return enginestest.Hang(t, p.Pid("postgres")) }, unavailable("unavailable"), false},
		{"postgres full", func() func() {
			programtest.SQL(t, a, `CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS
				$$ BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$`,
				"CREATE TRIGGER full_disk BEFORE INSERT ON events EXECUTE FUNCTION full_disk()")
			return func() {
				programtest.SQL(t, a, "DROP TRIGGER full_disk ON events", "DROP FUNCTION full_disk")
			}
		}, unavailable("readonly"), false},
		{"postgres read-only", func() func() {
			programtest.SQL(t, a, "ALTER DATABASE bitacora SET default_transaction_read_only = on")
			programtest.AskPostgres(t, a.At.DatabaseURL, endSessions)
			return func() {
				programtest.SQL(t, a, "SET default_transaction_read_only = off", "ALTER DATABASE bitacora RESET default_transaction_read_only")
			}
		}, unavailable("readonly"), false},
	} {
		t.Run(fault.name, func(t *testing.T) {
			whole := p.T
			p.T = t
			defer func() { p.T = whole }()
			p.Eventually("it is ready before", time.Minute, func() error { return p.Says(ready) })
			undo := fault.cause()
			turn := 0
			say := func() error {
				turn++
				return p.Post("/api/chatbot", map[string]string{"sessionId": fmt.Sprint(fault.name, turn), "message": "¿A qué hora abren?"}, nil)
			}
			if err := say(); fault.chat && err != nil {
				t.Errorf("a visitor is refused: %v", err)
			}
			p.Eventually("what is missing is told", time.Minute, func() error {
				if err := p.Get("/healthz", "", nil); err != nil {
					t.Errorf("the program does not count as alive: %v", err)
				}
				if err := p.Get("/", "", nil); err != nil {
					t.Errorf("no page is served: %v", err)
				}
				err := p.Says(fault.want)
				if err != nil && undo == nil && p.Says(ready) == nil { // it is started again at once, and this looked too late
					fault.cause()
				}
				return err
			})
			var refused *programtest.Refusal
			if err := say(); undo != nil && fault.chat != (err == nil) || err != nil && (!errors.As(err, &refused) || refused.Status != http.StatusServiceUnavailable) {
				t.Errorf("a visitor is answered %v", err)
			}
			if undo != nil {
				undo()
			}
			p.Eventually("it is ready again", time.Minute, func() error { return p.Says(ready) })
			p.Eventually("visitors are answered", time.Minute, say)
		})
	}
	p.Applied(a)
}
