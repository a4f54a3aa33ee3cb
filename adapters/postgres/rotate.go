package postgres

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"bitacora/domain/fault"
)

// ErrRotating: another process rotates the keys.
var ErrRotating = errors.New("another process rotates the keys")

// Rotation is a change of the key epoch that was brought to its end.
type Rotation struct {
	// KeyEpoch is the epoch that began with it.
	KeyEpoch int
	// Survivors is how many subjects have a key, Erased how many had been erased in the epoch
	// before: their keys open to nobody any more, in no copy of the database.
	Survivors, Erased int
	// At is when the key of the epoch before was destroyed, by the database's clock.
	At time.Time
}

// KeyState is what there is to know about the keys of a log.
type KeyState struct {
	// KeyEpoch is the newest key epoch.
	KeyEpoch int
	// Erased is how many subjects were erased in it: copies of the database hold their keys as
	// long as it lasts.
	Erased int
	// Rotating says that a rotation has begun, and is under way or was cut off.
	Rotating bool
	// Last is the last rotation that came to its end; zero where there was none.
	Last Rotation
}

// KeyState says how it stands with the keys.
func (l *Log) KeyState(ctx context.Context) (KeyState, error) {
	s, err := readKeyState(ctx, l.pool)
	return s, fault.Wrap(err, "read the state of the keys")
}

func readKeyState(ctx context.Context, from querier) (s KeyState, err error) {
	var at *time.Time
	err = from.QueryRow(ctx, query("key_state")).Scan(&s.KeyEpoch, &s.Erased, &s.Rotating, &s.Last.KeyEpoch, &s.Last.Survivors, &s.Last.Erased, &at)
	if at != nil {
		s.Last.At = at.UTC()
	}
	return s, err
}

// Rotate begins a new key epoch: every subject's key that is left is wrapped anew, while
// everything goes on, and the key of the epoch before is destroyed. One that was cut off is brought
// to its end instead, and followed by another only where somebody was erased since it began.
// Progress, which may be nil, hears how many keys and terms are done. [ErrRotating] says that
// another process is at it.
func (l *Log) Rotate(ctx context.Context, progress func(done, total int)) (Rotation, error) {
	conn, err := l.writer.connect(ctx)
	if err != nil {
		return Rotation{}, fmt.Errorf("rotate keys: %w", err)
	}
	defer hangUp(conn) // and with it the lock, once Postgres has noticed
	r := rotator{log: l, conn: conn, progress: progress}
	done, err := r.run(ctx)
	return done, fault.Wrap(err, "rotate keys")
}

// rotator rotates over one connection, whose end ends its lock.
type rotator struct {
	log         *Log
	conn        *pgx.Conn
	progress    func(done, total int)
	done, total int
}

// lockPatience is how long a rotation waits for the one before, whose connection may have died.
const lockPatience = 2 * time.Second

func (r *rotator) run(ctx context.Context) (Rotation, error) {
	if err := lockRotation(ctx, r.conn); err != nil {
		return Rotation{}, err
	}
	state, err := readKeyState(ctx, r.conn)
	if err != nil {
		return Rotation{}, err
	}
	if state.Rotating {
		done, err := r.finish(ctx, state.KeyEpoch)
		if err != nil || state.Erased == 0 {
			return done, err
		}
	}
	next := state.KeyEpoch + 1
	if err := r.begin(ctx, next); err != nil {
		return Rotation{}, fmt.Errorf("begin key epoch %d: %w", next, err)
	}
	return r.finish(ctx, next)
}

// lockRotation keeps other rotations out for as long as the connection lives.
func lockRotation(ctx context.Context, conn *pgx.Conn) error {
	if _, err := conn.Exec(ctx, "SET lock_timeout = "+milliseconds(lockPatience)); err != nil {
		return err
	}
	if _, err := conn.Exec(ctx, query("rotation_lock")); err != nil {
		if sqlState(err) == "55P03" {
			return ErrRotating
		}
		return err
	}
	_, err := conn.Exec(ctx, "SET lock_timeout = 0")
	return err
}

// WithoutRotation works while no process rotates the keys. [ErrRotating] says that one does.
func (db *DB) WithoutRotation(ctx context.Context, work func() error) error {
	conn, err := db.connect(ctx)
	if err != nil {
		return fmt.Errorf("keep rotations out: %w", err)
	}
	defer hangUp(conn)
	if err := lockRotation(ctx, conn); err != nil {
		return fmt.Errorf("keep rotations out: %w", err)
	}
	return work()
}

// begin makes the key of an epoch outlive a crash, and then lets nothing be wrapped by another.
func (r *rotator) begin(ctx context.Context, epoch int) error {
	store := r.log.keys.store
	if err := store.Add(ctx, epoch, NewEpochKey()); err != nil {
		return err
	}
	keys, err := store.Keys(ctx)
	if err != nil {
		return err
	}
	key, ok := keys[epoch]
	if !ok {
		return ErrNoKeys
	}
	return pgx.BeginFunc(ctx, r.conn, func(tx pgx.Tx) error {
		// Whoever appends knows either the old epoch or the new one.
		if _, err := tx.Exec(ctx, query("append_lock")); err != nil {
			return err
		}
		var check []byte
		if err := tx.QueryRow(ctx, query("bind_keys"), epoch, key.digest()).Scan(&check); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, query("begin_key_epoch"), epoch)
		return err
	})
}

