// Package logdump writes the log's database to files and restores it: the dump, which opens nothing by itself, and
// the bundle of the keys of today.
package logdump

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"bitacora/adapters/durable"
	"bitacora/adapters/postgres"
	"bitacora/adapters/postgres/queries"
)

// dumped are the tables that a dump holds, those that others refer to before these.
var dumped = []string{
	"log_epoch", "events", "log_chain", "monthly_quota", "booked_places",
	"projection_checkpoints", "projection_builds", "build_ranges", "parked_conversations",
	"staff_accounts", "staff_second_factors", "staff_recovery_codes", "content_version", "services", "testimonials", "posts", "answers", "taught_answers", "notice",
	"pages", "profiles", "pictures", "picture_files",
	"subject_tasks",
}

// momentary are the tables about a moment, which no log that was brought back has.
var momentary = map[string]string{
	"leases":           "of processes that run now",
	"staff_sessions":   "an old session must not come back",
	"staff_devices":    "as sessions",
	"login_failures":   "of the last minutes, with addresses",
	"unnamed_proxies":  "of the last day, with addresses",
	"address_starts":   "of the last day, about addresses",
	"address_refusals": "of the last days",
	"provider_usage":   "of the day",
	"throttles":        "of the last seconds",
	"self_checks":      "of the log and the tables as they lie here",
}

// leftOut are the others that a dump does not hold, and why.
var leftOut = map[string]string{
	"schema_migrations": "the manifest names them",
	"subject_keys":      "of today, whatever the dump's age: they come out of the key bundle",
	"key_epochs":        "as the keys",
	"subject_terms":     "made of the events, under the keys of today",
	"subject_index":     "how far they are made",
}

// Manifest describes a dump.
type Manifest struct {
	// Program is the commit of the program that wrote it.
	Program string `json:"program"`
	// FirstEvent is the id of the log's first event, see [Bundle].
	FirstEvent string `json:"firstEvent"`
	Epoch      string `json:"epoch"`
	Head       int64  `json:"head"`
	// postgres.Anchor is of the end of the chain; absent in dumps of logs that had none.
	Anchor     postgres.Anchor `json:"anchor,omitzero"`
	TakenAt    time.Time       `json:"takenAt"`
	Migrations []string        `json:"migrations"`
	Tables     []Part          `json:"tables"`
	// Files are copies of what lies outside of the database.
	Files []File `json:"files,omitempty"`
}

// Part is one table of a dump: a file in the text format of COPY.
type Part struct {
	Table   string   `json:"table"`
	Columns []string `json:"columns"`
	Rows    int64    `json:"rows"`
	Bytes   int64    `json:"bytes"`
	SHA256  string   `json:"sha256"`
}

// File is a file of a dump that is no table.
type File struct {
	Name   string `json:"name"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// Extras is what a dump tells of beside the database.
type Extras struct {
	// Program is the commit of the program that writes it.
	Program string
	// Files are copied into the dump, by the name that they get there.
	Files map[string]string
}

// Schema is the name of the last migration of the database that was dumped.
func (m Manifest) Schema() string { return postgres.LastMigration(m.Migrations) }

// ManifestFile is the name of the file by which a dump is whole.
const ManifestFile = "manifest.json"

// Write writes the log and what is decided with it, as of now, into a directory that it makes.
// Nobody can read personal data by it, nor with the master key: the keys of subjects are not in
// it. A directory without a manifest is not whole. It connects as whoever may read them. The
// database may be one that was not migrated up to this program.
func Write(ctx context.Context, url, dir string, with Extras) (m Manifest, err error) {
	conn, err := postgres.ConnectTo(ctx, url)
	if err != nil {
		return m, fmt.Errorf("connect to dump: %w", err)
	}
	defer conn.Close(context.WithoutCancel(ctx))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return m, fmt.Errorf("make directory of dump: %w", err)
	}
	m.Program, m.TakenAt = with.Program, time.Now().UTC()
	for _, name := range slices.Sorted(maps.Keys(with.Files)) {
		f, err := copyFile(with.Files[name], filepath.Join(dir, name))
		if err != nil {
			return m, fmt.Errorf("dump: %w", err)
		}
		m.Files = append(m.Files, f)
	}
	options := pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}
	err = pgx.BeginTxFunc(ctx, conn, options, func(tx pgx.Tx) error { return m.write(ctx, tx, dir) })
	if err != nil {
		return m, fmt.Errorf("dump: %w", err)
	}
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return m, fmt.Errorf("encode manifest: %w", err)
	}
	return m, errors.Join(durable.Write(filepath.Join(dir, ManifestFile), text), durable.SyncDir(dir))
}

// copyFile copies a file that is small enough to be held.
func copyFile(from, to string) (File, error) {
	text, err := os.ReadFile(from)
	if err != nil {
		return File{}, err
	}
	sum := sha256.Sum256(text)
	return File{filepath.Base(to), int64(len(text)), hex.EncodeToString(sum[:])}, durable.Write(to, text)
}

func (m *Manifest) write(ctx context.Context, tx pgx.Tx, dir string) error {
	err := tx.QueryRow(ctx, queries.Named("dump_header")).Scan(&m.FirstEvent, &m.Epoch, &m.Head)
	if err != nil {
		return err
	}
	if m.Migrations, err = postgres.AppliedMigrations(ctx, tx); err != nil {
		return err
	}
	columns, err := tableColumns(ctx, tx)
	if err != nil {
		return err
	}
	if columns["log_chain"] != nil {
		if m.Anchor, err = postgres.TakeAnchor(ctx, tx); err != nil {
			return err
		}
	}
	for table := range columns {
		if leftOut[table] == "" && momentary[table] == "" && !slices.Contains(dumped, table) {
			return fmt.Errorf("nobody said whether table %s belongs into a dump", table)
		}
	}
	for _, table := range dumped {
		if columns[table] == nil { // which a later migration makes
			continue
		}
		p := Part{Table: table, Columns: columns[table]}
		if err := p.write(ctx, tx.Conn(), dir); err != nil {
			return fmt.Errorf("table %s: %w", table, err)
		}
		m.Tables = append(m.Tables, p)
	}
	return nil
}

// tableColumns gives the columns of every table.
func tableColumns(ctx context.Context, q pgx.Tx) (map[string][]string, error) {
	rows, err := q.Query(ctx, queries.Named("table_columns"))
	if err != nil {
		return nil, fmt.Errorf("list tables: %w", err)
	}
	found := map[string][]string{}
	var table string
	var columns []string
	_, err = pgx.ForEachRow(rows, []any{&table, &columns}, func() error {
		found[table] = slices.Clone(columns)
		return nil
	})
	return found, err
}

func (p *Part) write(ctx context.Context, conn *pgx.Conn, dir string) error {
	f, err := os.OpenFile(filepath.Join(dir, p.Table+".copy"), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	sum := sha256.New()
	tag, err := conn.PgConn().CopyTo(ctx, io.MultiWriter(f, sum), fmt.Sprintf("COPY %s (%s) TO STDOUT", pgx.Identifier{p.Table}.Sanitize(), columnList(p.Columns)))
	p.Rows, p.SHA256 = tag.RowsAffected(), hex.EncodeToString(sum.Sum(nil))
	if info, statErr := f.Stat(); statErr == nil {
		p.Bytes = info.Size()
	}
	return errors.Join(err, f.Sync(), f.Close())
}

func columnList(columns []string) string {
	quoted := make([]string, len(columns))
	for i, c := range columns {
		quoted[i] = pgx.Identifier{c}.Sanitize()
	}
	return strings.Join(quoted, ", ")
}
