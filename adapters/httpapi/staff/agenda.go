package staff

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/go-chi/chi/v5"

	"bitacora/adapters/httpapi/contract"
	"bitacora/adapters/httpapi/web"
	"bitacora/domain/chat"
	"bitacora/domain/contacts"
	"bitacora/domain/event"
)

// agendaDays is how many days the agenda shows, from today on.
const agendaDays = 2

// agenda lists the appointments of today and tomorrow, by the clinic's zone; for accounts that do not see people it
// counts them.
func (h *ContactsHandler) agenda(r *http.Request) (contract.Agenda, error) {
	now := h.readings.now()
	answer := contract.Agenda{Zone: h.Clinic.Zone.String()}
	today := now.In(h.Clinic.Zone)
	day := func(n int) time.Time {
		return time.Date(today.Year(), today.Month(), today.Day()+n, 0, 0, 0, 0, h.Clinic.Zone)
	}
	found, err := h.Contacts.Agenda(r.Context(), day(0), day(agendaDays))
	if err != nil {
		return answer, err
	}
	seesPeople := may(account(r.Context()), "recordOutcome")
	if seesPeople {
		if err := h.recordAgenda(r.Context(), found); err != nil {
			return answer, err
		}
	}
	for n := range agendaDays {
		var own []contacts.Contact
		for _, c := range found {
			if slot := c.Booking.Slot; !slot.Before(day(n)) && slot.Before(day(n+1)) {
				own = append(own, c)
			}
		}
		of := agendaDay(day(n), own)
		if seesPeople {
			list := contract.List(own, func(c contacts.Contact) contract.AgendaAppointment { return agendaAppointment(c, now) })
			of.List = &list
		}
		answer.Days = append(answer.Days, of)
	}
	return answer, nil
}

func agendaDay(day time.Time, of []contacts.Contact) contract.AgendaDay {
	counted := contract.AgendaDay{Date: day.Format(time.DateOnly)}
	for _, c := range of {
		if !c.Booking.Cancelled {
			counted.Appointments++
		}
		switch c.Booking.Outcome {
		case event.OutcomeCame:
			counted.Came++
		case event.OutcomeMissed:
			counted.Missed++
		case event.OutcomeCancelledLate:
			counted.CancelledLate++
		}
	}
	return counted
}

func agendaAppointment(c contacts.Contact, now time.Time) contract.AgendaAppointment {
	c = c.Usable()
	b := c.Booking
	return contract.AgendaAppointment{
		ConversationID: c.ID, BookingID: b.ID, Slot: b.Slot.UTC(), Specialty: contract.Optional(b.Specialty), Source: contract.BookingSource(b.Source),
		Name: contract.Optional(c.Name), Phone: contract.Optional(c.Phone), Question: contract.Optional(cmp.Or(c.Asked, c.Text)), Restricted: c.Restricted,
		Outcome: contract.AppointmentOutcome(b.Outcome), PossibleOutcomes: contract.List(chat.PossibleOutcomes(b.Slot, now), outcomeOf),
	}
}

func outcomeOf(outcome string) contract.AppointmentOutcome {
	return contract.AppointmentOutcome(outcome)
}

// recordAgenda records who reads the agenda. It is asked for anew as time goes on: the same people in the same hour
// are one reading.
func (h *ContactsHandler) recordAgenda(ctx context.Context, list []contacts.Contact) error {
	if len(list) == 0 {
		return nil
	}
	reader, now := account(ctx).ID, h.readings.now()
	opened := openedBy(reader, list)
	named := []string{"agenda read", reader, now.UTC().Truncate(sameReading).Format(time.RFC3339)}
	err := recordAs(ctx, h.readings.log, event.DerivedID(slices.Concat(named, opened.ConversationIDs, opened.ContactIDs)...), reader, opened, now)
	if errors.Is(err, event.ErrIDReused) { // recorded meanwhile
		return nil
	}
	return err
}

// recordOutcome records the outcome of an appointment.
func (h *ContactsHandler) recordOutcome(r *http.Request, body contract.AgendaOutcome) (contract.AgendaOutcome, error) {
	id := chi.URLParam(r, "id")
	if !web.ValidID(id) {
		return body, chat.ErrNoConversation
	}
	return body, h.Bookings.RecordOutcome(r.Context(), chat.Outcome{
		ConversationID: id, BookingID: chi.URLParam(r, "booking"), Outcome: string(body.Outcome), Source: "staff", StaffID: account(r.Context()).ID,
	})
}
