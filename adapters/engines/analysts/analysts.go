// Package analysts keeps the named accounts of those who ask the embedded ClickHouse: a file that the
// commands change and that the program before the engine reads with each sign-in. An account asks as one of
// the engine's users of package access, which are there from the start: the engine takes no new ones while it
// runs, and lists and ends for each of them its own queries alone.
package analysts

import (
	"bytes"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"bitacora/adapters/clickhouse/access"
	"bitacora/adapters/durable"
	"bitacora/domain/fault"
)

// Account is one person's, or one tool's.
type Account struct {
	Name string `json:"name"`
	// User is the engine's as which it asks.
	User string `json:"user"`
	// Hash is the password's SHA-256 in hexadecimal digits; passwords are random.
	Hash  string    `json:"hash"`
	Since time.Time `json:"since"`
}

// ErrFull is given for an account beyond [access.NamedUsers].
var ErrFull = fmt.Errorf("there are %d accounts, and no room for another one", access.NamedUsers)

// register is what the file holds.
type register struct {
	Accounts []Account `json:"accounts"`
	// Last is the user that was given last. Another account gets the next one, so that sessions of an account
	// that is gone end before somebody else asks as its user.
	Last int `json:"last"`
}

// Directory holds the file. The embedded engine's user reads it, and may not write to it.
type Directory string

func (d Directory) file() string { return filepath.Join(string(d), "accounts.json") }

// List gives the accounts by name.
func (d Directory) List() ([]Account, error) {
	r, err := d.read()
	return r.Accounts, err
}

// SignIn gives the engine's user of an account; none where the name or the password is wrong.
func (d Directory) SignIn(name, password string) (user string, err error) {
	r, err := d.read()
	if err != nil {
		return "", err
	}
	at, found := r.find(name)
	if !found || subtle.ConstantTimeCompare([]byte(r.Accounts[at].Hash), []byte(hash(password))) != 1 {
		return "", nil
	}
	return r.Accounts[at].User, nil
}

// Add makes an account. Its error is [access.ErrExists] for a name that is taken, and [ErrFull].
func (d Directory) Add(name, password string, now time.Time) error {
	return d.change(func(r *register) error {
		at, found := r.find(name)
		if found {
			return access.ErrExists
		}
		if len(r.Accounts) >= access.NamedUsers {
			return ErrFull
		}
		taken := func(a Account) bool { return a.User == access.NamedUser(r.Last) }
		for r.Last = r.Last%access.NamedUsers + 1; slices.ContainsFunc(r.Accounts, taken); {
			r.Last = r.Last%access.NamedUsers + 1
		}
		r.Accounts = slices.Insert(r.Accounts, at, Account{Name: name, User: access.NamedUser(r.Last), Hash: hash(password), Since: now.UTC()})
		return nil
	})
}

// SetPassword gives an account another password, and gives the engine's user whose queries are to be ended. Its
// error is [access.ErrUnknown] where there is no such account.
func (d Directory) SetPassword(name, password string) (user string, err error) {
	return user, d.change(func(r *register) error {
		at, found := r.find(name)
		if !found {
			return access.ErrUnknown
		}
		r.Accounts[at].Hash, user = hash(password), r.Accounts[at].User
		return nil
	})
}

// Remove takes an account away, and gives the engine's user whose queries are to be ended. Its error is
// [access.ErrUnknown] where there is no such account.
func (d Directory) Remove(name string) (user string, err error) {
	return user, d.change(func(r *register) error {
		at, found := r.find(name)
		if !found {
			return access.ErrUnknown
		}
		user = r.Accounts[at].User
		r.Accounts = slices.Delete(r.Accounts, at, at+1)
		return nil
	})
}

func (r register) find(name string) (at int, found bool) {
	return slices.BinarySearchFunc(r.Accounts, name, func(a Account, name string) int {
		return strings.Compare(a.Name, name)
	})
}

func (d Directory) read() (r register, err error) {
	text, err := os.ReadFile(d.file())
	if errors.Is(err, fs.ErrNotExist) {
		return r, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &r)
	}
	return r, fault.Wrap(err, "read the analysts' accounts")
}

// change writes the file anew, whole or not at all, for one command at a time. It belongs to whom the directory
// belongs.
func (d Directory) change(work func(*register) error) error {
	dir, err := os.Open(string(d))
	if err != nil {
		return fmt.Errorf("open the analysts' accounts: %w", err)
	}
	defer dir.Close()
	if err := unix.Flock(int(dir.Fd()), unix.LOCK_EX); err != nil {
		return fmt.Errorf("lock the analysts' accounts: %w", err)
	}
	info, err := dir.Stat()
	if err != nil {
		return fmt.Errorf("look at the analysts' accounts: %w", err)
	}
	r, err := d.read()
	if err != nil {
		return err
	}
	if err := work(&r); err != nil {
		return err
	}
	text, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("encode the analysts' accounts: %w", err)
	}
	err = durable.Replace(d.file(), bytes.NewReader(text), func(f *os.File) error {
		if owner, ok := info.Sys().(*syscall.Stat_t); ok && os.Getuid() == 0 {
			return f.Chown(int(owner.Uid), int(owner.Gid))
		}
		return nil
	})
	return fault.Wrap(err, "write the analysts' accounts")
}

func hash(password string) string {
	sum := sha256.Sum256([]byte(password))
	return hex.EncodeToString(sum[:])
}
