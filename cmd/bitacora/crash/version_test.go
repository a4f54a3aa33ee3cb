package crash

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"bitacora/adapters/engines/enginestest"
	"bitacora/adapters/httpapi/contract"
	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/programtest"
)

// outdate makes the live build one of another version, before the program starts again. Nobody
// rebuilds until the test ends, or release is called.
func outdate(t *testing.T) (p *programtest.Program, release func()) {
	t.Helper()
	p, a, _ := programtest.Running(t)
	programtest.SQL(t, a, "UPDATE projection_builds SET version = 0 WHERE name = 'b1'")
	// Earlier ones did not have it.
	if err := programtest.Tables(t, a, "b1").Exec(context.Background(), "DROP TABLE applied SYNC"); err != nil {
		t.Fatal(err)
	}
	p.Stop()
	return p, holdRebuilds(t, a)
}

// serversOfTheirOwn are engines that go on while the program rests.
func serversOfTheirOwn(t *testing.T) (settings []string) {
	t.Helper()
	return []string{"BITACORA_DATABASE_URL=" + enginestest.Postgres(t), "BITACORA_CLICKHOUSE_URL=" + enginestest.ClickHouse(t), "BITACORA_KEYS_DIR=" + t.TempDir()}
}

// holdRebuilds keeps all programs from rebuilding until release is called.
func holdRebuilds(t *testing.T, a *app.App) (release func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	held, released := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(released)
		err := a.DB.WithLease(ctx, "rebuild", func(ctx context.Context) error {
			close(held)
			<-ctx.Done()
			return nil
		})
		if err != nil && ctx.Err() == nil {
			t.Errorf("hold rebuilds: %v", err)
			close(held)
		}
	}()
	<-held
	release = func() {
		cancel()
		<-released
	}
	t.Cleanup(release)
	return release
}

