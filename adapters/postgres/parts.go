package postgres

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"bitacora/domain/event"
	"bitacora/domain/fault"
)

// Parts checks and lists parts of a log.
type Parts struct{ Log *Log }

// checkEvents holds the events through a position, from where the chain's check stands on, against the chain and
// their own hashes.
func (l Parts) checkEvents(ctx context.Context, report *Report, chain *chainCheck, through int64, progress func(done, total int64)) error {
	next := chain.through + 1
	return l.Log.walk(ctx, chain.through, through, progress, func(rows []row, keys map[string]*subjectKey) error {
		for i := range rows {
			r := &rows[i]
			report.Events++
			if r.position != next {
				report.find(r.position, "follows position %d", next-1)
			}
			next = r.position + 1
			if !bytes.Equal(r.hash(), r.payloadHash) {
				report.find(r.position, "was changed after it was appended: its hash differs")
			}
			if _, err := r.read(keys); errors.Is(err, event.ErrUnknown) {
				report.Unknown.Add(r.unreadable(err))
			} else if err != nil && !report.Unknown.Skipped[r.position] {
				report.find(r.position, "%v", err)
			}
		}
		return chain.read(ctx, l.Log.pool, rows)
	})
}

// CheckRange is [Log.Check] of the events after one position and through another, and of those that were chained
// together with them. The chain is taken as it stands there, see [Parts.CheckAnchors].
func (l Parts) CheckRange(ctx context.Context, after, through int64) (Report, error) {
	report, err := l.Log.report(ctx)
	if err != nil {
		return report, err
	}
	chain := newChainCheck(&report, nil)
	var end, unchained int64
	if err := l.Log.pool.QueryRow(ctx, query("chain_around"), after, through).Scan(&chain.through, &chain.former, &end, &unchained); err != nil {
		return report, fmt.Errorf("check log after %d: %w", after, err)
	}
	chain.begin()
	first := chain.through
	if err := l.checkEvents(ctx, &report, chain, end, nil); err != nil {
		return report, fmt.Errorf("check log after %d: %w", after, err)
	}
	switch {
	case len(report.Findings) > 0:
	case first+report.Events < end:
		report.find(first+report.Events+1, "is missing")
	case chain.through < end && chain.through >= unchained:
		report.find(chain.through+1, "is not chained, nor is what follows: it was not appended by the program, or the chain was cut")
	}
	return report, nil
}

// CheckAnchors holds the chain as it stands against anchors, and its end against that of the log. It reads no events.
func (l Parts) CheckAnchors(ctx context.Context, anchors []Anchor) (Report, error) {
	var report Report
	c := newChainCheck(&report, anchors)
	var head, unchained int64
	if err := l.Log.pool.QueryRow(ctx, query("chain_ends")).Scan(&head, &c.through, &unchained); err != nil {
		return report, fmt.Errorf("check anchors: %w", err)
	}
	var err error
	if c.segments, err = collect(ctx, l.Log.pool, query("chain_segments"), func(found pgx.CollectableRow) (s segment, err error) {
		return s, found.Scan(&s.epoch, &s.through)
	}); err != nil {
		return report, fmt.Errorf("check anchors: %w", err)
	}
	links, err := collect(ctx, l.Log.pool, query("chain_at"), func(found pgx.CollectableRow) (a Anchor, err error) {
		return a, found.Scan(&a.Position, &a.Hash, &a.Epoch)
	}, slices.Collect(maps.Keys(c.rows)))
	if err != nil {
		return report, fmt.Errorf("check anchors: %w", err)
	}
	for _, link := range links {
		c.rows[link.Position] = link
	}
	c.end(head, c.through, unchained)
	c.hold(head, anchors)
	return report, nil
}

// StreamsBetween are the streams with an event after one position and through another.
func (l Parts) StreamsBetween(ctx context.Context, after, through int64) ([]string, error) {
	streams, err := collect(ctx, l.Log.pool, query("streams_between"), pgx.RowTo[string], after, through)
	return streams, fault.Wrap(err, "list streams")
}

// StreamsOf are the streams of some subjects: of those named, and of those in some shares of thirty, a bit each.
func (l Parts) StreamsOf(ctx context.Context, shares uint32, subjects []string) ([]string, error) {
	streams, err := collect(ctx, l.Log.pool, query("streams_of"), pgx.RowTo[string], int64(shares), subjects)
	return streams, fault.Wrap(err, "list streams")
}

// StoredBefore is the latest moment at which an event was the last of the log, or the last of those that were stored
// in one go with it; zero where it still is.
func (l Parts) StoredBefore(ctx context.Context, position int64) (at time.Time, err error) {
	var next *time.Time
	err = l.Log.pool.QueryRow(ctx, query("stored_before"), position).Scan(&next)
	if errors.Is(err, pgx.ErrNoRows) {
		return at, fmt.Errorf("the log has no event %d", position)
	}
	if err == nil && next != nil {
		at = next.Add(-time.Microsecond)
	}
	return at, fault.Wrap(err, "see when an event was stored")
}

// ReadStreams is that of the log.
func (l Parts) ReadStreams(ctx context.Context, streams []string, types ...string) ([]event.Recorded, error) {
	return l.Log.ReadStreams(ctx, streams, types...)
}
