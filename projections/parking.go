package projections

import (
	"context"
	"errors"
	"fmt"

	"bitacora/domain/event"
)

// ErrUnstorable is what a [Writer] wraps when the rows themselves are at fault: writing them
// again would fail again.
var ErrUnstorable = errors.New("rows cannot be stored")

// Parked is a stream that waits from an event on which cannot be applied.
type Parked struct {
	Stream   string
	Position int64
	Reason   string
}

// Exclusions says what is not to be applied.
type Exclusions struct {
	// Parked streams, each with the position from which it waits.
	Parked map[string]int64
	// Skipped events were passed over for good by an operator.
	Skipped map[int64]bool
}

// ParkingStore is where the streams wait that a build cannot take.
type ParkingStore interface {
	Exclusions(ctx context.Context) (Exclusions, error)
	// Park adds streams; of one that is there already the earlier position counts.
	Park(ctx context.Context, parked []Parked) error
}

// Applier writes what events mean into a build. An event that can never be applied parks
// its stream: it and all later events of the stream wait in the log, in their order, and
// everything else goes on.
type Applier struct {
	Writer Writer
	// Parking, if nil, lets such an event fail the batch instead.
	Parking ParkingStore
}

// Apply applies events that follow each other in the log.
func (a Applier) Apply(ctx context.Context, events []event.Recorded) error {
	if a.Parking == nil {
		if _, faults := (Exclusions{Parked: map[string]int64{}}).sort(events); len(faults) > 0 {
			return fmt.Errorf("apply event %d: %s", faults[0].Position, faults[0].Reason)
		}
		return a.write(ctx, events)
	}
	exclusions, err := a.Parking.Exclusions(ctx)
	if err != nil {
		return err
	}
	events, faults := exclusions.sort(events)
	err = a.write(ctx, events)
	if errors.Is(err, ErrUnstorable) {
		var found []Parked
		found, err = a.isolate(ctx, byStream(events))
		faults = append(faults, found...)
	}
	if err != nil || len(faults) == 0 {
		return err
	}
	return a.Parking.Park(ctx, faults)
}

// sort parts events that can be tried from those that wait, and names the streams that
// have to wait from now on.
func (a Exclusions) sort(events []event.Recorded) (try []event.Recorded, faults []Parked) {
	for i, e := range events {
		from, waits := a.Parked[e.Stream]
		fault, unreadable := e.Payload.(*event.Unreadable)
		switch {
		case a.Skipped[e.Position], waits && e.Position >= from:
		case unreadable:
			faults = append(faults, Parked{e.Stream, e.Position, fault.Reason.Error()})
			a.Parked[e.Stream] = e.Position
		default:
			if try != nil {
				try = append(try, e)
			}
			continue
		}
		if try == nil { // the first one left out: until here all are tried
			try = append(make([]event.Recorded, 0, len(events)), events[:i]...)
		}
	}
	if try == nil {
		return events, faults
	}
	return try, faults
}

// write writes the rows of events. What cannot even be turned into rows is at fault itself.
func (a Applier) write(ctx context.Context, events []event.Recorded) error {
	rows, err := rowsOf(events)
	if err != nil {
		return err
	}
	return a.Writer.Write(ctx, rows)
}

func rowsOf(events []event.Recorded) (rows Tables, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: panic: %v", ErrUnstorable, p)
		}
	}()
	return RowsOf(events), nil
}

func byStream(events []event.Recorded) [][]event.Recorded {
	var streams [][]event.Recorded
	index := map[string]int{}
	for _, e := range events {
		i, ok := index[e.Stream]
		if !ok {
			i = len(streams)
			index[e.Stream] = i
			streams = append(streams, nil)
		}
		streams[i] = append(streams[i], e)
	}
	return streams
}

// isolate applies all streams but the ones at fault, which it names.
func (a Applier) isolate(ctx context.Context, streams [][]event.Recorded) ([]Parked, error) {
	if len(streams) == 1 {
		return a.firstFault(ctx, streams[0])
	}
	var found []Parked
	for _, half := range [][][]event.Recorded{streams[:len(streams)/2], streams[len(streams)/2:]} {
		var all []event.Recorded
		for _, s := range half {
			all = append(all, s...)
		}
		err := a.write(ctx, all)
		if errors.Is(err, ErrUnstorable) {
			var more []Parked
			more, err = a.isolate(ctx, half)
			found = append(found, more...)
		}
		if err != nil {
			return found, err
		}
	}
	return found, nil
}

func (a Applier) firstFault(ctx context.Context, stream []event.Recorded) ([]Parked, error) {
	for i, e := range stream {
		err := a.write(ctx, stream[i:i+1])
		if errors.Is(err, ErrUnstorable) {
			return []Parked{{e.Stream, e.Position, err.Error()}}, nil
		}
		if err != nil {
			return nil, err
		}
	}
	return nil, nil
}
