package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgxpool"

	"bitacora/domain/event"
)

var (
	sqlScan         = query("scan")
	sqlReadStream   = query("read_stream")
	sqlReadStreams  = query("read_streams")
	sqlReadByID     = query("read_by_id")
	sqlHead         = query("head")
	sqlLacks        = query("lacks")
	sqlEpoch        = query("epoch")
	sqlMonthlyCount = query("monthly_count")
	sqlSubjectKey   = query("subject_key")
	sqlSubjectKeys  = query("subject_keys")
	sqlDestroyKey   = query("destroy_key")
	sqlErased       = query("erased")
)

// scanBytes is how much of the log is read at once, in bytes of texts as they are stored: more
// than 5,000 events of usual size, and little enough that some readers may keep it several times
// over (as read, decoded, unsealed). The event with which it is reached is the last one, so a read
// gives one at least.
const scanBytes = 4 << 20

// Log is the one list of what happened. It is safe for concurrent use.
type Log struct {
	pool    *pgxpool.Pool
	keys    *keyring
	writer  *writer
	breaker *breaker
}

func newLog(pool *pgxpool.Pool, key MasterKey, w *writer, b *breaker) *Log {
	return &Log{pool: pool, keys: newKeyring(key, pool), writer: w, breaker: b}
}

// Append stores a request whole or not at all and gives its events as they are recorded.
// A request whose events are all in the log already is answered with those, and nothing is
// counted again; so a request may be repeated until it is answered. The errors to tell
// apart are [event.ErrConflict], [event.ErrMonthlyLimitReached], [event.AddressLimitReached],
// [event.ErrSlotTaken], [event.ErrIDReused], [ErrErased] and [ErrUnavailable].
func (l *Log) Append(ctx context.Context, a event.Append) ([]event.Recorded, error) {
	ctx, cancel := l.breaker.bounded(ctx)
	defer cancel()
	if a.MonthlyLimit != nil && a.MonthlyLimit.AddressLimit != nil && len(a.Drafts) > 0 {
		return l.appendLimited(ctx, a)
	}
	return l.appendNew(ctx, a)
}

