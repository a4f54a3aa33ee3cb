package postgres_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"bitacora/adapters/engines/enginestest"
	"bitacora/adapters/postgres"
	"bitacora/adapters/postgres/logdump"
)

// change rewrites a file.
func change(t *testing.T, path string, by func([]byte) []byte) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, by(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// changeManifest rewrites the manifest of a dump.
func changeManifest(t *testing.T, dir string, by func(*logdump.Manifest)) {
	t.Helper()
	change(t, filepath.Join(dir, logdump.ManifestFile), func(text []byte) []byte {
		var m logdump.Manifest
		if err := json.Unmarshal(text, &m); err != nil {
			t.Fatal(err)
		}
		by(&m)
		text, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		return text
	})
}

func TestEveryDamageOfADumpIsFound(t *testing.T) {
	url, db := fresh(t)
	for _, stream := range []string{"chat-1", "chat-2", "chat-3"} {
		mustAppend(t, db.Log(), request(stream, 0, said("hola, "+stream)))
	}
	facts := filepath.Join(t.TempDir(), "facts.json")
	if err := os.WriteFile(facts, []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	whole := filepath.Join(t.TempDir(), "dump")
	m, err := logdump.Write(t.Context(), url, whole, logdump.Extras{Program: "abc", Files: map[string]string{"clinic.json": facts}})
	if err != nil {
		t.Fatal(err)
	}
	if m.Program != "abc" || m.Head != 3 || !strings.HasPrefix(m.Schema(), "00") {
		t.Errorf("the manifest says %+v", m)
	}
	swap := func(from, to string) func([]byte) []byte {
		return func(text []byte) []byte { return bytes.Replace(text, []byte(from), []byte(to), 1) }
	}
	events := func(dir string) string { return filepath.Join(dir, "events.copy") }
	for name, test := range map[string]struct {
		damage func(dir string)
		says   string
	}{
		"none":           {func(string) {}, ""},
		"a missing file": {func(dir string) { os.Remove(filepath.Join(dir, "posts.copy")) }, "posts.copy is missing"},
		"a missing copy": {func(dir string) { os.Remove(filepath.Join(dir, "clinic.json")) }, "clinic.json is missing"},
		"a cut file":     {func(dir string) { change(t, events(dir), func(b []byte) []byte { return b[:len(b)-1] }) }, "bytes and had"},
		"a changed byte": {func(dir string) { change(t, events(dir), swap("chat-2", "chat-9")) }, "its checksum is another"},
		"a changed copy": {func(dir string) { change(t, filepath.Join(dir, "clinic.json"), swap("{}", "[]")) }, "its checksum is another"},
		"a position twice": {func(dir string) {
			change(t, events(dir), func(b []byte) []byte { return append([]byte("1"), b[1:]...) })
			change(t, events(dir), func(b []byte) []byte { i := bytes.IndexByte(b, '\n'); b[i+1] = '1'; return b })
		}, "is there twice"},
		"fewer rows": {func(dir string) {
			changeManifest(t, dir, func(m *logdump.Manifest) {
				i := slices.IndexFunc(m.Tables, func(p logdump.Part) bool { return p.Table == "log_epoch" })
				m.Tables[i].Rows++
			})
		}, "has 1 rows and had 2"},
		"a hole at the end": {func(dir string) { changeManifest(t, dir, func(m *logdump.Manifest) { m.Head++ }) }, "ends at position 4 and 3 events"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "dump")
			if err := os.CopyFS(dir, os.DirFS(whole)); err != nil {
				t.Fatal(err)
			}
			test.damage(dir)
			m, err := logdump.ReadManifest(dir)
			if err != nil {
				t.Fatal(err)
			}
			shown, of := int64(0), int64(-1)
			err = m.Verify(dir, func(done, total int64) { shown, of = done, total })
			if test.says == "" {
				if err != nil || shown != of {
					t.Errorf("%d of %d bytes, %v", shown, of, err)
				}
				return
			}
			if !errors.Is(err, logdump.ErrDamaged) || !strings.Contains(err.Error(), test.says) {
				t.Errorf("verify says %v", err)
			}
		})
	}
}

