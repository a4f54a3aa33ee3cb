package postgres

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"bitacora/domain/event"
	"bitacora/domain/fault"
	"bitacora/domain/privacy"
)

// ErrIndexing: what was in the log before there was an index of subjects is not all in it yet.
var ErrIndexing = fault.New(fault.Unavailable, "older events are still being indexed: more may be found later")

// term is an entry of the blind index.
type term struct{ hash, sealed []byte }

// termsOf gives the terms by which a request's stream is found, each once.
func termsOf(drafts []event.Draft, stream string, key *subjectKey, newest *epochKey) []term {
	var terms []term
	seen := map[privacy.Identifier]bool{}
	for _, draft := range drafts {
		for _, id := range privacy.Identify(personalFields(draft.Payload)) {
			if !seen[id] {
				seen[id] = true
				terms = append(terms, key.termOf(id, stream, newest))
			}
		}
	}
	return terms
}

func (k *subjectKey) termOf(id privacy.Identifier, stream string, newest *epochKey) term {
	return term{newest.term(id), seal(k.aead, []byte(plainTerm(id)), termBound(stream))}
}

// plainTerm is an identifier as it is hashed and sealed.
func plainTerm(id privacy.Identifier) string { return string(id.Kind) + "\n" + id.Value }

func parseTerm(plain []byte) privacy.Identifier {
	kind, value, _ := strings.Cut(string(plain), "\n")
	return privacy.Identifier{Kind: privacy.Kind(kind), Value: value}
}

// termBound keeps a sealed identifier from being moved to another stream, or into an event.
func termBound(stream string) string { return "term\n" + stream }

// Subjects lists the streams in whose personal data one of some identifiers stands, in the order
// of their names. Erased ones are not among them. Beside [ErrIndexing] it gives what was found.
func (l *Log) Subjects(ctx context.Context, ids ...privacy.Identifier) ([]string, error) {
	for {
		held, err := l.keys.refresh(ctx)
		if err != nil {
			return nil, fmt.Errorf("find subjects: %w", err)
		}
		terms := make([][]byte, 0, len(ids)*len(held.keys))
		for _, key := range held.keys {
			for _, id := range ids {
				terms = append(terms, key.term(id))
			}
		}
		streams, err := collect(ctx, l.pool, query("find_subjects"), pgx.RowTo[string], terms)
		if err != nil {
			return nil, fmt.Errorf("find subjects: %w", err)
		}
		// A rotation that began meanwhile may have made terms that were not looked for.
		after, err := l.keys.refresh(ctx)
		if err != nil {
			return nil, fmt.Errorf("find subjects: %w", err)
		}
		if after.newest.epoch == held.newest.epoch {
			return streams, l.indexed(ctx)
		}
	}
}

func (l *Log) indexed(ctx context.Context) error {
	var through, target int64
	if err := l.pool.QueryRow(ctx, query("subject_index")).Scan(&through, &target); err != nil {
		return fmt.Errorf("read how far subjects are indexed: %w", err)
	}
	if through < target {
		return fmt.Errorf("%w (%d of %d)", ErrIndexing, through, target)
	}
	return nil
}

// indexedKinds is what subject_index.kinds says of the identifiers that this program looks for.
const indexedKinds = 2

// indexBatch is how many events are indexed in one transaction.
const indexBatch = 1000

// IndexSubjects indexes the events that were in the log before there was an index, or one of full names.
// It goes on where it was left. Progress, which may be nil, hears how many of them are done. Several at once
// share the work.
func (l *Log) IndexSubjects(ctx context.Context, progress func(done, total int64)) error {
	if _, err := l.pool.Exec(ctx, query("subject_index_renew"), indexedKinds); err != nil {
		return fmt.Errorf("begin to index subjects: %w", err)
	}
	for {
		var through, target int64
		if err := l.pool.QueryRow(ctx, query("subject_index")).Scan(&through, &target); err != nil {
			return fmt.Errorf("index subjects: %w", err)
		}
		if progress != nil {
			progress(through, target)
		}
		if through >= target {
			return nil
		}
		if err := l.indexNext(ctx, through, target); err != nil {
			return fmt.Errorf("index subjects after %d: %w", through, err)
		}
	}
}

// indexNext indexes some events after a position, unless others have done so.
func (l *Log) indexNext(ctx context.Context, through, target int64) error {
	events, err := l.Scan(ctx, through, target, indexBatch)
	if err != nil {
		return err
	}
	if len(events) == 0 {
		return fmt.Errorf("the log ends before %d", target)
	}
	newest := l.keys.newest()
	ids := map[string][]privacy.Identifier{}
	var streams []string
	for _, e := range events {
		if found := privacy.Identify(personalFields(e.Payload)); len(found) > 0 {
			if ids[e.Stream] == nil {
				streams = append(streams, e.Stream)
			}
			ids[e.Stream] = append(ids[e.Stream], found...)
		}
	}
	outdated := -1
	err = pgx.BeginFunc(ctx, l.pool, func(tx pgx.Tx) error {
		var at int64
		var epoch int
		// No rotation begins before the end of this transaction, and nobody else indexes.
		if err := tx.QueryRow(ctx, query("subject_index_lock")).Scan(&at, &target, &epoch); err != nil || at != through {
			return err
		}
		if epoch > newest.epoch {
			outdated = epoch
			return nil
		}
		if err := l.indexTerms(ctx, tx, newest, streams, ids); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, query("subject_index_move"), events[len(events)-1].Position)
		return err
	})
	if err == nil && outdated >= 0 {
		_, err = l.keys.of(ctx, outdated)
	}
	return err
}

// indexTerms stores the terms of those streams whose keys are not destroyed, nor will be before
// the end of the transaction.
func (l *Log) indexTerms(ctx context.Context, tx pgx.Tx, newest *epochKey, streams []string, ids map[string][]privacy.Identifier) error {
	if len(streams) == 0 {
		return nil
	}
	rows, err := tx.Query(ctx, query("hold_subjects"), streams)
	keys, err := l.keys.read(ctx, rows, err)
	if err != nil {
		return err
	}
	var subjects []string
	var hashes, sealed [][]byte
	for _, stream := range streams {
		key := keys[stream]
		if key == nil {
			continue
		}
		for _, id := range ids[stream] {
			t := key.termOf(id, stream, newest)
			subjects, hashes, sealed = append(subjects, stream), append(hashes, t.hash), append(sealed, t.sealed)
		}
	}
	_, err = tx.Exec(ctx, query("index_terms"), newest.epoch, subjects, hashes, sealed)
	return err
}
