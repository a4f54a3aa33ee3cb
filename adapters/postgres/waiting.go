package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"bitacora/domain/event"
	"bitacora/domain/fault"
)

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
