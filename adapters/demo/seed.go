package demo

import (
	"context"
	"fmt"
	"math"
	"time"

	"bitacora/domain/event"
)

// Log is the part of the event log that a history is written to.
type Log interface {
	Append(ctx context.Context, a event.Append) ([]event.Recorded, error)
}

// Report counts what a history holds.
type Report struct {
	Conversations, Leads, Appointments, Refusals int
	// ContactMessages were sent with the contact form.
	ContactMessages int
	// Events is the number that was appended, without those delivered twice.
	Events int
	// ThisMonth is the number of conversations in the month in which the history ends.
	ThisMonth int
	// Through is the simulated time that was reached, Share how much of the history
	// that is, from 0 to 1.
	Through time.Time
	Share   float64
}

// Seed appends a history to the log in its order, so that the same configuration leads
// to the same log. Progress is told after every item. Seeding the same history again
// changes nothing; to go on from one, set Config.After to where it ended.
func Seed(ctx context.Context, log Log, c Config, progress func(Report)) (Report, error) {
	c = c.withDefaults()
	items, err := Generate(c)
	if err != nil {
		return Report{}, err
	}
	from := c.start()
	if c.After.After(from) {
		from = c.After
	}
	var report Report
	for item := range items {
		a, err := item.Append(c.Zone)
		if err != nil {
			return report, fmt.Errorf("decide demo item of %v: %w", item.At, err)
		}
		if _, err := log.Append(ctx, a); err != nil {
			return report, fmt.Errorf("append demo item of %v: %w", item.At, err)
		}
		report.add(item, len(a.Drafts), c)
		report.Share = min(1, float64(item.At.Sub(from))/float64(c.Until.Sub(from)))
		if progress != nil {
			progress(report)
		}
	}
	report.Through, report.Share = c.Until, 1
	return report, nil
}

func (r *Report) add(i Item, events int, c Config) {
	r.Through = i.At
	switch {
	case i.Repeated:
		return
	case i.Desk != nil:
		if i.Desk.ExpectedVersion == 0 {
			r.ContactMessages++
		}
	case i.Refused != "":
		r.Refusals++
	default:
		r.Conversations++
		if i.Past.Lead != nil {
			r.Leads++
		}
		if i.Past.Appointment != nil {
			r.Appointments++
		}
		if sameMonth(i.Past.Messages[0].At.In(c.Zone), c.Until) {
			r.ThisMonth++
		}
	}
	r.Events += events
}

// Limit is a monthly limit that shows the month's use in the yellow, at 82 to 92 percent,
// and leaves room for at least five conversations. Of a month with hardly any it asks
// less: the use then stays below.
func Limit(current int) int {
	const leastUse, mostUse, leastRoom, least = 0.82, 0.92, 5, 10
	low := max(int(math.Ceil(float64(current)/mostUse)), current+leastRoom)
	high := int(float64(current) / leastUse)
	for _, round := range []int{1000, 500, 100, 50, 25, 10, 5} {
		if limit := (low + round - 1) / round * round; limit <= high {
			return limit
		}
	}
	return max(low, least)
}
