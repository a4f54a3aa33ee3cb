package keyfiles_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bitacora/adapters/postgres"
	"bitacora/adapters/postgres/keyfiles"
)

func mustKeys(t *testing.T, keys keyfiles.Store) map[int]postgres.EpochKey {
	t.Helper()
	all, err := keys.Keys(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func mustAdd(t *testing.T, keys keyfiles.Store, epoch int, key postgres.EpochKey) {
	t.Helper()
	if err := keys.Add(t.Context(), epoch, key); err != nil {
		t.Fatal(err)
	}
}

func names(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		info, err := entry.Info()
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, entry.Name()+" "+info.Mode().String())
	}
	return names
}

func TestKeyFiles(t *testing.T) {
	master := keyfiles.NewMasterKey()
	for name, keys := range map[string]keyfiles.Store{
		"plain":  {Dir: filepath.Join(t.TempDir(), "deep", "keys")},
		"sealed": {Dir: filepath.Join(t.TempDir(), "keys"), Master: &master},
	} {
		t.Run(name, func(t *testing.T) {
			if all := mustKeys(t, keys); len(all) != 0 {
				t.Errorf("%d keys where there is no directory", len(all))
			}
			first, second := postgres.NewEpochKey(), postgres.NewEpochKey()
			mustAdd(t, keys, 0, first)
			mustAdd(t, keys, 1, second)
			mustAdd(t, keys, 0, postgres.NewEpochKey()) // stays as it is
			if all := mustKeys(t, keys); all[0] != first || all[1] != second || len(all) != 2 {
				t.Errorf("%d keys, not those that were kept", len(all))
			}
			if diff := cmp.Diff([]string{"epoch-0000.key -rw-------", "epoch-0001.key -rw-------"}, names(t, keys.Dir)); diff != "" {
				t.Error(diff)
			}
			if info, err := os.Stat(keys.Dir); err != nil || info.Mode().Perm() != 0o700 {
				t.Errorf("%v, %v", info.Mode(), err)
			}
			content, err := os.ReadFile(filepath.Join(keys.Dir, "epoch-0001.key"))
			if err != nil || strings.Contains(string(content), keyfiles.MasterKey(second).Text()) == (keys.Master != nil) {
				t.Errorf("%q, %v", content, err)
			}
			// Another name for the file shows what its bytes have become.
			if err := os.Link(filepath.Join(keys.Dir, "epoch-0000.key"), filepath.Join(keys.Dir, "kept")); err != nil {
				t.Fatal(err)
			}
			was, err := os.ReadFile(filepath.Join(keys.Dir, "kept"))
			if err != nil {
				t.Fatal(err)
			}
			for _, left := range []string{"epoch-0000.key.123", "epoch-0000.key.destroyed"} { // as a crash leaves them
				if err := os.WriteFile(filepath.Join(keys.Dir, left), was, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			for range 2 {
				if err := keys.DestroyBefore(t.Context(), 1); err != nil {
					t.Fatal(err)
				}
			}
			is, err := os.ReadFile(filepath.Join(keys.Dir, "kept"))
			if err != nil || len(is) != len(was) || strings.Contains(string(is), string(was[:16])) {
				t.Errorf("%q became %q, %v", was, is, err)
			}
			if all := mustKeys(t, keys); all[1] != second || len(all) != 1 {
				t.Errorf("%d keys", len(all))
			}
			if diff := cmp.Diff([]string{"epoch-0001.key -rw-------", "kept -rw-------"}, names(t, keys.Dir)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestOfTwoThatKeepAKeyAtOnceOneIsKept(t *testing.T) {
	keys := keyfiles.Store{Dir: filepath.Join(t.TempDir(), "keys")}
	drawn := make([]postgres.EpochKey, 8)
	var running sync.WaitGroup
	for i := range drawn {
		drawn[i] = postgres.NewEpochKey()
		running.Go(func() {
			if err := keys.Add(t.Context(), 3, drawn[i]); err != nil {
				t.Error(err)
			}
		})
	}
	running.Wait()
	kept := mustKeys(t, keys)
	found := false
	for _, key := range drawn {
		found = found || key == kept[3]
	}
	if !found || len(kept) != 1 || len(names(t, keys.Dir)) != 1 {
		t.Errorf("%d keys, of those drawn: %v, files %v", len(kept), found, names(t, keys.Dir))
	}
}

// TestNoKeyIsReadHalfDestroyed: whoever reads the keys meanwhile sees what a crash would leave.
func TestNoKeyIsReadHalfDestroyed(t *testing.T) {
	dir := t.TempDir()
	single, first := filepath.Join(dir, "master.key"), keyfiles.NewMasterKey()
	if err := os.WriteFile(single, []byte(first.Text()), 0o600); err != nil {
		t.Fatal(err)
	}
	keys := keyfiles.Store{Dir: filepath.Join(dir, "keys"), Single: single}
	var destroying sync.WaitGroup
	ended := make(chan struct{})
	destroying.Go(func() {
		defer close(ended)
		for epoch := 1; epoch <= 100; epoch++ {
			if err := errors.Join(keys.Add(t.Context(), epoch, postgres.NewEpochKey()), keys.DestroyBefore(t.Context(), epoch)); err != nil {
				t.Error(err)
			}
		}
	})
	for reading := true; reading; {
		select {
		case <-ended:
			reading = false
		default:
		}
		if all, err := keys.Keys(t.Context()); err != nil || len(all) == 0 {
			t.Errorf("%d keys, %v", len(all), err)
			break
		}
	}
	destroying.Wait()
	if left := append(names(t, keys.Dir), names(t, dir)...); len(left) != 2 {
		t.Errorf("there are %v", left)
	}
}

func TestAKeyFileThatHoldsNoKeyIsAnError(t *testing.T) {
	keys := keyfiles.Store{Dir: t.TempDir()}
	for _, content := range []string{"", "abc", "sealed !", "sealed AAAA"} {
		if err := os.WriteFile(filepath.Join(keys.Dir, "epoch-0000.key"), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if all, err := keys.Keys(t.Context()); err == nil || all != nil || content != "" && strings.Contains(err.Error(), content) {
			t.Errorf("%q: %v, %v", content, all, err)
		}
	}
}

// FuzzParseMasterKey: a key is read as it was written, and no mistake shows it.
func FuzzParseMasterKey(f *testing.F) {
	f.Add(keyfiles.MasterKey{1}.Text())
	f.Add("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=")
	f.Add("ssssecreto")
	f.Fuzz(func(t *testing.T, text string) {
		key, err := keyfiles.ParseMasterKey(text)
		if err != nil {
			if len(text) > 8 && strings.Contains(err.Error(), text) {
				t.Errorf("shown: %v", err)
			}
			return
		}
		if again, err := keyfiles.ParseMasterKey(key.Text()); err != nil || again != key {
			t.Errorf("%q is another key: %v", text, err)
		}
	})
}
