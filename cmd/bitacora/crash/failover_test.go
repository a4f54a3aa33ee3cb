package crash

import (
	"encoding/base64"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"bitacora/adapters/engines/enginestest"
	"bitacora/adapters/httpapi/contract"
	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/eventlog"
	"bitacora/cmd/bitacora/programtest"
	"bitacora/domain/chat"
)

// replicated is a program whose log has a standby.
func replicated(t *testing.T, url func(*enginestest.Replicated) string, settings ...string) (*programtest.Program, *enginestest.Replicated) {
	t.Helper()
	r := enginestest.Replication(t)
	return programtest.NewEmbedded(t, append(settings, "BITACORA_DATABASE_URL="+url(r), "BITACORA_CLICKHOUSE_URL="+enginestest.ClickHouse(t), "BITACORA_MASTER_KEY="+base64.StdEncoding.EncodeToString(make([]byte, 32)))...), r
}

// Ways by which a program is led from the primary to the standby.
func throughServer(r *enginestest.Replicated) string { return r.URL }
func byHosts(r *enginestest.Replicated) string       { return r.Hosts }

// keyless counts the sealed texts that nothing can open.
func keyless(t *testing.T, a *app.App) (n int) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), a.At.DatabaseURL)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	err = conn.QueryRow(t.Context(), "SELECT count(*) FROM events e WHERE sealed IS NOT NULL AND NOT EXISTS (SELECT FROM subject_keys k WHERE k.subject = e.stream)").Scan(&n)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestALogThatGoesBackAtWorkIsNoticed promotes a standby that lacks what was applied to the
// tables already, while a process follows.
func TestALogThatGoesBackAtWorkIsNoticed(t *testing.T) {
	enginestest.Long(t)
	t.Parallel()
	for name, c := range map[string]struct {
		grows     int
		elsewhere bool
	}{
		"and rests":                    {},
		"and grows past what was lost": {grows: 20},
		"and is followed elsewhere":    {grows: 20, elsewhere: true},
	} {
		t.Run(name, func(t *testing.T) {
			p, r := replicated(t, throughServer)
			f := followerOf(p, t)
			kept := programtest.NewVisit(t, f.App, "kept", programtest.SomeDay)
			f.holds("what comes before")
			r.CutOff(t)
			lost := programtest.NewVisit(t, f.App, "lost", programtest.SomeDay)
			kept.Say("esto se perderá")
			lost.Say("esto también")
			f.holds("what will be lost")
			if c.elsewhere {
				f.stop()
			}
			r.FailOver(t)
			// Visitors are served meanwhile. This process remembers keys that are stored nowhere.
			p.Eventually("the log takes what is said", time.Minute, func() error { return f.DB.Ping(t.Context()) })
			lost.Ordinal, lost.At = 0, programtest.SomeDay
			lost.Say("sigo aquí")
			for i := range c.grows {
				programtest.NewVisit(t, f.App, fmt.Sprint("new-", i), programtest.SomeDay)
			}
			if c.elsewhere {
				// Into other tables under the same name, so that every position fits.
				programtest.SQL(t, f.App, "UPDATE projection_checkpoints SET announced = (SELECT max(position) FROM events)")
				f.start()
			}
			f.refuses("a standby that lagged was promoted", "restored to an earlier state: bitacora log adopt-epoch, then bitacora rebuild")
			if n := keyless(t, f.App); n > 0 {
				t.Errorf("%d sealed texts were acknowledged without a key", n)
			}
			if report, err := f.DB.Log().Check(t.Context(), nil); err != nil || len(report.Findings) > 0 {
				t.Errorf("log check: %v, %v", report.Findings, err)
			}
			if err := eventlog.AdoptEpoch(t.Context(), f.App); err != nil {
				t.Fatal(err)
			}
			f.rebuilds("a loss")
			f.holds("the way out")
			if v, err := f.Builds.Verifier.Verify(t.Context(), f.active().Name, ""); err != nil || v.Rows.Differing > 0 {
				t.Errorf("verify: %+v, %v", v, err)
			}
		})
	}
}

// TestASynchronousFailoverLosesNothing moves a program under load to a standby that holds all and has the
// primary's address. A program that knows both addresses: TestASynchronousFailoverLosesNothingOfAnyType.
func TestASynchronousFailoverLosesNothing(t *testing.T) {
	enginestest.Long(t)
	t.Parallel()
	p, r := replicated(t, throughServer)
	r.Synchronous(t)
	p.Start()
	answered, stop := talkWith(p, 4)
	goesOn := func(when string) {
		t.Helper()
		before := answered.Load()
		p.Eventually("visitors are answered "+when, time.Minute, func() error {
			if n := answered.Load() - before; n < 20 {
				return fmt.Errorf("%d answers", n)
			}
			return nil
		})
	}
	goesOn("before")
	r.FailOver(t)
	goesOn("afterwards")
	if refused := stop(); len(refused) > 0 {
		t.Errorf("%d messages were refused: %v", len(refused), refused[0])
	}
	a := p.App()
	p.Applied(a)
	if err := p.Says(contract.Readiness{Status: "ready", Postgres: "ok", Clickhouse: "ok"}); err != nil {
		t.Error(err)
	}
	stored := int64(0)
	for i := range 4 {
		id := chat.ConversationID("web", fmt.Sprint("talk-", i))
		events, err := a.DB.Log().ReadStream(t.Context(), chat.Stream(id))
		if err != nil {
			t.Fatal(err)
		}
		stored += int64(len(chat.Fold(id, events).Lines) / 2)
	}
	if n := answered.Load(); stored < n {
		t.Errorf("%d messages were answered, %d are in the log", n, stored)
	}
	p.MustRun("verify")
	p.MustRun("log", "check")
}
