package contacts

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"bitacora/domain/event"
)

// Agenda lists whoever has an appointment that begins in [from, to), by its time: booked by whoever, and neither
// moved nor cancelled, unless that was late. Whose data were erased is not listed.
func (r *Register) Agenda(ctx context.Context, from, to time.Time) ([]Contact, error) {
	streams, err := r.Log.BookedStreams(ctx, from, to)
	if err != nil {
		return nil, fmt.Errorf("list appointments: %w", err)
	}
	found, err := r.readStreams(ctx, streams)
	if err != nil {
		return nil, err
	}
	found = slices.DeleteFunc(found, func(c Contact) bool {
		b := c.Booking
		return c.Erased || b == nil || b.Cancelled && b.Outcome != event.OutcomeCancelledLate || b.Slot.Before(from) || !b.Slot.Before(to)
	})
	slices.SortFunc(found, func(a, b Contact) int { return cmp.Or(a.Booking.Slot.Compare(b.Booking.Slot), cmp.Compare(a.ID, b.ID)) })
	return found, nil
}
