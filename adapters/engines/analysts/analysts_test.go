package analysts

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"bitacora/adapters/clickhouse/access"
)

var now = time.Date(2026, 11, 27, 15, 0, 0, 0, time.UTC)

func TestEachAccountHasAnEngineUserOfItsOwn(t *testing.T) {
	d := Directory(t.TempDir())
	var work sync.WaitGroup
	errs := make([]error, access.NamedUsers+3)
	for i := range errs {
		work.Go(func() { errs[i] = d.Add(fmt.Sprintf("a%02d", i), "secret", now) })
	}
	work.Wait()
	full := slices.DeleteFunc(errs, func(err error) bool { return err == nil })
	if len(full) != 3 || !errors.Is(full[0], ErrFull) {
		t.Errorf("refused: %v", full)
	}
	list, err := d.List()
	users := map[string]bool{}
	for _, a := range list {
		users[a.User] = true
	}
	if err != nil || len(list) != access.NamedUsers || len(users) != access.NamedUsers {
		t.Errorf("%d accounts, %d users, %v", len(list), len(users), err)
	}
	if err := d.Add(list[0].Name, "other", now); !errors.Is(err, access.ErrExists) {
		t.Errorf("a name that is taken: %v", err)
	}
}

// A session of an account that is gone lives for a while, so another account asks as another user.
func TestAUserIsGivenAgainLast(t *testing.T) {
	d := Directory(t.TempDir())
	var given []string
	for i := range access.NamedUsers + 1 {
		name := fmt.Sprintf("a%02d", i)
		if err := d.Add(name, "secret", now); err != nil {
			t.Fatal(err)
		}
		user, err := d.Remove(name)
		if err != nil {
			t.Fatal(err)
		}
		given = append(given, user)
	}
	if given[access.NamedUsers] != given[0] || len(slices.Compact(slices.Sorted(slices.Values(given)))) != access.NamedUsers {
		t.Errorf("given: %v", given)
	}
}

func TestUnknownAccounts(t *testing.T) {
	d := Directory(t.TempDir())
	if _, err := d.Remove("ana"); !errors.Is(err, access.ErrUnknown) {
		t.Errorf("remove: %v", err)
	}
	if _, err := d.SetPassword("ana", "secret"); !errors.Is(err, access.ErrUnknown) {
		t.Errorf("set password: %v", err)
	}
	if user, err := d.SignIn("ana", "secret"); user != "" || err != nil {
		t.Errorf("sign in: %s, %v", user, err)
	}
	if err := os.WriteFile(filepath.Join(string(d), "accounts.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if user, err := d.SignIn("ana", "secret"); user != "" || err == nil || !strings.Contains(err.Error(), "read the analysts' accounts") {
		t.Errorf("a file that was cut off: %s, %v", user, err)
	}
}

func TestNoPasswordIsKept(t *testing.T) {
	d := Directory(t.TempDir())
	if err := d.Add("ana", "correct horse", now); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(string(d), "accounts.json"))
	if err != nil || strings.Contains(string(text), "correct horse") {
		t.Errorf("%s, %v", text, err)
	}
	if info, err := os.Stat(filepath.Join(string(d), "accounts.json")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if files, err := os.ReadDir(string(d)); err != nil || len(files) != 1 {
		t.Errorf("%v, %v", files, err)
	}
}
