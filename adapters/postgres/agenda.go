package postgres

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"bitacora/domain/clinic"
	"bitacora/domain/event"
)

var (
	sqlPlacesTaken   = query("places_taken")
	sqlPlaces        = query("places")
	sqlPlacesRelease = query("places_release")
	sqlPlacesTake    = query("places_take")
	sqlAppendLock    = query("append_lock")
)

// Taken lists when the named places are taken between two instants. It is for choosing
// what to offer: whether a place is still free is decided by [Log.Append].
func (l *Log) Taken(ctx context.Context, places []string, from, to time.Time) ([]clinic.Taken, error) {
	taken, err := again(l.pool, func() ([]clinic.Taken, error) {
		return collect(ctx, l.pool, sqlPlacesTaken, pgx.RowToStructByPos[clinic.Taken], places, from, to)
	})
	if err != nil {
		return nil, fmt.Errorf("read taken places: %w", err)
	}
	return taken, nil
}

// Place is a time at which a place of the agenda is taken, and the booking that took it.
type Place struct {
	Booking, Place string
	Begins, Ends   time.Time
}

// Places lists all places that are taken, past ones included.
func (l *Log) Places(ctx context.Context) ([]Place, error) {
	places, err := collect(ctx, l.pool, sqlPlaces, pgx.RowToStructByPos[Place])
	if err != nil {
		return nil, fmt.Errorf("read places: %w", err)
	}
	return places, nil
}

// RepairPlaces gives back the places of some bookings and takes places for others, unless
// they have one. It gives the claims for which no place is free.
func (l *Log) RepairPlaces(ctx context.Context, release []string, take []event.Claim) (unmet []event.Claim, err error) {
	err = pgx.BeginFunc(ctx, l.pool, func(tx pgx.Tx) error {
		unmet = nil
		if _, err := tx.Exec(ctx, sqlAppendLock); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, sqlPlacesRelease, release); err != nil {
			return err
		}
		for _, claim := range take {
			encoded, err := json.Marshal(claim)
			if err != nil {
				return err
			}
			taken := false
			if err := tx.QueryRow(ctx, sqlPlacesTake, string(encoded)).Scan(&taken); err != nil {
				return err
			}
			if !taken {
				unmet = append(unmet, claim)
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("repair places: %w", err)
	}
	return unmet, nil
}
