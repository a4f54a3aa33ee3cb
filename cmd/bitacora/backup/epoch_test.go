package backup

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
	"bitacora/adapters/postgres/logdump"
	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/programtest"
	"bitacora/domain/chat"
	"bitacora/domain/event"
)

// elsewhere is a program on an empty data directory that has another one's keys.
func elsewhere(t *testing.T, p *programtest.Program) *programtest.Program {
	t.Helper()
	q := programtest.NewEmbedded(t)
	programtest.CopyKeys(t, p, q)
	return q
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

func TestABackupComesBackElsewhereAndGoesOn(t *testing.T) {
	enginestest.Long(t)
	t.Parallel()
	p, a, visits := programtest.Running(t)
	// The last fact before it makes no row.
	visits[5].Add(&event.ConversationBound{Conversation: visits[5].About})
	p.MustRun("backup", "one")
	if out, err := p.Run("", "backup", "one"); err == nil {
		t.Errorf("a backup was overwritten:\n%s", out)
	}
	lost := visits[0].Say("esto viene después")
	p.Applied(a)

	q := elsewhere(t, p)
	if err := os.CopyFS(filepath.Join(programtest.Backups(q), "one"), os.DirFS(filepath.Join(programtest.Backups(p), "one"))); err != nil {
		t.Fatal(err)
	}
	out := q.MustRun("restore", "one")
	if !strings.Contains(out, "19 events are back") || !strings.Contains(out, "build b1 is left behind") || !strings.Contains(out, "build b2 is live") {
		t.Errorf("restore said:\n%s", out)
	}
	if out, err := q.Run("", "restore", "one"); err == nil || !strings.Contains(out, "not empty") {
		t.Errorf("a second restore: %v\n%s", err, out)
	}
	q.Start()
	g := q.App()
	if next := programtest.NewVisit(t, g, "after", time.Date(2026, 11, 20, 15, 0, 0, 0, time.UTC)).Say("hola de nuevo"); next != lost+4 { // the adopted epoch and the rebuild are events
		t.Errorf("the log goes on at %d, want %d", next, lost+4)
	}
	q.Applied(g)
	q.MustRun("verify")
	q.MustRun("log", "check")
	if out := q.MustRun("rebuild"); !strings.Contains(out, "no difference") {
		t.Error(out)
	}
}

// dump writes what the program's log holds, and its keys.
func dump(t *testing.T, a *app.App) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "dump")
	if _, err := logdump.Write(t.Context(), a.At.DatabaseURL, dir, logdump.Extras{}); err != nil {
		t.Fatal(err)
	}
	if _, err := logdump.WriteBundle(t.Context(), a.DB, a.Config.BundleFile()); err != nil {
		t.Fatal(err)
	}
	return dir
}

// moveLog brings a dump into a cluster that initdb makes anew, beside the tables as they
// are, and starts the program on it.
func moveLog(p *programtest.Program, from *app.App, dir string) *app.App {
	p.T.Helper()
	ctx := context.Background()
	if err := from.Close(); err != nil {
		p.T.Fatal(err)
	}
	p.Stop()
	if err := os.RemoveAll(filepath.Join(p.Dir, "data", "postgres", "data")); err != nil {
		p.T.Fatal(err)
	}
	a := p.App()
	keys, err := keySource{}.keys(a.Config)
	if err == nil {
		_, err = logdump.Restore(ctx, a.At.MigrationURL, dir, keys)
	}
	if err = errors.Join(err, a.Close()); err != nil {
		p.T.Fatal(err)
	}
	p.Start()
	return p.App()
}

func TestALogMovedToAFreshClusterIsAdoptedWithoutLoss(t *testing.T) {
	enginestest.Long(t)
	t.Parallel()
	p, a, visits := programtest.RunningEmbedded(t)
	before := clusterOf(t, a)
	a = moveLog(p, a, dump(t, a))
	if clusterOf(t, a) == before {
		t.Fatal("the cluster is the same as before")
	}
	p.Refuses(a, "b1", "another PostgreSQL cluster", "bitacora log adopt-epoch")
	// The chat goes on meanwhile, and so does the log.
	if err := p.Post("/api/chatbot", map[string]string{"sessionId": "s", "messageId": "m", "message": "tengo una queja"}, nil); err != nil {
		t.Error(err)
	}
	visits[0].App = a
	visits[0].Say("sigo aquí")
	if out := p.MustRun("log", "adopt-epoch"); !strings.Contains(out, "build b1 goes on") {
		t.Error(out)
	}
	p.Applied(a)
	p.MustRun("verify")
	p.MustRun("log", "check")
	// The letter of what came while the log was not taken over yet is written afterwards.
	p.Eventually("a letter is in the outbox", 30*time.Second, func() error {
		_, err := os.Stat(filepath.Join(p.Dir, "data", "outbox", "complaint-"+chat.ConversationID("web", "s")+".eml"))
		return err
	})
	if inLog, inTables := programtest.Counted(t, a); inLog != 14 || inTables != 14 {
		t.Errorf("%d messages of visitors in the log, %d in the tables, want the 12 from before and 2", inLog, inTables)
	}
	if out := p.MustRun("rebuild"); !strings.Contains(out, "no difference") || strings.Contains(out, "recount") {
		t.Error(out)
	}
}

