package ledger_test

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"bitacora/adapters/ledger"
)

var day = time.Date(2026, 11, 3, 14, 30, 0, 0, time.UTC)

func add(t *testing.T, l *ledger.Ledger, subjects ...string) {
	t.Helper()
	if err := l.Add(subjects, day); err != nil {
		t.Fatal(err)
	}
}

// since fails the test unless a mark is known, and gives what follows it.
func since(t *testing.T, l *ledger.Ledger, mark string) ([]string, string) {
	t.Helper()
	list, last, known, err := l.Since(mark)
	if err != nil || !known {
		t.Fatalf("since %q: known %t, %v", mark, known, err)
	}
	return list, last
}

func TestErasuresAreGivenAfterAMark(t *testing.T) {
	l := ledger.New(filepath.Join(t.TempDir(), "keys", "erasures"))
	if list, mark := since(t, l, ""); len(list) != 0 || mark != "" {
		t.Errorf("a new ledger holds %v up to %q", list, mark)
	}
	// A subject is anything that a stream may be called.
	first := []string{"chat/1", "of \"two\"\nlines"}
	add(t, l, first...)
	list, mark := since(t, l, "")
	if !reflect.DeepEqual(list, first) {
		t.Errorf("got %v", list)
	}
	if list, again := since(t, l, mark); len(list) != 0 || again != mark {
		t.Errorf("after all there is %v", list)
	}
	add(t, l, "chat/3")
	if list, _ := since(t, l, mark); !reflect.DeepEqual(list, []string{"chat/3"}) {
		t.Errorf("after the mark there is %v", list)
	}
	if all, err := l.All(); err != nil || len(all) != 3 || all[0] != (ledger.Erasure{Subject: "chat/1", At: day}) {
		t.Errorf("all are %v, %v", all, err)
	}
	info, err := os.Stat(l.Path())
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file is %v, %v", info.Mode(), err)
	}
}

func TestATornLastLineIsNoErasure(t *testing.T) {
	for cut := 1; cut < 40; cut += 7 {
		l := ledger.New(filepath.Join(t.TempDir(), "erasures"))
		add(t, l, "chat/1")
		_, mark := since(t, l, "")
		add(t, l, "chat/2")
		text, err := os.ReadFile(l.Path())
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(l.Path(), text[:len(text)-cut], 0o600); err != nil {
			t.Fatal(err)
		}
		if list, again := since(t, l, mark); len(list) != 0 || again != mark {
			t.Errorf("%d bytes short: %v", cut, list)
		}
		add(t, l, "chat/3")
		if list, _ := since(t, l, mark); !reflect.DeepEqual(list, []string{"chat/3"}) {
			t.Errorf("%d bytes short, the next: %v", cut, list)
		}
	}
}

func TestAChangedLineIsNoticed(t *testing.T) {
	l := ledger.New(filepath.Join(t.TempDir(), "erasures"))
	add(t, l, "chat/1", "chat/2")
	text, err := os.ReadFile(l.Path())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(l.Path(), []byte(strings.Replace(string(text), "chat/1", "chat/7", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if list, err := l.All(); !errors.Is(err, ledger.ErrDamaged) || !strings.Contains(err.Error(), "line 1") {
		t.Errorf("got %v, %v", list, err)
	}
}

func TestAMarkOfAnotherLedgerIsNotKnown(t *testing.T) {
	l := ledger.New(filepath.Join(t.TempDir(), "erasures"))
	add(t, l, "chat/1")
	_, mark := since(t, l, "")
	if err := os.Remove(l.Path()); err != nil {
		t.Fatal(err)
	}
	for _, began := range [][]string{nil, {"chat/8"}, {"chat/9", "chat/10"}} {
		add(t, l, began...)
		list, _, known, err := l.Since(mark)
		all, _ := l.All()
		if err != nil || known || len(list) != len(all) {
			t.Errorf("known %t, %v, %v", known, list, err)
		}
	}
}

func TestSeveralProcessesAddToOneFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "erasures")
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 20 {
				if err := ledger.New(path).Add([]string{"chat/1"}, day); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if list, err := ledger.New(path).All(); err != nil || len(list) != 160 {
		t.Errorf("%d erasures, %v", len(list), err)
	}
}
