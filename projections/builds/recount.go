package builds

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync/atomic"
	"time"

	"bitacora/domain/analytics"
	"bitacora/domain/event"
	"bitacora/projections"
)

// readBatch is how many events are read at once.
const readBatch = 2000

// Recounter goes along the log, counts it message by message and, where it has a writer, replays
// it. It serves one recount.
type Recounter struct {
	log      RecountedLog
	skipped  SkippedReader
	writer   projections.Writer
	progress Progress
	count    *analytics.Recount
	at       int64
	// faults are streams with an event that cannot be applied.
	faults map[string]bool
}

// NewRecounter makes a recounter that has counted nothing yet. The writer, if not nil, takes the
// rows of all events anew.
func NewRecounter(log RecountedLog, skipped SkippedReader, writer projections.Writer, p Progress) *Recounter {
	return &Recounter{
		log: log, skipped: skipped, writer: writer, progress: p,
		count: analytics.NewRecount(), faults: map[string]bool{},
	}
}

// Days are the figures of each day in a zone, without some conversations.
func (r *Recounter) Days(zone *time.Location, without []string) []analytics.Day {
	excluded := map[string]bool{}
	for _, id := range without {
		excluded[id] = true
	}
	return r.count.Days(zone, excluded)
}

// RecountedLog is the log as it is replayed, and as it is counted, without personal data.
type RecountedLog interface {
	projections.Source
	ScanClear(ctx context.Context, after, through int64, limit int) ([]event.Recorded, error)
}

// Progress shows how far long work has come.
type Progress interface {
	Show(done, total int64)
	Done()
}

// Through goes on up to a position.
func (r *Recounter) Through(ctx context.Context, position int64) error {
	skipped, err := r.skipped.Skipped(ctx)
	if err != nil {
		return err
	}
	if r.writer != nil {
		if err := r.replay(ctx, position, skipped); err != nil {
			return err
		}
	}
	for r.at < position {
		events, err := r.log.ScanClear(ctx, r.at, position, readBatch)
		if err != nil {
			return err
		}
		if len(events) == 0 {
			return fmt.Errorf("the log ends before position %d", position)
		}
		r.add(events, skipped)
		r.at = events[len(events)-1].Position
		if r.writer == nil {
			r.progress.Show(r.at, position)
		}
	}
	return nil
}

func (r *Recounter) add(events []event.Recorded, skipped map[int64]bool) {
	for _, e := range events {
		if skipped[e.Position] {
			continue
		}
		if _, unreadable := e.Payload.(*event.Unreadable); unreadable {
			r.fault(e.Stream)
		}
		r.count.Add(e)
	}
}

func (r *Recounter) replay(ctx context.Context, position int64, skipped map[int64]bool) error {
	if position <= r.at {
		return nil
	}
	var ranges []projections.Range
	const size = 100_000
	for first := r.at + 1; first <= position; first += size {
		ranges = append(ranges, projections.Range{First: first, Last: min(first+size-1, position)})
	}
	var done atomic.Int64
	from := r.at
	return projections.Replay{
		Source:  r.log,
		Applier: projections.Applier{Writer: r.writer, Parking: notedParking{skipped: skipped, fault: r.fault}},
		Done:    func(context.Context, projections.Range) error { return nil },
		Observe: func(n int) { r.progress.Show(min(from+done.Add(int64(n)), position), position) },
		Workers: 1,
	}.Run(ctx, ranges)
}

func (r *Recounter) fault(stream string) { r.faults[stream] = true }

// notedParking only notes which streams would have to wait.
type notedParking struct {
	skipped map[int64]bool
	fault   func(stream string)
}

func (n notedParking) Exclusions(context.Context) (projections.Exclusions, error) {
	return projections.Exclusions{Parked: map[string]int64{}, Skipped: n.skipped}, nil
}

func (n notedParking) Park(_ context.Context, parked []projections.Parked) error {
	for _, p := range parked {
		n.fault(p.Stream)
	}
	return nil
}

// DayComparison says on which days a build and a recount of the log differ.
type DayComparison struct {
	Days        int      `json:"days"`
	Differences []string `json:"differences"`
}

// compareDays names the first days on which a build counts otherwise than the log.
func compareDays(build, log []analytics.Day) *DayComparison {
	days := map[string][2]analytics.Day{}
	for side, list := range [][]analytics.Day{build, log} {
		for _, d := range list {
			pair := days[d.Date]
			pair[side] = d
			days[d.Date] = pair
		}
	}
	c := &DayComparison{Days: len(days), Differences: []string{}}
	for _, date := range slices.Sorted(maps.Keys(days)) {
		if pair := days[date]; pair[0] != pair[1] && len(c.Differences) < 10 {
			c.Differences = append(c.Differences, fmt.Sprintf("conversations of %s: the build counts %+v, the log %+v", date, pair[0], pair[1]))
		}
	}
	return c
}
