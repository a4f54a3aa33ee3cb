package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"bitacora/domain/event"
)

// Append stores a request whole or not at all and gives its events as they are recorded.
// A request whose events are all in the log already is answered with those, and nothing is
// counted again; so a request may be repeated until it is answered. The errors to tell
// apart are [event.ErrConflict], [event.ErrMonthlyLimitReached], [event.AddressLimitReached],
// [event.ErrSlotTaken], [event.ErrIDReused], [ErrErased] and [ErrUnavailable].
func (l *Log) Append(ctx context.Context, a event.Append) ([]event.Recorded, error) {
	ctx, cancel := l.breaker.boundedAppend(ctx)
	defer cancel()
	if a.MonthlyLimit != nil && a.MonthlyLimit.AddressLimit != nil && len(a.Drafts) > 0 {
		return l.appendLimited(ctx, a)
	}
	return l.appendNew(ctx, a)
}

func (l *Log) appendNew(ctx context.Context, a event.Append) ([]event.Recorded, error) {
	// Each repetition means that another process was the first to store the stream's key, or
	// rotates the keys.
	for range 5 {
		recorded, err := l.append(ctx, a)
		if !errors.Is(err, errKeyExists) {
			if err != nil {
				return nil, fmt.Errorf("append to %s: %w", a.Stream, err)
			}
			return recorded, nil
		}
		l.keys.forget(a.Stream)
	}
	return nil, fmt.Errorf("append to %s: %w", a.Stream, errKeyExists)
}

var errKeyExists = errors.New("the stream has another key")

func (l *Log) append(ctx context.Context, a event.Append) ([]event.Recorded, error) {
	q, err := l.submit(ctx, a)
	if err != nil {
		return nil, err
	}
	return q.await(ctx, l)
}

// submission is a request on its way.
type submission struct {
	of      event.Append
	pending *pending
	key     *subjectKey
	// fresh says that the key is new with this request.
	fresh bool
}

// submit encodes a request and queues it.
func (l *Log) submit(ctx context.Context, a event.Append) (*submission, error) {
	newest := l.keys.newest()
	key, fresh, err := l.sealingKey(ctx, a)
	if err != nil {
		return nil, err
	}
	r, err := encode(a, key, newest)
	if err != nil {
		return nil, err
	}
	p, err := l.writer.enqueue(ctx, r)
	if err != nil {
		return nil, err
	}
	return &submission{of: a, pending: p, key: key, fresh: fresh}, nil
}

// sealingKey gives the key that a request is sealed under, and whether it is new with it; nil where the
// request holds nothing personal.
func (l *Log) sealingKey(ctx context.Context, a event.Append) (key *subjectKey, fresh bool, err error) {
	for _, draft := range a.Drafts {
		if draft.Payload == nil {
			return nil, false, errors.New("an event needs a payload")
		}
		if key == nil && hasPersonalData(draft.Payload) {
			if key, fresh, err = l.keys.forSealing(ctx, a.Stream); err != nil {
				return nil, false, err
			}
		}
	}
	return key, fresh, nil
}

// await waits for what became of the request.
func (s *submission) await(ctx context.Context, l *Log) ([]event.Recorded, error) {
	a, r := s.of, s.pending.request
	answer, err := l.writer.await(ctx, s.pending)
	if err != nil {
		return nil, err
	}
	switch answer.outcome {
	case "stored":
		if s.fresh {
			l.keys.remember(a.Stream, s.key)
		}
		return answer.recorded(a, r), nil
	case "duplicate":
		return l.repeated(ctx, a, r)
	case "conflict":
		return nil, event.ErrConflict
	case "quota exhausted":
		return nil, event.ErrMonthlyLimitReached
	case "slot taken":
		return nil, event.ErrSlotTaken
	case "id reused":
		return nil, event.ErrIDReused
	case "erased":
		l.keys.forget(a.Stream)
		return nil, ErrErased
	case "key outdated":
		if _, err := l.keys.refresh(ctx); err != nil {
			return nil, err
		}
		return nil, errKeyExists
	case "key exists":
		return nil, errKeyExists
	default:
		return nil, fmt.Errorf("unknown outcome %q", answer.outcome)
	}
}

// recorded gives the drafts of a stored request as the log holds them.
func (a appendResult) recorded(from event.Append, r *request) []event.Recorded {
	recorded := make([]event.Recorded, len(from.Drafts))
	for i, draft := range from.Drafts {
		recorded[i] = event.Recorded{
			Position:   a.position + int64(i),
			ID:         r.events[i].id.String(),
			Stream:     from.Stream,
			Version:    a.version + i,
			OccurredAt: r.events[i].occurredAt,
			RecordedAt: a.recordedAt,
			Payload:    draft.Payload,
			Metadata:   draft.Metadata,
		}
	}
	return recorded
}

// repeated answers a request whose ids are all in the log.
func (l *Log) repeated(ctx context.Context, a event.Append, r *request) ([]event.Recorded, error) {
	ids := make([]pgtype.UUID, len(r.events))
	for i, e := range r.events {
		ids[i] = e.id
	}
	rows, keys, err := l.fetch(ctx, 0, query("read_by_id"), ids)
	if err != nil {
		return nil, err
	}
	byID := make(map[string]event.Recorded, len(rows))
	for i := range rows {
		e, err := rows[i].read(keys)
		if err != nil {
			return nil, fmt.Errorf("decode event %d: %w", rows[i].position, err)
		}
		byID[e.ID] = e
	}
	recorded := make([]event.Recorded, len(ids))
	for i, id := range ids {
		e, ok := byID[id.String()]
		if !ok || !sameFact(e, a.Drafts[i], a.Stream) {
			return nil, fmt.Errorf("event %s: %w", id, event.ErrIDReused)
		}
		recorded[i] = e
	}
	return recorded, nil
}

// appendResult is what append_events says about one request.
type appendResult struct {
	outcome    string
	position   int64
	version    int
	recordedAt time.Time
}

func scanResult(found pgx.CollectableRow) (appendResult, error) {
	var a appendResult
	err := found.Scan(&a.outcome, &a.position, &a.version, &a.recordedAt)
	a.recordedAt = a.recordedAt.UTC()
	return a, err
}

// AppendAll stores requests in their order, each as [Log.Append] does, and shares the cost of a
// commit among them. It goes on after one that fails, and says what the first one failed of.
func (l *Log) AppendAll(ctx context.Context, all []event.Append) error {
	var first error
	for len(all) > 0 {
		run := all[:distinctStreams(all)]
		if err := l.appendRun(ctx, run); first == nil {
			first = err
		}
		all = all[len(run):]
	}
	return first
}

// distinctStreams counts the requests up to where a stream comes again. The second one to a
// stream has to wait: only the first, once it is stored, gives the stream its key.
func distinctStreams(all []event.Append) int {
	seen := map[string]bool{}
	for i, a := range all {
		if seen[a.Stream] {
			return i
		}
		seen[a.Stream] = true
	}
	return len(all)
}

func (l *Log) appendRun(ctx context.Context, run []event.Append) error {
	queued := make([]*submission, len(run))
	var first error
	note := func(a event.Append, err error) {
		if err != nil && first == nil {
			first = fmt.Errorf("append to %s: %w", a.Stream, err)
		}
	}
	for i, a := range run {
		var err error
		queued[i], err = l.submit(ctx, a)
		note(a, err)
	}
	for i, q := range queued {
		if q == nil {
			continue
		}
		_, err := q.await(ctx, l)
		if errors.Is(err, errKeyExists) {
			_, err = l.Append(ctx, run[i])
		}
		note(run[i], err)
	}
	return first
}
