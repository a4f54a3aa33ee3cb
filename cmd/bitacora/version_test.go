package main

import (
	"context"

	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"testing"
	"time"

	"bitacora/domain/event"
	"bitacora/schema"
)

// outdate makes the live build one of another version, before the program starts again.
func outdate(t *testing.T) (*program, *house) {
	t.Helper()
	p, h, _ := running(t)
	sql(t, h, "UPDATE projection_builds SET version = 0 WHERE name = 'b1'")
	p.stop()
	return p, h
}

func TestABuildOfAnotherVersionAnswersAndIsLeftAlone(t *testing.T) {
	p, _ := outdate(t)
	p.start()
	h := p.house()
	cookie := p.signIn()
	before, err := h.tables.Reach(context.Background(), "b1")
	if err != nil {
		t.Fatal(err)
	}
	newVisit(t, h, "later", time.Date(2026, 11, 19, 15, 0, 0, 0, time.UTC))
	var kpis struct{ TotalConversations int }
	if err := p.get("/api/dashboard/kpis?startDate=2026-11-01&endDate=2026-11-30", cookie, &kpis); err != nil || kpis.TotalConversations != 6 {
		t.Errorf("the old build answers %+v, %v", kpis, err)
	}
	if !strings.Contains(p.output.String(), "a rebuild is due") {
		t.Errorf("serve did not say that a rebuild is due:\n%s", p.output)
	}
	if out, _ := p.run("", "projections"); !strings.Contains(out, "stuck") || !strings.Contains(out, "version 0 of the projections") {
		t.Error(out)
	}
	if reach, err := h.tables.Reach(context.Background(), "b1"); err != nil || reach != before {
		t.Errorf("rows were written into a build of another version: %d, %v; want %d", reach, err, before)
	}
	if out := p.mustRun("rebuild"); !strings.Contains(out, "a recount of the log") || !strings.Contains(out, "no difference") {
		t.Error(out)
	}
	p.applied(h)
	p.mustRun("verify")
	if out, err := p.run("", "rollback"); err == nil || !strings.Contains(out, "version 0 of the projections") {
		t.Errorf("rollback to a build of another version: %v\n%s", err, out)
	}
}

func TestServeRebuildsByItselfWhereItIsTold(t *testing.T) {
	p, _ := outdate(t)
	serving := p.begin("serve", "--auto-rebuild")
	p.eventually("it is ready", time.Minute, func() error { return p.get("/readyz", "", nil) })
	h := p.house()
	p.eventually("the new build is live", time.Minute, func() error {
		live, err := h.db.LiveBuild(context.Background())
		if err == nil && live != "b2" {
			err = fmt.Errorf("%s is live", live)
		}
		return err
	})
	p.applied(h)
	p.mustRun("verify")
	if err := h.close(); err != nil {
		t.Error(err)
	}
	if err := serving.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := serving.Wait(); err != nil {
		t.Errorf("serve ended with %v", err)
	}
}

// TestKeptExamplesOfEveryVersionRebuildToTheSameRows puts every kept example into the log
// as it was written in its time.
func TestKeptExamplesOfEveryVersionRebuildToTheSameRows(t *testing.T) {
	p, h, _ := running(t)
	examples, err := fs.Glob(schema.Events, "events/examples/*.json")
	if err != nil || len(examples) < len(event.Types()) {
		t.Fatalf("%d examples, %v", len(examples), err)
	}
	for i, file := range examples {
		data, err := schema.Events.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var version int
		kind, suffix, _ := strings.Cut(strings.TrimPrefix(file, "events/examples/"), ".")
		if _, err := fmt.Sscanf(suffix, "v%d.json", &version); err != nil {
			t.Fatal(err)
		}
		sql(t, h, fmt.Sprintf(`INSERT INTO events (position, event_id, stream, version, type, schema_version, occurred_at, recorded_at, data, metadata, payload_hash)
			SELECT (SELECT max(position) + 1 FROM events), gen_random_uuid(), 'example/%d', 1, '%s', %d, '2026-11-03T14:30:00Z', clock_timestamp(), $data$%s$data$, '{}', '\x'::bytea`,
			i, kind, version, data))
	}
	p.applied(h)
	if out := p.mustRun("parked", "list"); strings.Contains(out, "example/") {
		t.Errorf("an example cannot be applied:\n%s", out)
	}
	p.mustRun("rebuild", "--dry-run")
	if out := p.mustRun("rebuild", "--batch", "3"); !strings.Contains(out, "no difference") {
		t.Error(out)
	}
}
