package backup

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bitacora/adapters/engines"
	"bitacora/adapters/engines/enginestest"
	"bitacora/adapters/postgres/logdump"
	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/command"
	"bitacora/cmd/bitacora/programtest"
	"bitacora/cmd/bitacora/settings"
)

// TestBackupsAreListedVerifiedAndRehearsed goes the way of an operator.
func TestBackupsAreListedVerifiedAndRehearsed(t *testing.T) {
	enginestest.Long(t)
	t.Parallel()
	facts := filepath.Join(t.TempDir(), "clinic.json")
	programtest.Write(t, facts, []byte(`{"name": "Otra Clínica"}`), 0o600)
	p, a, visits := programtest.RunningEmbedded(t, "BITACORA_CLINIC_FILE="+facts)
	if out, err := p.Run("", "backup", "verify"); err == nil || !strings.Contains(out, "there is no whole backup") {
		t.Errorf("without a backup: %v\n%s", err, out)
	}
	if out, err := p.Run("", "backup", "lst"); err == nil || !strings.Contains(out, `did you mean "list"`) {
		t.Errorf("a slip makes a backup: %v\n%s", err, out)
	}
	c := NewBackup()
	for _, name := range []string{"test", "left", "first", "trial"} {
		if err := c.Args(c, []string{name}); err != nil {
			t.Errorf("a backup may be called %s: %v", name, err)
		}
	}
	p.MustRun("backup", "one")
	p.MustRun("backup", "two")
	visits[0].Say("esto viene después")
	var list []app.Backup
	if err := json.Unmarshal([]byte(p.MustRun("backup", "list", "--json")), &list); err != nil || len(list) != 2 {
		t.Fatalf("%+v, %v", list, err)
	}
	if s := list[0]; s.Name != "two" || s.Problem != "" || s.Events < 12 || s.Bytes == 0 || time.Since(s.TakenAt) > time.Hour || !strings.HasPrefix(s.Schema, "00") {
		t.Errorf("the latest is %+v", s)
	}
	if text, err := os.ReadFile(filepath.Join(programtest.Backups(p), "two", app.ClinicCopy)); err != nil || !strings.Contains(string(text), "Otra Clínica") {
		t.Errorf("the clinic's file in it is %s, %v", text, err)
	}
	if out := p.MustRun("backup", "verify"); !strings.Contains(out, "two: whole") {
		t.Errorf("verify says:\n%s", out)
	}
	out := p.MustRun("backup", "drill")
	for _, says := range []string{"each as it was appended", "no difference", "this installation's log: the same", "back after"} {
		if !strings.Contains(out, says) {
			t.Errorf("the drill does not say %q:\n%s", says, out)
		}
	}
	if strings.Contains(out, " ERR ") || strings.Contains(out, " WRN ") {
		t.Errorf("a drill that passes complains:\n%s", out)
	}
	left := func() []string { return LeftByDrills(filepath.Join(p.Dir, "data")) }
	if len(left()) > 0 {
		t.Errorf("the drill leaves %v", left())
	}
	killed := p.Begin("backup", "drill")
	drills := filepath.Join(p.Dir, "data", drillPrefix+"*")
	p.Eventually("another drill has its engines", time.Minute, func() error {
		if begun, err := filepath.Glob(filepath.Join(drills, "engines.json")); err != nil || len(begun) == 0 {
			return fmt.Errorf("%v, %v", begun, err)
		}
		return nil
	})
	if len(left()) > 0 {
		t.Errorf("a drill that runs counts as left: %v", left())
	}
	if err := killed.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = killed.Wait()
	if out, _ := p.Run("", "doctor"); !strings.Contains(out, "a backup drill was killed, and left copies of the keys") {
		t.Errorf("doctor says\n%s", out)
	}
	p.MustRun("backup", "drill") // as it says
	if found, err := filepath.Glob(drills); err != nil || len(found) > 0 {
		t.Errorf("a drill leaves what another one left: %v, %v", found, err)
	}
	p.MustRun("log", "check")
	p.Applied(a) // the drill did not touch what runs

	if err := os.Remove(filepath.Join(programtest.Backups(p), "one", "posts.copy")); err != nil {
		t.Fatal(err)
	}
	for _, says := range []string{"one: the backup is damaged: posts.copy is missing"} {
		out, err := p.Run("", "backup", "verify", "one", "two")
		if programtest.ExitCode(err) != command.ExitFound || !strings.Contains(out, says) || !strings.Contains(out, "two: whole") {
			t.Errorf("verify: %v\n%s", err, out)
		}
	}
	if out := p.MustRun("backup", "list"); !strings.Contains(out, "posts.copy is missing") {
		t.Errorf("list says:\n%s", out)
	}
	// A log that tells something else is found by the drill.
	programtest.SQL(t, a, "ALTER TABLE events DISABLE TRIGGER append_only", "UPDATE events SET payload_hash = sha256('x') WHERE position = 3")
	if out, err := p.Run("", "backup", "drill"); programtest.ExitCode(err) != command.ExitFound || !strings.Contains(out, "tells something else up to position") {
		t.Errorf("the drill says: %v\n%s", err, out)
	}
}

