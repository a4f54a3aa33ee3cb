package httpapi

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"bitacora/adapters/httpapi/contract"
	"bitacora/domain/chat"
	"bitacora/domain/event"
)

const webhookSecret = "un secreto de más de treinta y dos letras"

// openForBookings is a server whose form shares the secret.
func openForBookings(t *testing.T) *testServer {
	return newTestServer(t, func(h *testServer) { h.config.Booking.Secret = webhookSecret })
}

// types are the types of a conversation's events from the given one on.
func (s *testServer) types(session string, from int) string {
	s.t.Helper()
	var names []string
	for _, e := range s.events(chat.Stream(chat.ConversationID("web", session)))[from:] {
		names = append(names, e.Payload.EventType())
	}
	return strings.Join(names, " ")
}

// The headers of a signed report.
const (
	timestampHeader = "X-Bitacora-Timestamp"
	signatureHeader = "X-Bitacora-Signature"
)

// signed are the headers of a report that is signed at a time.
func signed(raw []byte, at time.Time) map[string]string {
	timestamp := strconv.FormatInt(at.Unix(), 10)
	mac := hmac.New(sha256.New, []byte(webhookSecret))
	fmt.Fprintf(mac, "%s.%s", timestamp, raw)
	return map[string]string{
		"Content-Type":  "application/json",
		timestampHeader: timestamp,
		signatureHeader: "sha256=" + hex.EncodeToString(mac.Sum(nil)),
	}
}

// report sends what the form says, signed at a time.
func (b *browser) report(body any, at time.Time, change func(map[string]string)) answer {
	b.h.t.Helper()
	raw, err := json.Marshal(body)
	if err != nil {
		b.h.t.Fatal(err)
	}
	headers := signed(raw, at)
	if change != nil {
		change(headers)
	}
	return b.send(http.MethodPost, "/api/webhooks/bookings", raw, headers)
}

// slot is tomorrow at 10:00 in Panama, and a number of hours later.
func (s *testServer) slot(hours int) time.Time {
	tomorrow := s.clock.Now().In(panama(s.t)).AddDate(0, 0, 1)
	return time.Date(tomorrow.Year(), tomorrow.Month(), tomorrow.Day(), 10+hours, 0, 0, 0, tomorrow.Location())
}

func (s *testServer) formBooking(id, session string) map[string]any {
	return map[string]any{
		"id": id, "reference": chat.ConversationID("web", session), "status": "booked", "slot": s.slot(0), "specialty": "ortodoncia",
		"contact": map[string]string{"name": "Ana", "phone": "+50761234567"}, "noticeVersion": "form-1",
	}
}

func TestTheFormReportsABookingOnce(t *testing.T) {
	h := openForBookings(t)
	b := h.browser()
	b.say("s1", "Hola")
	report := h.formBooking("f1", "s1")
	var first, again contract.Booking
	b.report(report, h.clock.Now(), nil).into(http.StatusOK, &first)
	b.report(report, h.clock.Now().Add(time.Minute), nil).into(http.StatusOK, &again)
	if first.ID == nil || again.ID == nil || *first.ID != *again.ID || first.Status != contract.BookingStatusBooked || !first.Slot.Equal(h.slot(0)) {
		t.Errorf("answers %+v and %+v", first, again)
	}
	if got := h.types("s1", 3); got != "ConsentGiven LeadCaptured AppointmentBooked" {
		t.Errorf("events %s", got)
	}
	b.say("s2", "Hola")
	b.report(h.formBooking("f2", "s2"), h.clock.Now(), nil).refused(http.StatusConflict)

	report["status"] = "cancelled"
	b.report(report, h.clock.Now(), nil).into(http.StatusOK, &again)
	if again.Status != contract.BookingStatusCancelled || h.types("s1", 6) != "AppointmentCancelled" {
		t.Errorf("answer %+v, events %s", again, h.types("s1", 6))
	}
	b.report(h.formBooking("f2", "s2"), h.clock.Now(), nil).into(http.StatusOK, &first)
}