// finish does what is left of a rotation to an epoch that has begun.
func (r *rotator) finish(ctx context.Context, epoch int) (Rotation, error) {
	to, err := r.log.keys.of(ctx, epoch)
	if err != nil {
		return Rotation{}, err
	}
	if err := r.conn.QueryRow(ctx, query("rotation_left"), epoch).Scan(&r.total); err != nil {
		return Rotation{}, err
	}
	r.done = 0
	r.advance(0)
	if err := r.rewrapAll(ctx, to); err != nil {
		return Rotation{}, err
	}
	if err := r.renewTerms(ctx, to); err != nil {
		return Rotation{}, err
	}
	var left int
	if err := r.conn.QueryRow(ctx, query("rotation_left"), epoch).Scan(&left); err != nil {
		return Rotation{}, err
	}
	if left > 0 {
		return Rotation{}, fmt.Errorf("%d keys and terms are still of an older key epoch", left)
	}
	// Whatever copy of the log is brought back later, somebody must have the keys as they are now.
	if keep := r.log.keepBundle; keep != nil {
		if err := keep(ctx); err != nil {
			return Rotation{}, err
		}
	}
	if err := r.log.keys.store.DestroyBefore(ctx, epoch); err != nil {
		return Rotation{}, err
	}
	done := Rotation{KeyEpoch: epoch}
	if err := r.conn.QueryRow(ctx, query("rotation_end"), epoch).Scan(&done.Survivors, &done.Erased, &done.At); err != nil {
		return Rotation{}, err
	}
	done.At = done.At.UTC()
	return done, r.log.keys.reload(ctx, epoch)
}

func (r *rotator) advance(n int) {
	r.done += n
	if r.progress != nil {
		r.progress(r.done, max(r.total, r.done))
	}
}

// wrapping is a key or a term, as it is and as it becomes.
type wrapping struct {
	subject  string
	old, new []byte
	sealed   []byte
	wrapped  []byte
	epoch    int
}

func (r *rotator) rewrapAll(ctx context.Context, to *epochKey) error {
	for after := ""; ; {
		batch, err := collect(ctx, r.conn, query("keys_outdated"), func(row pgx.CollectableRow) (w wrapping, err error) {
			err = row.Scan(&w.subject, &w.old, &w.epoch)
			return w, err
		}, after, to.epoch)
		if err != nil || len(batch) == 0 {
			return err
		}
		for i := range batch {
			if err := r.rewrap(ctx, &batch[i], to); err != nil {
				return err
			}
		}
		subjects, old, fresh := columns(batch)
		// A key that was destroyed meanwhile is another one now.
		if _, err := r.conn.Exec(ctx, query("keys_rewrap"), to.epoch, subjects, old, fresh); err != nil {
			return err
		}
		after = batch[len(batch)-1].subject
		r.advance(len(batch))
	}
}

func (r *rotator) rewrap(ctx context.Context, w *wrapping, to *epochKey) error {
	from, err := r.log.keys.of(ctx, w.epoch)
	if err != nil {
		return err
	}
	raw, err := from.unwrapRaw(w.subject, w.old)
	if err != nil {
		return err
	}
	w.new = seal(to.aead, raw, w.subject)
	return nil
}

func columns(batch []wrapping) (subjects []string, old, fresh [][]byte) {
	for _, w := range batch {
		subjects, old, fresh = append(subjects, w.subject), append(old, w.old), append(fresh, w.new)
	}
	return subjects, old, fresh
}

func (r *rotator) renewTerms(ctx context.Context, to *epochKey) error {
	after := wrapping{old: []byte{}}
	for {
		batch, err := collect(ctx, r.conn, query("terms_outdated"), func(row pgx.CollectableRow) (w wrapping, err error) {
			err = row.Scan(&w.subject, &w.old, &w.sealed, &w.wrapped, &w.epoch)
			return w, err
		}, after.subject, after.old, to.epoch)
		if err != nil {
			return err
		}
		if len(batch) == 0 {
			_, err := r.conn.Exec(ctx, query("terms_orphaned"), to.epoch)
			return err
		}
		if err := r.renew(ctx, batch, to); err != nil {
			return err
		}
		after = batch[len(batch)-1]
		r.advance(len(batch))
	}
}

func (r *rotator) renew(ctx context.Context, batch []wrapping, to *epochKey) error {
	// Those whose key is gone go with the rest at the end.
	batch = slices.DeleteFunc(slices.Clone(batch), func(w wrapping) bool { return w.wrapped == nil })
	for i := range batch {
		w := &batch[i]
		by, err := r.log.keys.of(ctx, w.epoch)
		if err != nil {
			return err
		}
		key, err := by.unwrap(w.subject, w.wrapped)
		if err != nil {
			return err
		}
		plain, err := unseal(key.aead, w.sealed, termBound(w.subject))
		if err != nil {
			return fmt.Errorf("unseal a term of %s: %w", w.subject, err)
		}
		w.new = to.term(parseTerm(plain))
	}
	subjects, old, fresh := columns(batch)
	return pgx.BeginFunc(ctx, r.conn, func(tx pgx.Tx) error {
		// None of these subjects is erased before the end: its new terms would stay.
		if _, err := tx.Exec(ctx, query("hold_subjects"), subjects); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, query("terms_renew"), to.epoch, subjects, old, fresh)
		return err
	})
}
