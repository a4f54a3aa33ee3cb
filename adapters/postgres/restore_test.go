package postgres_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"bitacora/adapters/ledger"
	"bitacora/adapters/postgres"
	"bitacora/adapters/postgres/keyfiles"
	"bitacora/adapters/postgres/logdump"
	"bitacora/domain/event"
	"bitacora/domain/staff"
)

// backedUp is a log of three people, with its dump and the bundle of that time.
type backedUp struct {
	url, dir, bundle string
	db               *postgres.DB
	ledger           *ledger.Ledger
}

func newBackup(t *testing.T) backedUp {
	t.Helper()
	b := backedUp{dir: filepath.Join(t.TempDir(), "dump"), bundle: filepath.Join(t.TempDir(), "keys", "bundle"), ledger: ledger.New(filepath.Join(t.TempDir(), "erasures"))}
	b.url, b.db = fresh(t)
	keepLedger(t, b.db, b.ledger)
	for _, stream := range []string{"chat-1", "chat-2", "chat-3"} {
		mustAppend(t, b.db.Log(), request(stream, 0, said("me llamo Ana, "+stream)))
	}
	destroyKey(t, b.db, "chat-3")
	if _, err := logdump.Write(t.Context(), b.url, b.dir, logdump.Extras{}); err != nil {
		t.Fatal(err)
	}
	b.writeBundle(t)
	return b
}

func (b backedUp) writeBundle(t *testing.T) {
	t.Helper()
	if _, err := logdump.WriteBundle(t.Context(), b.db, b.bundle); err != nil {
		t.Fatal(err)
	}
}

// keys are those of today.
func (b backedUp) keys(t *testing.T) logdump.Keys {
	t.Helper()
	k := logdump.Keys{Bundle: openBundle(t, b.bundle), Store: testKey}
	all, err := b.ledger.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range all {
		k.Erased = append(k.Erased, e.Subject)
	}
	return k
}

