package eventlog

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"bitacora/adapters/postgres"
	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/command"
	"bitacora/cmd/bitacora/content"
	"bitacora/domain/chat"
	"bitacora/domain/event"
)

func newLogPlaces() *cobra.Command {
	var rebuild bool
	c := app.LogCommand("places", "Compare the agenda's places with the bookings of the log",
		"  bitacora log places\n  bitacora log places --rebuild",
		cobra.NoArgs, func(ctx context.Context, a *app.App, _ []string) error {
			report, err := CompareReservations(ctx, a)
			if err != nil {
				return err
			}
			for _, f := range report.Findings() {
				fmt.Println(f)
			}
			unreadable := nameUnreadable(os.Stdout, report.unreadable)
			switch {
			case unreadable != nil && rebuild:
				return errors.New("the places are left as they are: the bookings cannot be told from a log with events that cannot be read")
			case unreadable != nil:
				return unreadable
			case report.Clean():
				fmt.Printf("%d places, all of bookings that stand.\n", report.Reservations)
				return nil
			case !rebuild:
				return command.ErrFound
			}
			return repairReservations(ctx, a.DB.Log(), report)
		})
	command.WhenLeft(c, command.LeavesNothing)
	c.Flags().BoolVar(&rebuild, "rebuild", false, "take the places that are missing and give back those of no booking")
	return c
}

// reservationReport says where the agenda's places and the bookings of the log differ.
type reservationReport struct {
	// places is how many are taken.
	Reservations int
	// missing are active bookings without their place, extra are places of no active booking.
	missing []event.Claim
	extra   []postgres.Reservation
	// unreadable are events that may be about bookings, too.
	unreadable event.Census
}

func (r reservationReport) Clean() bool { return len(r.missing)+len(r.extra) == 0 }

func (r reservationReport) Findings() (found []postgres.Finding) {
	for _, c := range r.missing {
		found = append(found, postgres.Finding{Problem: fmt.Sprintf("booking %s at %s has no place in the agenda", c.BookingID, c.Begins.UTC().Format(time.RFC3339))})
	}
	for _, p := range r.extra {
		found = append(found, postgres.Finding{Problem: fmt.Sprintf("place %s at %s is taken by booking %s, which does not stand then", p.Chair, p.Begins.UTC().Format(time.RFC3339), p.Booking)})
	}
	return found
}

// CompareReservations compares the agenda's places with the log. Bookings go on meanwhile: what
// differs must do so before and after the log is read.
func CompareReservations(ctx context.Context, a *app.App) (reservationReport, error) {
	before, err := reservations(ctx, a.DB.Log())
	if err != nil {
		return reservationReport{}, err
	}
	var active chat.ActiveBookings
	var unreadable event.Census
	if unreadable.Skipped, err = a.DB.Log().Skipped(ctx); err != nil {
		return reservationReport{}, err
	}
	if err := app.EachEvent(ctx, a.DB.Log(), func(e event.Recorded) error {
		unreadable.Add(e)
		active.Apply(e.Payload)
		return nil
	}); err != nil {
		return reservationReport{}, err
	}
	content, _, err := content.SiteContent(ctx, a)
	if err != nil {
		return reservationReport{}, err
	}
	claims := active.Claims(a.Clinic.With(content))
	after, err := reservations(ctx, a.DB.Log())
	if err != nil {
		return reservationReport{}, err
	}
	report := reservationReport{Reservations: len(after), unreadable: unreadable}
	for _, booking := range slices.Sorted(maps.Keys(claims)) {
		claim := claims[booking]
		if claim.Owed && !takenBy(before, claim.Claim) && !takenBy(after, claim.Claim) {
			report.missing = append(report.missing, claim.Claim)
		}
	}
	for _, booking := range slices.Sorted(maps.Keys(after)) {
		was, taken := before[booking]
		claim, known := claims[booking]
		if taken && was == after[booking] && !(known && takenBy(after, claim.Claim)) {
			report.extra = append(report.extra, after[booking])
		}
	}
	return report, nil
}

func reservations(ctx context.Context, log *postgres.Log) (map[string]postgres.Reservation, error) {
	list, err := log.Reservations(ctx)
	places := make(map[string]postgres.Reservation, len(list))
	for _, p := range list {
		p.Begins, p.Ends = p.Begins.UTC(), p.Ends.UTC()
		places[p.Booking] = p
	}
	return places, err
}

// takenBy says whether a booking's place begins when the booking does. How long it takes, and
// on which chair, was decided by the agenda of its time.
func takenBy(reservations map[string]postgres.Reservation, c event.Claim) bool {
	p, taken := reservations[c.BookingID]
	return taken && p.Begins.Equal(c.Begins)
}

func repairReservations(ctx context.Context, log *postgres.Log, r reservationReport) error {
	release := make([]string, len(r.extra))
	for i, p := range r.extra {
		release[i] = p.Booking
	}
	unmet, err := log.RepairReservations(ctx, release, r.missing)
	if err != nil {
		return err
	}
	fmt.Printf("%d places were given back and %d taken.\n", len(release), len(r.missing)-len(unmet))
	for _, c := range unmet {
		fmt.Printf("booking %s at %s finds no free place: two bookings stand for one.\n", c.BookingID, c.Begins.UTC().Format(time.RFC3339))
	}
	if len(unmet) > 0 {
		return command.ErrFound
	}
	return nil
}
