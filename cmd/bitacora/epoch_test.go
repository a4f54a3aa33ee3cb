package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"bitacora/adapters/engines/enginestest"
	"bitacora/adapters/httpapi/contract"
	"bitacora/adapters/postgres/logdump"
	"bitacora/domain/chat"
	"bitacora/domain/event"
)

// elsewhere is a program on an empty data directory that has another one's keys.
func elsewhere(t *testing.T, p *program) *program {
	t.Helper()
	q := newEmbedded(t)
	copyKeys(t, p, q)
	return q
}

// copyKeys brings the keys of one program to another, in the place of older ones.
func copyKeys(t *testing.T, from, to *program) {
	t.Helper()
	dir := filepath.Join(to.dir, "data", "keys")
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(from.dir, "data", "keys"))); err != nil {
		t.Fatal(err)
	}
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	in, err := os.Open(from)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		t.Fatal(err)
	}
	out, err := os.Create(to)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	if _, err := io.Copy(out, in); err != nil {
		t.Fatal(err)
	}
}

// backups is where a program's backups lie.
func backups(p *program) string { return filepath.Join(p.dir, "data", "backups") }

func TestABackupComesBackElsewhereAndGoesOn(t *testing.T) {
	t.Parallel()
	p, a, visits := running(t)
	// The last fact before it makes no row.
	visits[5].add(&event.BookingLinkShown{Conversation: visits[5].about, ReplyTo: "m1"})
	p.mustRun("backup", "one")
	if out, err := p.run("", "backup", "one"); err == nil {
		t.Errorf("a backup was overwritten:\n%s", out)
	}
	lost := visits[0].say("esto viene después")
	p.applied(a)

	q := elsewhere(t, p)
	if err := os.CopyFS(filepath.Join(backups(q), "one"), os.DirFS(filepath.Join(backups(p), "one"))); err != nil {
		t.Fatal(err)
	}
	out := q.mustRun("restore", "one")
	if !strings.Contains(out, "19 events are back") || !strings.Contains(out, "build b1 is left behind") || !strings.Contains(out, "build b2 is live") {
		t.Errorf("restore said:\n%s", out)
	}
	if out, err := q.run("", "restore", "one"); err == nil || !strings.Contains(out, "not empty") {
		t.Errorf("a second restore: %v\n%s", err, out)
	}
	q.start()
	g := q.app()
	if next := newVisit(t, g, "after", time.Date(2026, 11, 20, 15, 0, 0, 0, time.UTC)).say("hola de nuevo"); next != lost+4 { // the adopted epoch and the rebuild are events
		t.Errorf("the log goes on at %d, want %d", next, lost+4)
	}
	q.applied(g)
	q.mustRun("verify")
	q.mustRun("log", "check")
	if out := q.mustRun("rebuild"); !strings.Contains(out, "no difference") {
		t.Error(out)
	}
}

// refuses waits until the program's dashboard is degraded for a reason that says what to do.
func (p *program) refuses(a *app, build string, reasons ...string) {
	p.t.Helper()
	p.eventually("build "+build+" is refused", 30*time.Second, func() error {
		s, err := a.db.BuildStatus(context.Background(), build)
		if err != nil {
			return err
		}
		return containsAll(s.LastError, reasons)
	})
	p.eventually("the program is degraded", 10*time.Second, func() error {
		return p.says(contract.Readiness{Status: "degraded", Postgres: "ok", Clickhouse: "stale"})
	})
	out, err := p.run("", "projections")
	if err == nil {
		p.t.Error("projections did not say that a build is stuck")
	}
	if err := containsAll(out, append(reasons, "stuck")); err != nil {
		p.t.Error(err)
	}
}

type missingText struct{ text, wanted string }

func (m missingText) Error() string { return "does not say " + m.wanted + ": " + m.text }

func containsAll(text string, wanted []string) error {
	for _, w := range wanted {
		if !strings.Contains(text, w) {
			return missingText{text, w}
		}
	}
	return nil
}

// dump writes what the program's log holds, and its keys.
func dump(t *testing.T, a *app) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "dump")
	if _, err := logdump.Write(t.Context(), a.at.DatabaseURL, dir, logdump.Extras{}); err != nil {
		t.Fatal(err)
	}
	if _, err := logdump.WriteBundle(t.Context(), a.db, a.config.keyBundle()); err != nil {
		t.Fatal(err)
	}
	return dir
}

// moveLog brings a dump into a cluster that initdb makes anew, beside the tables as they
// are, and starts the program on it.
func (p *program) moveLog(from *app, dir string) *app {
	p.t.Helper()
	ctx := context.Background()
	if err := from.close(); err != nil {
		p.t.Fatal(err)
	}
	p.stop()
	if err := os.RemoveAll(filepath.Join(p.dir, "data", "postgres", "data")); err != nil {
		p.t.Fatal(err)
	}
	a := p.app()
	keys, err := keySource{}.keys(a.config)
	if err == nil {
		_, err = logdump.Restore(ctx, a.at.MigrationURL, dir, keys)
	}
	if err = errors.Join(err, a.close()); err != nil {
		p.t.Fatal(err)
	}
	p.start()
	return p.app()
}