// TestARestoreIsRefusedBeforeAnythingIsTouched: not even engines are begun.
func TestARestoreIsRefusedBeforeAnythingIsTouched(t *testing.T) {
	enginestest.Long(t)
	t.Parallel()
	p, _, _ := programtest.Running(t)
	p.MustRun("backup", "one")
	other, _, _ := programtest.Running(t)
	other.MustRun("backup", "one")
	for name, test := range map[string]struct {
		spoil func(q *programtest.Program, dir string)
		says  string
	}{
		"a damaged file": {func(_ *programtest.Program, dir string) {
			path := filepath.Join(dir, "events.copy")
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			programtest.Write(t, path, append(text[:len(text)-2], 'x', '\n'), 0o600)
		}, "its checksum is another"},
		"a missing file":   {func(_ *programtest.Program, dir string) { os.Remove(filepath.Join(dir, "answers.copy")) }, "answers.copy is missing"},
		"no manifest":      {func(_ *programtest.Program, dir string) { os.Remove(filepath.Join(dir, logdump.ManifestFile)) }, "is no whole backup"},
		"no keys":          {func(q *programtest.Program, _ string) { os.RemoveAll(filepath.Join(q.Dir, "data", "keys")) }, "there is no key bundle"},
		"a foreign bundle": {func(q *programtest.Program, _ string) { programtest.CopyKeys(t, other, q) }, "is of another log"},
		"a newer schema": {func(_ *programtest.Program, dir string) {
			path := filepath.Join(dir, logdump.ManifestFile)
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			programtest.Write(t, path, bytes.Replace(text, []byte(`"migrations": [`), []byte(`"migrations": ["9999_later.sql 00",`), 1), 0o600)
		}, "was made by a newer program"},
	} {
		t.Run(name, func(t *testing.T) {
			q := elsewhere(t, p)
			dir := filepath.Join(programtest.Backups(q), "one")
			if err := os.CopyFS(dir, os.DirFS(filepath.Join(programtest.Backups(p), "one"))); err != nil {
				t.Fatal(err)
			}
			test.spoil(q, dir)
			out, err := q.Run("", "restore", "one")
			if err == nil || !strings.Contains(out, test.says) {
				t.Errorf("restore: %v, want %q:\n%s", err, test.says, out)
			}
			if (engines.Config{DataDir: filepath.Join(q.Dir, "data")}).Begun() {
				t.Error("engines were begun")
			}
		})
	}
	t.Run("a log that is there", func(t *testing.T) {
		out, err := p.Run("", "restore", "one")
		if err == nil || !strings.Contains(out, "stop it first") && !strings.Contains(out, "the log is not empty") {
			t.Errorf("restore: %v\n%s", err, out)
		}
		p.MustRun("log", "check")
	})
}

// TestNoRoomForABackup: with the figure of a disk that is nearly full, nothing is begun.
func TestNoRoomForABackup(t *testing.T) {
	p, a, _ := programtest.Running(t)
	usual := app.DiskOf
	defer func() { app.DiskOf = usual }()
	asked := ""
	app.DiskOf = func(dir string) (engines.Disk, error) { asked = dir; return engines.Disk{Free: app.Spare + 1000}, nil }
	if err := backup(t.Context(), a, "", []string{"one"}); err == nil || !strings.Contains(err.Error(), "a backup wants") {
		t.Errorf("backup: %v", err)
	}
	if asked != filepath.Join(p.Dir, "data") {
		t.Errorf("the room of %s was asked for", asked)
	}
	if entries, err := os.ReadDir(programtest.Backups(p)); !errors.Is(err, os.ErrNotExist) && len(entries) > 0 {
		t.Errorf("there is %v, %v", entries, err)
	}
	app.DiskOf = usual
	p.MustRun("backup", "one")
	app.DiskOf = func(string) (engines.Disk, error) { return engines.Disk{Free: app.Spare}, nil }
	q := elsewhere(t, p)
	b := &app.App{Config: settings.Config{DataDir: filepath.Join(q.Dir, "data")}, Clinic: a.Clinic, Log: a.Log, Meters: app.NewMeters()}
	if err := restore(t.Context(), b, restoration{from: programtest.Backups(p)}, "one"); err == nil || !strings.Contains(err.Error(), "a restore of one wants") {
		t.Errorf("restore: %v", err)
	}
	if b.Engines().Begun() {
		t.Error("engines were begun")
	}
}

