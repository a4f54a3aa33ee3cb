package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"bitacora/domain/clinic"
)

var sqlPlacesTaken = query("places_taken")

// Taken lists when the named places are taken between two instants. It is for choosing
// what to offer: whether a place is still free is decided by [Log.Append].
func (l *Log) Taken(ctx context.Context, places []string, from, to time.Time) ([]clinic.Taken, error) {
	taken, err := again(l.pool, func() ([]clinic.Taken, error) {
		rows, err := l.pool.Query(ctx, sqlPlacesTaken, places, from, to)
		if err != nil {
			return nil, err
		}
		return pgx.CollectRows(rows, pgx.RowToStructByPos[clinic.Taken])
	})
	if err != nil {
		return nil, fmt.Errorf("read taken places: %w", err)
	}
	return taken, nil
}
