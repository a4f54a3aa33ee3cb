package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"bitacora/adapters/engines/enginestest"
	"bitacora/domain/chat"
	"bitacora/domain/event"
)

// readableTexts says which of the visits can be read, in the log and in the live tables.
func readableTexts(t *testing.T, a *app, visits int) (inLog, inTables string) {
	t.Helper()
	build, err := a.db.LiveBuild(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i := range visits {
		id := fmt.Sprint("visit-", i)
		events, err := a.db.Log().ReadStream(t.Context(), chat.Stream(id))
		if err != nil || len(events) == 0 {
			t.Fatalf("%s: %d events, %v", id, len(events), err)
		}
		if !slices.ContainsFunc(events, func(e event.Recorded) bool { return e.Erased }) {
			inLog += fmt.Sprint(i)
		}
		messages, err := a.tables.Reader(build).Messages(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range messages {
			if m.Text != "" {
				inTables += fmt.Sprint(i)
				break
			}
		}
	}
	return inLog, inTables
}

func TestABackupComesBackWithoutWhoWasErasedSince(t *testing.T) {
	t.Parallel()
	p, a, visits := running(t)
	p.mustRun("backup", "one")
	atBackup := filepath.Join(p.dir, "older-bundle")
	copyFile(t, filepath.Join(p.dir, "data", "keys", "bundle"), atBackup)
	if err := a.db.Log().DestroyKey(t.Context(), chat.Stream("visit-2")); err != nil {
		t.Fatal(err)
	}

	q := newEmbedded(t)
	if err := os.CopyFS(filepath.Join(backups(q), "one"), os.DirFS(filepath.Join(backups(p), "one"))); err != nil {
		t.Fatal(err)
	}
	refused := func(says string, args ...string) {
		t.Helper()
		if out, err := q.run("", append([]string{"restore", "one"}, args...)...); err == nil || !strings.Contains(out, says) {
			t.Errorf("restore %v: %v, want %q:\n%s", args, err, says, out)
		}
	}
	refused("no other place has the keys: bring the newest copy of the keys directory back")
	copyKeys(t, p, q)
	refused("keys of 1 subjects that were erased since: name a newer one with --bundle; where there is none, --older-bundle")
	p.mustRun("keys", "rotate")
	copyKeys(t, p, q)
	refused("which is over: name the newest one with --bundle", "--bundle", atBackup)

	q.mustRun("restore", "one")
	b := q.app()
	if inLog, inTables := readableTexts(t, b, len(visits)); inLog != "01345" || inTables != "01345" {
		t.Errorf("the log tells of %s, the tables of %s; want all but 2", inLog, inTables)
	}
	if err := containsAll(q.mustRun("log", "check"), []string{" anchors fit", "The log was adopted as epoch ", "No anchor was given"}); err != nil {
		t.Errorf("log check %v", err)
	}
	for _, anchor := range []string{filepath.Join(backups(p), "one"), filepath.Join(q.dir, "data", "keys", "anchors")} {
		if out := q.mustRun("log", "check", "--anchor", anchor); !strings.Contains(out, "all in order") || strings.Contains(out, "No anchor was given") {
			t.Errorf("log check --anchor %s:\n%s", anchor, out)
		}
	}
}

// TestACutTailIsFoundByTheBackups: the chain itself is whole, and the kept anchors are lost.
func TestACutTailIsFoundByTheBackups(t *testing.T) {
	t.Parallel()
	p, a, _ := running(t)
	p.mustRun("backup", "one")
	if err := os.RemoveAll(a.config.anchors().Path()); err != nil {
		t.Fatal(err)
	}
	sql(t, a, "ALTER TABLE events DISABLE TRIGGER append_only", "ALTER TABLE log_chain DISABLE TRIGGER append_only",
		"DELETE FROM events WHERE position > (SELECT min(position) FROM log_chain)",
		"DELETE FROM log_chain WHERE position > (SELECT min(position) FROM log_chain)")
	if out, err := p.run("", "log", "check"); err == nil || !strings.Contains(out, "event 2: is missing: the log ends before it, and the anchor taken ") {
		t.Errorf("log check: %v\n%s", err, out)
	}
}

// TestAPostgresOfAnOlderDayIsGivenTheKeysOfToday brings back the files of a cluster, as a recovery to
// an earlier moment does.
func TestAPostgresOfAnOlderDayIsGivenTheKeysOfToday(t *testing.T) {
	enginestest.Long(t)
	t.Parallel()
	p, a, visits := runningEmbedded(t)
	cluster, older := filepath.Join(p.dir, "data", "postgres", "data"), filepath.Join(p.dir, "older")
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
		p.start()
		a = p.app()
	}
	stop := func() {
		t.Helper()
		if err := a.close(); err != nil {
			t.Fatal(err)
		}
		p.stop()
	}
	stop()
	copyCluster(cluster, older)
	reopen()
	if err := a.db.Log().DestroyKey(t.Context(), chat.Stream("visit-2")); err != nil {
		t.Fatal(err)
	}
	p.mustRun("keys", "rotate")
	stop()

	copyCluster(older, cluster)
	for _, command := range []string{"serve", "doctor", "rebuild"} {
		if out, err := p.run("", command); err == nil || !strings.Contains(out, "bitacora keys restore") {
			t.Errorf("%s: %v\n%s", command, err, out)
		}
	}
	if out := p.mustRun("keys", "restore"); !strings.Contains(out, "the keys are those of today") || !strings.Contains(out, "is now epoch") {
		t.Errorf("keys restore said:\n%s", out)
	}
	p.mustRun("rebuild")
	reopen()
	if inLog, inTables := readableTexts(t, a, len(visits)); inLog != "01345" || inTables != "01345" {
		t.Errorf("the log tells of %s, the tables of %s; want all but 2", inLog, inTables)
	}
	p.mustRun("log", "check")
}

func TestABackupThatWasKilledHasNoName(t *testing.T) {
	enginestest.Long(t)
	t.Parallel()
	p, a, _ := running(t)
	conn, err := pgx.Connect(t.Context(), a.at.MigrationURL)
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
	c := p.begin("backup", "one")
	p.eventually("the backup is under way", time.Minute, func() error {
		_, err := os.Stat(filepath.Join(backups(p), "one"+draftSuffix, "events.copy"))
		return err
	})
	c.Process.Kill()
	c.Wait()
	if err := tx.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(backups(p), "one")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("half a backup has its name: %v", err)
	}
	if out, err := p.run("", "restore", "one"+draftSuffix); err == nil || !strings.Contains(out, "is no name for a backup") {
		t.Errorf("restore of half a backup: %v\n%s", err, out)
	}
	p.eventually("the next backup is made", time.Minute, func() error {
		out, err := p.run("", "backup", "one")
		if err != nil {
			return errors.New(out)
		}
		return nil
	})
	if left, err := os.ReadDir(backups(p)); err != nil || len(left) != 1 {
		t.Errorf("there are %v, %v", left, err)
	}
}
