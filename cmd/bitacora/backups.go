package main

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
)

// stored is a backup in a directory of backups.
type stored struct {
	Name    string    `json:"name"`
	TakenAt time.Time `json:"takenAt,omitzero"`
	Bytes   int64     `json:"bytes"`
	Events  int64     `json:"events"`
	Schema  string    `json:"schema"`
	// Problem says why it cannot be restored; empty where every file is there and as long as it was.
	Problem string `json:"problem,omitempty"`

	dir      string
	manifest postgres.Manifest
}

// storedBackups lists what is in a directory of backups, the latest first; what is not whole has no time and
// comes last. Without the directory there is none.
func storedBackups(dir string) ([]stored, error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("list backups: %w", err)
	}
	var list []stored
	for _, e := range entries {
		if e.IsDir() && backupName.MatchString(e.Name()) {
			list = append(list, lookAt(filepath.Join(dir, e.Name())))
		}
	}
	slices.SortFunc(list, func(a, b stored) int { return b.TakenAt.Compare(a.TakenAt) })
	return list, nil
}

// lookAt describes a backup by its manifest and the lengths of its files.
func lookAt(dir string) stored {
	s := stored{Name: filepath.Base(dir), dir: dir}
	if filepath.Ext(dir) == draftSuffix {
		s.Problem = "it was interrupted"
		return s
	}
	var err error
	if s.manifest, err = postgres.ReadManifest(dir); err != nil {
		s.Problem = "it has no whole manifest"
		return s
	}
	s.TakenAt, s.Events, s.Schema = s.manifest.TakenAt, s.manifest.Head, s.manifest.Schema()
	if s.Bytes, err = s.manifest.Size(dir); err != nil {
		s.Problem = err.Error()
	}
	return s
}

// newestWhole is the latest backup of a directory that can be restored: of a log, which its first
// event names, or of any where none is named.
func newestWhole(dir, firstEvent string) (s stored, ok bool, err error) {
	list, err := storedBackups(dir)
	i := slices.IndexFunc(list, func(s stored) bool { return s.Problem == "" && s.of(firstEvent) })
	if err != nil || i < 0 {
		return stored{}, false, err
	}
	return list[i], true, nil
}

// of says whether it is of a log: several clinics may keep theirs in one directory. One that does not
// name its log may be of any.
func (s stored) of(firstEvent string) bool {
	return firstEvent == "" || s.manifest.FirstEvent == "" || s.manifest.FirstEvent == firstEvent
}

// firstEvent is the id of the first event of a log; empty where there is none yet.
func firstEvent(ctx context.Context, db *postgres.DB) (string, error) {
	events, err := db.Log().ScanClear(ctx, 0, 1, 1)
	if err != nil || len(events) == 0 {
		return "", err
	}
	return events[0].ID, nil
}

var backupName = regexp.MustCompile(`^[0-9A-Za-z][0-9A-Za-z_.-]*$`)

// draftSuffix ends the name of a backup that is not whole.
const draftSuffix = ".partial"

// clinicCopy is the name that the clinic's file has in a backup.
const clinicCopy = "clinic.json"

// backupDir is where a backup lies: in a directory that was named, or where backups are made.
func backupDir(c config, in, name string) (string, error) {
	if !backupName.MatchString(name) || filepath.Ext(name) == draftSuffix {
		return "", misuse{fmt.Errorf("%q is no name for a backup", name)}
	}
	if in == "" {
		in = c.backups()
	}
	dir, err := filepath.Abs(filepath.Join(in, name))
	if err != nil {
		return "", fmt.Errorf("find the directory of backups: %w", err)
	}
	return dir, nil
}

// dumpLog writes a backup of the database that url names, and what belongs to it.
func dumpLog(ctx context.Context, a *app, url, dir string, belongs func() error) (postgres.Manifest, error) {
	draft := dir + draftSuffix
	if err := os.RemoveAll(draft); err != nil {
		return postgres.Manifest{}, fmt.Errorf("remove what an interrupted backup left: %w", err)
	}
	with := postgres.DumpContext{Program: commit, Files: map[string]string{}}
	if a.config.ClinicFile != "" {
		with.Files[clinicCopy] = a.config.ClinicFile
	}
	m, err := postgres.WriteDump(ctx, url, draft, with)
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
		if err := a.config.anchors().Add([]string{m.Anchor.String()}, m.Anchor.At); err != nil {
			return m, err
		}
	}
	parent, err := os.Open(filepath.Dir(dir))
	if err != nil {
		return m, fmt.Errorf("name the backup: %w", err)
	}
	return m, errors.Join(parent.Sync(), parent.Close())
}

// ownBackupName is the name of a backup that nobody gave another one.
func ownBackupName(now time.Time) string { return now.UTC().Format("2006-01-02T150405Z") }
