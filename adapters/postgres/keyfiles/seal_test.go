package keyfiles_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bitacora/adapters/postgres"
	"bitacora/adapters/postgres/keyfiles"
)

// contents are all files below a directory, with their modes.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err == nil && info.Mode().IsRegular() {
			var text []byte
			text, err = os.ReadFile(name)
			all[name] = fmt.Sprintf("%v %q", info.Mode(), text)
		} else {
			all[name] = info.Mode().String()
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestReadingKeysWritesNothing reads files in every form under every setting: they open, or are refused.
func TestReadingKeysWritesNothing(t *testing.T) {
	master, former, foreign := keyfiles.NewMasterKey(), keyfiles.NewMasterKey(), keyfiles.NewMasterKey()
	key := postgres.NewEpochKey()
	for name, tt := range map[string]struct {
		writes []*keyfiles.MasterKey // each its file
		reads  keyfiles.Store
		want   error
		says   string
	}{
		"no directory":             {nil, keyfiles.Store{Master: &master}, nil, ""},
		"plain":                    {[]*keyfiles.MasterKey{nil}, keyfiles.Store{}, nil, ""},
		"sealed":                   {[]*keyfiles.MasterKey{&master}, keyfiles.Store{Master: &master}, nil, ""},
		"sealed by the former":     {[]*keyfiles.MasterKey{&former}, keyfiles.Store{Master: &master, Before: &former}, nil, ""},
		"sealed by both":           {[]*keyfiles.MasterKey{&former, &master}, keyfiles.Store{Master: &master, Before: &former}, nil, ""},
		"plain beside a master":    {[]*keyfiles.MasterKey{nil}, keyfiles.Store{Master: &master}, keyfiles.ErrUnsealed, "bitacora keys seal"},
		"plain beside two masters": {[]*keyfiles.MasterKey{nil}, keyfiles.Store{Master: &master, Before: &former}, keyfiles.ErrUnsealed, "bitacora keys seal"},
		"half sealed":              {[]*keyfiles.MasterKey{&master, nil}, keyfiles.Store{Master: &master}, keyfiles.ErrUnsealed, "bitacora keys seal"},
		"foreign master":           {[]*keyfiles.MasterKey{&master}, keyfiles.Store{Master: &foreign}, postgres.ErrWrongKeys, "BITACORA_MASTER_KEY"},
		"foreign masters":          {[]*keyfiles.MasterKey{&master}, keyfiles.Store{Master: &foreign, Before: &former}, postgres.ErrWrongKeys, "BITACORA_MASTER_KEY"},
		"no master":                {[]*keyfiles.MasterKey{&master}, keyfiles.Store{}, nil, "BITACORA_MASTER_KEY is not set"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			tt.reads.Dir = filepath.Join(dir, "keys")
			for epoch, by := range tt.writes {
				apart := keyfiles.Store{Dir: filepath.Join(t.TempDir(), "keys"), Master: by}
				mustAdd(t, apart, epoch, key)
				if err := os.CopyFS(tt.reads.Dir, os.DirFS(apart.Dir)); err != nil {
					t.Fatal(err)
				}
			}
			before := contents(t, dir)
			keys, err := tt.reads.Keys(t.Context())
			if tt.says == "" && (err != nil || len(keys) != len(tt.writes)) || tt.says != "" && (err == nil || !strings.Contains(err.Error(), tt.says)) || tt.want != nil && !errors.Is(err, tt.want) {
				t.Errorf("%d keys, %v", len(keys), err)
			}
			if tt.says != "" {
				if err := tt.reads.Add(t.Context(), 9, key); err == nil {
					t.Error("a key was put beside those that do not open")
				}
			}
			if diff := cmp.Diff(before, contents(t, dir)); diff != "" {
				t.Errorf("reading wrote:\n%s", diff)
			}
		})
	}
}

// TestOnlyALogThatBeginsGetsKeys: whoever looks at one that has begun puts none into an empty directory.
func TestOnlyALogThatBeginsGetsKeys(t *testing.T) {
	keys := keyfiles.Store{Dir: filepath.Join(t.TempDir(), "keys"), Begun: true}
	if err := keys.Add(t.Context(), 0, postgres.NewEpochKey()); !errors.Is(err, keyfiles.ErrNoneYet) {
		t.Errorf("the first key: %v", err)
	}
	if _, err := os.Stat(keys.Dir); !os.IsNotExist(err) {
		t.Errorf("the directory: %v", err)
	}
	keys.Begun = false
	mustAdd(t, keys, 0, postgres.NewEpochKey())
	keys.Begun = true
	mustAdd(t, keys, 1, postgres.NewEpochKey())
}

var errCut = errors.New("cut off")

