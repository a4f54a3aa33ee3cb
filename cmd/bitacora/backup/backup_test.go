package backup

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"bitacora/adapters/engines/enginestest"
	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/programtest"
	"bitacora/domain/chat"
)

func TestABackupComesBackWithoutWhoWasErasedSince(t *testing.T) {
	enginestest.Long(t)
	t.Parallel()
	p, a, visits := programtest.Running(t)
	p.MustRun("backup", "one")
	atBackup := filepath.Join(p.Dir, "older-bundle")
	copyFile(t, filepath.Join(p.Dir, "data", "keys", "bundle"), atBackup)
	if err := a.DB.Log().DestroyKey(t.Context(), chat.Stream("visit-2")); err != nil {
		t.Fatal(err)
	}

	q := programtest.NewEmbedded(t)
	if err := os.CopyFS(filepath.Join(programtest.Backups(q), "one"), os.DirFS(filepath.Join(programtest.Backups(p), "one"))); err != nil {
		t.Fatal(err)
	}
	refused := func(says string, args ...string) {
		t.Helper()
		if out, err := q.Run("", append([]string{"restore", "one"}, args...)...); err == nil || !strings.Contains(out, says) {
			t.Errorf("restore %v: %v, want %q:\n%s", args, err, says, out)
		}
	}
	refused("no other place has the keys: bring the newest copy of the keys directory back")
	programtest.CopyKeys(t, p, q)
	refused("keys of 1 subjects that were erased since: name a newer one with --bundle; where there is none, --older-bundle")
	p.MustRun("keys", "rotate")
	programtest.CopyKeys(t, p, q)
	refused("which is over: name the newest one with --bundle", "--bundle", atBackup)

	q.MustRun("restore", "one")
	b := q.App()
	if inLog, inTables := programtest.ReadableTexts(t, b, len(visits)); inLog != "01345" || inTables != "01345" {
		t.Errorf("the log tells of %s, the tables of %s; want all but 2", inLog, inTables)
	}
	if err := programtest.ContainsAll(q.MustRun("log", "check"), []string{" anchors fit", "The log was adopted as epoch ", "No anchor was given"}); err != nil {
		t.Errorf("log check %v", err)
	}
	for _, anchor := range []string{filepath.Join(programtest.Backups(p), "one"), filepath.Join(q.Dir, "data", "keys", "anchors")} {
		if out := q.MustRun("log", "check", "--anchor", anchor); !strings.Contains(out, "all in order") || strings.Contains(out, "No anchor was given") {
			t.Errorf("log check --anchor %s:\n%s", anchor, out)
		}
	}
}

// TestACutTailIsFoundByTheBackups: the chain itself is whole, and the kept anchors are lost.
func TestACutTailIsFoundByTheBackups(t *testing.T) {
	t.Parallel()
	p, a, _ := programtest.Running(t)
	p.MustRun("backup", "one")
	if err := os.RemoveAll(a.Config.Anchors().Path()); err != nil {
		t.Fatal(err)
	}
	programtest.SQL(t, a, "ALTER TABLE events DISABLE TRIGGER append_only", "ALTER TABLE log_chain DISABLE TRIGGER append_only",
		"DELETE FROM events WHERE position > (SELECT min(position) FROM log_chain)",
		"DELETE FROM log_chain WHERE position > (SELECT min(position) FROM log_chain)")
	if out, err := p.Run("", "log", "check"); err == nil || !strings.Contains(out, "event 2: is missing: the log ends before it, and the anchor taken ") {
		t.Errorf("log check: %v\n%s", err, out)
	}
}

// TestAPostgresOfAnOlderDayIsGivenTheKeysOfToday brings back the files of a cluster, as a recovery to
// an earlier moment does.
func TestAPostgresOfAnOlderDayIsGivenTheKeysOfToday(t *testing.T) {
	enginestest.Long(t)
	t.Parallel()
	p, a, visits := programtest.RunningEmbedded(t)
	cluster, older := filepath.Join(p.Dir, "data", "postgres", "data"), filepath.Join(p.Dir, "older")
	copyCluster := func(from, to string) {
		t.Helper()
		if err := os.RemoveAll(to); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command("cp", "-a", from, to).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	reopen := func() {
		t.Helper()
		p.Start()
		a = p.App()
	}
	stop := func() {
		t.Helper()
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
		p.Stop()
	}
	stop()
	copyCluster(cluster, older)
	reopen()
	if err := a.DB.Log().DestroyKey(t.Context(), chat.Stream("visit-2")); err != nil {
		t.Fatal(err)
	}
	p.MustRun("keys", "rotate")
	stop()

	copyCluster(older, cluster)
	for _, command := range []string{"serve", "doctor", "rebuild"} {
		if out, err := p.Run("", command); err == nil || !strings.Contains(out, "bitacora keys restore") {
			t.Errorf("%s: %v\n%s", command, err, out)
		}
	}
	if out := p.MustRun("keys", "restore"); !strings.Contains(out, "the keys are those of today") || !strings.Contains(out, "is now epoch") {
		t.Errorf("keys restore said:\n%s", out)
	}
	p.MustRun("rebuild")
	reopen()
	if inLog, inTables := programtest.ReadableTexts(t, a, len(visits)); inLog != "01345" || inTables != "01345" {
		t.Errorf("the log tells of %s, the tables of %s; want all but 2", inLog, inTables)
	}
	p.MustRun("log", "check")
}

func TestABackupThatWasKilledHasNoName(t *testing.T) {
	enginestest.Long(t)
	t.Parallel()
	p, a, _ := programtest.Running(t)
	conn, err := pgx.Connect(t.Context(), a.At.MigrationURL)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	tx, err := conn.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	// It has copied all but the last tables, and waits.
	if _, err := tx.Exec(t.Context(), "LOCK TABLE posts IN ACCESS EXCLUSIVE MODE"); err != nil {
		t.Fatal(err)
	}
	c := p.Begin("backup", "one")
	p.Eventually("the backup is under way", time.Minute, func() error {
		_, err := os.Stat(filepath.Join(programtest.Backups(p), "one"+app.BackupDraft, "events.copy"))
		return err
	})
	c.Process.Kill()
	c.Wait()
	if err := tx.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(programtest.Backups(p), "one")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("half a backup has its name: %v", err)
	}
	if out, err := p.Run("", "restore", "one"+app.BackupDraft); err == nil || !strings.Contains(out, "is no name for a backup") {
		t.Errorf("restore of half a backup: %v\n%s", err, out)
	}
	p.Eventually("the next backup is made", time.Minute, func() error {
		out, err := p.Run("", "backup", "one")
		if err != nil {
			return errors.New(out)
		}
		return nil
	})
	if left, err := os.ReadDir(programtest.Backups(p)); err != nil || len(left) != 1 {
		t.Errorf("there are %v, %v", left, err)
	}
}