func TestABuildOfAnotherVersionAnswersUntilItIsMadeAnew(t *testing.T) {
	enginestest.Long(t)
	t.Parallel()
	p, release := outdate(t)
	p.Start()
	a := p.App()
	cookie := p.SignIn()
	rows := func() (n uint64) {
		if err := programtest.Tables(t, a, "b1").QueryRow(context.Background(), "SELECT count() FROM messages").Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	before := rows()
	programtest.NewVisit(t, a, "later", time.Date(2026, 11, 19, 15, 0, 0, 0, time.UTC))
	var kpis struct{ TotalConversations int }
	if err := p.Get("/api/dashboard/kpis?startDate=2026-11-01&endDate=2026-11-30", cookie, &kpis); err != nil || kpis.TotalConversations != 6 {
		t.Errorf("the old build answers %+v, %v", kpis, err)
	}
	if !strings.Contains(p.Output.String(), "a rebuild is due") {
		t.Errorf("serve did not say that a rebuild is due:\n%s", p.Output)
	}
	if out, _ := p.Run("", "projections"); !strings.Contains(out, "stuck: a rebuild is due: build b1 was made by version 0 of the projections") {
		t.Error(out)
	}
	if now := rows(); now != before {
		t.Errorf("%d rows were written into a build of another version", now-before)
	}
	if out := p.MustRun("log", "adopt-epoch"); !strings.Contains(out, "build b1 is left behind: a rebuild is due") {
		t.Error(out)
	}
	if out := p.MustRun("serve", "--check-migrations"); !strings.Contains(out, "the tables of the dashboard are made anew from ") {
		t.Error(out)
	}
	release()
	renewed(p, a)
	if out := p.MustRun("serve", "--check-migrations"); !strings.Contains(out, "the tables of the dashboard stay") {
		t.Error(out)
	}
	p.MustRun("verify")
	if out, err := p.Run("", "rollback"); err == nil || !strings.Contains(out, "version 0 of the projections") {
		t.Errorf("rollback to a build of another version: %v\n%s", err, out)
	}
}

// renewed waits until the second build is live, which serve makes by itself, and until serve has put away the build
// before: commands refuse to run beside that.
func renewed(p *programtest.Program, a *app.App) {
	p.T.Helper()
	p.Eventually("the new build is live", time.Minute, func() error {
		live, err := a.DB.LiveBuild(context.Background())
		if err == nil && live != "b2" {
			err = fmt.Errorf("%s is live", live)
		}
		return err
	})
	p.Eventually("serve is done with the rebuild", time.Minute, func() error {
		return a.DB.WithLease(context.Background(), "rebuild", func(context.Context) error { return nil })
	})
	p.Applied(a)
}

// TestTablesWithoutAColumnAreNamed updates the program to one that asks for more than the
// tables of the version before have.
func TestTablesWithoutAColumnAreNamed(t *testing.T) {
	enginestest.Long(t)
	t.Parallel()
	p, release := outdate(t)
	p.Start()
	a := p.App()
	if err := programtest.Tables(t, a, "b1").Exec(context.Background(), "ALTER TABLE conversations DROP COLUMN flags SETTINGS mutations_sync = 2"); err != nil {
		t.Fatal(err)
	}
	cookie := p.SignIn()
	const kpis = "/api/dashboard/kpis?startDate=2026-11-01&endDate=2026-11-30"
	var refused *programtest.Refusal
	if err := p.Get(kpis, cookie, nil); !errors.As(err, &refused) || refused.Status != 503 || !strings.Contains(refused.Said, "bitacora rebuild") {
		t.Errorf("the dashboard says %v", err)
	}
	if out, _ := p.Run("", "doctor"); !strings.Contains(out, "b1 was made by version 0 of the projections") || strings.Contains(out, "code:") {
		t.Error(out)
	}
	programtest.NewVisit(t, a, "later", time.Date(2026, 11, 19, 15, 0, 0, 0, time.UTC))
	release()
	renewed(p, a)
	if err := p.Get(kpis, cookie, nil); err != nil {
		t.Error(err)
	}
	p.Eventually("the rebuild is over, and all is right", time.Minute, func() error {
		if out, err := p.Run("", "verify"); err != nil {
			return errors.New(out)
		}
		return nil
	})
}

// TestKeptExamplesOfEveryVersionRebuildToTheSameRows puts every kept example into the log
// as it was written in its time.
func TestKeptExamplesOfEveryVersionRebuildToTheSameRows(t *testing.T) {
	enginestest.Long(t)
	p, a, _ := programtest.Running(t)
	for _, e := range examples(t) {
		e.add(t, a, "example/"+e.name)
	}
	p.Applied(a)
	if out := p.MustRun("parked", "list"); strings.Contains(out, "example/") {
		t.Errorf("an example cannot be applied:\n%s", out)
	}
	if out := p.MustRun("rebuild", "--batch", "3"); !strings.Contains(out, "no difference") {
		t.Error(out)
	}
}

// TestVersion: a program says what it is before it touches anything, and alike on its command line,
// when it is asked whether it is ready, and among its metrics.
func TestVersion(t *testing.T) {
	enginestest.Long(t)
	p := programtest.NewEmbedded(t)
	out, err := p.Run("", "--version")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if err != nil || len(lines) != 4 || !strings.HasPrefix(lines[2], "PostgreSQL @embedded-postgres/") || !strings.HasPrefix(lines[3], "ClickHouse @chdb/") {
		t.Fatalf("--version: %v\n%s", err, out)
	}
	p.Start()
	var ready contract.Readiness
	if err := p.Get("/readyz", "", &ready); err != nil {
		t.Fatal(err)
	}
	v := ready.Version
	if v == nil || v.Commit == "" || len(v.Engines) != 2 {
		t.Fatalf("ready: %+v", v)
	}
	want := []string{fmt.Sprintf("bitacora, commit %s", v.Commit), fmt.Sprintf("schema %s, projections %d", v.Schema, v.Projections)}
	for _, e := range v.Engines {
		want = append(want, fmt.Sprintf("%s %s", e.Name, e.Version))
	}
	if !slices.Equal(lines, want) {
		t.Errorf("--version says %q, /readyz %q", lines, want)
	}
	answer, err := programtest.HTTPClient.Get("http://" + p.Metrics + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	measured, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	if want := fmt.Sprintf("bitacora_version_info{clickhouse=%q,commit=%q,postgresql=%q,projections=\"%d\",schema=%q} 1",
		v.Engines[1].Version, v.Commit, v.Engines[0].Version, v.Projections, v.Schema); !strings.Contains(string(measured), want) {
		t.Errorf("%s is not measured", want)
	}
}