func TestALogMovedToAFreshClusterTooOldIsLeftBehindByTheTables(t *testing.T) {
	enginestest.Long(t)
	t.Parallel()
	p, a, visits := programtest.RunningEmbedded(t)
	old := dump(t, a)
	visits[5].Say("esto se perderá")
	p.Applied(a)
	a = moveLog(p, a, old)
	p.Refuses(a, "b1", "another PostgreSQL cluster", "bitacora log adopt-epoch")
	if out := p.MustRun("log", "adopt-epoch"); !strings.Contains(out, "build b1 is left behind") ||
		!strings.Contains(out, "restored to an earlier state") || !strings.Contains(out, "run bitacora rebuild") {
		t.Error(out)
	}
	p.Refuses(a, "b1", "bitacora rebuild")
	if out := p.MustRun("rebuild"); !strings.Contains(out, "a recount of the log") || !strings.Contains(out, "no difference") {
		t.Error(out)
	}
	p.Applied(a)
	p.MustRun("verify")
}

// clusterOf is the identifier that initdb drew.
func clusterOf(t *testing.T, a *app.App) (id int64) {
	t.Helper()
	conn, err := pgx.Connect(context.Background(), a.At.MigrationURL)
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
	p, a, visits := programtest.Running(t)
	forget := visits[5].Say("esto se perderá")
	p.Applied(a)
	programtest.SQL(t, a, "ALTER TABLE events DISABLE TRIGGER append_only", fmt.Sprintf("DELETE FROM events WHERE position = %d", forget),
		"ALTER TABLE events ENABLE TRIGGER append_only",
		"UPDATE projection_checkpoints SET position = position - 1, announced = announced - 1")
	p.Stop()
	p.Start()
	a = p.App()
	p.Refuses(a, "b1", "restored to an earlier state", "bitacora log adopt-epoch")
	if out := p.MustRun("log", "adopt-epoch"); !strings.Contains(out, "build b1 is left behind") || !strings.Contains(out, "run bitacora rebuild") {
		t.Error(out)
	}
	if out := p.MustRun("rebuild"); !strings.Contains(out, "a recount of the log") || !strings.Contains(out, "no difference") {
		t.Error(out)
	}
	p.Applied(a)
	p.MustRun("verify")
}

// TestAnotherClickHouseIsRefused where it holds the tables of another log; an embedded one that lost its
// tables gets them again by itself.
func TestAnotherClickHouseIsRefused(t *testing.T) {
	enginestest.Long(t)
	p, _, _ := programtest.RunningEmbedded(t)
	p.Stop()
	if err := os.RemoveAll(filepath.Join(p.Dir, "data", "clickhouse", "data")); err != nil {
		t.Fatal(err)
	}
	p.Start()
	a := p.App()
	p.Eventually("the tables are made anew", time.Minute, func() error {
		live, err := a.DB.LiveBuild(context.Background())
		if err == nil && live == "b1" {
			err = errors.New("b1 is live")
		}
		return err
	})
	p.Applied(a)
	p.MustRun("verify")
	// One that holds the tables of another log under the same name.
	if err := programtest.Tables(t, a, "b2").Exec(context.Background(), "INSERT INTO build (epoch, version) VALUES ('6c2a45a5-0f5e-4a8e-9a5c-0d4a1b8f2c11', 1)"); err != nil {
		t.Fatal(err)
	}
	p.Stop()
	p.Start()
	a = p.App()
	p.Refuses(a, "b2", "6c2a45a5-0f5e-4a8e-9a5c-0d4a1b8f2c11", "bitacora rebuild")
}
