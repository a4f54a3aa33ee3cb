package crash

import (
	"archive/tar"
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"bitacora/schema"
)

// earlierData is where the data are that programs of earlier schema versions left, a file for each
// migration: a tar of what they had said, their keys, and the tables of Postgres as COPY writes them.
const earlierData = "../testdata/earlier"

// earlier is what a program of an earlier schema version left when it stopped.
type earlier struct {
	said statement
	// keys are files of the data directory, tables rows with a header, by their names.
	keys, tables map[string][]byte
}

// statement is what a program said of its data.
type statement struct {
	// From and To are the days that the numbers are about.
	From string `json:"from"`
	To   string `json:"to"`
	// KPIs is the dashboard's answer.
	KPIs map[string]any `json:"kpis"`
	// Texts are those of each conversation, by its id; Erased is the one without any.
	Texts  map[string][]string `json:"texts"`
	Erased string              `json:"erased"`
	// Contacts are who can be reached, with name, telephone and e-mail address.
	Contacts []string `json:"contacts"`
	// Pages are the titles of the posts and of the services.
	Pages []string `json:"pages"`
}

const (
	keysFolder   = "keys/"
	tablesFolder = "tables/"
	saidFile     = "said.json"
)

func readEarlier(t testing.TB, file string) earlier {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	unpacked, err := gzip.NewReader(f)
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	e := earlier{keys: map[string][]byte{}, tables: map[string][]byte{}}
	for archive := tar.NewReader(unpacked); ; {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return e
		}
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		text, err := io.ReadAll(archive)
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if name, ok := strings.CutPrefix(header.Name, keysFolder); ok {
			e.keys[name] = text
		} else if name, ok := strings.CutPrefix(header.Name, tablesFolder); ok {
			e.tables[name] = text
		} else if err := json.Unmarshal(text, &e.said); err != nil {
			t.Fatalf("%s: %s: %v", file, header.Name, err)
		}
	}
}

func (e earlier) write(t testing.TB, file string) {
	t.Helper()
	text, err := json.MarshalIndent(e.said, "", "\t")
	if err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	out, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	archive := tar.NewWriter(out)
	add := func(name string, text []byte) {
		if err := archive.WriteHeader(&tar.Header{Name: name, Mode: 0o600, Size: int64(len(text))}); err != nil {
			t.Fatal(err)
		}
		if _, err := archive.Write(text); err != nil {
			t.Fatal(err)
		}
	}
	add(saidFile, text)
	for _, name := range slices.Sorted(maps.Keys(e.keys)) {
		add(keysFolder+name, e.keys[name])
	}
	for _, name := range slices.Sorted(maps.Keys(e.tables)) {
		add(tablesFolder+name, e.tables[name])
	}
	if err := errors.Join(archive.Close(), out.Close(), os.WriteFile(file, packed.Bytes(), 0o644)); err != nil {
		t.Fatal(err)
	}
}

// migrations are those that the data have, in the order in which they were applied.
func (e earlier) migrations() (names []string) {
	lines := strings.Split(strings.TrimSpace(string(e.tables["schema_migrations"])), "\n")[1:]
	slices.SortFunc(lines, func(a, b string) int {
		return cmp.Compare(strings.Split(a, "\t")[2], strings.Split(b, "\t")[2])
	})
	for _, line := range lines {
		name, _, _ := strings.Cut(line, "\t")
		names = append(names, name)
	}
	return names
}

// putBack makes a database and a data directory what they were.
func (e earlier) putBack(t testing.TB, url, dataDir string) {
	t.Helper()
	ctx := t.Context()
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.WithoutCancel(ctx))
	run := func(statements string) {
		if _, err := conn.PgConn().Exec(ctx, statements).ReadAll(); err != nil {
			t.Fatalf("%.60s: %v", statements, err)
		}
	}
	for _, name := range e.migrations() {
		text, err := schema.Postgres.ReadFile("postgres/" + name)
		if err != nil {
			t.Fatal(err)
		}
		run(string(text))
	}
	// Neither triggers nor references hold up what was so.
	run("SET session_replication_role = replica; TRUNCATE " + strings.Join(slices.Sorted(maps.Keys(e.tables)), ", "))
	for table, rows := range e.tables {
		columns, _, _ := strings.Cut(string(rows), "\n")
		if _, err := conn.PgConn().CopyFrom(ctx, bytes.NewReader(rows), fmt.Sprintf("COPY %s (%s) FROM STDIN (HEADER)", table, strings.ReplaceAll(columns, "\t", ", "))); err != nil {
			t.Fatalf("%s: %v", table, err)
		}
	}
	// This cluster stands for the one in which they lay.
	run("UPDATE log_epoch SET cluster = (SELECT system_identifier FROM pg_control_system())")
	for name, text := range e.keys {
		file := filepath.Join(dataDir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, text, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
}
