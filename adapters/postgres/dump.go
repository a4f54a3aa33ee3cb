package postgres

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
)

// Manifest describes a dump.
type Manifest struct {
	Epoch      string       `json:"epoch"`
	Head       int64        `json:"head"`
	Migrations []string     `json:"migrations"`
	Tables     []DumpedPart `json:"tables"`
}

// DumpedPart is one table of a dump: a file in the text format of COPY.
type DumpedPart struct {
	Table   string   `json:"table"`
	Columns []string `json:"columns"`
	Rows    int64    `json:"rows"`
	SHA256  string   `json:"sha256"`
}

const manifestFile = "manifest.json"

// Dump is everything in the database as of the moment it was begun.
type Dump struct {
	conn *pgx.Conn
	tx   pgx.Tx
}

// BeginDump fixes the moment. It connects as the owner of the tables.
func BeginDump(ctx context.Context, url string) (*Dump, error) {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return nil, fmt.Errorf("connect to dump: %w", err)
	}
	tx, err := conn.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly})
	if err == nil {
		// The snapshot is taken with the first statement.
		_, err = tx.Exec(ctx, "SELECT FROM log_epoch")
	}
	if err != nil {
		conn.Close(context.WithoutCancel(ctx))
		return nil, fmt.Errorf("begin dump: %w", err)
	}
	return &Dump{conn, tx}, nil
}

// Close ends the dump, written or not.
func (d *Dump) Close() { d.conn.Close(context.Background()) }

// Write writes all tables into a directory that it makes. The keys of personal data are
// in it as they are in the database: wrapped by the key of their epoch, which is not.
func (d *Dump) Write(ctx context.Context, dir string) (m Manifest, err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return m, fmt.Errorf("make directory of dump: %w", err)
	}
	err = d.tx.QueryRow(ctx, "SELECT epoch::text, (SELECT coalesce(max(position), 0) FROM events) FROM log_epoch").Scan(&m.Epoch, &m.Head)
	if err != nil {
		return m, fmt.Errorf("dump: %w", err)
	}
	done, err := appliedMigrations(ctx, d.tx)
	if err != nil {
		return m, err
	}
	for name, sum := range done {
		m.Migrations = append(m.Migrations, name+" "+sum)
	}
	slices.Sort(m.Migrations)
	if m.Tables, err = dumpable(ctx, d.tx); err != nil {
		return m, err
	}
	for i := range m.Tables {
		if err := d.table(ctx, dir, &m.Tables[i]); err != nil {
			return m, fmt.Errorf("dump table %s: %w", m.Tables[i].Table, err)
		}
	}
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return m, fmt.Errorf("encode manifest: %w", err)
	}
	// Written last: a dump without a manifest is not whole.
	return m, os.WriteFile(filepath.Join(dir, manifestFile), text, 0o600)
}

func dumpable(ctx context.Context, tx pgx.Tx) ([]DumpedPart, error) {
	rows, err := tx.Query(ctx, `SELECT table_name::text, array_agg(column_name::text ORDER BY ordinal_position)
		FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
		WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' AND is_generated = 'NEVER'
		  AND table_name NOT IN ('schema_migrations', 'leases')
		GROUP BY table_name ORDER BY table_name`)
	if err != nil {
		return nil, fmt.Errorf("list tables: %w", err)
	}
	return pgx.CollectRows(rows, func(r pgx.CollectableRow) (p DumpedPart, err error) {
		err = r.Scan(&p.Table, &p.Columns)
		return p, err
	})
}

