package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"bitacora/domain/event"
)

var (
	sqlScanTypes   = query("scan_types")
	sqlSharedTerms = query("shared_terms")
)

// ScanTypes gives the events of some types after a position, without personal data, and the position up to
// which these are all.
func (l *Log) ScanTypes(ctx context.Context, after int64, types ...string) ([]event.Recorded, int64, error) {
	through, err := l.Head(ctx)
	if err != nil || through <= after {
		return nil, through, err
	}
	rows, err := again(l.pool, func() ([]row, error) { return l.rows(ctx, 0, sqlScanTypes, after, through, types) })
	if err != nil {
		return nil, 0, fmt.Errorf("scan log after %d: %w", after, err)
	}
	return clearAll(rows), through, nil
}

// SharedTerms gives, for each term of the blind index that several of some streams have, these streams.
func (l *Log) SharedTerms(ctx context.Context, streams []string) ([][]string, error) {
	shared, err := again(l.pool, func() ([][]string, error) {
		return collect(ctx, l.pool, sqlSharedTerms, pgx.RowTo[[]string], streams)
	})
	if err != nil {
		return nil, fmt.Errorf("find shared terms: %w", err)
	}
	return shared, nil
}
