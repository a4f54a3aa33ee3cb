package logdump

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"bitacora/adapters/postgres"
	"bitacora/adapters/postgres/queries"
)

// Keys are what a database that was put back is given: the keys of today.
type Keys struct {
	// Bundle is the newest one; nil only with GiveUp.
	Bundle *Bundle
	// Store has the keys of the key epochs that are not over.
	Store postgres.KeyStore
	// Erased are the subjects of the erasure ledger. Their keys are not taken.
	Erased []string
	// OlderBundle takes also a bundle that has keys of erased subjects, without these.
	OlderBundle bool
	// GiveUp erases the subjects whose keys are nowhere any more, instead of refusing.
	GiveUp bool
}

// RecoverKeys gives a database that was recovered to an earlier moment by Postgres' own means the
// keys of today. What it can open itself stays as it is: subjects that are newer than the bundle
// are wrapped under a key epoch that is not over. What was wrapped under one that is over comes
// out of the bundle. Who was erased, here, in the bundle or by the ledger, stays so. All or
// nothing is changed. Sessions and whatever else is of a moment go. The log has to be adopted afterwards, see
// [AdoptEpoch], and its subjects to be indexed. It connects as the owner of the tables.
func RecoverKeys(ctx context.Context, url string, keys Keys) error {
	conn, err := postgres.ConnectTo(ctx, url)
	if err != nil {
		return fmt.Errorf("connect to recover keys: %w", err)
	}
	defer conn.Close(context.WithoutCancel(ctx))
	err = pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		var first string
		if err := tx.QueryRow(ctx, queries.Named("dump_header")).Scan(&first, new(string), new(int64)); err != nil {
			return err
		}
		if b := keys.Bundle; b != nil && b.FirstEvent != first {
			return fmt.Errorf("%w: it begins with event %q, the database with %q", ErrOtherLog, b.FirstEvent, first)
		}
		epochs, err := keys.load(ctx, tx)
		if err != nil {
			return err
		}
		for table := range momentary {
			if _, err := tx.Exec(ctx, "DELETE FROM "+pgx.Identifier{table}.Sanitize()); err != nil {
				return err
			}
		}
		return keys.take(ctx, tx, epochs)
	})
	if err != nil {
		return fmt.Errorf("recover keys: %w", ownerAsked(err))
	}
	return nil
}

// load copies the rows of the bundle into the temporary table bundled_keys, and sees that the
// keys can be opened. It gives the key epochs that are not over, oldest first.
func (k Keys) load(ctx context.Context, tx pgx.Tx) (epochs []int, err error) {
	if _, err := tx.Exec(ctx, "CREATE TEMPORARY TABLE bundled_keys (LIKE subject_keys INCLUDING DEFAULTS) ON COMMIT DROP"); err != nil {
		return nil, err
	}
	store, err := k.Store.Keys(ctx)
	if err != nil {
		return nil, err
	}
	if k.Bundle != nil {
		if err := k.Bundle.copyTo(ctx, tx); err != nil {
			return nil, fmt.Errorf("%s: %w", k.Bundle.path, err)
		}
	}
	var wanted int
	if err := tx.QueryRow(ctx, queries.Named("keys_wanted")).Scan(&wanted); err != nil {
		return nil, err
	}
	epochs = slices.Sorted(maps.Keys(store))
	switch newest := len(epochs) - 1; {
	case k.GiveUp && newest < 0:
		// Not under the number of a key that is lost.
		return []int{wanted + 1}, k.Store.Add(ctx, wanted+1, postgres.NewEpochKey())
	case !k.GiveUp && (newest < 0 || epochs[newest] < wanted):
		return nil, fmt.Errorf("%w (key epoch %d)", postgres.ErrNoKeys, wanted)
	}
	rows, err := tx.Query(ctx, "SELECT DISTINCT ON (key_epoch) key_epoch, subject, wrapped_key FROM bundled_keys WHERE destroyed_at IS NULL")
	if err != nil {
		return nil, err
	}
	var epoch int
	var subject string
	var wrapped []byte
	_, err = pgx.ForEachRow(rows, []any{&epoch, &subject, &wrapped}, func() error {
		key, ok := store[epoch]
		switch {
		case !ok && k.GiveUp:
			return nil
		case !ok:
			return fmt.Errorf("%w: its keys are of key epoch %d, which is over", ErrOlderBundle, epoch)
		}
		return key.Opens(subject, wrapped)
	})
	return epochs, err
}

