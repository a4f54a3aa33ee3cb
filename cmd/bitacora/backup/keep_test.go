package backup

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/programtest"
	"bitacora/cmd/bitacora/settings"
)

func TestWhichBackupsAreKept(t *testing.T) {
	noon := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC) // a Sunday
	var daily []time.Time
	for day := range 100 {
		daily = append(daily, noon.AddDate(0, 0, -day), noon.AddDate(0, 0, -day).Add(-time.Hour))
	}
	for _, test := range []struct {
		rule string
		of   []time.Time
		want string
	}{
		{"daily=3,weekly=0,monthly=0", daily, "11-22T12 11-21T12 11-20T12"},
		{"daily=1,weekly=3,monthly=0", daily, "11-22T12 11-15T12 11-08T12"},
		{"daily=0,weekly=0,monthly=3", daily, "11-22T12 10-31T12 09-30T12"},
		{"daily=2,weekly=2,monthly=2", daily, "11-22T12 11-21T12 11-15T12 10-31T12"},
		{"daily=0,weekly=0,monthly=1", []time.Time{noon}, "11-22T12"},
		{"daily=5", []time.Time{noon, noon.AddDate(0, 0, -40)}, "11-22T12 10-13T12"},
		{"daily=5", nil, ""},
	} {
		var k settings.Keeping
		if err := k.UnmarshalText([]byte(test.rule)); err != nil {
			t.Fatal(err)
		}
		var got []string
		for i, keep := range k.Kept(test.of) {
			if keep {
				got = append(got, test.of[i].Format("01-02T15"))
			}
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%s keeps %v, want %s", test.rule, got, test.want)
		}
	}
	if kept := (settings.Keeping{}).Kept([]time.Time{noon, noon.AddDate(0, 0, -1)}); !kept[0] || kept[1] {
		t.Errorf("without a rule %v are kept, want the latest", kept)
	}
	for _, wrong := range []string{"", "7", "daily", "daily=-1", "yearly=1", "daily=0,weekly=0,monthly=0", "daily=x"} {
		if err := new(settings.Keeping).UnmarshalText([]byte(wrong)); err == nil {
			t.Errorf("%q is taken as a rule", wrong)
		}
	}
}

// TestPruneKeepsWhatNobodyMayMiss: names of people, damaged ones, the latest whole one.
func TestPruneKeepsWhatNobodyMayMiss(t *testing.T) {
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	dir := t.TempDir()
	for age := range 5 {
		at := now.AddDate(0, 0, -age)
		programtest.WriteBackup(t, dir, app.BackupNameAt(at), "", at)
	}
	programtest.WriteBackup(t, dir, "before-update", "", now.AddDate(-1, 0, 0))
	// The newest has no manifest, so it counts for nothing.
	damaged := app.BackupNameAt(now.Add(time.Minute))
	programtest.Write(t, filepath.Join(dir, damaged, "events.copy"), []byte("1"), 0o600)
	draft := app.BackupNameAt(now.AddDate(0, 0, -2)) + app.BackupDraft
	programtest.Write(t, filepath.Join(dir, draft, "events.copy"), []byte("1"), 0o600)
	under := app.BackupNameAt(now) + app.BackupDraft
	programtest.Write(t, filepath.Join(dir, under, "events.copy"), []byte("1"), 0o600)
	if err := os.Chtimes(filepath.Join(dir, draft), now.AddDate(0, 0, -2), now.AddDate(0, 0, -2)); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(filepath.Join(dir, under), now, now); err != nil {
		t.Fatal(err)
	}
	goes, err := outdated(dir, settings.Keeping{Monthly: 1}, now, time.UTC)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, s := range goes {
		names = append(names, s.Name)
	}
	slices.Sort(names)
	want := []string{app.BackupNameAt(now.AddDate(0, 0, -4)), app.BackupNameAt(now.AddDate(0, 0, -3)), app.BackupNameAt(now.AddDate(0, 0, -2)), draft, app.BackupNameAt(now.AddDate(0, 0, -1))}
	if !slices.Equal(names, want) {
		t.Errorf("%v go, want %v", names, want)
	}
	if err := removeBackups(goes); err != nil {
		t.Fatal(err)
	}
	list, err := app.Backups(dir)
	if err != nil || len(list) != 4 {
		t.Errorf("%v are left, %v", list, err)
	}
	if newest, ok, err := app.NewestBackup(dir, ""); err != nil || !ok || newest.Name != app.BackupNameAt(now) {
		t.Errorf("the newest is %v, %v, %v", newest.Name, ok, err)
	}
	if list, err := app.Backups(filepath.Join(dir, "nowhere")); err != nil || list != nil {
		t.Errorf("without a directory: %v, %v", list, err)
	}
}

// TestClinicsKeepBackupsInOneDirectory: none of a clinic takes the place of another clinic's.
func TestClinicsKeepBackupsInOneDirectory(t *testing.T) {
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	dir := t.TempDir()
	for age, log := range []string{"north", "north", "south", "south"} {
		at := now.Add(-time.Duration(age) * time.Hour)
		programtest.WriteBackup(t, dir, app.BackupNameAt(at), log, at)
	}
	goes, err := outdated(dir, settings.Keeping{Daily: 1}, now, time.UTC)
	if err != nil || len(goes) != 2 || goes[0].Name != app.BackupNameAt(now.Add(-time.Hour)) || goes[1].Name != app.BackupNameAt(now.Add(-3*time.Hour)) {
		t.Errorf("%v go, %v", goes, err)
	}
	for log, age := range map[string]time.Duration{"": 0, "north": 0, "south": 2 * time.Hour} {
		if newest, ok, err := app.NewestBackup(dir, log); err != nil || !ok || newest.Name != app.BackupNameAt(now.Add(-age)) {
			t.Errorf("the newest of %q is %v, %v, %v", log, newest.Name, ok, err)
		}
	}
	if newest, ok, err := app.NewestBackup(dir, "west"); ok || err != nil {
		t.Errorf("of a clinic without any it is %v, %v", newest.Name, err)
	}
}

func TestTheNightOfABackup(t *testing.T) {
	panama := time.FixedZone("", -5*3600)
	for now, want := range map[string]string{
		"2026-11-22T04:59:00": "2026-11-21T05:00:00", "2026-11-22T05:00:00": "2026-11-22T05:00:00", "2026-11-22T23:00:00": "2026-11-22T05:00:00",
	} {
		at, err := time.ParseInLocation("2006-01-02T15:04:05", now, panama)
		if err != nil {
			t.Fatal(err)
		}
		if got := app.LastNight(at, backupHour).Format("2006-01-02T15:04:05"); got != want {
			t.Errorf("at %s the last night is %s, want %s", now, got, want)
		}
	}
}
