package postgres

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"bitacora/domain/fault"

	"github.com/jackc/pgx/v5"
)

// Ledger keeps outside of the database whose keys were destroyed. Marks are the ledger's own; the
// empty one lies before the first entry.
type Ledger interface {
	// Add returns once it is certain to be kept.
	Add(subjects []string, at time.Time) error
	// Since gives whom was erased after a mark, and the mark of the last. A mark that is not known
	// comes from another ledger: all are given then.
	Since(mark string) (subjects []string, last string, known bool, err error)
}

// KeepLedger lets a ledger know of every erasure from now on, and destroys what it knows to be
// erased: a database that was put back to an older day has such keys again. It says how many
// those were, and writes nothing into the ledger. It belongs between [Open] and the first use of
// the log. [ErrOldCopy] says that some of the other keys open to nobody any more.
func (db *DB) KeepLedger(ctx context.Context, ledger Ledger) (destroyed int64, err error) {
	if err := refuseOldCopy(ctx, db.log); err != nil {
		return 0, err
	}
	db.log.ledger = ledger
	return applyLedger(ctx, db.log, false)
}

// RepeatErasures destroys again what the ledger of [DB.KeepLedger] knows to be erased: a standby that
// lacked an erasure and became the primary has the key. It says how many those were. A ledger that
// does not continue the one before gets the erasures that the database knows.
func (db *DB) RepeatErasures(ctx context.Context) (destroyed int64, err error) {
	return applyLedger(ctx, db.log, true)
}

func applyLedger(ctx context.Context, l *Log, complete bool) (destroyed int64, err error) {
	destroyed, err = destroyErased(ctx, l, complete)
	return destroyed, fault.Wrap(err, "apply the erasure ledger")
}

// refuseOldCopy finds a database as it was during a rotation that is over: [Open] sees that the
// newest key is there, and not whether some were still wrapped by the one before.
func refuseOldCopy(ctx context.Context, l *Log) error {
	store, err := l.keys.store.Keys(ctx)
	if err != nil {
		return fmt.Errorf("read keys: %w", err)
	}
	var old bool
	if err := l.pool.QueryRow(ctx, query("old_copy"), slices.Collect(maps.Keys(store))).Scan(&old); err != nil {
		return fmt.Errorf("look for keys of older key epochs: %w", err)
	}
	if old {
		return ErrOldCopy
	}
	return nil
}

func destroyErased(ctx context.Context, l *Log, complete bool) (destroyed int64, err error) {
	var mark string
	if err := l.pool.QueryRow(ctx, "SELECT ledger_mark FROM log_epoch").Scan(&mark); err != nil {
		return 0, err
	}
	subjects, last, known, err := l.ledger.Since(mark)
	if err != nil || known && last == mark {
		return 0, err
	}
	switch {
	case !known && !complete:
		last = mark // the next who completes the ledger is to find it so
	case !known:
		if err := completeLedger(ctx, l, subjects); err != nil {
			return 0, err
		}
		if subjects, last, _, err = l.ledger.Since(""); err != nil {
			return 0, err
		}
	}
	err = pgx.BeginFunc(ctx, l.pool, func(tx pgx.Tx) error {
		if destroyed, err = DestroyKeys(ctx, tx, subjects); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, "UPDATE log_epoch SET ledger_mark = $1", last)
		return err
	})
	return destroyed, err
}

// completeLedger adds the erasures that the database knows to a ledger that does not continue the
// one before.
func completeLedger(ctx context.Context, l *Log, has []string) error {
	there := make(map[string]bool, len(has))
	for _, s := range has {
		there[s] = true
	}
	erased, err := l.Erased(ctx)
	if err != nil {
		return err
	}
	var missing []string
	for _, s := range erased {
		if !there[s] {
			missing = append(missing, s)
		}
	}
	return l.ledger.Add(missing, time.Now())
}

// DestroyKey erases the personal data of a stream for good: its events stay, and read as
// [event.Recorded] with Erased set, nobody finds it any more by what stood in them, and nothing
// personal can be appended to it, also where it holds nothing yet. Repeating it changes nothing.
// Copies of the database keep the key as it was wrapped: those open until [Log.Rotate] is done.
// The ledger of [DB.KeepLedger] knows before the key goes.
func (l *Log) DestroyKey(ctx context.Context, stream string) error {
	if l.ledger != nil {
		if err := l.ledger.Add([]string{stream}, time.Now()); err != nil {
			return fmt.Errorf("destroy key of %s: %w", stream, err)
		}
	}
	err := pgx.BeginFunc(ctx, l.pool, func(tx pgx.Tx) error {
		_, err := DestroyKeys(ctx, tx, []string{stream})
		return err
	})
	if err != nil {
		return fmt.Errorf("destroy key of %s: %w", stream, err)
	}
	l.keys.forget(stream)
	return nil
}

// DestroyKeys destroys the keys of subjects in a transaction of its caller, who tells the ledger. It reports how
// many keys there were.
func DestroyKeys(ctx context.Context, tx pgx.Tx, subjects []string) (destroyed int64, err error) {
	// No append is between reading the key and writing terms.
	if _, err := tx.Exec(ctx, query("append_lock")); err != nil {
		return 0, err
	}
	tag, err := tx.Exec(ctx, query("destroy_keys"), subjects)
	if err != nil {
		return 0, err
	}
	_, err = tx.Exec(ctx, query("destroy_terms"), subjects)
	return tag.RowsAffected(), err
}
