package postgres

import (
	"context"
	"crypto/sha256"
	"fmt"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"bitacora/domain/event"
	"bitacora/domain/fault"
)

const (
	checkBatch  = 5000
	maxFindings = 100
)

// Finding is something wrong with the log. Position is 0 where it concerns a whole stream.
type Finding struct {
	Position int64
	Problem  string
}

func (f Finding) String() string {
	if f.Position == 0 {
		return f.Problem
	}
	return fmt.Sprintf("event %d: %s", f.Position, f.Problem)
}

// Report is the result of going through the whole log.
type Report struct {
	// Events is how many were looked at.
	Events int64
	// Findings are the first problems, at most a hundred; empty for an intact log.
	Findings []Finding
	// Unknown are the events of types and versions that this program does not know. Whether
	// these are right cannot be checked here. Those that operators decided to pass over are not
	// among them, nor among the findings, unless they were changed.
	Unknown event.Census
	// Notes are sentences about how far the log is proven, and nothing that is wrong.
	Notes []string
}

// report is one of nothing yet, which knows what operators decided.
func (l *Log) report(ctx context.Context) (r Report, err error) {
	if r.Unknown.Skipped, err = l.Skipped(ctx); err != nil {
		err = fmt.Errorf("read which events are passed over: %w", err)
	}
	return r, err
}

func (r *Report) find(position int64, format string, args ...any) {
	if len(r.Findings) < maxFindings {
		r.Findings = append(r.Findings, Finding{position, fmt.Sprintf(format, args...)})
	}
}

func (r *Report) note(format string, args ...any) {
	if len(r.Notes) < maxFindings {
		r.Notes = append(r.Notes, fmt.Sprintf(format, args...))
	}
}

// Check proves that positions and stream versions have no holes, that every event still is
// what was appended, and that it can be decoded and, unless erased, unsealed,
// if this program knows its type and version. It holds the events against their chain, and the chain against
// anchors: those show also what the owner of the database changed with the chain made anew. It calls
// progress, if given, with the events done and those there are. An error means that the
// log could not be read; what is wrong with it is in the report.
func (l *Log) Check(ctx context.Context, progress func(done, total int64), anchors ...Anchor) (Report, error) {
	report, err := l.report(ctx)
	if err != nil {
		return report, err
	}
	var head, chained, unchained int64
	if err := l.pool.QueryRow(ctx, query("chain_ends")).Scan(&head, &chained, &unchained); err != nil {
		return report, fmt.Errorf("check log: %w", err)
	}
	chain := newChainCheck(&report, anchors)
	err = Parts{l}.checkEvents(ctx, &report, chain, head, progress)
	if err != nil {
		return report, fmt.Errorf("check log: %w", err)
	}
	chain.end(head, chained, unchained)
	chain.hold(head, anchors)
	err = checkStreams(ctx, l.pool, &report)
	return report, fault.Wrap(err, "check streams")
}

func checkStreams(ctx context.Context, pool *pgxpool.Pool, report *Report) error {
	rows, err := pool.Query(ctx, query("bad_streams"), maxFindings)
	if err != nil {
		return err
	}
	var stream string
	var events, first, last int64
	_, err = pgx.ForEachRow(rows, []any{&stream, &events, &first, &last}, func() error {
		report.find(0, "stream %s has %d events at versions %d to %d", stream, events, first, last)
		return nil
	})
	return err
}

// walk goes through the events after one position and through another, batch by batch.
func (l *Log) walk(ctx context.Context, at, through int64, progress func(done, total int64), visit func([]row, map[string]*subjectKey) error) error {
	for at < through {
		rows, err := l.rows(ctx, 0, query("scan"), at, through, checkBatch, scanBytes)
		if err != nil {
			return err
		}
		if len(rows) == 0 {
			return nil
		}
		keys, err := l.keys.fetch(ctx, sealedStreams(rows))
		if err != nil {
			return err
		}
		if err := visit(rows, keys); err != nil {
			return err
		}
		at = rows[len(rows)-1].position
		if progress != nil {
			progress(at, through)
		}
	}
	return nil
}

// hash computes what the SQL function stored_event_hash does.
func (r *row) hash() []byte {
	lines := []string{
		r.id.String(), r.stream, strconv.Itoa(int(r.version)), r.eventType, strconv.Itoa(int(r.schemaVersion)),
		strconv.FormatInt(r.occurredAt.UnixMilli(), 10), r.data,
	}
	if r.sealed.Valid {
		lines = append(lines, r.sealed.String)
	}
	sum := sha256.Sum256([]byte(strings.Join(lines, "\n")))
	return sum[:]
}

// Fingerprint is the same for two logs that hold the same events up to a position.
func (l *Log) Fingerprint(ctx context.Context, through int64) (text string, err error) {
	err = l.pool.QueryRow(ctx, query("fingerprint"), through).Scan(&text)
	return text, fault.Wrap(err, "fingerprint log")
}