func openBundle(t *testing.T, path string) *logdump.Bundle {
	t.Helper()
	b, err := logdump.OpenBundle(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func keepLedger(t *testing.T, db *postgres.DB, l postgres.Ledger) (destroyed int64) {
	t.Helper()
	destroyed, err := db.KeepLedger(t.Context(), l)
	if err != nil {
		t.Fatal(err)
	}
	return destroyed
}

func destroyKey(t *testing.T, db *postgres.DB, stream string) {
	t.Helper()
	if err := db.Log().DestroyKey(t.Context(), stream); err != nil {
		t.Fatal(err)
	}
}

// restored brings a dump into a database of its own.
func restored(t *testing.T, dir string, keys logdump.Keys) (*postgres.DB, error) {
	t.Helper()
	url, db := fresh(t)
	if _, err := logdump.Restore(t.Context(), url, dir, keys); err != nil {
		return db, err
	}
	return db, nil
}

// readable lists the streams of a log whose texts can be read, and fails the test for one that is
// neither read nor erased.
func readable(t *testing.T, db *postgres.DB) (streams []string) {
	t.Helper()
	for _, e := range mustRead(t, db.Log(), 0, 100) {
		sent, ok := e.Payload.(*event.VisitorMessageSent)
		if !ok {
			t.Fatalf("%s is %T", e.Stream, e.Payload)
		}
		switch {
		case sent.Text.Text == "me llamo Ana, "+e.Stream && !e.Erased:
			streams = append(streams, e.Stream)
		case sent.Text.Text != "" || !e.Erased:
			t.Errorf("%s: %q, erased %t", e.Stream, sent.Text.Text, e.Erased)
		}
	}
	return streams
}

func TestARestoreTakesDataOfThenAndKeysOfToday(t *testing.T) {
	b := newBackup(t)
	destroyKey(t, b.db, "chat-2")
	b.writeBundle(t)
	db, err := restored(t, b.dir, b.keys(t))
	if err != nil {
		t.Fatal(err)
	}
	if got := readable(t, db); !slices.Equal(got, []string{"chat-1"}) {
		t.Errorf("readable are %v", got)
	}
	// Who was erased before the backup and after it stays erased, and the others go on.
	for _, stream := range []string{"chat-2", "chat-3"} {
		if _, err := db.Log().Append(t.Context(), request(stream, 1, said("otra vez"))); !errors.Is(err, postgres.ErrErased) {
			t.Errorf("append to %s: %v", stream, err)
		}
	}
	mustAppend(t, db.Log(), request("chat-1", 1, said("me llamo Ana, chat-1")))
	if got := readable(t, db); !slices.Equal(got, []string{"chat-1", "chat-1"}) {
		t.Errorf("readable are %v", got)
	}
}

// TestABundleTakesNotThePlaceOfAnotherLogs, whose backups nobody could read without it: of a clinic
// with the same keys directory, or of a log that is about to be restored.
func TestABundleTakesNotThePlaceOfAnotherLogs(t *testing.T) {
	b, other := newBackup(t), newBackup(t)
	_, begun := fresh(t)
	for name, db := range map[string]*postgres.DB{"another clinic's": other.db, "one that has just begun": begun} {
		if _, err := logdump.WriteBundle(t.Context(), db, b.bundle); !errors.Is(err, logdump.ErrOtherLog) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if files, err := filepath.Glob(b.bundle + "*"); err != nil || len(files) != 1 {
		t.Errorf("there are %v, %v", files, err)
	}
	if _, err := restored(t, b.dir, b.keys(t)); err != nil {
		t.Errorf("its own backup: %v", err)
	}
	b.writeBundle(t)
}

func TestARestoreRefusesKeysThatDoNotFit(t *testing.T) {
	b := newBackup(t)
	other := newBackup(t)
	atBackup := filepath.Join(t.TempDir(), "at-backup")
	copyTo(t, b.bundle, atBackup)
	destroyKey(t, b.db, "chat-2")
	older := b.keys(t)
	older.Bundle = openBundle(t, atBackup)
	anyway := older
	anyway.OlderBundle = true
	foreign := b.keys(t)
	foreign.Bundle = openBundle(t, other.bundle)
	wrongKey := b.keys(t)
	wrongKey.Store = keyfiles.NewMasterKey()
	mustAppend(t, b.db.Log(), request("chat-4", 0, said("me llamo Ana, chat-4")))
	later := filepath.Join(t.TempDir(), "later")
	if _, err := logdump.Write(t.Context(), b.url, later, logdump.Extras{}); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		dir  string
		keys logdump.Keys
		want error
	}{
		"a bundle with keys of the erased":    {b.dir, older, logdump.ErrErasedSince},
		"a bundle of another log":             {b.dir, foreign, logdump.ErrOtherLog},
		"a key that opens nothing":            {b.dir, wrongKey, postgres.ErrWrongKeys},
		"a bundle from before the backup":     {later, anyway, logdump.ErrOlderBundle},
		"no dump":                             {t.TempDir(), anyway, fs.ErrNotExist},
		"an older bundle that is taken as is": {b.dir, anyway, nil},
	} {
		t.Run(name, func(t *testing.T) {
			db, err := restored(t, test.dir, test.keys)
			if !errors.Is(err, test.want) {
				t.Fatalf("got %v, want %v", err, test.want)
			}
			got := readable(t, db)
			if err != nil && len(mustRead(t, db.Log(), 0, 10)) != 0 {
				t.Error("something was restored")
			}
			if err == nil && !slices.Equal(got, []string{"chat-1"}) {
				t.Errorf("readable are %v", got)
			}
		})
	}
	// A bundle that claims to be newer and lacks keys is found out by its content.
	text, err := os.ReadFile(filepath.Join(later, "manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	m, err := logdump.ReadManifest(later)
	if err != nil {
		t.Fatal(err)
	}
	text = bytes.Replace(text, []byte(m.TakenAt.Format(time.RFC3339Nano)), []byte("2026-01-01T00:00:00Z"), 1)
	if err := os.WriteFile(filepath.Join(later, "manifest.json"), text, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := restored(t, later, anyway); !errors.Is(err, logdump.ErrOlderBundle) || !strings.Contains(err.Error(), "keys of 1 subjects") {
		t.Errorf("got %v", err)
	}
}

func copyTo(t *testing.T, from, to string) {
	t.Helper()
	text, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestADumpHoldsNoKeysAndNoSessions(t *testing.T) {
	b := newBackup(t)
	account, err := b.db.Staff().AddAccount(t.Context(), "ana@clinica.example", "hash", staff.RoleStaff)
	if err != nil {
		t.Fatal(err)
	}
	conn := owner(t, b.url)
	token := bytes.Repeat([]byte("session!"), 4)
	exec(t, conn, "INSERT INTO staff_sessions (token_hash, account_id, created_at, last_seen_at, expires_at) VALUES ($1, $2, now(), now(), now())", token, account.ID)
	exec(t, conn, "INSERT INTO login_failures (name_hash, address, failed_at) VALUES ($1, '192.0.2.77', now())", token)
	dir := filepath.Join(t.TempDir(), "dump")
	if _, err := logdump.Write(t.Context(), b.url, dir, logdump.Extras{}); err != nil {
		t.Fatal(err)
	}
	rows, err := conn.Query(t.Context(), "SELECT wrapped_key FROM subject_keys WHERE wrapped_key IS NOT NULL")
	if err != nil {
		t.Fatal(err)
	}
	secrets, err := pgx.CollectRows(rows, pgx.RowTo[[]byte])
	if err != nil || len(secrets) != 2 {
		t.Fatalf("%d keys, %v", len(secrets), err)
	}
	secrets = append(secrets, token, []byte("192.0.2.77"))
	dumped := everything(t, dir)
	for _, s := range secrets {
		if holds(dumped, s) {
			t.Errorf("the dump holds %x", s)
		}
	}
	// The search finds what is there.
	if !holds(dumped, []byte("ana@clinica.example")) || !holds(everything(t, filepath.Dir(b.bundle)), secrets[0]) {
		t.Error("the search finds nothing")
	}
}

// everything is what the files of a directory hold.
func everything(t *testing.T, dir string) (all []byte) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		all = append(all, text...)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// holds looks for bytes as they are, in hexadecimal and in base64.
func holds(text, secret []byte) bool {
	return bytes.Contains(text, secret) || bytes.Contains(text, []byte(hex.EncodeToString(secret))) ||
		bytes.Contains(text, []byte(base64.StdEncoding.EncodeToString(secret)))
}

func TestEveryTableIsDumpedOrLeftOut(t *testing.T) {
	url, _ := fresh(t)
	if _, err := logdump.Write(t.Context(), url, filepath.Join(t.TempDir(), "whole"), logdump.Extras{}); err != nil {
		t.Fatal(err)
	}
	exec(t, owner(t, url), "CREATE TABLE news (n integer)")
	if _, err := logdump.Write(t.Context(), url, filepath.Join(t.TempDir(), "unsure"), logdump.Extras{}); err == nil || !strings.Contains(err.Error(), "table news") {
		t.Errorf("a table that nobody classified: %v", err)
	}
}

func TestABundleTakesThePlaceOfTheOlder(t *testing.T) {
	b := newBackup(t)
	first, err := os.Open(b.bundle)
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	was := openBundle(t, b.bundle)
	if was.Keys != 2 || was.Destroyed != 1 || was.Head != 3 || was.FirstEvent == "" {
		t.Errorf("the bundle says %+v", was)
	}
	// What interrupted writers left.
	for _, leftover := range []string{".new", ".old"} {
		copyTo(t, b.bundle, b.bundle+leftover)
	}
	destroyKey(t, b.db, "chat-2")
	b.writeBundle(t)
	if now := openBundle(t, b.bundle); now.Keys != 1 || now.Destroyed != 2 || !now.WrittenAt.After(was.WrittenAt) {
		t.Errorf("the new bundle says %+v", now)
	}
	old := make([]byte, 4096)
	if n, _ := first.ReadAt(old, 0); n == 0 || bytes.Contains(old[:n], []byte("firstEvent")) || bytes.Contains(old[:n], []byte("chat-1")) {
		t.Errorf("%d bytes of the old bundle are %q", n, old[:n])
	}
	files, err := os.ReadDir(filepath.Dir(b.bundle))
	if err != nil || len(files) != 1 {
		t.Errorf("the directory holds %v, %v", files, err)
	}
	if info, err := os.Stat(b.bundle); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the bundle is %v, %v", info.Mode(), err)
	}
}

func TestADamagedBundleIsRefused(t *testing.T) {
	b := newBackup(t)
	whole, err := os.ReadFile(b.bundle)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{
		"empty": nil, "cut": whole[:len(whole)-1], "no header": whole[1:], "longer": append(slices.Clone(whole), '\n'),
		"another head": bytes.Replace(whole, []byte(`"head":3`), []byte(`"head":4`), 1),
		"another row":  bytes.Replace(whole, []byte("chat-1"), []byte("chat-9"), 1),
	} {
		if err := os.WriteFile(b.bundle, text, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := logdump.OpenBundle(b.bundle); !errors.Is(err, logdump.ErrBundle) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := logdump.OpenBundle(b.bundle + ".none"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("none: %v", err)
	}
}
