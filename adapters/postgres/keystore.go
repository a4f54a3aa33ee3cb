package postgres

import (
	"context"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5/pgxpool"

	"bitacora/domain/event"
	"bitacora/domain/privacy"
)

// KeyStore keeps the keys of key epochs outside of the database: whoever has only one of the two
// reads nothing personal. Several processes may use one at once.
type KeyStore interface {
	// Keys gives all keys that there are, by their epoch.
	Keys(ctx context.Context) (map[int]EpochKey, error)
	// Add keeps the key of an epoch. It returns once the key will outlive a crash. Where the epoch
	// has a key already, that one stays.
	Add(ctx context.Context, epoch int, key EpochKey) error
	// DestroyBefore makes that nobody can read the keys of the epochs before one again. Where it was
	// cut off, repeating it brings it to its end.
	DestroyBefore(ctx context.Context, epoch int) error
}

// EpochKey wraps the keys of subjects for the length of a key epoch.
type EpochKey [32]byte

// NewEpochKey draws a key.
func NewEpochKey() EpochKey {
	var key EpochKey
	rand.Read(key[:])
	return key
}

// String keeps the key out of logs.
func (k EpochKey) String() string { return "[epoch key]" }

// derived is a key for one purpose, which reveals nothing of the epoch's.
func (k EpochKey) derived(purpose string) []byte {
	mac := hmac.New(sha256.New, k[:])
	mac.Write([]byte(purpose))
	return mac.Sum(nil)
}

// DeriveToken makes a secret of texts: the same one for the same texts in all processes with the keys
// of this log, until they are rotated. A copy of the database alone does not give it.
func (l *Log) DeriveToken(texts ...string) (token [32]byte) {
	mac := hmac.New(sha256.New, l.keys.newest().derived("bitacora token"))
	for _, text := range texts {
		fmt.Fprintf(mac, "%d:%s", len(text), text)
	}
	return [32]byte(mac.Sum(nil))
}

// DeriveID is [Log.DeriveToken] as a UUID.
func (l *Log) DeriveID(texts ...string) string {
	token := l.DeriveToken(texts...)
	return event.DerivedID("derived", string(token[:]))
}

// AEAD seals under the key that is derived for a purpose.
func (k EpochKey) AEAD(purpose string) (cipher.AEAD, error) { return newAEAD(k.derived(purpose)) }

// Opens reports whether a subject's key was wrapped by this one: the error is [ErrWrongKeys] otherwise.
func (k EpochKey) Opens(subject string, wrapped []byte) error {
	by, err := newEpochKey(0, k)
	if err == nil {
		_, err = by.unwrapRaw(subject, wrapped)
	}
	return err
}

// digest distinguishes keys without revealing them. Its purpose is that of logs which had but one.
func (k EpochKey) digest() []byte { return k.derived("bitacora master key") }

// Errors of keys.
var (
	// ErrWrongKeys: the keys are not those that this log was sealed with.
	ErrWrongKeys = errors.New("the keys do not fit this log")
	// ErrNoKeys: a key of this log is not where the keys are.
	ErrNoKeys = errors.New("the keys lack one of this log: put the keys directory of this log in its place")
	// ErrOldCopy: the database is older than the keys.
	ErrOldCopy = errors.New("this is an older copy of the log, whose keys were destroyed by a rotation since: restore it with the keys of today")
)

// epochKey is the key of an epoch, ready for use.
type epochKey struct {
	EpochKey
	epoch   int
	aead    cipher.AEAD
	termKey []byte
}

func newEpochKey(epoch int, key EpochKey) (*epochKey, error) {
	aead, err := newAEAD(key[:])
	if err != nil {
		return nil, err
	}
	return &epochKey{key, epoch, aead, key.derived("bitacora subject terms")}, nil
}

// term is by what a subject is found that holds an identifier.
func (k *epochKey) term(id privacy.Identifier) []byte {
	mac := hmac.New(sha256.New, k.termKey)
	mac.Write([]byte(plainTerm(id)))
	return mac.Sum(nil)
}

// outside is a [KeyStore] with a master key, which was the key of the first epoch itself in logs
// that are older than key epochs.
type outside interface{ MasterKey() (EpochKey, bool) }

// bindKeys finds the keys of a log: of a new one they are drawn and remembered by their digest;
// wrong ones are refused. It gives the newest key epoch.
func bindKeys(ctx context.Context, pool *pgxpool.Pool, store KeyStore) (epoch int, err error) {
	var check []byte
	var sealed bool
	if err := pool.QueryRow(ctx, query("key_binding")).Scan(&epoch, &check, &sealed); err != nil {
		return 0, fmt.Errorf("read the newest key epoch: %w", err)
	}
	keys, err := firstKeys(ctx, store, epoch, check, sealed)
	if err != nil {
		return 0, err
	}
	newest := slices.Max(slices.Collect(maps.Keys(keys)))
	if check == nil && !sealed && newest > epoch {
		epoch = newest // of a log that is about to be restored
		if _, err := pool.Exec(ctx, query("begin_key_epoch"), epoch); err != nil {
			return 0, fmt.Errorf("begin with key epoch %d: %w", epoch, err)
		}
	}
	key, ok := keys[epoch]
	switch {
	case !ok && newest > epoch:
		return 0, fmt.Errorf("%w (key epoch %d, the keys' is %d)", ErrOldCopy, epoch, newest)
	case !ok:
		return 0, fmt.Errorf("%w (key epoch %d)", ErrNoKeys, epoch)
	}
	if err := pool.QueryRow(ctx, query("bind_keys"), epoch, key.digest()).Scan(&check); err != nil {
		return 0, fmt.Errorf("check keys: %w", err)
	}
	if !hmac.Equal(check, key.digest()) {
		return 0, fmt.Errorf("%w: put the keys directory of this log in its place", ErrWrongKeys)
	}
	return epoch, nil
}

// firstKeys gives the keys that there are, one at least: a new log gets one, and an older one's
// master key becomes that of the first epoch.
func firstKeys(ctx context.Context, store KeyStore, epoch int, check []byte, sealed bool) (map[int]EpochKey, error) {
	keys, err := store.Keys(ctx)
	if err != nil || len(keys) > 0 {
		return keys, err
	}
	first := NewEpochKey()
	if check != nil || sealed {
		from, ok := store.(outside)
		if !ok {
			return nil, fmt.Errorf("%w (there is none)", ErrNoKeys)
		}
		if first, ok = from.MasterKey(); !ok || epoch > 0 || check != nil && !hmac.Equal(check, first.digest()) {
			return nil, fmt.Errorf("%w (there is none)", ErrNoKeys)
		}
	}
	if err := store.Add(ctx, epoch, first); err != nil {
		return nil, err
	}
	if keys, err = store.Keys(ctx); err == nil && len(keys) == 0 {
		err = fmt.Errorf("%w: the key that was just kept is gone", ErrNoKeys)
	}
	return keys, err
}
