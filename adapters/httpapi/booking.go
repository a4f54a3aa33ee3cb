package httpapi

import (
	"context"
	"net/http"
	"net/mail"
	"regexp"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	"bitacora/domain/chat"
	"bitacora/domain/event"
)

// Bookings records what is booked outside of the chat.
type Bookings interface {
	// Book records a confirmed booking of a conversation.
	Book(ctx context.Context, b chat.ExternalBooking) (chat.Appointment, error)
	// CancelBooking takes a booking back; an empty id names the one that stands.
	CancelBooking(ctx context.Context, conversationID, bookingID, source, staffID string) error
	// OpenLink takes down a followed booking link and says where it leads.
	OpenLink(ctx context.Context, reference string) (address string, err error)
}

// staffNotice is the version of the notice that staff read out before they mark a booking.
const staffNotice = "staff-1"

// markBooking records that staff booked an appointment for a conversation, or cancelled it.
func (a *api) markBooking(w http.ResponseWriter, r *http.Request) {
	var body StaffBooking
	if err := decode(r, &body); err != nil {
		a.fail(w, r, err)
		return
	}
	id, staff := chi.URLParam(r, "id"), account(r.Context()).ID
	if !conversationForm.MatchString(id) {
		a.fail(w, r, chat.ErrNoConversation)
		return
	}
	if body.Status == StaffBookingStatusCancelled {
		if err := a.Bookings.CancelBooking(r.Context(), id, "", "staff", staff); err != nil {
			a.fail(w, r, err)
			return
		}
		encode(w, http.StatusOK, Booking{Status: BookingStatusCancelled})
		return
	}
	b := chat.ExternalBooking{
		ConversationID: id, Source: "staff", StaffID: staff, Specialty: deref(body.Specialty), NoticeVersion: staffNotice,
		Consent: body.Consent != nil && *body.Consent,
	}
	if body.Slot != nil {
		b.Slot = *body.Slot
		// The same marking sent twice is one booking.
		b.BookingID = event.DerivedID("staff", id, b.Slot.UTC().Format(time.RFC3339), b.Specialty)
	}
	a.book(w, r, b, body.Contact)
}

// book records a booking and answers with it.
func (a *api) book(w http.ResponseWriter, r *http.Request, b chat.ExternalBooking, contact *BookingContact) {
	if b.Slot.IsZero() {
		a.fail(w, r, &problem{status: http.StatusBadRequest, message: "Falta la hora de la cita."})
		return
	}
	var err error
	if b.Contact, err = contactOf(contact); err != nil {
		a.fail(w, r, err)
		return
	}
	booked, err := a.Bookings.Book(r.Context(), b)
	if err != nil {
		a.fail(w, r, err)
		return
	}
	slot := booked.Slot.UTC()
	answer := Booking{ID: &booked.ID, Status: BookingStatusBooked, Slot: &slot}
	if booked.Specialty != "" {
		answer.Specialty = &booked.Specialty
	}
	encode(w, http.StatusOK, answer)
}

var phoneForm = regexp.MustCompile(`^\+[1-9]\d{6,14}$`)

// maxName bounds a person's name, in bytes.
const maxName = 200

func contactOf(given *BookingContact) (chat.Contact, error) {
	if given == nil {
		return chat.Contact{}, nil
	}
	c := chat.Contact{
		Name: strings.TrimSpace(deref(given.Name)), Phone: deref(given.Phone), Email: strings.ToLower(deref(given.Email)),
	}
	address, err := mail.ParseAddress(c.Email)
	switch {
	case len(c.Name) > maxName:
		return c, &problem{status: http.StatusBadRequest, message: "El nombre es demasiado largo."}
	case c.Phone != "" && !phoneForm.MatchString(c.Phone):
		return c, &problem{status: http.StatusBadRequest, message: "El teléfono debe estar en forma internacional, como +50761234567."}
	case c.Email != "" && (err != nil || address.Address != c.Email):
		return c, &problem{status: http.StatusBadRequest, message: "El correo no es válido."}
	}
	return c, nil
}

// followLink takes a visitor to the scheduling form. Only a GET counts as followed.
func (a *api) followLink(w http.ResponseWriter, r *http.Request) {
	reference := chi.URLParam(r, "reference")
	if !conversationForm.MatchString(reference) {
		a.fail(w, r, errNotFound)
		return
	}
	address, err := a.Bookings.OpenLink(r.Context(), reference)
	if err != nil {
		a.fail(w, r, err)
		return
	}
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Referrer-Policy", "no-referrer")
	http.Redirect(w, r, address, http.StatusFound)
}