func (l *Log) appendNew(ctx context.Context, a event.Append) ([]event.Recorded, error) {
	// Each repetition means that another process was the first to store the stream's key.
	for range 3 {
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
	var key *subjectKey
	var fresh bool
	for _, draft := range a.Drafts {
		if draft.Payload == nil {
			return nil, errors.New("an event needs a payload")
		}
		if key == nil && hasPersonalData(draft.Payload) {
			var err error
			if key, fresh, err = l.keys.forSealing(ctx, a.Stream); err != nil {
				return nil, err
			}
		}
	}
	r, err := encode(a, key)
	if err != nil {
		return nil, err
	}
	p, err := l.writer.enqueue(ctx, r)
	if err != nil {
		return nil, err
	}
	return &submission{of: a, pending: p, key: key, fresh: fresh}, nil
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
	rows, keys, err := l.fetch(ctx, 0, sqlReadByID, ids)
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

// ReadStream gives all events of a stream, oldest first; none for an unknown stream. One that
// cannot be read does not hide the others: its payload is an [event.Unreadable].
func (l *Log) ReadStream(ctx context.Context, stream string) ([]event.Recorded, error) {
	rows, keys, err := l.fetchStream(ctx, stream)
	if err != nil {
		return nil, fmt.Errorf("read stream %s: %w", stream, err)
	}
	return readAll(rows, keys), nil
}

// ReadStreams gives the events of some streams as [Log.ReadStream] does; with types only those.
func (l *Log) ReadStreams(ctx context.Context, streams []string, types ...string) ([]event.Recorded, error) {
	rows, keys, err := l.fetch(ctx, 0, sqlReadStreams, streams, types)
	if err != nil {
		return nil, fmt.Errorf("read %d streams: %w", len(streams), err)
	}
	return readAll(rows, keys), nil
}

// Scan gives up to limit events after one position and through another, in order; fewer where
// they are large, and none at the end. Those that cannot be read come as in [Log.ReadStream].
func (l *Log) Scan(ctx context.Context, after, through int64, limit int) ([]event.Recorded, error) {
	events, _, err := l.scanNext(ctx, after, through, limit)
	return events, err
}

// scanNext is [Log.Scan], and says whether there may be more than it was allowed to give.
func (l *Log) scanNext(ctx context.Context, after, through int64, limit int) (events []event.Recorded, more bool, err error) {
	expected := int(max(0, min(int64(limit), through-after)))
	rows, keys, err := l.fetch(ctx, expected, sqlScan, after, through, limit, scanBytes)
	if err != nil {
		return nil, false, fmt.Errorf("scan log after %d: %w", after, err)
	}
	bytes := 0
	for i := range rows {
		bytes += rows[i].bytes()
	}
	return readAll(rows, keys), len(rows) == limit || bytes >= scanBytes, nil
}

func readAll(rows []row, keys map[string]*subjectKey) []event.Recorded {
	events := make([]event.Recorded, len(rows))
	for i := range rows {
		events[i] = rows[i].readOrUnreadable(keys)
	}
	return events
}

// ScanClear is [Log.Scan] without personal data, which spares unsealing it.
func (l *Log) ScanClear(ctx context.Context, after, through int64, limit int) ([]event.Recorded, error) {
	rows, err := again(l.pool, func() ([]row, error) { return l.rows(ctx, 0, sqlScan, after, through, limit, scanBytes) })
	if err != nil {
		return nil, fmt.Errorf("scan log after %d: %w", after, err)
	}
	events := make([]event.Recorded, len(rows))
	for i := range rows {
		var fault error
		if events[i], fault = rows[i].clear(); fault != nil {
			events[i] = rows[i].unreadable(fault)
		}
	}
	return events, nil
}

// fetch gives rows and the keys of what is sealed in them.
func (l *Log) fetch(ctx context.Context, expected int, sql string, args ...any) ([]row, map[string]*subjectKey, error) {
	rows, err := again(l.pool, func() ([]row, error) { return l.rows(ctx, expected, sql, args...) })
	if err != nil {
		return nil, nil, err
	}
	keys, err := l.keys.fetch(ctx, sealedStreams(rows))
	return rows, keys, err
}

// fetchStream gives the rows of one stream and its key in one round trip.
func (l *Log) fetchStream(ctx context.Context, stream string) (rows []row, keys map[string]*subjectKey, err error) {
	rows, err = again(l.pool, func() ([]row, error) {
		var both pgx.Batch
		both.Queue(sqlReadStream, stream)
		// Asked for last: a row that is seen has its key stored with it or before.
		both.Queue(sqlSubjectKey, stream)
		answers := l.pool.SendBatch(ctx, &both)
		defer answers.Close()
		found, err := answers.Query()
		if err != nil {
			return nil, err
		}
		rows, err := readRows(found, 0)
		if err != nil {
			return nil, err
		}
		keys, err = l.keys.read(answers.Query())
		return rows, err
	})
	return rows, keys, err
}

// rows reads what a query finds, with room for as many as are expected.
func (l *Log) rows(ctx context.Context, expected int, sql string, args ...any) ([]row, error) {
	found, err := l.pool.Query(ctx, sql, args...)
	if err != nil {
		return nil, err
	}
	return readRows(found, expected)
}

func readRows(found pgx.Rows, expected int) ([]row, error) {
	defer found.Close()
	rows := make([]row, 0, expected)
	for found.Next() {
		rows = append(rows, row{})
		if err := rows[len(rows)-1].scan(found); err != nil {
			return nil, err
		}
	}
	return rows, found.Err()
}

// sealedStreams lists the streams whose keys are needed to read rows.
func sealedStreams(rows []row) []string {
	seen := map[string]bool{}
	var streams []string
	for i := range rows {
		if r := &rows[i]; r.sealed.Valid && !seen[r.stream] {
			seen[r.stream] = true
			streams = append(streams, r.stream)
		}
	}
	return streams
}

// Head is the position of the last event; 0 for an empty log.
func (l *Log) Head(ctx context.Context) (int64, error) {
	var head int64
	if err := l.pool.QueryRow(ctx, sqlHead).Scan(&head); err != nil {
		return 0, fmt.Errorf("read head of log: %w", err)
	}
	return head, nil
}

// Lacks gives the first of some positions at which the log does not hold the event of that id; 0
// where it holds them all.
func (l *Log) Lacks(ctx context.Context, positions []int64, ids []string) (position int64, err error) {
	if err := l.pool.QueryRow(ctx, sqlLacks, positions, ids).Scan(&position); err != nil {
		return 0, fmt.Errorf("look for events in the log: %w", err)
	}
	return position, nil
}

// Epoch names this log: positions of another epoch mean nothing here.
func (l *Log) Epoch(ctx context.Context) (string, error) {
	var epoch string
	if err := l.pool.QueryRow(ctx, sqlEpoch).Scan(&epoch); err != nil {
		return "", fmt.Errorf("read epoch of log: %w", err)
	}
	return epoch, nil
}

// MonthlyCount is the number of conversations that were started in a business-zone month,
// "2006-01".
func (l *Log) MonthlyCount(ctx context.Context, month string) (int, error) {
	var started int
	if err := l.pool.QueryRow(ctx, sqlMonthlyCount, month).Scan(&started); err != nil {
		return 0, fmt.Errorf("read quota of %s: %w", month, err)
	}
	return started, nil
}

// DestroyKey erases the personal data of a stream for good: its events stay, and read as
// [event.Recorded] with Erased set. Repeating it changes nothing.
func (l *Log) DestroyKey(ctx context.Context, stream string) error {
	if _, err := l.pool.Exec(ctx, sqlDestroyKey, stream); err != nil {
		return fmt.Errorf("destroy key of %s: %w", stream, err)
	}
	l.keys.forget(stream)
	return nil
}

// Erased lists the streams whose personal data were erased.
func (l *Log) Erased(ctx context.Context) ([]string, error) {
	streams, err := collect(ctx, l.pool, sqlErased, pgx.RowTo[string])
	if err != nil {
		return nil, fmt.Errorf("list erased streams: %w", err)
	}
	return streams, nil
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
