package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"bitacora/domain/event"
	"bitacora/domain/fault"
)

// RequestStreams names the streams with an open request about personal data, with done also those
// whose requests are all done; at most limit, the latest ones.
func (l *Log) RequestStreams(ctx context.Context, done bool, limit int) ([]string, error) {
	streams, err := again(l.pool, func() ([]string, error) {
		return collect(ctx, l.pool, query("request_streams"), pgx.RowTo[string], done, limit)
	})
	return streams, fault.Wrap(err, "list requests about personal data")
}

// StreamsOfBrowser names the streams of the conversations that a browser began, by the hash of its
// secret; at most limit, the latest ones.
func (l *Log) StreamsOfBrowser(ctx context.Context, resumeHash string, limit int) ([]string, error) {
	streams, err := again(l.pool, func() ([]string, error) {
		return collect(ctx, l.pool, query("streams_of_browser"), pgx.RowTo[string], resumeHash, limit)
	})
	return streams, fault.Wrap(err, "list conversations of browser")
}

// Newsletter lists the subscriptions in a log.
type Newsletter struct{ Log *Log }

// Subscriptions implements [newsletter.List].
func (n Newsletter) Subscriptions(ctx context.Context, confirmed bool, since time.Time) ([]string, error) {
	streams, err := collect(ctx, n.Log.pool, query("subscriptions"), pgx.RowTo[string], confirmed, since)
	return streams, fault.Wrap(err, "list subscriptions")
}

// Signals reads from a log who waits to be called.
type Signals struct{ Log *Log }

// ScanTypes gives the events of some types after a position, without personal data, and the position up to
// which these are all.
func (s Signals) ScanTypes(ctx context.Context, after int64, types ...string) ([]event.Recorded, int64, error) {
	through, err := s.Log.Head(ctx)
	if err != nil || through <= after {
		return nil, through, err
	}
	rows, err := again(s.Log.pool, func() ([]row, error) { return s.Log.rows(ctx, 0, query("scan_types"), after, through, types) })
	if err != nil {
		return nil, 0, fmt.Errorf("scan log after %d: %w", after, err)
	}
	return clearAll(rows), through, nil
}

// SharedTerms gives, for each term of the blind index that several of some streams have, these streams.
func (s Signals) SharedTerms(ctx context.Context, streams []string) ([][]string, error) {
	shared, err := again(s.Log.pool, func() ([][]string, error) {
		return collect(ctx, s.Log.pool, query("shared_terms"), pgx.RowTo[[]string], streams)
	})
	return shared, fault.Wrap(err, "find shared terms")
}
