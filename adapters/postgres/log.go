package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"bitacora/domain/event"
	"bitacora/domain/fault"
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
	// ledger is told before a key is destroyed; nil: nobody is.
	ledger Ledger
	// keepBundle is called before the key of a key epoch is destroyed; nil: nothing is.
	keepBundle func(context.Context) error
}

func newLog(pool *pgxpool.Pool, keys *keyring, w *writer, b *breaker) *Log {
	return &Log{pool: pool, keys: keys, writer: w, breaker: b}
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
	rows, keys, err := l.fetch(ctx, 0, query("read_streams"), streams, types)
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
	rows, keys, err := l.fetch(ctx, expected, query("scan"), after, through, limit, scanBytes)
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
	rows, err := again(l.pool, func() ([]row, error) { return l.rows(ctx, 0, query("scan"), after, through, limit, scanBytes) })
	if err != nil {
		return nil, fmt.Errorf("scan log after %d: %w", after, err)
	}
	return clearAll(rows), nil
}

func clearAll(rows []row) []event.Recorded {
	events := make([]event.Recorded, len(rows))
	for i := range rows {
		var fault error
		if events[i], fault = rows[i].clear(); fault != nil {
			events[i] = rows[i].unreadable(fault)
		}
	}
	return events
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
		both.Queue(query("read_stream"), stream)
		// Asked for last: a row that is seen has its key stored with it or before.
		both.Queue(query("subject_key"), stream)
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
		found, err = answers.Query()
		keys, err = l.keys.read(ctx, found, err)
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
	err := l.pool.QueryRow(ctx, query("head")).Scan(&head)
	return head, fault.Wrap(err, "read head of log")
}

// Lacks gives the first of some positions at which the log does not hold the event of that id; 0
// where it holds them all.
func (l *Log) Lacks(ctx context.Context, positions []int64, ids []string) (position int64, err error) {
	err = l.pool.QueryRow(ctx, query("lacks"), positions, ids).Scan(&position)
	return position, fault.Wrap(err, "look for events in the log")
}

// Epoch names this log: positions of another epoch mean nothing here.
func (l *Log) Epoch(ctx context.Context) (string, error) {
	var epoch string
	err := l.pool.QueryRow(ctx, query("epoch")).Scan(&epoch)
	return epoch, fault.Wrap(err, "read epoch of log")
}

// MonthlyCount is the number of conversations that were started in a business-zone month,
// "2006-01".
func (l *Log) MonthlyCount(ctx context.Context, month string) (int, error) {
	var started int
	err := l.pool.QueryRow(ctx, query("monthly_count"), month).Scan(&started)
	return started, fault.Wrap(err, "read quota of "+month)
}

// Erased lists the streams whose personal data were erased.
func (l *Log) Erased(ctx context.Context) ([]string, error) {
	streams, err := collect(ctx, l.pool, query("erased"), pgx.RowTo[string])
	return streams, fault.Wrap(err, "list erased streams")
}
