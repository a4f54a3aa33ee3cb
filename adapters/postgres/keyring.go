package postgres

import (
	"bytes"
	"context"
	"fmt"
	"sync"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// keyring finds the keys of subjects. It remembers unwrapped keys by what they were
// unwrapped from, so that a destroyed key is never used to read, however recently it was.
type keyring struct {
	master MasterKey
	pool   *pgxpool.Pool

	mu sync.Mutex
	// Two generations: what is used moves to the newer, and when that is full the older
	// is forgotten.
	newer, older map[string]*subjectKey
}

const keyringGeneration = 4096

func newKeyring(master MasterKey, pool *pgxpool.Pool) *keyring {
	return &keyring{master: master, pool: pool, newer: map[string]*subjectKey{}}
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
		return r.read(r.pool.Query(ctx, sqlSubjectKeys, subjects))
	})
	if err != nil {
		return nil, fmt.Errorf("read subject keys: %w", err)
	}
	return keys, nil
}

// read takes the answer to sqlSubjectKeys or sqlSubjectKey.
func (r *keyring) read(rows pgx.Rows, err error) (map[string]*subjectKey, error) {
	if err != nil {
		return nil, err
	}
	keys := map[string]*subjectKey{}
	var subject string
	var wrapped []byte
	_, err = pgx.ForEachRow(rows, []any{&subject, &wrapped}, func() error {
		key, err := r.open(subject, wrapped)
		keys[subject] = key
		return err
	})
	return keys, err
}

func (r *keyring) open(subject string, wrapped []byte) (*subjectKey, error) {
	if wrapped == nil {
		r.forget(subject)
		return nil, nil
	}
	if key := r.cached(subject); key != nil && bytes.Equal(key.wrapped, wrapped) {
		return key, nil
	}
	key, err := r.master.unwrap(subject, bytes.Clone(wrapped))
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
	key, err = r.master.newSubjectKey(subject)
	return key, true, err
}
