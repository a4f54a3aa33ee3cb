package postgres

import (
	"context"
	"encoding/json"
	"time"

	"github.com/jackc/pgx/v5"

	"bitacora/domain/clinic"
	"bitacora/domain/event"
	"bitacora/domain/fault"
)

// Taken lists when the named chairs are taken between two instants. It is for choosing
// what to offer: whether a chair is still free is decided by [Log.Append].
func (l *Log) Taken(ctx context.Context, chairs []string, from, to time.Time) ([]clinic.Taken, error) {
	taken, err := again(l.pool, func() ([]clinic.Taken, error) {
		return collect(ctx, l.pool, query("reservations_taken"), pgx.RowToStructByPos[clinic.Taken], chairs, from, to)
	})
	return taken, fault.Wrap(err, "read taken chairs")
}

// BookedStreams names the streams with a booking for a time in a period, and perhaps for the day before or after
// it. It reads bookings and not reservations: a service that the clinic does not have takes no chair.
func (l *Log) BookedStreams(ctx context.Context, from, to time.Time) ([]string, error) {
	first, last := from.UTC().AddDate(0, 0, -1).Format(time.DateOnly), to.UTC().AddDate(0, 0, 2).Format(time.DateOnly)
	streams, err := again(l.pool, func() ([]string, error) {
		return collect(ctx, l.pool, query("booked_streams"), pgx.RowTo[string], first, last)
	})
	return streams, fault.Wrap(err, "list streams with bookings")
}

// Reservation is a time at which a chair is taken, and the booking that took it.
type Reservation struct {
	Booking, Chair string
	Begins, Ends   time.Time
}

// Reservations lists all of them, past ones included.
func (l *Log) Reservations(ctx context.Context) ([]Reservation, error) {
	chairs, err := collect(ctx, l.pool, query("reservations"), pgx.RowToStructByPos[Reservation])
	return chairs, fault.Wrap(err, "read reservations")
}

// RepairReservations releases the chairs of some bookings and takes chairs for others, unless
// they have one. It gives the claims for which no chair is free.
func (l *Log) RepairReservations(ctx context.Context, release []string, take []event.Claim) (unmet []event.Claim, err error) {
	err = pgx.BeginFunc(ctx, l.pool, func(tx pgx.Tx) error {
		unmet = nil
		if _, err := tx.Exec(ctx, query("append_lock")); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, query("reservations_release"), release); err != nil {
			return err
		}
		for _, claim := range take {
			encoded, err := json.Marshal(claim)
			if err != nil {
				return err
			}
			taken := false
			if err := tx.QueryRow(ctx, query("reservations_take"), string(encoded)).Scan(&taken); err != nil {
				return err
			}
			if !taken {
				unmet = append(unmet, claim)
			}
		}
		return nil
	})
	return unmet, fault.Wrap(err, "repair reservations")
}
