package booking

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

	"bitacora/adapters/httpapi/contract"
	"bitacora/adapters/httpapi/web"
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

var errUnsigned = &web.Problem{Status: http.StatusUnauthorized, Message: "La firma de la petición falta, no es válida o ha caducado."}

// Config names what the webhook needs.
type Config struct {
	Bookings Recorder
	// Secret is what the form signs with; empty: it reports nothing.
	Secret string
}

// Webhook takes what the external scheduling form reports.
type Webhook struct {
	Config
	web.Responder
	now func() time.Time
}

// New is the webhook.
func New(c Config, now func() time.Time, respond web.Responder) *Webhook {
	return &Webhook{c, respond, now}
}

// ServeHTTP implements [http.Handler].
func (h *Webhook) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	web.JSON(h.Responder, h.take)(w, r)
}

// take records what a signed request reports.
func (h *Webhook) take(r *http.Request) (booked contract.Booking, err error) {
	if h.Secret == "" {
		return booked, web.ErrNotFound
	}
	raw, err := io.ReadAll(r.Body)
	if err != nil {
		return booked, err
	}
	if !h.signed(r.Header, raw) {
		return booked, errUnsigned
	}
	r.Body = io.NopCloser(bytes.NewReader(raw))
	var body contract.BookingReport
	if err := web.Decode(r, &body); err != nil {
		return booked, err
	}
	if body.ID == "" || len(body.ID) > chat.MaxID || !web.ValidID(body.Reference) {
		return booked, web.BadRequest("Falta el identificador o la referencia de la reserva.")
	}
	if !body.Status.Valid() {
		return booked, web.BadField("status", "El estado de la reserva no es válido.")
	}
	booking := event.DerivedID("form", body.ID)
	booked = contract.Booking{ID: &booking, Status: contract.BookingStatus(body.Status)}
	switch {
	case body.Status == contract.BookingReportStatusCancelled:
		return booked, h.Bookings.CancelBooking(r.Context(), body.Reference, booking, "form", "")
	case body.Status != contract.BookingReportStatusBooked:
		return booked, h.Bookings.RecordOutcome(r.Context(), chat.Outcome{
			ConversationID: body.Reference, BookingID: booking, Outcome: string(body.Status), Source: "form",
		})
	}
	b := chat.ExternalBooking{
		ConversationID: body.Reference, BookingID: booking, Source: "form", Specialty: contract.Deref(body.Specialty),
		NoticeVersion: contract.Deref(body.NoticeVersion), Consent: contract.Deref(body.NoticeVersion) != "",
	}
	if body.Slot != nil {
		b.Slot = *body.Slot
	}
	return Book(r.Context(), h.Bookings, b, body.Contact)
}

// signed says whether a body was signed with the shared secret, recently.
func (h *Webhook) signed(header http.Header, body []byte) bool {
	timestamp := header.Get(timestampHeader)
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || h.now().Sub(time.Unix(seconds, 0)).Abs() > webhookWindow {
		return false
	}
	claimed, err := hex.DecodeString(strings.TrimPrefix(header.Get(signatureHeader), "sha256="))
	return err == nil && hmac.Equal(claimed, webhookSignature(h.Secret, timestamp, body))
}

// webhookSignature is the HMAC-SHA256 of the timestamp, a full stop and the body.
func webhookSignature(secret, timestamp string, body []byte) []byte {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(timestamp + "."))
	mac.Write(body)
	return mac.Sum(nil)
}
