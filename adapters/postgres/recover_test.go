package postgres_test

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"github.com/jackc/pgx/v5"

	"bitacora/adapters/engines/enginestest"
	"bitacora/adapters/ledger"
	"bitacora/adapters/postgres"
	"bitacora/adapters/postgres/keyfiles"
	"bitacora/adapters/postgres/logdump"
)

// recoverable is a log that is recovered to an earlier moment, as Postgres does it by itself.
type recoverable struct {
	url, bundle string
	store       keyfiles.Store
	db          *postgres.DB
	ledger      *ledger.Ledger
	conn        *pgx.Conn
}

func newRecoverable(t *testing.T, subjects int) *recoverable {
	t.Helper()
	r := &recoverable{bundle: filepath.Join(t.TempDir(), "bundle"), ledger: ledger.New(filepath.Join(t.TempDir(), "erasures"))}
	r.url, r.store, r.db = rotatable(t)
	logdump.KeepBundle(r.db, r.bundle)
	keepLedger(t, r.db, r.ledger)
	r.conn = owner(t, r.url)
	fill(t, r.db.Log(), subjects)
	return r
}

// decided are the tables that go back with the log.
var decided = []string{"subject_keys", "subject_terms", "subject_index", "key_epochs", "log_epoch"}

// remember gives what takes the database back to how it is now.
func (r *recoverable) remember(t *testing.T, name string) (goBack func()) {
	t.Helper()
	for _, table := range decided {
		exec(t, r.conn, fmt.Sprintf("CREATE TABLE %s_%s AS SELECT * FROM %s", name, table, table))
	}
	var head int64
	if err := r.conn.QueryRow(t.Context(), "SELECT coalesce(max(position), 0) FROM events").Scan(&head); err != nil {
		t.Fatal(err)
	}
	return func() {
		t.Helper()
		for _, table := range decided {
			exec(t, r.conn, "DELETE FROM "+table)
			exec(t, r.conn, fmt.Sprintf("INSERT INTO %s SELECT * FROM %s_%s", table, name, table))
		}
		exec(t, r.conn, "ALTER TABLE events DISABLE TRIGGER append_only")
		exec(t, r.conn, "DELETE FROM events WHERE position > $1", head)
		exec(t, r.conn, "ALTER TABLE events ENABLE TRIGGER append_only")
	}
}

// open connects as a program does that starts.
func (r *recoverable) open(t *testing.T) (*postgres.DB, error) {
	t.Helper()
	db, err := postgres.Open(t.Context(), r.url, r.store, slog.New(slog.DiscardHandler))
	if err != nil {
		return nil, err
	}
	t.Cleanup(db.Close)
	_, err = db.KeepLedger(t.Context(), r.ledger)
	return db, err
}

func (r *recoverable) keys(t *testing.T) logdump.Keys {
	t.Helper()
	k := logdump.Keys{Bundle: openBundle(t, r.bundle), Store: r.store}
	var err error
	if k.Erased, _, _, err = r.ledger.Since(""); err != nil {
		t.Fatal(err)
	}
	return k
}

func (r *recoverable) recover(t *testing.T, keys logdump.Keys, want error) {
	t.Helper()
	if err := logdump.RecoverKeys(t.Context(), r.url, keys); !errors.Is(err, want) {
		t.Fatalf("recover: %v, want %v", err, want)
	}
}

