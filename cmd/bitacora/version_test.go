package main

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
)

// outdate makes the live build one of another version, before the program starts again. Nobody
// rebuilds until the test ends, or release is called.
func outdate(t *testing.T) (p *program, release func()) {
	t.Helper()
	p, a, _ := running(t)
	sql(t, a, "UPDATE projection_builds SET version = 0 WHERE name = 'b1'")
	// Earlier ones did not have it.
	if err := tables(t, a, "b1").Exec(context.Background(), "DROP TABLE applied SYNC"); err != nil {
		t.Fatal(err)
	}
	p.stop()
	return p, holdRebuilds(t, a)
}

// serversOfTheirOwn are engines that go on while the program rests.
func serversOfTheirOwn(t *testing.T) (settings []string) {
	t.Helper()
	return []string{"BITACORA_DATABASE_URL=" + enginestest.Postgres(t), "BITACORA_CLICKHOUSE_URL=" + enginestest.ClickHouse(t), "BITACORA_KEYS_DIR=" + t.TempDir()}
}

// holdRebuilds keeps all programs from rebuilding until release is called.
func holdRebuilds(t *testing.T, a *app) (release func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	held, released := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(released)
		err := a.db.WithLease(ctx, "rebuild", func(ctx context.Context) error {
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
	p.start()
	a := p.app()
	cookie := p.signIn()
	rows := func() (n uint64) {
		if err := tables(t, a, "b1").QueryRow(context.Background(), "SELECT count() FROM messages").Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	before := rows()
	newVisit(t, a, "later", time.Date(2026, 11, 19, 15, 0, 0, 0, time.UTC))
	var kpis struct{ TotalConversations int }
	if err := p.get("/api/dashboard/kpis?startDate=2026-11-01&endDate=2026-11-30", cookie, &kpis); err != nil || kpis.TotalConversations != 6 {
		t.Errorf("the old build answers %+v, %v", kpis, err)
	}
	if !strings.Contains(p.output.String(), "a rebuild is due") {
		t.Errorf("serve did not say that a rebuild is due:\n%s", p.output)
	}
	if out, _ := p.run("", "projections"); !strings.Contains(out, "stuck: a rebuild is due: build b1 was made by version 0 of the projections") {
		t.Error(out)
	}
	if now := rows(); now != before {
		t.Errorf("%d rows were written into a build of another version", now-before)
	}
	if out := p.mustRun("log", "adopt-epoch"); !strings.Contains(out, "build b1 is left behind: a rebuild is due") {
		t.Error(out)
	}
	release()
	p.renewed(a)
	p.mustRun("verify")
	if out, err := p.run("", "rollback"); err == nil || !strings.Contains(out, "version 0 of the projections") {
		t.Errorf("rollback to a build of another version: %v\n%s", err, out)
	}
}

// renewed waits until the second build is live, which serve makes by itself.
func (p *program) renewed(a *app) {
	p.t.Helper()
	p.eventually("the new build is live", time.Minute, func() error {
		live, err := a.db.LiveBuild(context.Background())
		if err == nil && live != "b2" {
			err = fmt.Errorf("%s is live", live)
		}
		return err
	})
	p.applied(a)
}

// TestTablesWithoutAColumnAreNamed updates the program to one that asks for more than the
// tables of the version before have.
func TestTablesWithoutAColumnAreNamed(t *testing.T) {
	t.Parallel()
	p, release := outdate(t)
	p.start()
	a := p.app()
	if err := tables(t, a, "b1").Exec(context.Background(), "ALTER TABLE conversations DROP COLUMN flags SETTINGS mutations_sync = 2"); err != nil {
		t.Fatal(err)
	}
	cookie := p.signIn()
	const kpis = "/api/dashboard/kpis?startDate=2026-11-01&endDate=2026-11-30"
	var refused *refusal
	if err := p.get(kpis, cookie, nil); !errors.As(err, &refused) || refused.status != 503 || !strings.Contains(refused.said, "bitacora rebuild") {
		t.Errorf("the dashboard says %v", err)
	}
	if out, _ := p.run("", "doctor"); !strings.Contains(out, "b1 was made by version 0 of the projections") || strings.Contains(out, "code:") {
		t.Error(out)
	}
	newVisit(t, a, "later", time.Date(2026, 11, 19, 15, 0, 0, 0, time.UTC))
	release()
	p.renewed(a)
	if err := p.get(kpis, cookie, nil); err != nil {
		t.Error(err)
	}
	p.mustRun("verify")
}

// TestKeptExamplesOfEveryVersionRebuildToTheSameRows puts every kept example into the log
// as it was written in its time.
func TestKeptExamplesOfEveryVersionRebuildToTheSameRows(t *testing.T) {
	p, a, _ := running(t)
	for _, e := range examples(t) {
		e.add(t, a, "example/"+e.name)
	}
	p.applied(a)
	if out := p.mustRun("parked", "list"); strings.Contains(out, "example/") {
		t.Errorf("an example cannot be applied:\n%s", out)
	}
	p.mustRun("rebuild", "--dry-run")
	if out := p.mustRun("rebuild", "--batch", "3"); !strings.Contains(out, "no difference") {
		t.Error(out)
	}
}

// TestVersion: a program says what it is before it touches anything, and alike on its command line,
// when it is asked whether it is ready, and among its metrics.
func TestVersion(t *testing.T) {
	p := newEmbedded(t)
	out, err := p.run("", "--version")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if err != nil || len(lines) != 4 || !strings.HasPrefix(lines[2], "PostgreSQL @embedded-postgres/") || !strings.HasPrefix(lines[3], "ClickHouse @chdb/") {
		t.Fatalf("--version: %v\n%s", err, out)
	}
	p.start()
	var ready contract.Readiness
	if err := p.get("/readyz", "", &ready); err != nil {
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
	answer, err := httpClient.Get("http://" + p.metrics + "/metrics")
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
