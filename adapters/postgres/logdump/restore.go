package logdump

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

	"github.com/jackc/pgx/v5"

	"bitacora/adapters/postgres"
	"bitacora/domain/fault"
)

// Errors of a restore.
var (
	// ErrNotEmpty: something would be overwritten.
	ErrNotEmpty = errors.New("the log is not empty")
	// ErrOtherLog: a bundle tells of another log than the one that its keys are wanted for.
	ErrOtherLog = errors.New("the key bundle is of another log")
	// ErrOlderBundle: a bundle was written before what its keys are wanted for.
	ErrOlderBundle = errors.New("the key bundle is too old")
	// ErrErasedSince: a bundle holds keys of subjects that were erased after it was written.
	ErrErasedSince = errors.New("the key bundle is older than the erasure ledger")
)

// ReadManifest reads what a dump holds.
func ReadManifest(dir string) (m Manifest, err error) {
	text, err := os.ReadFile(filepath.Join(dir, ManifestFile))
	if err == nil {
		err = json.Unmarshal(text, &m)
	}
	return m, fault.Wrap(err, "read manifest")
}

// Fits says whether a bundle has the keys of a dump.
func (m Manifest) Fits(b *Bundle) error {
	switch {
	case b == nil: // the caller gives the keys up
		return nil
	case m.FirstEvent != b.FirstEvent:
		return fmt.Errorf("%w: it begins with event %q, the backup with %q", ErrOtherLog, b.FirstEvent, m.FirstEvent)
	case b.WrittenAt.Before(m.TakenAt):
		return fmt.Errorf("%w: it was written before the backup was taken", ErrOlderBundle)
	}
	return nil
}

// Restore fills a database that was migrated as the dump's, see [postgres.MigrateTo],
// and whose log is empty: with a dump's data, of whatever age, and the keys of today. All or nothing
// is changed. The log has to be brought up to this program, see [postgres.Migrate], and adopted afterwards,
// see [AdoptEpoch], and its subjects to be indexed. It connects as the owner of the tables.
func Restore(ctx context.Context, url, dir string, keys Keys) (m Manifest, err error) {
	if m, err = ReadManifest(dir); err != nil {
		return m, err
	}
	if err := m.Fits(keys.Bundle); err != nil {
		return m, fmt.Errorf("restore: %w", err)
	}
	conn, err := postgres.ConnectTo(ctx, url)
	if err != nil {
		return m, fmt.Errorf("connect to restore: %w", err)
	}
	defer conn.Close(context.WithoutCancel(ctx))
	err = pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		if err := restorable(ctx, tx, m); err != nil {
			return err
		}
		epochs, err := keys.load(ctx, tx)
		if err != nil {
			return err
		}
		if err := m.restoreTables(ctx, tx, dir); err != nil {
			return err
		}
		// Nothing was sealed here: the log gets the digest of today's key when it is opened.
		if _, err := tx.Exec(ctx, "DELETE FROM key_epochs"); err != nil {
			return err
		}
		if err := keys.take(ctx, tx, epochs); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, "UPDATE projection_checkpoints SET token = 0, hold_at = NULL, hold_until = NULL")
		return err
	})
	if err != nil {
		return m, fmt.Errorf("restore: %w", ownerAsked(err))
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
	here, err := postgres.AppliedMigrations(ctx, tx)
	if err != nil {
		return err
	}
	if !slices.Equal(here, m.Migrations) {
		return fmt.Errorf("the database is of another version than the dump (%s): restore it into an empty data directory, or an empty database", m.Schema())
	}
	return nil
}

// restoreTables replaces what the tables hold, those that are referred to first.
func (m Manifest) restoreTables(ctx context.Context, tx pgx.Tx, dir string) error {
	for _, p := range slices.Backward(m.Tables) {
		if p.Table == "events" || p.Table == "log_chain" { // which are empty, and refuse even that
			continue
		}
		if _, err := tx.Exec(ctx, "DELETE FROM "+pgx.Identifier{p.Table}.Sanitize()); err != nil {
			return err
		}
	}
	for _, p := range m.Tables {
		if err := p.restore(ctx, tx.Conn(), dir); err != nil {
			return fmt.Errorf("table %s: %w", p.Table, err)
		}
	}
	return nil
}

func (p Part) restore(ctx context.Context, conn *pgx.Conn, dir string) error {
	f, err := os.Open(filepath.Join(dir, p.Table+".copy"))
	if err != nil {
		return err
	}
	defer f.Close()
	sum := sha256.New()
	tag, err := conn.PgConn().CopyFrom(ctx, io.TeeReader(f, sum), fmt.Sprintf("COPY %s (%s) FROM STDIN", pgx.Identifier{p.Table}.Sanitize(), columnList(p.Columns)))
	switch {
	case err != nil:
		return err
	case hex.EncodeToString(sum.Sum(nil)) != p.SHA256 || tag.RowsAffected() != p.Rows:
		return errors.New("its file is not the one that was dumped")
	}
	return nil
}
