package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"time"

	"bitacora/adapters/postgres"
	"bitacora/adapters/postgres/logdump"
	"bitacora/cmd/bitacora/command"
	"bitacora/cmd/bitacora/settings"
	"bitacora/domain/fault"
)

// Backup is a backup in a directory of backups.
type Backup struct {
	Name    string    `json:"name"`
	TakenAt time.Time `json:"takenAt,omitzero"`
	Bytes   int64     `json:"bytes"`
	Events  int64     `json:"events"`
	Schema  string    `json:"schema"`
	// Problem says why it cannot be restored; empty where every file is there and as long as it was.
	Problem string `json:"problem,omitempty"`

	Dir      string           `json:"-"`
	Manifest logdump.Manifest `json:"-"`
}

// Backups lists what is in a directory of backups, the latest first; what is not whole has no time and
// comes last. Without the directory there is none.
func Backups(dir string) ([]Backup, error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("list backups: %w", err)
	}
	var list []Backup
	for _, e := range entries {
		if e.IsDir() && BackupName.MatchString(e.Name()) {
			list = append(list, ReadBackup(filepath.Join(dir, e.Name())))
		}
	}
	slices.SortFunc(list, func(a, b Backup) int { return b.TakenAt.Compare(a.TakenAt) })
	return list, nil
}

// ReadBackup describes a backup by its manifest and the lengths of its files.
func ReadBackup(dir string) Backup {
	s := Backup{Name: filepath.Base(dir), Dir: dir}
	if filepath.Ext(dir) == BackupDraft {
		s.Problem = "it was interrupted"
		return s
	}
	var err error
	if s.Manifest, err = logdump.ReadManifest(dir); err != nil {
		s.Problem = "it has no whole manifest"
		return s
	}
	s.TakenAt, s.Events, s.Schema = s.Manifest.TakenAt, s.Manifest.Head, s.Manifest.Schema()
	if s.Bytes, err = s.Manifest.Size(dir); err != nil {
		s.Problem = err.Error()
	}
	return s
}

// NewestBackup is the latest backup of a directory that can be restored: of a log, which its first
// event names, or of any where none is named.
func NewestBackup(dir, firstEvent string) (s Backup, ok bool, err error) {
	list, err := Backups(dir)
	i := slices.IndexFunc(list, func(s Backup) bool { return s.Problem == "" && s.Of(firstEvent) })
	if err != nil || i < 0 {
		return Backup{}, false, err
	}
	return list[i], true, nil
}

// Of says whether it is of a log: several clinics may keep theirs in one directory. One that does not
// name its log may be of any.
func (s Backup) Of(firstEvent string) bool {
	return firstEvent == "" || s.Manifest.FirstEvent == "" || s.Manifest.FirstEvent == firstEvent
}

// FirstEvent is the id of the first event of a log; empty where there is none yet.
func FirstEvent(ctx context.Context, db *postgres.DB) (string, error) {
	events, err := db.Log().ScanClear(ctx, 0, 1, 1)
	if err != nil || len(events) == 0 {
		return "", err
	}
	return events[0].ID, nil
}

var BackupName = regexp.MustCompile(`^[0-9A-Za-z][0-9A-Za-z_.-]*$`)

// BackupDraft ends the name of a backup that is not whole.
const BackupDraft = ".partial"

// ClinicCopy is the name that the clinic's file has in a backup.
const ClinicCopy = "clinic.json"

// BackupDir is where a backup lies: in a directory that was named, or where backups are made.
func BackupDir(c settings.Config, in, name string) (string, error) {
	if !BackupName.MatchString(name) || filepath.Ext(name) == BackupDraft {
		return "", command.Misuse(fmt.Errorf("%q is no name for a backup", name))
	}
	if in == "" {
		in = c.Backups()
	}
	dir, err := filepath.Abs(filepath.Join(in, name))
	return dir, fault.Wrap(err, "find the directory of backups")
}

// DumpLog writes a backup of the database that url names, and what belongs to it.
func DumpLog(ctx context.Context, a *App, url, dir string, belongs func() error) (logdump.Manifest, error) {
	draft := dir + BackupDraft
	if err := os.RemoveAll(draft); err != nil {
		return logdump.Manifest{}, fmt.Errorf("remove what an interrupted backup left: %w", err)
	}
	with := logdump.Extras{Program: commit, Files: map[string]string{}}
	if a.Config.ClinicFile != "" {
		with.Files[ClinicCopy] = a.Config.ClinicFile
	}
	m, err := logdump.Write(ctx, url, draft, with)
	if err == nil {
		err = belongs()
	}
	if err != nil {
		return m, errors.Join(err, os.RemoveAll(draft))
	}
	if err := os.Rename(draft, dir); err != nil {
		return m, fmt.Errorf("name the backup: %w", err)
	}
	if m.Anchor.Position > 0 {
		if err := a.Config.Anchors().Add([]string{m.Anchor.String()}, m.Anchor.At); err != nil {
			return m, err
		}
	}
	parent, err := os.Open(filepath.Dir(dir))
	if err != nil {
		return m, fmt.Errorf("name the backup: %w", err)
	}
	return m, errors.Join(parent.Sync(), parent.Close())
}

// BackupNameAt is the name of a backup that nobody gave another one.
func BackupNameAt(now time.Time) string { return now.UTC().Format("2006-01-02T150405Z") }