func TestALogMovedToAFreshClusterIsAdoptedWithoutLoss(t *testing.T) {
	enginestest.Long(t)
	t.Parallel()
	p, a, visits := runningEmbedded(t)
	before := clusterOf(t, a)
	a = p.moveLog(a, dump(t, a))
	if clusterOf(t, a) == before {
		t.Fatal("the cluster is the same as before")
	}
	p.refuses(a, "b1", "another PostgreSQL cluster", "bitacora log adopt-epoch")
	// The chat goes on meanwhile, and so does the log.
	if err := p.post("/api/chatbot", map[string]string{"sessionId": "s", "messageId": "m", "message": "tengo una queja"}, nil); err != nil {
		t.Error(err)
	}
	visits[0].app = a
	visits[0].say("sigo aquí")
	if out := p.mustRun("log", "adopt-epoch"); !strings.Contains(out, "build b1 goes on") {
		t.Error(out)
	}
	p.applied(a)
	p.mustRun("verify")
	p.mustRun("log", "check")
	// The letter of what came while the log was not taken over yet is written afterwards.
	p.eventually("a letter is in the outbox", 30*time.Second, func() error {
		_, err := os.Stat(filepath.Join(p.dir, "data", "outbox", "complaint-"+chat.ConversationID("web", "s")+".eml"))
		return err
	})
	if inLog, inTables := counted(t, a); inLog != 14 || inTables != 14 {
		t.Errorf("%d messages of visitors in the log, %d in the tables, want the 12 from before and 2", inLog, inTables)
	}
	if out := p.mustRun("rebuild"); !strings.Contains(out, "no difference") || strings.Contains(out, "recount") {
		t.Error(out)
	}
}

func TestALogMovedToAFreshClusterTooOldIsLeftBehindByTheTables(t *testing.T) {
	enginestest.Long(t)
	t.Parallel()
	p, a, visits := runningEmbedded(t)
	old := dump(t, a)
	visits[5].say("esto se perderá")
	p.applied(a)
	a = p.moveLog(a, old)
	p.refuses(a, "b1", "another PostgreSQL cluster", "bitacora log adopt-epoch")
	if out := p.mustRun("log", "adopt-epoch"); !strings.Contains(out, "build b1 is left behind") ||
		!strings.Contains(out, "restored to an earlier state") || !strings.Contains(out, "run bitacora rebuild") {
		t.Error(out)
	}
	p.refuses(a, "b1", "bitacora rebuild")
	if out := p.mustRun("rebuild"); !strings.Contains(out, "a recount of the log") || !strings.Contains(out, "no difference") {
		t.Error(out)
	}
	p.applied(a)
	p.mustRun("verify")
}

// clusterOf is the identifier that initdb drew.
func clusterOf(t *testing.T, a *app) (id int64) {
	t.Helper()
	conn, err := pgx.Connect(context.Background(), a.at.MigrationURL)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	if err := conn.QueryRow(context.Background(), "SELECT system_identifier FROM pg_control_system()").Scan(&id); err != nil {
		t.Fatal(err)
	}
	return id
}

func TestALogRestoredToAnEarlierStateIsNoticed(t *testing.T) {
	enginestest.Long(t)
	p, a, visits := running(t)
	forget := visits[5].say("esto se perderá")
	p.applied(a)
	sql(t, a, "ALTER TABLE events DISABLE TRIGGER append_only", fmt.Sprintf("DELETE FROM events WHERE position = %d", forget),
		"ALTER TABLE events ENABLE TRIGGER append_only",
		"UPDATE projection_checkpoints SET position = position - 1, announced = announced - 1")
	p.stop()
	p.start()
	a = p.app()
	p.refuses(a, "b1", "restored to an earlier state", "bitacora log adopt-epoch")
	if out := p.mustRun("log", "adopt-epoch"); !strings.Contains(out, "build b1 is left behind") || !strings.Contains(out, "run bitacora rebuild") {
		t.Error(out)
	}
	if out := p.mustRun("rebuild"); !strings.Contains(out, "a recount of the log") || !strings.Contains(out, "no difference") {
		t.Error(out)
	}
	p.applied(a)
	p.mustRun("verify")
}

// TestAnotherClickHouseIsRefused where it holds the tables of another log; an embedded one that lost its
// tables gets them again by itself.
func TestAnotherClickHouseIsRefused(t *testing.T) {
	p, _, _ := runningEmbedded(t)
	p.stop()
	if err := os.RemoveAll(filepath.Join(p.dir, "data", "clickhouse", "data")); err != nil {
		t.Fatal(err)
	}
	p.start()
	a := p.app()
	p.eventually("the tables are made anew", time.Minute, func() error {
		live, err := a.db.LiveBuild(context.Background())
		if err == nil && live == "b1" {
			err = errors.New("b1 is live")
		}
		return err
	})
	p.applied(a)
	p.mustRun("verify")
	// One that holds the tables of another log under the same name.
	if err := tables(t, a, "b2").Exec(context.Background(), "INSERT INTO build (epoch, version) VALUES ('6c2a45a5-0f5e-4a8e-9a5c-0d4a1b8f2c11', 1)"); err != nil {
		t.Fatal(err)
	}
	p.stop()
	p.start()
	a = p.app()
	p.refuses(a, "b2", "6c2a45a5-0f5e-4a8e-9a5c-0d4a1b8f2c11", "bitacora rebuild")
}
