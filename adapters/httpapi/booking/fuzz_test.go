package booking

import (
	"context"
	"encoding/hex"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"bitacora/adapters/httpapi/web"
	"bitacora/domain/chat"
)

// recorder counts what is booked, and checks it.
type recorder struct {
	t     *testing.T
	calls int
}

func (r *recorder) Book(_ context.Context, b chat.ExternalBooking) (chat.Appointment, error) {
	r.calls++
	if !web.ValidID(b.ConversationID) || b.Slot.IsZero() || strings.ContainsAny(b.Contact.Phone+b.Contact.Email, "\r\n\x00") {
		r.t.Errorf("booked: %+v", b)
	}
	return chat.Appointment{Slot: b.Slot}, nil
}

func (r *recorder) CancelBooking(_ context.Context, conversationID, _, _, _ string) error {
	if r.calls++; !web.ValidID(conversationID) {
		r.t.Errorf("cancelled: %q", conversationID)
	}
	return nil
}

func (r *recorder) RecordOutcome(_ context.Context, o chat.Outcome) error {
	if r.calls++; !web.ValidID(o.ConversationID) || o.Source != "form" {
		r.t.Errorf("outcome: %+v", o)
	}
	return nil
}

// FuzzWebhook: nothing is recorded that the form did not sign, and what it signed is recorded, or
// refused as its mistake.
func FuzzWebhook(f *testing.F) {
	now := time.Date(2026, 11, 3, 17, 0, 0, 0, time.UTC)
	const stamp = "1793725200"
	body := `{"id":"b-1","reference":"c-1","status":"booked","slot":"2026-11-05T15:00:00Z","contact":{"name":"Ana","phone":"+50761234567","email":"ana@example.com"}}`
	f.Add(stamp, "sha256="+hex.EncodeToString(webhookSignature("otro", stamp, []byte(body))), body)
	f.Add(stamp, "sha256=", `{"id":"b","reference":"c","status":"cancelled"}`)
	f.Add("", "", `{"id":"b","reference":"c","status":"missed"}`)
	f.Add("", "", `{"id":"b","reference":"../c","status":"booked","slot":"0001-01-01T00:00:00Z"}`)
	f.Add("9223372036854775807", "ff", `{"id":"b","reference":"c","slot":"2026-11-05T15:00:00Z","contact":{"email":"\"a\r\nb\"@x.example"}}`)
	f.Fuzz(func(t *testing.T, timestamp, signature, body string) {
		r := &recorder{t: t}
		h := New(Config{Bookings: r, Secret: "secreto"}, func() time.Time { return now }, web.Responder{Logger: slog.New(slog.DiscardHandler)})
		send := func(timestamp, signature string) int {
			request := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body))
			request.Header.Set(timestampHeader, timestamp)
			request.Header.Set(signatureHeader, signature)
			w := httptest.NewRecorder()
			h.ServeHTTP(w, request)
			return w.Code
		}
		if status := send(timestamp, signature); status != http.StatusUnauthorized || r.calls > 0 {
			t.Errorf("%q, %q: %d", timestamp, signature, status)
		}
		if status := send(stamp, "sha256="+hex.EncodeToString(webhookSignature("secreto", stamp, []byte(body)))); status >= 500 || (status == http.StatusOK) != (r.calls == 1) {
			t.Errorf("signed %q: %d, %d recorded", body, status, r.calls)
		}
	})
}
