package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

var sqlRequestStreams = query("request_streams")

// RequestStreams names the streams with an open request about personal data, with done also those
// whose requests are all done; at most limit, the latest ones.
func (l *Log) RequestStreams(ctx context.Context, done bool, limit int) ([]string, error) {
	streams, err := again(l.pool, func() ([]string, error) {
		return collect(ctx, l.pool, sqlRequestStreams, pgx.RowTo[string], done, limit)
	})
	if err != nil {
		return nil, fmt.Errorf("list requests about personal data: %w", err)
	}
	return streams, nil
}
