package demo

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"bitacora/domain/event"
)

// Log is the part of the event log that a history is written to.
type Log interface {
	// AppendAll stores requests in their order, each of them whole or not at all.
	AppendAll(ctx context.Context, all []event.Append) error
}

// record stores requests but for those that the log knows otherwise: where an earlier end of the
// history cut a conversation short, it stays as it is.
func record(ctx context.Context, log Log, all []event.Append) error {
	err := log.AppendAll(ctx, all)
	if !differs(err) {
		return err
	}
	for i := range all {
		if err := log.AppendAll(ctx, all[i:i+1]); err != nil && !differs(err) {
			return err
		}
	}
	return nil
}

func differs(err error) bool {
	return errors.Is(err, event.ErrConflict) || errors.Is(err, event.ErrIDReused)
}

// together is how many items are appended at once.
const together = 400

// Report counts what is in a history.
type Report struct {
	Conversations, Leads, Appointments, Refusals int
	// ContactMessages were sent with the contact form.
	ContactMessages int
	// Visits are those without a conversation.
	Visits int
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
// to the same log. Progress is reported after every item. Seeding the same history again
// changes nothing, and with a later end adds what followed; to ask for that alone, set
// Config.After to where it ended.
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
	var waiting []Item
	var appends []event.Append
	store := func() error {
		if err := record(ctx, log, appends); err != nil {
			return fmt.Errorf("append demo items from %v: %w", waiting[0].At, err)
		}
		for i, item := range waiting {
			report.add(item, len(appends[i].Drafts), c)
			report.Share = min(1, float64(item.At.Sub(from))/float64(c.Until.Sub(from)))
			if progress != nil {
				progress(report)
			}
		}
		waiting, appends = waiting[:0], appends[:0]
		return nil
	}
	for item := range items {
		a, err := item.Append(c.Zone)
		if err != nil {
			return report, fmt.Errorf("decide demo item of %v: %w", item.At, err)
		}
		waiting, appends = append(waiting, item), append(appends, a)
		if len(appends) == together {
			if err := store(); err != nil {
				return report, err
			}
		}
	}
	if len(appends) > 0 {
		if err := store(); err != nil {
			return report, err
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
	case i.StaffAppend != nil:
		if i.StaffAppend.ExpectedVersion == 0 {
			r.ContactMessages++
		}
	case i.Refused != "":
		r.Refusals++
	case i.quiet():
		r.Visits++
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
