package postgres_test

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"bitacora/adapters/postgres"
	"bitacora/adapters/postgres/keyfiles"
	"bitacora/adapters/postgres/postgrestest"
)

func TestALogOfBeforeKeyEpochsGoesOnAndIsRotated(t *testing.T) {
	master := keyfiles.NewMasterKey()
	for name, keysIn := range map[string]func(dir string) keyfiles.Store{
		"with its key in a file": func(dir string) keyfiles.Store {
			single := filepath.Join(dir, "master.key")
			if err := os.WriteFile(single, []byte(master.Text()+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			return keyfiles.Store{Dir: filepath.Join(dir, "keys"), Single: single}
		},
		"with its key from outside": func(dir string) keyfiles.Store {
			return keyfiles.Store{Dir: filepath.Join(dir, "keys"), Master: &master}
		},
	} {
		t.Run(name, func(t *testing.T) {
			url := postgrestest.Database(t)
			fill(t, postgrestest.Open(t, url, master).Log(), 5)
			before := wrappedKeys(t, owner(t, url))
			keys := keysIn(t.TempDir())
			log := open(t, url, keys).Log()
			mustHold(t, log, 5)
			if err := log.DestroyKey(t.Context(), subject(2)); err != nil {
				t.Fatal(err)
			}
			if done := mustRotate(t, log); done.KeyEpoch != 1 || done.Erased != 1 {
				t.Errorf("%+v", done)
			}
			mustHold(t, open(t, url, keys).Log(), 5, 2)
			held, err := keys.Keys(t.Context())
			if err != nil || len(held) != 1 || held[1].Opens(subject(2), before[subject(2)]) == nil {
				t.Errorf("%d keys, %v", len(held), err)
			}
			if _, err := os.Stat(keys.Single); keys.Single != "" && !errors.Is(err, os.ErrNotExist) {
				t.Errorf("the file of the old key: %v", err)
			}
			exec(t, owner(t, url), "UPDATE log_epoch SET key_epoch = 0")
			if _, err := postgres.Open(t.Context(), url, keys, slog.New(slog.DiscardHandler)); !errors.Is(err, postgres.ErrOldCopy) {
				t.Errorf("a copy of before: %v", err)
			}
		})
	}
}

func TestANewLogIsNotSealedWithTheMasterKeyItself(t *testing.T) {
	url, master := postgrestest.Database(t), keyfiles.NewMasterKey()
	keys := keyfiles.Store{Dir: t.TempDir(), Master: &master}
	db := postgrestest.Open(t, url, keys)
	fill(t, db.Log(), 1)
	if wrapped := wrappedKeys(t, owner(t, url)); len(wrapped) != 1 || postgres.EpochKey(master).Opens(subject(0), wrapped[subject(0)]) == nil {
		t.Error("the master key, which nobody destroys, opens the key of a subject")
	}
}

func TestKeysThatAreNotThoseOfTheLogAreRefused(t *testing.T) {
	url, keys, db := rotatable(t)
	fill(t, db.Log(), 2)
	copied := copyOf(t, keys)
	mustRotate(t, db.Log())
	_, foreign, _ := rotatable(t)
	_, rotated, elsewhere := rotatable(t)
	mustRotate(t, elsewhere.Log())
	for name, tt := range map[string]struct {
		keys postgres.KeyStore
		want error
	}{
		"there are none":             {keyfiles.Store{Dir: filepath.Join(t.TempDir(), "keys")}, postgres.ErrNoKeys},
		"those of an earlier epoch":  {copied, postgres.ErrNoKeys},
		"another log's first":        {foreign, postgres.ErrNoKeys},
		"another log's second":       {rotated, postgres.ErrWrongKeys},
		"another master key instead": {keyfiles.NewMasterKey(), postgres.ErrNoKeys},
	} {
		if _, err := postgres.Open(t.Context(), url, tt.keys, slog.New(slog.DiscardHandler)); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", name, err, tt.want)
		}
	}
	if entries, err := filepath.Glob(filepath.Join(copied.Dir, "*")); err != nil || len(entries) != 1 {
		t.Errorf("a refused start left %v, %v", entries, err)
	}
}

func copyOf(t *testing.T, keys keyfiles.Store) keyfiles.Store {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "keys")
	if err := os.CopyFS(dir, os.DirFS(keys.Dir)); err != nil {
		t.Fatal(err)
	}
	return keyfiles.Store{Dir: dir}
}

// A log that is about to be restored takes the newest of the keys that are there, and that is no
// rotation to be finished.
func TestANewLogTakesTheNewestOfTheKeysThatAreThere(t *testing.T) {
	_, keys, db := rotatable(t)
	mustRotate(t, db.Log())
	empty := postgrestest.Open(t, postgrestest.Database(t), keys).Log()
	state, err := empty.KeyState(t.Context())
	if err != nil || state != (postgres.KeyState{KeyEpoch: 1}) {
		t.Errorf("%+v, %v", state, err)
	}
	fill(t, empty, 2)
	mustHold(t, empty, 2)
}
