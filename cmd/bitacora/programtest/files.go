package programtest

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"bitacora/adapters/postgres/logdump"
)

// Write makes a file and its folder.
func Write(t *testing.T, path string, text []byte, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text, mode); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}

// WriteBackup makes a backup without tables, which is whole, of a log that its first event names.
func WriteBackup(t *testing.T, dir, name, firstEvent string, at time.Time) {
	t.Helper()
	Write(t, filepath.Join(dir, name, logdump.ManifestFile), []byte(`{"firstEvent": "`+firstEvent+`", "takenAt": "`+at.UTC().Format(time.RFC3339)+`"}`), 0o600)
}

// CopyKeys brings the keys of one program to another, in the place of older ones.
func CopyKeys(t *testing.T, from, to *Program) {
	t.Helper()
	dir := filepath.Join(to.Dir, "data", "keys")
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(from.Dir, "data", "keys"))); err != nil {
		t.Fatal(err)
	}
}

// Backups is where a program's backups lie.
func Backups(p *Program) string { return filepath.Join(p.Dir, "data", "backups") }