// TestADumpOfAnOlderProgramIsRestored: updates go on where the older backup ends.
func TestADumpOfAnOlderProgramIsRestored(t *testing.T) {
	b := newBackup(t)
	// As the program before wrote it, which did not know the tables of the last migration.
	changeManifest(t, b.dir, func(m *logdump.Manifest) { m.Migrations = m.Migrations[:len(m.Migrations)-1] })
	m, err := logdump.ReadManifest(b.dir)
	if err != nil || m.Newer() != nil {
		t.Fatal(err, m.Newer())
	}
	url := enginestest.Postgres(t)
	if err := postgres.MigrateTo(t.Context(), url, m.Migrations); err != nil {
		t.Fatal(err)
	}
	var tables []string
	if err := owner(t, url).QueryRow(t.Context(), "SELECT array_agg(tablename::text) FROM pg_tables WHERE schemaname = current_schema()").Scan(&tables); err != nil {
		t.Fatal(err)
	}
	changeManifest(t, b.dir, func(m *logdump.Manifest) {
		m.Tables = slices.DeleteFunc(m.Tables, func(p logdump.Part) bool { return !slices.Contains(tables, p.Table) })
	})
	if _, err := logdump.Restore(t.Context(), url, b.dir, b.keys(t)); err != nil {
		t.Fatal(err)
	}
	applied, err := postgres.Migrate(t.Context(), url)
	if err != nil || len(applied) != 1 {
		t.Errorf("%v are applied afterwards, %v", applied, err)
	}
	// One of a newer program is refused, and so is one into tables of another version.
	if _, err := restored(t, b.dir, b.keys(t)); err == nil || !strings.Contains(err.Error(), "of another version than the dump") {
		t.Errorf("into newer tables: %v", err)
	}
	// The formats that were released: of the first one, whose keys lay in the dump, the way is said.
	changeManifest(t, b.dir, func(m *logdump.Manifest) {
		m.Program, m.Files = "", nil
		for i := range m.Tables {
			m.Tables[i].Bytes = 0
		}
	})
	if m, err = logdump.ReadManifest(b.dir); err != nil || m.Newer() != nil || m.Verify(b.dir, func(int64, int64) {}) != nil {
		t.Errorf("without lengths and files: %v, %v", err, m.Newer())
	}
	first := m
	first.TakenAt, first.FirstEvent = time.Time{}, ""
	if err := first.Newer(); err == nil || !strings.Contains(err.Error(), "restore it with the program that made it") {
		t.Errorf("the first format: %v", err)
	}
	changeManifest(t, b.dir, func(m *logdump.Manifest) { m.Migrations = append(m.Migrations, "9999_later.sql 00") })
	if m, err = logdump.ReadManifest(b.dir); err != nil || m.Newer() == nil || !strings.Contains(m.Newer().Error(), "made by a newer program (9999_later)") {
		t.Errorf("a newer one: %v, %v", err, m.Newer())
	}
}

func TestFingerprintsAreOfEvents(t *testing.T) {
	print := func(db *postgres.DB, through int64) string {
		t.Helper()
		text, err := db.Log().Fingerprint(t.Context(), through)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	_, one := fresh(t)
	mustAppend(t, one.Log(), request("chat-1", 0, said("hola")))
	first := print(one, 1)
	mustAppend(t, one.Log(), request("chat-1", 1, said("otra vez")))
	if print(one, 1) != first || print(one, 2) == first {
		t.Error("what comes later changes what was before, or nothing changes")
	}
	_, other := fresh(t)
	mustAppend(t, other.Log(), request("chat-1", 0, said("hola")))
	if print(other, 1) == first {
		t.Error("another event has the same fingerprint")
	}
}
