package postgres_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"bitacora/adapters/ledger"
	"bitacora/adapters/postgres"
	"bitacora/adapters/postgres/postgrestest"
)

func TestADatabaseOfAnOlderDayLosesErasedKeysWhenItIsOpened(t *testing.T) {
	url := postgrestest.Database(t)
	l := ledger.New(filepath.Join(t.TempDir(), "erasures"))
	db := postgrestest.Open(t, url, testKey)
	keepLedger(t, db, l)
	for _, stream := range []string{"chat-1", "chat-2"} {
		mustAppend(t, db.Log(), request(stream, 0, said("me llamo Ana, "+stream)))
	}
	conn := owner(t, url)
	// As a recovery to a moment before the erasure leaves it.
	exec(t, conn, "CREATE TABLE older AS SELECT * FROM subject_keys")
	exec(t, conn, "CREATE TABLE older_epoch AS SELECT * FROM log_epoch")
	destroyKey(t, db, "chat-1")
	goBack := func() {
		t.Helper()
		exec(t, conn, "DELETE FROM subject_keys")
		exec(t, conn, "INSERT INTO subject_keys SELECT * FROM older")
		exec(t, conn, "UPDATE log_epoch SET ledger_mark = (SELECT ledger_mark FROM older_epoch)")
	}
	goBack()
	for want, l := range map[int64]*ledger.Ledger{0: ledger.New(filepath.Join(t.TempDir(), "none")), 1: l} {
		db := open(t, url, testKey)
		if n := keepLedger(t, db, l); n != want {
			t.Errorf("%d keys were destroyed, want %d", n, want)
		}
		goBack()
	}
	db = open(t, url, testKey)
	keepLedger(t, db, l)
	if got := readable(t, db); !slices.Equal(got, []string{"chat-2"}) {
		t.Errorf("readable are %v", got)
	}
	if n := keepLedger(t, open(t, url, testKey), l); n != 0 {
		t.Errorf("%d keys were destroyed again", n)
	}
	// As a failover to a standby that lagged, of which a program that runs hears nothing.
	goBack()
	for _, want := range []int64{1, 0} {
		if n, err := db.RepeatErasures(t.Context()); n != want || err != nil {
			t.Errorf("%d keys were destroyed while the log is open, want %d, %v", n, want, err)
		}
	}
	if got := readable(t, db); !slices.Equal(got, []string{"chat-2"}) {
		t.Errorf("readable are %v", got)
	}
}

func TestALostLedgerIsMadeAnew(t *testing.T) {
	b := newBackup(t)
	destroyKey(t, b.db, "chat-2")
	keepLedger(t, open(t, b.url, testKey), b.ledger)
	if err := os.Remove(b.ledger.Path()); err != nil {
		t.Fatal(err)
	}
	if err := b.ledger.Add([]string{"chat-1"}, at); err != nil {
		t.Fatal(err)
	}
	db := open(t, b.url, testKey)
	if n := keepLedger(t, db, b.ledger); n != 1 {
		t.Errorf("%d keys were destroyed, want that of chat-1", n)
	}
	if all, err := b.ledger.All(); err != nil || len(all) != 1 {
		t.Errorf("whoever opens the log wrote the ledger: %v, %v", all, err)
	}
	if _, err := db.RepeatErasures(t.Context()); err != nil {
		t.Fatal(err)
	}
	all, err := b.ledger.All()
	var subjects []string
	for _, e := range all {
		subjects = append(subjects, e.Subject)
	}
	if err != nil || !slices.Equal(subjects, []string{"chat-1", "chat-2", "chat-3"}) {
		t.Errorf("the ledger knows of %v, %v", subjects, err)
	}
}

// full is a ledger that cannot be written.
type full struct{ postgres.Ledger }

func (full) Add([]string, time.Time) error { return errors.New("no space left") }

func (full) Since(string) ([]string, string, bool, error) { return nil, "", true, nil }

func TestNoKeyIsDestroyedThatTheLedgerDoesNotKnow(t *testing.T) {
	_, db := fresh(t)
	mustAppend(t, db.Log(), request("chat-1", 0, said("me llamo Ana, chat-1")))
	keepLedger(t, db, full{})
	if err := db.Log().DestroyKey(t.Context(), "chat-1"); err == nil {
		t.Error("erased without being kept")
	}
	if got := readable(t, db); !slices.Equal(got, []string{"chat-1"}) {
		t.Errorf("readable are %v", got)
	}
}