// copyTo fills bundled_keys.
func (b *Bundle) copyTo(ctx context.Context, tx pgx.Tx) error {
	tables, err := tableColumns(ctx, tx)
	if err != nil {
		return err
	}
	if !slices.Equal(tables["subject_keys"], b.Columns) {
		return errors.New("the key bundle was written by another version of this program: let that one write it anew")
	}
	f, err := os.Open(b.path)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := f.Seek(b.body, io.SeekStart); err != nil {
		return err
	}
	tag, err := tx.Conn().PgConn().CopyFrom(ctx, bufio.NewReaderSize(f, 1<<20), "COPY bundled_keys ("+columnList(b.Columns)+") FROM STDIN")
	if err == nil && tag.RowsAffected() != b.Keys+b.Destroyed {
		err = ErrBundle
	}
	return err
}

// take puts the loaded keys in the place of those that nobody can open. Every subject of the log
// must have a key then that can be opened, or be erased. The index of subjects, made under keys of
// then, begins anew.
func (k Keys) take(ctx context.Context, tx pgx.Tx, epochs []int) error {
	var since int64
	err := tx.QueryRow(ctx, "SELECT count(*) FROM bundled_keys WHERE destroyed_at IS NULL AND subject = ANY ($1)", k.Erased).Scan(&since)
	if err != nil {
		return fmt.Errorf("look for erased subjects: %w", err)
	}
	if since > 0 && !k.OlderBundle {
		return fmt.Errorf("%w: it holds the keys of %d subjects that were erased since", ErrErasedSince, since)
	}
	newest := epochs[len(epochs)-1]
	for _, statement := range []string{"UPDATE log_epoch SET key_epoch = $1", "DELETE FROM key_epochs WHERE key_epoch > $1"} {
		if _, err := tx.Exec(ctx, statement, newest); err != nil {
			return fmt.Errorf("take key epoch: %w", err)
		}
	}
	if k.Bundle != nil {
		if err := k.Bundle.take(ctx, tx, epochs); err != nil {
			return fmt.Errorf("take keys: %w", err)
		}
	}
	if _, err := postgres.DestroyKeys(ctx, tx, k.Erased); err != nil {
		return fmt.Errorf("destroy keys: %w", err)
	}
	tag, err := tx.Exec(ctx, queries.Named("keys_lost"), epochs)
	if err != nil {
		return fmt.Errorf("look for subjects without a key: %w", err)
	}
	if lost := tag.RowsAffected(); lost > 0 && !k.GiveUp {
		return fmt.Errorf("%w: it lacks the keys of %d subjects of the log", ErrOlderBundle, lost)
	}
	for _, statement := range []string{"keys_give_up", "terms_forget", "subject_index_restart"} {
		if _, err := tx.Exec(ctx, queries.Named(statement)); err != nil {
			return fmt.Errorf("%s: %w", strings.ReplaceAll(statement, "_", " "), err)
		}
	}
	return nil
}

// take stores what was copied, unless the database can open its own.
func (b *Bundle) take(ctx context.Context, tx pgx.Tx, epochs []int) error {
	var changes []string
	for _, c := range b.Columns[1:] {
		column := pgx.Identifier{c}.Sanitize()
		changes = append(changes, column+" = excluded."+column)
	}
	list := columnList(b.Columns)
	_, err := tx.Exec(ctx, "INSERT INTO subject_keys AS k ("+list+") SELECT "+list+" FROM bundled_keys"+
		" ON CONFLICT (subject) DO UPDATE SET "+strings.Join(changes, ", ")+
		" WHERE k.destroyed_at IS NULL AND (excluded.destroyed_at IS NOT NULL OR k.key_epoch <> ALL ($1))", epochs)
	return err
}
