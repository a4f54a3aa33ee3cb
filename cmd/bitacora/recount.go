package main

import (
	"context"
	"fmt"
	"sync/atomic"

	"bitacora/domain/analytics"
	"bitacora/domain/event"
	"bitacora/projections"
)

// recounter goes along the log, counting it and, if asked to, replaying it.
type recounter struct {
	*app
	count *analytics.Recount
	// scratch is the build to replay into; empty to count only.
	scratch  string
	progress *progress
	at       int64
	// faults are streams with an event that cannot be read.
	faults map[string]bool
}

// through goes on up to a position.
func (r *recounter) through(ctx context.Context, position int64) error {
	skipped, err := r.db.Skipped(ctx)
	if err != nil {
		return err
	}
	if r.scratch != "" {
		if err := r.replay(ctx, position, skipped); err != nil {
			return err
		}
	}
	return r.each(ctx, position, r.db.Log().ScanClear, func(events []event.Recorded) error {
		for _, e := range events {
			if skipped[e.Position] {
				continue
			}
			if _, unreadable := e.Payload.(*event.Unreadable); unreadable {
				r.fault(e.Stream)
			}
			r.count.Add(e)
		}
		return nil
	})
}

// approach goes as far as a build was applied, and no further: it may come to rest there,
// however much longer the log is.
func (r *recounter) approach(ctx context.Context, build string) error {
	applied, _, err := r.db.DataThrough(ctx, build)
	if err != nil {
		return err
	}
	return r.through(ctx, applied)
}

func (r *recounter) fault(stream string) {
	if r.faults == nil {
		r.faults = map[string]bool{}
	}
	r.faults[stream] = true
}

func (r *recounter) replay(ctx context.Context, position int64, skipped map[int64]bool) error {
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
		Source:  r.db.Log(),
		Applier: projections.Applier{Writer: r.tables.Writer(r.scratch), Parking: &noting{skipped: skipped, fault: r.fault}},
		Done:    func(context.Context, projections.Range) error { return nil },
		Observe: func(n int) { r.progress.show(min(from+done.Add(int64(n)), position), position) },
		Workers: 1,
	}.Run(ctx, ranges)
}

type scan func(ctx context.Context, after, through int64, limit int) ([]event.Recorded, error)

func (r *recounter) each(ctx context.Context, position int64, read scan, visit func([]event.Recorded) error) error {
	for r.at < position {
		events, err := read(ctx, r.at, position, readBatch)
		if err != nil {
			return err
		}
		if len(events) == 0 {
			return fmt.Errorf("the log ends before position %d", position)
		}
		if err := visit(events); err != nil {
			return err
		}
		r.at = events[len(events)-1].Position
		if r.scratch == "" {
			r.progress.show(r.at, position)
		}
	}
	return nil
}

// noting is a lot that only notes which streams would have to wait.
type noting struct {
	skipped map[int64]bool
	fault   func(stream string)
}

func (n *noting) Exclusions(context.Context) (projections.Exclusions, error) {
	return projections.Exclusions{Parked: map[string]int64{}, Skipped: n.skipped}, nil
}

func (n *noting) Park(_ context.Context, parked []projections.Parked) error {
	for _, p := range parked {
		n.fault(p.Stream)
	}
	return nil
}
