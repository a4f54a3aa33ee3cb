package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"bitacora/domain/event"
	"bitacora/domain/fault"
	"bitacora/projections"
	"bitacora/projections/builds"
)

// ParkingStore is where the conversations of one build wait that cannot be applied. It implements
// [projections.ParkingStore].
type ParkingStore struct {
	db         *DB
	projection string
}

// Parking is where the conversations of a build wait that cannot be applied.
func (db *DB) Parking(build string) *ParkingStore { return &ParkingStore{db: db, projection: build} }

// Waiting lists the conversations that wait in a build, in the order of their faulty events.
func (db *DB) Waiting(ctx context.Context, build string) ([]builds.Waiting, error) {
	list, err := collect(ctx, db.pool, query("parked"), func(r pgx.CollectableRow) (w builds.Waiting, err error) {
		err = r.Scan(&w.Stream, &w.Position, &w.Reason, &w.ParkedAt, &w.DrainTo)
		return w, err
	}, build)
	return list, fault.Wrap(err, "list parked conversations of "+build)
}

// Exclusions implements [projections.ParkingStore].
func (s *ParkingStore) Exclusions(ctx context.Context) (projections.Exclusions, error) {
	list, err := s.db.Waiting(ctx, s.projection)
	if err != nil {
		return projections.Exclusions{}, err
	}
	exclusions := projections.Exclusions{Parked: make(map[string]int64, len(list))}
	for _, w := range list {
		if w.DrainTo == 0 {
			exclusions.Parked[w.Stream] = w.Position
		}
	}
	exclusions.Skipped, err = s.db.log.Skipped(ctx)
	return exclusions, err
}

// Park implements [projections.ParkingStore].
func (s *ParkingStore) Park(ctx context.Context, parked []projections.Parked) error {
	if len(parked) == 0 {
		return nil
	}
	streams, positions, reasons := make([]string, len(parked)), make([]int64, len(parked)), make([]string, len(parked))
	for i, p := range parked {
		streams[i], positions[i], reasons[i] = p.Stream, p.Position, p.Reason
	}
	_, err := s.db.pool.Exec(ctx, query("park"), s.projection, streams, positions, reasons)
	return fault.Wrap(err, "park conversations of "+s.projection)
}

// Move lets a stream wait on a later event: what comes before that was applied.
func (s *ParkingStore) Move(ctx context.Context, to projections.Parked) error {
	if _, err := s.db.pool.Exec(ctx, query("parked_move"), s.projection, to.Stream, to.Position, to.Reason); err != nil {
		return fmt.Errorf("let %s of %s wait on event %d: %w", to.Stream, s.projection, to.Position, err)
	}
	return nil
}

// Drain lets the follower apply the stream's coming events again, and says up to which position
// it has left them out: those are the caller's to apply before [ParkingStore.End], and to note in the
// tables under the number of the retry.
func (s *ParkingStore) Drain(ctx context.Context, stream string) (through, retry int64, err error) {
	err = s.db.pool.QueryRow(ctx, query("parked_drain"), s.projection, stream).Scan(&through, &retry)
	if errors.Is(err, pgx.ErrNoRows) {
		err = ErrNotFound
	}
	return through, retry, fault.Wrap(err, "drain "+stream+" of "+s.projection)
}

// End takes out a drained stream.
func (s *ParkingStore) End(ctx context.Context, stream string, through, retry int64) error {
	_, err := s.db.pool.Exec(ctx, query("parked_end"), s.projection, stream, through, retry)
	return fault.Wrap(err, "end the waiting of "+stream+" in "+s.projection)
}

// Skipped lists the positions that operators decided to pass over.
func (l *Log) Skipped(ctx context.Context) (map[int64]bool, error) {
	rows, err := again(l.pool, func() ([]row, error) { return l.rows(ctx, 0, query("skips")) })
	if err != nil {
		return nil, fmt.Errorf("read which events are passed over: %w", err)
	}
	skipped := make(map[int64]bool, len(rows))
	for _, e := range clearAll(rows) {
		if s, ok := e.Payload.(*event.EventSkipped); ok {
			skipped[s.Position] = true
		}
	}
	return skipped, nil
}
