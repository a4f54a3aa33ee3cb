package postgres

import (
	"context"
	"fmt"
	"iter"
	"time"

	"bitacora/domain/event"
)

var sqlOfStaff = query("of_staff")

// auditPage is how many events are read at once.
const auditPage = 1000

// OfStaff gives what accounts did and what was done to them, from one instant until before
// another, in the order in which it happened; an error is the last.
func (l *Log) OfStaff(ctx context.Context, from, to time.Time) iter.Seq2[event.Recorded, error] {
	return func(yield func(event.Recorded, error) bool) {
		for at, position := from, int64(0); ; {
			rows, keys, err := l.fetch(ctx, 0, sqlOfStaff, from, to, at, position, auditPage)
			if err != nil {
				yield(event.Recorded{}, fmt.Errorf("read what the staff did: %w", err))
				return
			}
			for _, e := range readAll(rows, keys) {
				at, position = e.OccurredAt, e.Position
				if !yield(e, nil) {
					return
				}
			}
			if len(rows) < auditPage {
				return
			}
		}
	}
}