// cutAfter is a context that ends after it was asked so often, as a kill between two steps.
type cutAfter struct {
	context.Context
	left *int
}

func (c cutAfter) Err() error {
	if *c.left--; *c.left < 0 {
		return errCut
	}
	return nil
}

// TestSealingThatIsCutOffAnywhereIsRepaired cuts each change of form before each of its steps.
func TestSealingThatIsCutOffAnywhereIsRepaired(t *testing.T) {
	master, next := keyfiles.NewMasterKey(), keyfiles.NewMasterKey()
	type change struct {
		from, to keyfiles.Store
		do       func(keyfiles.Store, context.Context) (int, error)
		single   bool
	}
	for name, c := range map[string]change{
		"seal":            {keyfiles.Store{}, keyfiles.Store{Master: &master}, keyfiles.Store.Seal, false},
		"seal anew":       {keyfiles.Store{Master: &master}, keyfiles.Store{Master: &next, Before: &master}, keyfiles.Store.Seal, false},
		"unseal":          {keyfiles.Store{Master: &master}, keyfiles.Store{Master: &master}, keyfiles.Store.Unseal, false},
		"seal master.key": {keyfiles.Store{}, keyfiles.Store{Master: &master}, keyfiles.Store.Seal, true},
	} {
		t.Run(name, func(t *testing.T) {
			cuts := 0
			for done := false; !done; cuts++ {
				dir := t.TempDir()
				c.from.Dir, c.to.Dir = filepath.Join(dir, "keys"), filepath.Join(dir, "keys")
				held := map[int]postgres.EpochKey{0: postgres.NewEpochKey()}
				if c.single {
					c.to.Single = filepath.Join(dir, "master.key")
					if err := os.WriteFile(c.to.Single, []byte(keyfiles.MasterKey(held[0]).Text()), 0o600); err != nil {
						t.Fatal(err)
					}
				} else {
					held[1] = postgres.NewEpochKey()
					for epoch, key := range held {
						mustAdd(t, c.from, epoch, key)
					}
				}
				left := cuts
				_, err := c.do(c.to, cutAfter{t.Context(), &left})
				if done = err == nil; !done && !errors.Is(err, errCut) {
					t.Fatal(err)
				}
				if now := mustKeys(t, c.to.InAnyForm()); !maps.Equal(now, held) {
					t.Fatalf("cut at %d: %d keys open in between", cuts, len(now))
				}
				if n, err := c.do(c.to, t.Context()); err != nil || n != len(held) {
					t.Fatalf("cut at %d, again: %d, %v", cuts, n, err)
				}
				want := []string{dir, c.to.Dir}
				for epoch := range held {
					want = append(want, filepath.Join(c.to.Dir, fmt.Sprintf("epoch-%04d.key", epoch)))
				}
				result := contents(t, dir)
				if len(result) != len(want) {
					t.Errorf("cut at %d, left: %v", cuts, result)
				}
				finally := keyfiles.Store{Dir: c.to.Dir, Master: c.to.Master}
				if name == "unseal" {
					finally.Master = nil
				}
				if now := mustKeys(t, finally); !maps.Equal(now, held) {
					t.Errorf("cut at %d: %d keys in the end", cuts, len(now))
				}
			}
			if cuts < 6 {
				t.Errorf("it was cut %d times", cuts)
			}
		})
	}
}

// TestACopyIsKeptUntilTheNewFilesAreOpened, for its owner alone, and a key that is destroyed goes there too.
func TestACopyIsKeptUntilTheNewFilesAreOpened(t *testing.T) {
	master, keys := keyfiles.NewMasterKey(), keyfiles.Store{Dir: filepath.Join(t.TempDir(), "keys")}
	first, second := postgres.NewEpochKey(), postgres.NewEpochKey()
	mustAdd(t, keys, 0, first)
	mustAdd(t, keys, 1, second)
	keys.Master = &master
	left := 10 // the keys are in their new form, and were not opened yet
	if _, err := keys.Seal(cutAfter{t.Context(), &left}); !errors.Is(err, errCut) {
		t.Fatal(err)
	}
	if mustKeys(t, keys); len(names(t, keys.Dir)) != 3 {
		t.Errorf("there are %v", names(t, keys.Dir))
	}
	if mode := contents(t, keys.Dir)[keys.Copy()]; mode != "drwx------" {
		t.Errorf("the copy has the mode %s", mode)
	}
	copied := keyfiles.Store{Dir: keys.Copy()}
	if now := mustKeys(t, copied); now[0] != first || now[1] != second {
		t.Errorf("the copy holds %d keys", len(now))
	}
	if err := keys.DestroyBefore(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	if now := mustKeys(t, copied); now[1] != second || len(now) != 1 {
		t.Errorf("after a rotation the copy holds %d keys", len(now))
	}
}
