package memory

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"bitacora/domain/event"
	"bitacora/projections"
	"bitacora/projections/builds"
)

// Parking is where the conversations of one build wait, see [projections.ParkingStore] and
// [builds.ParkingQueue].
type Parking struct {
	db    *DB
	build string
}

// Parking is the one of a build.
func (db *DB) Parking(build string) Parking { return Parking{db, build} }

// Waiting implements [builds.WaitingLister].
func (db *DB) Waiting(ctx context.Context, build string) ([]builds.Waiting, error) {
	return ask(ctx, db.calls, &db.p.mu, "list parked "+build, func() ([]builds.Waiting, error) {
		return db.p.waiting(build), nil
	})
}

func (s state) waiting(build string) []builds.Waiting {
	return slices.SortedFunc(maps.Values(s.parked[build]), func(a, b builds.Waiting) int { return int(a.Position - b.Position) })
}

// Skipped implements [builds.SkippedReader].
func (db *DB) Skipped(ctx context.Context) (map[int64]bool, error) {
	return ask(ctx, db.calls, &db.p.mu, "read skipped", func() (map[int64]bool, error) {
		return db.p.skipped(), nil
	})
}

func (s state) skipped() map[int64]bool {
	skipped := map[int64]bool{}
	for _, e := range s.events {
		if skip, ok := e.Payload.(*event.EventSkipped); ok {
			skipped[skip.Position] = true
		}
	}
	return skipped
}

// Exclusions implements [projections.ParkingStore].
func (s Parking) Exclusions(ctx context.Context) (projections.Exclusions, error) {
	return ask(ctx, s.db.calls, &s.db.p.mu, "read exclusions "+s.build, func() (projections.Exclusions, error) {
		exclusions := projections.Exclusions{Parked: map[string]int64{}, Skipped: s.db.p.skipped()}
		for _, w := range s.db.p.parked[s.build] {
			if w.DrainTo == 0 {
				exclusions.Parked[w.Stream] = w.Position
			}
		}
		return exclusions, nil
	})
}

// Park implements [projections.ParkingStore].
func (s Parking) Park(ctx context.Context, parked []projections.Parked) error {
	if len(parked) == 0 {
		return nil
	}
	return s.change(ctx, fmt.Sprint("park ", parked[0].Stream), func(streams map[string]builds.Waiting) error {
		for _, one := range parked {
			if was, ok := streams[one.Stream]; !ok || one.Position < was.Position || was.DrainTo != 0 {
				streams[one.Stream] = builds.Waiting{Parked: one}
			}
		}
		return nil
	})
}

func (s Parking) change(ctx context.Context, name string, change func(streams map[string]builds.Waiting) error) error {
	p := s.db.p
	return tell(ctx, s.db.calls, &p.mu, name+" of "+s.build, func() error {
		if p.parked[s.build] == nil {
			p.parked[s.build] = map[string]builds.Waiting{}
		}
		return change(p.parked[s.build])
	})
}

// Move implements [builds.ParkingQueue].
func (s Parking) Move(ctx context.Context, to projections.Parked) error {
	return s.change(ctx, "move parked "+to.Stream, func(streams map[string]builds.Waiting) error {
		if was, ok := streams[to.Stream]; ok && was.DrainTo == 0 {
			streams[to.Stream] = builds.Waiting{Parked: to}
		}
		return nil
	})
}

// Drain implements [builds.ParkingQueue].
func (s Parking) Drain(ctx context.Context, stream string) (through, retry int64, err error) {
	err = s.change(ctx, "drain "+stream, func(streams map[string]builds.Waiting) error {
		waiting, ok := streams[stream]
		at, followed := s.db.p.checkpoints[s.build]
		if !ok || !followed {
			return ErrNotFound
		}
		through, waiting.DrainTo = at.writeAhead, at.writeAhead
		streams[stream] = waiting
		if b := s.db.p.build(s.build); b != nil {
			b.retries++
			retry = b.retries
		}
		return nil
	})
	return through, retry, err
}

// End implements [builds.ParkingQueue].
func (s Parking) End(ctx context.Context, stream string, through, retry int64) error {
	return s.change(ctx, "end parking of "+stream, func(streams map[string]builds.Waiting) error {
		if b := s.db.p.build(s.build); b != nil {
			b.retried = max(b.retried, retry)
		}
		if streams[stream].DrainTo == through {
			delete(streams, stream)
		}
		return nil
	})
}