func (d *Dump) table(ctx context.Context, dir string, p *DumpedPart) error {
	f, err := os.OpenFile(filepath.Join(dir, p.Table+".copy"), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	sum := sha256.New()
	tag, err := d.conn.PgConn().CopyTo(ctx, io.MultiWriter(f, sum), fmt.Sprintf("COPY %s (%s) TO STDOUT", pgx.Identifier{p.Table}.Sanitize(), columnList(p.Columns)))
	p.Rows, p.SHA256 = tag.RowsAffected(), hex.EncodeToString(sum.Sum(nil))
	return errors.Join(err, f.Sync(), f.Close())
}

func columnList(columns []string) string {
	quoted := make([]string, len(columns))
	for i, c := range columns {
		quoted[i] = pgx.Identifier{c}.Sanitize()
	}
	return strings.Join(quoted, ", ")
}

// ErrNotEmpty: something would be overwritten.
var ErrNotEmpty = errors.New("the log is not empty")

// Restore fills a migrated database whose log is empty from a dump. The log has to be
// adopted afterwards, see [AdoptEpoch]. The keys must be those the dump was sealed with.
// It connects as a superuser.
func Restore(ctx context.Context, url, dir string, keys KeyStore) (m Manifest, err error) {
	text, err := os.ReadFile(filepath.Join(dir, manifestFile))
	if err != nil {
		return m, fmt.Errorf("read manifest: %w", err)
	}
	if err := json.Unmarshal(text, &m); err != nil {
		return m, fmt.Errorf("read manifest: %w", err)
	}
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return m, fmt.Errorf("connect to restore: %w", err)
	}
	defer conn.Close(context.WithoutCancel(ctx))
	err = pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		if err := restorable(ctx, tx, m); err != nil {
			return err
		}
		for _, p := range m.Tables {
			if err := restoreTable(ctx, conn, dir, p); err != nil {
				return fmt.Errorf("table %s: %w", p.Table, err)
			}
		}
		if _, err := tx.Exec(ctx, "UPDATE projection_checkpoints SET token = 0, hold_at = NULL, hold_until = NULL"); err != nil {
			return err
		}
		return fitKeys(ctx, tx, keys)
	})
	if err != nil {
		return m, fmt.Errorf("restore: %w", err)
	}
	return m, nil
}

// restorable refuses a database that holds something or has another shape.
func restorable(ctx context.Context, tx pgx.Tx, m Manifest) error {
	var events bool
	if err := tx.QueryRow(ctx, "SELECT EXISTS (SELECT FROM events)").Scan(&events); err != nil {
		return err
	}
	if events {
		return ErrNotEmpty
	}
	var owner string
	err := tx.QueryRow(ctx, "SELECT owner FROM leases WHERE expires_at > clock_timestamp() LIMIT 1").Scan(&owner)
	if err == nil {
		return fmt.Errorf("process %s works on this database: stop it first", owner)
	}
	if !errors.Is(err, pgx.ErrNoRows) {
		return err
	}
	done, err := appliedMigrations(ctx, tx)
	if err != nil {
		return err
	}
	var here []string
	for name, sum := range done {
		here = append(here, name+" "+sum)
	}
	slices.Sort(here)
	if !slices.Equal(here, m.Migrations) {
		return errors.New("the dump was made by another version of this program: restore it with that one")
	}
	// Rows come in the order of the tables' names; what they refer to may come later.
	_, err = tx.Exec(ctx, "SET LOCAL session_replication_role = replica")
	return err
}

func restoreTable(ctx context.Context, conn *pgx.Conn, dir string, p DumpedPart) error {
	f, err := os.Open(filepath.Join(dir, p.Table+".copy"))
	if err != nil {
		return err
	}
	defer f.Close()
	table := pgx.Identifier{p.Table}.Sanitize()
	if p.Table != "events" { // which is empty, and refuses even that
		if _, err := conn.Exec(ctx, "DELETE FROM "+table); err != nil {
			return err
		}
	}
	sum := sha256.New()
	tag, err := conn.PgConn().CopyFrom(ctx, io.TeeReader(f, sum), fmt.Sprintf("COPY %s (%s) FROM STDIN", table, columnList(p.Columns)))
	switch {
	case err != nil:
		return err
	case hex.EncodeToString(sum.Sum(nil)) != p.SHA256 || tag.RowsAffected() != p.Rows:
		return errors.New("its file is not the one that was dumped")
	}
	return nil
}