func TestOnlySignedAndRecentReportsCount(t *testing.T) {
	h := openForBookings(t)
	b := h.browser()
	b.say("s1", "Hola")
	now := h.clock.Now()
	for name, test := range map[string]struct {
		at     time.Time
		change func(map[string]string)
	}{
		"no signature":    {now, func(h map[string]string) { delete(h, signatureHeader) }},
		"another's":       {now, func(h map[string]string) { h[signatureHeader] = "sha256=" + strings.Repeat("ab", 32) }},
		"another time":    {now, func(h map[string]string) { h[timestampHeader] = strconv.FormatInt(now.Unix()+1, 10) }},
		"no time":         {now, func(h map[string]string) { delete(h, timestampHeader) }},
		"too old":         {now.Add(-6 * time.Minute), nil},
		"from the future": {now.Add(6 * time.Minute), nil},
	} {
		if a := b.report(h.formBooking("f1", "s1"), test.at, test.change); a.Code != http.StatusUnauthorized {
			t.Errorf("%s: %d %s", name, a.Code, a.Body)
		}
	}
	for name, change := range map[string]func(map[string]any){
		"no such conversation": func(m map[string]any) { m["reference"] = "nobody" },
		"no reference":         func(m map[string]any) { m["reference"] = "../x" },
		"no slot":              func(m map[string]any) { delete(m, "slot") },
		"no contact":           func(m map[string]any) { delete(m, "contact") },
		"no consent":           func(m map[string]any) { delete(m, "noticeVersion") },
		"a bad phone":          func(m map[string]any) { m["contact"] = map[string]string{"phone": "6123-4567"} },
		"a bad address":        func(m map[string]any) { m["contact"] = map[string]string{"email": "ana"} },
	} {
		report := h.formBooking("f1", "s1")
		change(report)
		if a := b.report(report, now, nil); a.Code != http.StatusBadRequest && a.Code != http.StatusNotFound {
			t.Errorf("%s: %d %s", name, a.Code, a.Body)
		}
	}
	if got := h.types("s1", 3); got != "" {
		t.Errorf("events %s", got)
	}
	closed := newTestServer(t)
	closed.browser().report(h.formBooking("f1", "s1"), now, nil).refused(http.StatusNotFound)
}

func TestStaffMarkABooking(t *testing.T) {
	h := openForBookings(t)
	visitor := h.browser()
	visitor.say("s1", "Hola")
	path := "/api/dashboard/conversation/" + chat.ConversationID("web", "s1") + "/booking"
	slot, specialty, yes, phone := h.slot(2), "ortodoncia", true, "+50761234567"
	body := contract.StaffBooking{Status: contract.StaffBookingStatusBooked, Slot: &slot, Specialty: &specialty, Contact: &contract.BookingContact{Phone: &phone}, Consent: &yes}
	visitor.post(path, body).refused(http.StatusUnauthorized)

	staff := h.staff()
	for range 2 {
		var got contract.Booking
		staff.post(path, body).into(http.StatusOK, &got)
		if got.Status != contract.BookingStatusBooked || !got.Slot.Equal(slot) {
			t.Errorf("answer %+v", got)
		}
	}
	if got := h.types("s1", 3); got != "ConsentGiven LeadCaptured AppointmentBooked" {
		t.Errorf("events %s", got)
	}
	booked := h.events(chat.Stream(chat.ConversationID("web", "s1")))[5].Payload.(*event.AppointmentBooked)
	if booked.Source != "staff" || booked.StaffID == "" {
		t.Errorf("booked %+v", booked)
	}
	var got contract.Booking
	for range 2 { // the second time it is done already
		staff.post(path, contract.StaffBooking{Status: contract.StaffBookingStatusCancelled}).into(http.StatusOK, &got)
	}
	staff.post("/api/dashboard/conversation/nobody/booking", body).refused(http.StatusNotFound)
}

func TestFollowedLinkLeadsToTheForm(t *testing.T) {
	h := newTestServer(t, func(h *testServer) {
		h.chat.SiteURL, h.chat.Clinic.Links.Booking = "https://clinica.example", "https://reservas.clinica.test/"
	})
	b := h.browser()
	h.parrot.meaning = chat.Understanding{Intent: chat.IntentBook}
	b.say("s1", "Quiero una cita")
	h.parrot.meaning = chat.Understanding{Answer: chat.No}
	reference := chat.ConversationID("web", "s1")
	if a := b.say("s1", "no"); !strings.Contains(a.Body.String(), "https://clinica.example/r/"+reference) {
		t.Errorf("answer %s", a.Body)
	}
	for range 2 {
		a := b.get("/r/" + reference)
		if a.Code != http.StatusFound || a.Header().Get("Location") != "https://reservas.clinica.test/?ref="+reference {
			t.Errorf("%d to %q", a.Code, a.Header().Get("Location"))
		}
	}
	if got := h.types("s1", 4); got != "VisitorMessageSent AssistantReplied BookingLinkShown BookingLinkOpened" {
		t.Errorf("events %s", got)
	}
	if a := b.get("/r/unknown"); a.Code != http.StatusFound || strings.Contains(a.Header().Get("Location"), "ref=") {
		t.Errorf("%d to %q", a.Code, a.Header().Get("Location"))
	}
}
