package app

import (
	"context"
	"strconv"
	"time"

	"bitacora/adapters/postgres"
	"bitacora/domain/event"
)

// Rotate rotates the keys and takes that down; also the rotation before, which may have been cut off in between.
func Rotate(ctx context.Context, log *postgres.Log, progress func(done, total int)) (postgres.Rotation, error) {
	state, err := log.KeyState(ctx)
	if err == nil && state.Last.KeyEpoch > 0 {
		err = RecordRotation(ctx, log, state.Last)
	}
	if err != nil {
		return postgres.Rotation{}, err
	}
	done, err := log.Rotate(ctx, progress)
	if err != nil {
		return done, err
	}
	return done, RecordRotation(ctx, log, done)
}

// RecordRotation takes a rotation down, unless that was done.
func RecordRotation(ctx context.Context, log *postgres.Log, done postgres.Rotation) error {
	_, err := log.Append(ctx, event.Append{Stream: event.OperatorStream, ExpectedVersion: event.AnyVersion, Drafts: []event.Draft{{
		ID:         event.DerivedID("keys rotated", strconv.Itoa(done.KeyEpoch), done.At.Format(time.RFC3339Nano)),
		OccurredAt: done.At,
		Payload:    &event.KeysRotated{KeyEpoch: done.KeyEpoch, Survivors: done.Survivors, Erased: done.Erased},
	}}})
	return err
}