// mustGoOn opens what was recovered, and checks who can be read and found.
func (r *recoverable) mustGoOn(t *testing.T, n int, erased ...int) {
	t.Helper()
	db, err := r.open(t)
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Log().IndexSubjects(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	mustHold(t, db.Log(), n, erased...)
}

func TestARecoveredDatabaseGetsTheKeysOfToday(t *testing.T) {
	r := newRecoverable(t, 5)
	goBack := r.remember(t, "before")
	mustAppend(t, r.db.Log(), request(subject(5), 0, gave(number(5))))
	destroyKey(t, r.db, subject(1))
	mustRotate(t, r.db.Log())
	goBack()
	if _, err := r.open(t); !errors.Is(err, postgres.ErrOldCopy) {
		t.Fatalf("opened: %v", err)
	}
	r.recover(t, r.keys(t), nil)
	var terms int
	if err := r.conn.QueryRow(t.Context(), "SELECT count(*) FROM subject_terms").Scan(&terms); err != nil || terms != 0 {
		t.Errorf("%d terms are of keys of then, %v", terms, err)
	}
	r.mustGoOn(t, 5, 1)

	// Once more: somebody was erased after the bundle was written, and of somebody the recovered
	// database alone knows it.
	goBack()
	exec(t, r.conn, "UPDATE subject_keys SET wrapped_key = NULL, destroyed_at = now() WHERE subject = $1", subject(3))
	if err := r.ledger.Add([]string{subject(2)}, at); err != nil {
		t.Fatal(err)
	}
	keys := r.keys(t)
	r.recover(t, keys, logdump.ErrErasedSince)
	keys.OlderBundle = true
	r.recover(t, keys, nil)
	r.mustGoOn(t, 5, 1, 2, 3)
	// Repeating it changes nothing, and who was erased here stays so whatever else knows of it.
	keys.Erased = nil
	r.recover(t, keys, nil)
	r.mustGoOn(t, 5, 1, 2, 3)
	db, err := r.open(t)
	if err != nil {
		t.Fatal(err)
	}
	mustRotate(t, db.Log())
	r.mustGoOn(t, 5, 1, 2, 3)
}

func TestWhoIsNewerThanTheBundleKeepsTheirKey(t *testing.T) {
	r := newRecoverable(t, 3)
	mustRotate(t, r.db.Log())
	mustAppend(t, r.db.Log(), request(subject(3), 0, gave(number(3))))
	goBack := r.remember(t, "newer")
	mustAppend(t, r.db.Log(), request(subject(4), 0, gave(number(4))))
	goBack()
	r.mustGoOn(t, 4)
	r.recover(t, r.keys(t), nil)
	r.mustGoOn(t, 4)
}

func TestADatabaseAsItWasDuringARotationIsRecovered(t *testing.T) {
	r := newRecoverable(t, 3)
	var goBack func()
	_, err := r.db.Log().Rotate(t.Context(), func(int, int) {
		if goBack == nil {
			goBack = r.remember(t, "during")
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	goBack()
	if _, err := r.open(t); !errors.Is(err, postgres.ErrOldCopy) {
		t.Fatalf("opened: %v", err)
	}
	r.recover(t, r.keys(t), nil)
	r.mustGoOn(t, 3)
	// It is no rotation that is under way.
	mustRotate(t, r.db.Log())
}

func TestWhatNobodyHasTheKeysOfIsGivenUpWhenAsked(t *testing.T) {
	r := newRecoverable(t, 3)
	older := filepath.Join(t.TempDir(), "older")
	if _, err := logdump.WriteBundle(t.Context(), r.db, older); err != nil {
		t.Fatal(err)
	}
	goBack := r.remember(t, "before")
	mustRotate(t, r.db.Log())
	goBack()
	keys := r.keys(t)
	keys.Bundle = openBundle(t, older)
	r.recover(t, keys, logdump.ErrOlderBundle)
	keys.Bundle = nil
	r.recover(t, keys, logdump.ErrOlderBundle)
	keys.GiveUp = true
	r.recover(t, keys, nil)
	r.mustGoOn(t, 3, 0, 1, 2)
}

func TestALogWhoseKeysAreAllLostGoesOnWhenAsked(t *testing.T) {
	r := newRecoverable(t, 3)
	mustRotate(t, r.db.Log())
	keys := r.keys(t)
	r.store = keyfiles.Store{Dir: filepath.Join(t.TempDir(), "empty")}
	keys.Store = r.store
	r.recover(t, keys, postgres.ErrNoKeys)
	keys.GiveUp = true
	r.recover(t, keys, nil)
	r.mustGoOn(t, 3, 0, 1, 2)
	db, err := r.open(t)
	if err != nil {
		t.Fatal(err)
	}
	mustAppend(t, db.Log(), request(subject(3), 0, gave(number(3))))
	mustRotate(t, db.Log())
	r.mustGoOn(t, 4, 0, 1, 2)
}

func TestAnOlderCopyOfTheKeysIsRefused(t *testing.T) {
	r := newRecoverable(t, 3)
	older := keyfiles.Store{Dir: filepath.Join(t.TempDir(), "older")}
	if err := os.CopyFS(older.Dir, os.DirFS(r.store.Dir)); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "dump")
	if _, err := logdump.Write(t.Context(), r.url, dir, logdump.Extras{}); err != nil {
		t.Fatal(err)
	}
	mustRotate(t, r.db.Log())
	keys := r.keys(t)
	keys.Store = older
	r.recover(t, keys, postgres.ErrNoKeys)
	if _, err := restored(t, dir, keys); !errors.Is(err, postgres.ErrNoKeys) {
		t.Errorf("restored: %v", err)
	}
	// With the keys given up, rotations go on.
	keys.GiveUp = true
	r.recover(t, keys, nil)
	r.store = older
	r.mustGoOn(t, 3, 0, 1, 2)
	db, err := r.open(t)
	if err != nil {
		t.Fatal(err)
	}
	mustRotate(t, db.Log())
	r.mustGoOn(t, 3, 0, 1, 2)
}

func TestABackupOfAnOlderKeyEpochIsRestored(t *testing.T) {
	r := newRecoverable(t, 4)
	destroyKey(t, r.db, subject(0))
	dir := filepath.Join(t.TempDir(), "dump")
	if _, err := logdump.Write(t.Context(), r.url, dir, logdump.Extras{}); err != nil {
		t.Fatal(err)
	}
	destroyKey(t, r.db, subject(1))
	mustRotate(t, r.db.Log())
	mustRotate(t, r.db.Log())
	url := enginestest.Postgres(t)
	if _, err := postgres.Migrate(t.Context(), url); err != nil {
		t.Fatal(err)
	}
	into := &recoverable{url: url, store: r.store, ledger: r.ledger}
	if _, err := logdump.Restore(t.Context(), into.url, dir, r.keys(t)); err != nil {
		t.Fatal(err)
	}
	into.mustGoOn(t, 4, 0, 1)
	db, err := into.open(t)
	if err != nil {
		t.Fatal(err)
	}
	mustRotate(t, db.Log())
	into.mustGoOn(t, 4, 0, 1)
}
