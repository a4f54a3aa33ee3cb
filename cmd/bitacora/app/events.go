package app

import (
	"context"
	"math"

	"bitacora/domain/event"
	"bitacora/projections"
)

// ReadBatch is how many events are read at once.
const ReadBatch = 2000

// EachEvent visits the whole log as it is when its end is reached.
func EachEvent(ctx context.Context, log projections.Source, visit func(event.Recorded) error) error {
	for after := int64(0); ; {
		events, err := log.Scan(ctx, after, math.MaxInt64, ReadBatch)
		if err != nil || len(events) == 0 {
			return err
		}
		for _, e := range events {
			if err := visit(e); err != nil {
				return err
			}
			after = e.Position
		}
	}
}
