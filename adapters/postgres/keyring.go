package postgres

import (
	"bytes"
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"bitacora/domain/fault"
)

// keyring finds the keys of subjects. It remembers unwrapped keys by what they were
// unwrapped from, so that a destroyed key is never used to read, however recently it was.
type keyring struct {
	store KeyStore
	pool  *pgxpool.Pool

	loading sync.Mutex
	held    atomic.Pointer[heldKeys]

	mu sync.Mutex
	// Two generations: what is used moves to the newer, and when that is full the older
	// is forgotten.
	newer, older map[string]*subjectKey
}

const keyringGeneration = 4096

// heldKeys are the keys of the epochs that there were when they were last read.
type heldKeys struct {
	// newest is the newest epoch under which something may be wrapped, as far as is known here.
	newest *epochKey
	keys   map[int]*epochKey
}

// openKeyring finds the keys of a log, see [bindKeys].
func openKeyring(ctx context.Context, store KeyStore, pool *pgxpool.Pool) (*keyring, error) {
	r := &keyring{store: store, pool: pool, newer: map[string]*subjectKey{}}
	epoch, err := bindKeys(ctx, pool, store)
	if err != nil {
		return nil, err
	}
	return r, r.reload(ctx, epoch)
}

// newest is the key to wrap with.
func (r *keyring) newest() *epochKey { return r.held.Load().newest }

// of gives the key of an epoch that the database names. One that is not known here was made by a
// rotation since, or is the rest of one.
func (r *keyring) of(ctx context.Context, epoch int) (*epochKey, error) {
	held := r.held.Load()
	if key := held.keys[epoch]; key != nil && epoch <= held.newest.epoch {
		return key, nil
	}
	if err := r.reload(ctx, epoch); err != nil {
		return nil, err
	}
	if key := r.held.Load().keys[epoch]; key != nil {
		return key, nil
	}
	return nil, fmt.Errorf("%w (key epoch %d)", ErrNoKeys, epoch)
}

// reload reads the keys; at least is an epoch that the database names.
func (r *keyring) reload(ctx context.Context, atLeast int) error {
	r.loading.Lock()
	defer r.loading.Unlock()
	keys, err := r.store.Keys(ctx)
	if err != nil {
		return fmt.Errorf("read keys: %w", err)
	}
	if held := r.held.Load(); held != nil {
		atLeast = max(atLeast, held.newest.epoch)
	}
	next := heldKeys{keys: make(map[int]*epochKey, len(keys))}
	for epoch, key := range keys {
		if next.keys[epoch], err = newEpochKey(epoch, key); err != nil {
			return err
		}
	}
	if next.newest = next.keys[atLeast]; next.newest == nil {
		return fmt.Errorf("%w (key epoch %d)", ErrNoKeys, atLeast)
	}
	r.held.Store(&next)
	return nil
}

// refresh looks for the newest key epoch in the database.
func (r *keyring) refresh(ctx context.Context) (*heldKeys, error) {
	var epoch int
	if err := r.pool.QueryRow(ctx, query("key_epoch")).Scan(&epoch); err != nil {
		return nil, fmt.Errorf("read the newest key epoch: %w", err)
	}
	_, err := r.of(ctx, epoch)
	return r.held.Load(), err
}

func (r *keyring) cached(subject string) *subjectKey {
	r.mu.Lock()
	defer r.mu.Unlock()
	key := r.newer[subject]
	if key == nil {
		if key = r.older[subject]; key != nil {
			r.put(subject, key)
		}
	}
	return key
}

func (r *keyring) remember(subject string, key *subjectKey) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.put(subject, key)
}

func (r *keyring) forget(subject string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.newer, subject)
	delete(r.older, subject)
}

func (r *keyring) put(subject string, key *subjectKey) {
	if len(r.newer) >= keyringGeneration {
		r.older, r.newer = r.newer, make(map[string]*subjectKey, keyringGeneration)
	}
	r.newer[subject] = key
}

// fetch gives the keys of subjects as the database holds them now: nil for a destroyed
// one, no entry for a subject that never had one.
func (r *keyring) fetch(ctx context.Context, subjects []string) (map[string]*subjectKey, error) {
	if len(subjects) == 0 {
		return nil, nil
	}
	keys, err := again(r.pool, func() (map[string]*subjectKey, error) {
		rows, err := r.pool.Query(ctx, query("subject_keys"), subjects)
		return r.read(ctx, rows, err)
	})
	return keys, fault.Wrap(err, "read subject keys")
}

// read takes the answer to the query subject_keys or subject_key.
func (r *keyring) read(ctx context.Context, rows pgx.Rows, err error) (map[string]*subjectKey, error) {
	if err != nil {
		return nil, err
	}
	keys := map[string]*subjectKey{}
	var subject string
	var wrapped []byte
	var epoch int
	_, err = pgx.ForEachRow(rows, []any{&subject, &wrapped, &epoch}, func() error {
		key, err := r.open(ctx, subject, wrapped, epoch)
		keys[subject] = key
		return err
	})
	return keys, err
}

func (r *keyring) open(ctx context.Context, subject string, wrapped []byte, epoch int) (*subjectKey, error) {
	if wrapped == nil {
		r.forget(subject)
		return nil, nil
	}
	if key := r.cached(subject); key != nil && bytes.Equal(key.wrapped, wrapped) {
		return key, nil
	}
	by, err := r.of(ctx, epoch)
	if err != nil {
		return nil, err
	}
	key, err := by.unwrap(subject, bytes.Clone(wrapped))
	if err != nil {
		return nil, err
	}
	r.remember(subject, key)
	return key, nil
}

// forSealing gives the key to seal a subject's data with. A fresh one exists only once an
// append has stored it.
func (r *keyring) forSealing(ctx context.Context, subject string) (key *subjectKey, fresh bool, err error) {
	if key := r.cached(subject); key != nil {
		return key, false, nil
	}
	keys, err := r.fetch(ctx, []string{subject})
	if err != nil {
		return nil, false, err
	}
	key, known := keys[subject]
	if known && key == nil {
		return nil, false, ErrErased
	}
	if known {
		return key, false, nil
	}
	key, err = r.newest().newSubjectKey(subject)
	return key, true, err
}
