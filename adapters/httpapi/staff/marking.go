package staff

import (
	"net/http"
	"time"

	"github.com/go-chi/chi/v5"

	"bitacora/adapters/httpapi/booking"
	"bitacora/adapters/httpapi/contract"
	"bitacora/adapters/httpapi/web"
	"bitacora/domain/chat"
	"bitacora/domain/event"
)

// staffNotice is the version of the notice that staff read out before they mark a booking.
const staffNotice = "staff-1"

// markBooking records that staff booked an appointment for a conversation, or cancelled it.
func (h *DashboardHandler) markBooking(r *http.Request, body contract.StaffBooking) (contract.Booking, error) {
	id, staff := chi.URLParam(r, "id"), account(r.Context()).ID
	if !web.ValidID(id) {
		return contract.Booking{}, chat.ErrNoConversation
	}
	if body.Status == contract.StaffBookingStatusCancelled {
		return contract.Booking{Status: contract.BookingStatusCancelled}, h.Bookings.CancelBooking(r.Context(), id, "", "staff", staff)
	}
	b := chat.ExternalBooking{
		ConversationID: id, Source: "staff", StaffID: staff, Specialty: contract.Deref(body.Specialty), NoticeVersion: staffNotice,
		Consent: body.Consent != nil && *body.Consent,
	}
	if body.Slot != nil {
		b.Slot = *body.Slot
		// The same marking sent twice is one booking.
		b.BookingID = event.DerivedID("staff", id, b.Slot.UTC().Format(time.RFC3339), b.Specialty)
	}
	return booking.Book(r.Context(), h.Bookings, b, body.Contact)
}