// TestABackupEveryNight by the clock that the program is given.
func TestABackupEveryNight(t *testing.T) {
	p, a, _ := programtest.Running(t)
	a.Config.BackupDir = filepath.Join(p.Dir, "nightly")
	a.Config.BackupKeep = settings.Keeping{Daily: 1}
	names := func() (names []string) {
		list, err := app.Backups(a.Config.BackupDir)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range list {
			names = append(names, s.Name)
		}
		return names
	}
	now := time.Now().In(a.Clinic.Zone)
	for range 2 { // the second is not due
		if err := backUpIfDue(t.Context(), a, now); err != nil {
			t.Fatal(err)
		}
	}
	if got := names(); len(got) != 1 || got[0] != app.BackupNameAt(now) {
		t.Fatalf("there are %v", got)
	}
	// A night has passed then also where the test began just before the hour of the backup.
	later := now.AddDate(0, 0, 2)
	if err := backUpIfDue(t.Context(), a, later); err != nil {
		t.Fatal(err)
	}
	// Both were taken today by the clock of the manifest, of which day one is kept.
	if got := names(); len(got) != 1 || got[0] != app.BackupNameAt(later) {
		t.Errorf("there are %v", got)
	}
	// A running program does it by itself.
	q := programtest.NewProgram(t, "BITACORA_BACKUP_DIR="+filepath.Join(p.Dir, "by-itself"))
	q.Start()
	q.Eventually("a backup is there", time.Minute, func() error {
		if s, ok, err := app.NewestBackup(filepath.Join(p.Dir, "by-itself"), ""); err != nil || !ok || s.Problem != "" {
			return errors.New("none")
		}
		return nil
	})
}

// TestALogThatNobodyServedComesBack: there are no tables yet to go on with.
func TestALogThatNobodyServedComesBack(t *testing.T) {
	p := programtest.NewProgram(t)
	p.Made()
	p.MustRun("import", "adapters/archive/testdata/chats.jsonl")
	p.MustRun("backup", "one")
	out := p.MustRun("backup", "drill")
	for _, says := range []string{"no difference", "this installation's log: the same"} {
		if !strings.Contains(out, says) {
			t.Errorf("the drill does not say %q:\n%s", says, out)
		}
	}
}

// TestADrillOnAMachineThatHasCopiesOnly begins no clinic there, whether it refuses or succeeds.
func TestADrillOnAMachineThatHasCopiesOnly(t *testing.T) {
	enginestest.Long(t)
	p := programtest.NewProgram(t)
	p.Made()
	p.MustRun("import", "adapters/archive/testdata/chats.jsonl")
	p.MustRun("backup", "one")
	keys, temporary := filepath.Join(p.Dir, "keys"), filepath.Join(p.Dir, "tmp")
	q := programtest.NewEmbedded(t, "BITACORA_KEYS_DIR="+keys, "TMPDIR="+temporary)
	if err := os.Mkdir(temporary, 0o755); err != nil {
		t.Fatal(err)
	}
	clean := func(when string) {
		t.Helper()
		if _, err := os.Stat(filepath.Join(q.Dir, "data")); err == nil {
			t.Errorf("%s, the drill has made a data directory", when)
		}
		if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
			t.Errorf("%s, the drill leaves %v, %v", when, left, err)
		}
	}
	if out, err := q.Run("", "backup", "drill", "two", "--from", programtest.Backups(p)); err == nil || !strings.Contains(out, "two") {
		t.Errorf("without the backup: %v\n%s", err, out)
	}
	clean("without the backup")
	if out, err := q.Run("", "backup", "drill", "--from", programtest.Backups(p)); err == nil || !strings.Contains(out, "bring the newest copy of the keys directory back") {
		t.Errorf("without keys: %v\n%s", err, out)
	}
	clean("without keys")
	if err := os.CopyFS(keys, os.DirFS(filepath.Join(p.Dir, "data", "keys"))); err != nil {
		t.Fatal(err)
	}
	if out := q.MustRun("backup", "drill", "--from", programtest.Backups(p)); !strings.Contains(out, "no difference") || !strings.Contains(out, "there is no log here to compare it with") {
		t.Errorf("the drill says:\n%s", out)
	}
	clean("with all")
}
