package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

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
