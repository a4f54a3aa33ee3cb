package postgres

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"bitacora/domain/clinic"
	"bitacora/domain/event"
	"bitacora/domain/fault"
	"bitacora/domain/teaching"
)

// ErrTaughtClashes: an answer that was taught and is to stay has a question of another one that is
// brought, or a service that is not.
var ErrTaughtClashes = errors.New("a taught answer does not fit what is brought")

// Teaching changes answers together with the events that say so.
type Teaching struct {
	content *Content
	log     *Log
	connect connector
}

var _ teaching.Store = (*Teaching)(nil)

// Teaching keeps what the staff teaches.
func (db *DB) Teaching() *Teaching { return &Teaching{db.Content(), db.log, db.connect} }

// ChangeAnswer implements [teaching.Store]. Of the two locks that it takes every other writer takes
// one alone.
func (t *Teaching) ChangeAnswer(ctx context.Context, slug string, decide func(clinic.Content, []event.Recorded) (teaching.Change, error)) error {
	err := t.log.appendWith(ctx, t.connect, func(tx pgx.Tx) (*event.Append, error) { return t.changeAnswer(ctx, tx, slug, decide) })
	return fault.Wrap(err, "change answer "+slug)
}

func (t *Teaching) changeAnswer(ctx context.Context, tx pgx.Tx, slug string, decide func(clinic.Content, []event.Recorded) (teaching.Change, error)) (*event.Append, error) {
	var version int64
	if err := tx.QueryRow(ctx, query("content_lock")).Scan(&version); err != nil {
		return nil, err
	}
	content, err := readContent(ctx, tx)
	if err != nil {
		return nil, err
	}
	found, err := tx.Query(ctx, query("taught_of"), event.AnswerPrefix+slug)
	if err != nil {
		return nil, err
	}
	rows, err := readRows(found, 0)
	if err != nil {
		return nil, err
	}
	keys, err := t.log.keys.fetch(ctx, sealedStreams(rows))
	if err != nil {
		return nil, err
	}
	change, err := decide(content, readAll(rows, keys))
	if err != nil {
		return nil, err
	}
	content.Answers = change.Answers
	if err := store(ctx, tx, content); err != nil {
		return nil, err
	}
	if _, err := tx.Exec(ctx, query("taught_mark"), slug, version+1); err != nil {
		return nil, err
	}
	return &change.Append, nil
}

// appendWith makes a change and appends what it gives, in one transaction; nil appends nothing. It has a
// connection of its own, since its commit is an append: see [connectUncancelled].
func (l *Log) appendWith(ctx context.Context, connect connector, change func(pgx.Tx) (*event.Append, error)) error {
	connecting, cancel := l.breaker.boundedAppend(ctx)
	defer cancel()
	conn, err := connect(connecting)
	if err != nil {
		return err
	}
	defer hangUp(conn)
	// Each repetition means that keys are being rotated.
	for range 5 {
		err = pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
			a, err := change(tx)
			if err != nil || a == nil {
				return err
			}
			return l.appendWithin(ctx, tx, *a)
		})
		if !errors.Is(err, errKeyExists) {
			break
		}
		if _, err := l.keys.refresh(ctx); err != nil {
			return err
		}
	}
	return err
}

// appendWithin stores a request in a transaction of its caller, whose last statement it is to be: the
// log is locked from then on. It gives errKeyExists where keys are being rotated.
func (l *Log) appendWithin(ctx context.Context, tx pgx.Tx, a event.Append) error {
	newest := l.keys.newest()
	key, _, err := l.sealingKey(ctx, a)
	if err != nil {
		return err
	}
	r, err := encode(a, key, newest)
	if err != nil {
		return err
	}
	answers, err := collect(ctx, tx, query("append"), scanResult, arguments([]*pending{{request: r}})...)
	if err != nil {
		return err
	}
	switch answers[0].outcome {
	case "stored":
		return nil
	case "conflict":
		return event.ErrConflict
	case "erased":
		l.keys.forget(a.Stream)
		return ErrErased
	case "key outdated", "key exists":
		l.keys.forget(a.Stream)
		return errKeyExists
	}
	return fmt.Errorf("append to %s: unexpected outcome %q", a.Stream, answers[0].outcome)
}

// Taught implements [teaching.Store].
func (t *Teaching) Taught(ctx context.Context) (clinic.Content, []event.Recorded, error) {
	content, _, err := t.content.Read(ctx)
	if err != nil {
		return content, nil, err
	}
	rows, keys, err := t.log.fetch(ctx, 0, query("taught"))
	return content, readAll(rows, keys), fault.Wrap(err, "read what was taught")
}

// StaffTexts implements [subjects.Log].
func (l *Log) StaffTexts(ctx context.Context) ([]event.Recorded, error) {
	var events []event.Recorded
	for _, sql := range []string{query("taught"), query("skips"), query("chart_notes")} {
		rows, keys, err := l.fetch(ctx, 0, sql)
		if err != nil {
			return nil, fmt.Errorf("read texts of the staff: %w", err)
		}
		events = append(events, readAll(rows, keys)...)
	}
	return events, nil
}

// ChartNotes implements [chartnotes.Log].
type ChartNotes struct{ Log *Log }

// All gives the events of notes.
func (n ChartNotes) All(ctx context.Context) ([]event.Recorded, error) {
	rows, keys, err := n.Log.fetch(ctx, 0, query("chart_notes"))
	return readAll(rows, keys), fault.Wrap(err, "read chart notes")
}

// Append stores a note.
func (n ChartNotes) Append(ctx context.Context, a event.Append) ([]event.Recorded, error) {
	return n.Log.Append(ctx, a)
}

// ConversationsSince names the streams of conversations that began since, newest first.
func (l *Log) ConversationsSince(ctx context.Context, since time.Time, limit int) ([]string, error) {
	streams, err := collect(ctx, l.pool, query("conversations_since"), pgx.RowTo[string], since, limit)
	return streams, fault.Wrap(err, "list conversations")
}

// keepTaught puts answers in the place of others, but for those that were taught since a version of
// the content, or taken back: left names those that would have been changed by it.
func keepTaught(ctx context.Context, tx pgx.Tx, was []clinic.Answer, to clinic.Content, since int64) (kept []clinic.Answer, left []string, err error) {
	slugs, err := collect(ctx, tx, query("taught_since"), pgx.RowTo[string], since)
	if err != nil {
		return nil, nil, err
	}
	kept = to.Answers
	for _, slug := range slugs {
		before, there := clinic.AnswerOf(was, slug)
		brought, brings := clinic.AnswerOf(to.Answers, slug)
		if there == brings && (!there || before.Equal(brought)) {
			continue
		}
		left = append(left, slug)
		if kept = clinic.WithoutAnswer(kept, slug); there {
			kept = clinic.WithAnswer(kept, before)
		}
	}
	slices.Sort(left)
	for _, slug := range left {
		if a, there := clinic.AnswerOf(kept, slug); there && len(a.Flaws(kept, to.Services)) > 0 {
			return nil, nil, fmt.Errorf("%w: %s", ErrTaughtClashes, slug)
		}
	}
	return kept, left, nil
}
