package httpapi

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"bitacora/domain/chat"
	"bitacora/domain/event"
)

// The headers of a signed webhook.
const (
	timestampHeader = "X-Bitacora-Timestamp"
	signatureHeader = "X-Bitacora-Signature"
)

// webhookWindow is how far a webhook's time may lie from ours. What is sent again within
// it names the same booking, and is recorded once.
const webhookWindow = 5 * time.Minute

var errUnsigned = &problem{status: http.StatusUnauthorized, message: "La firma de la petición falta, no es válida o ha caducado."}

// bookingWebhook takes what the external scheduling form reports.
func (a *api) bookingWebhook(w http.ResponseWriter, r *http.Request) {
	if a.WebhookSecret == "" {
		a.fail(w, r, errNotFound)
		return
	}
	raw, err := io.ReadAll(r.Body)
	if err != nil {
		a.fail(w, r, err)
		return
	}
	if !a.signed(r.Header, raw) {
		a.fail(w, r, errUnsigned)
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(raw))
	var body BookingReport
	if err := decode(r, &body); err != nil {
		a.fail(w, r, err)
		return
	}
	if body.ID == "" || len(body.ID) > chat.MaxID || !conversationForm.MatchString(body.Reference) {
		a.fail(w, r, &problem{status: http.StatusBadRequest, message: "Falta el identificador o la referencia de la reserva."})
		return
	}
	booking := event.DerivedID("form", body.ID)
	if body.Status == BookingReportStatusCancelled {
		if err := a.Bookings.CancelBooking(r.Context(), body.Reference, booking, "form", ""); err != nil {
			a.fail(w, r, err)
			return
		}
		encode(w, http.StatusOK, Booking{ID: &booking, Status: BookingStatusCancelled})
		return
	}
	b := chat.ExternalBooking{
		ConversationID: body.Reference, BookingID: booking, Source: "form", Specialty: deref(body.Specialty),
		NoticeVersion: deref(body.NoticeVersion), Consent: deref(body.NoticeVersion) != "",
	}
	if body.Slot != nil {
		b.Slot = *body.Slot
	}
	a.book(w, r, b, body.Contact)
}

// signed says whether a body was signed with the shared secret, recently.
func (a *api) signed(h http.Header, body []byte) bool {
	timestamp := h.Get(timestampHeader)
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || a.Now().Sub(time.Unix(seconds, 0)).Abs() > webhookWindow {
		return false
	}
	claimed, err := hex.DecodeString(strings.TrimPrefix(h.Get(signatureHeader), "sha256="))
	return err == nil && hmac.Equal(claimed, webhookSignature(a.WebhookSecret, timestamp, body))
}

// webhookSignature is the HMAC-SHA256 of the timestamp, a full stop and the body.
func webhookSignature(secret, timestamp string, body []byte) []byte {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(timestamp + "."))
	mac.Write(body)
	return mac.Sum(nil)
}
