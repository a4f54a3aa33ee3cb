package httpapi

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"bitacora/adapters/httpapi/contract"
	"bitacora/domain/chat"
	"bitacora/domain/event"
)

const erasePath = "/api/chatbot/conversation/erase"

// books gives a session's conversation an appointment in some days.
func (s *testServer) books(session string, days int) time.Time {
	s.t.Helper()
	slot := time.Date(2026, 11, 3+days, 15, 0, 0, 0, time.UTC)
	_, err := s.chat.Book(s.t.Context(), chat.ExternalBooking{
		ConversationID: chat.ConversationID("web", session), BookingID: "b-" + session, Source: "form", Slot: slot, Specialty: "ortodoncia",
		Contact: chat.Contact{Name: "Ana", Phone: "+50769001111"}, Consent: true, NoticeVersion: "1",
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return slot
}

// taken is how many chairs are taken in the weeks to come.
func (s *testServer) taken() int {
	s.t.Helper()
	taken, err := s.db.Log().Taken(s.t.Context(), s.chat.Clinic.Agenda.Chairs("ortodoncia"), noon, noon.AddDate(0, 1, 0))
	if err != nil {
		s.t.Fatal(err)
	}
	return len(taken)
}

func TestVisitorsEraseTheirConversation(t *testing.T) {
	h := newTestServer(t)
	b, other := h.browser(), h.browser()
	b.say("s1", "mi número es 6900-1111, borren mis datos")
	b.say("s2", "Hola")
	other.say("s3", "Hola")
	slot := h.books("s1", 3)
	h.books("s2", -2) // long over
	h.clock.advance(time.Minute)
	var read contract.ChatConversation
	if b.readBack("s1").into(http.StatusOK, &read); read.Appointment == nil || !read.Appointment.Equal(slot) {
		t.Errorf("appointment %v", read.Appointment)
	}
	erase := func(by *browser, sessions []string, named ...time.Time) int {
		return by.post(erasePath, contract.ChatErasure{SessionIDs: sessions, Appointments: append([]time.Time{}, named...)}).Code
	}
	for name, got := range map[string]int{
		"another browser":       erase(other, []string{"s1"}, slot) - http.StatusNotFound,
		"no cookie":             erase(h.browser(), []string{"s1"}, slot) - http.StatusNotFound,
		"an unnamed one":        erase(b, []string{"s1"}) - http.StatusConflict,
		"another than the own":  erase(b, []string{"s1"}, slot.Add(time.Hour)) - http.StatusConflict,
		"nothing":               erase(b, nil) - http.StatusBadRequest,
		"too many":              erase(b, strings.Split(strings.Repeat("x,", 20)+"x", ",")) - http.StatusBadRequest,
		"what there is nothing": erase(b, []string{"nada"}) - http.StatusNotFound,
	} {
		if got != 0 {
			t.Errorf("%s: off by %d", name, got)
		}
	}
	if h.taken() != 1 {
		t.Fatal("a refusal cancelled the appointment")
	}
	if got := erase(b, []string{"s1", "s2", "s3", "s2"}, slot); got != http.StatusOK {
		t.Fatalf("erased: %d", got)
	}
	if h.taken() != 0 {
		t.Error("the chair is still taken")
	}
	for session, want := range map[string]bool{"s1": true, "s2": true, "s3": false} {
		events, err := h.db.Log().ReadStream(t.Context(), chat.Stream(chat.ConversationID("web", session)))
		if err != nil {
			t.Fatal(err)
		}
		if got := chat.Fold("x", events).Erased; got != want {
			t.Errorf("%s is erased: %v", session, got)
		}
	}
	if _, open := h.staff().requests(""); open != "" {
		t.Errorf("still asked for: %s", open)
	}
	b.readBack("s1").refused(http.StatusNotFound)
	b.say("s1", "¿sigues ahí?").refused(http.StatusGone)
	if got := erase(b, []string{"s1"}, slot); got != http.StatusOK {
		t.Errorf("erased again: %d", got)
	}
	if got := erase(other, []string{"s1"}, slot); got != http.StatusNotFound {
		t.Errorf("erased again by another browser: %d", got)
	}
	var answer contract.ChatResponse
	b.say("s4", "Hola").into(http.StatusOK, &answer)
}

func TestABrowserIsLetGo(t *testing.T) {
	h := newTestServer(t)
	b := h.browser()
	b.say("s1", "Hola")
	slot := h.books("s1", 3)
	kept := b.cookies[chatCookie]
	if a := b.post("/api/chatbot/forget", nil); a.Code != http.StatusNoContent || b.cookies[chatCookie] != "" || a.Header().Get("Cache-Control") != "no-store" {
		t.Fatalf("%d %v, cookie %q", a.Code, a.Header(), b.cookies[chatCookie])
	}
	if a := b.readBack("s1"); a.Code != http.StatusNotFound {
		t.Errorf("read back: %d", a.Code)
	}
	if a := b.submit("/privacidad", nil, nil); !strings.Contains(a.Body.String(), `"conversations":0`) {
		t.Errorf("the page about personal data still knows of conversations: %.900s", a.Body)
	}
	if h.taken() == 0 || slot.IsZero() {
		t.Error("the appointment is gone")
	}
	b.cookies[chatCookie] = kept
	if a := b.readBack("s1"); a.Code != http.StatusOK {
		t.Errorf("the conversation is gone: %d", a.Code)
	}
}

// The page about personal data erases all that its browser began, also without a script, once it
// was told what that is.
func TestTheNoticePageErases(t *testing.T) {
	h := newTestServer(t)
	b, other := h.browser(), h.browser()
	b.say("s1", "Hola")
	b.say("s2", "Hola")
	other.say("s3", "Hola")
	slot := h.books("s2", 3)
	shown := func(a answer, part string) {
		t.Helper()
		if a.Code != http.StatusOK || !strings.Contains(a.Body.String(), part) || a.Header().Get("X-Robots-Tag") != "noindex" || a.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("%d, %q is missing in %.900s", a.Code, part, a.Body)
		}
	}
	named := `"erasure":{"appointments":["` + slot.Format(time.RFC3339) + `"],"conversations":2}`
	shown(b.submit("/privacidad", nil, nil), named)
	shown(b.submit("/privacidad", url.Values{"confirmado": {"1"}}, nil), named)
	shown(h.browser().submit("/privacidad", url.Values{"confirmado": {"1"}}, nil), `"conversations":0`)
	a := b.submit("/privacidad", url.Values{"confirmado": {"1"}, "cita": {slot.Format(time.RFC3339), "x"}}, nil)
	if a.Code != http.StatusSeeOther || a.Header().Get("Location") != "/privacidad?borrado=1" || b.cookies[chatCookie] != "" {
		t.Fatalf("%d %v, cookie %q", a.Code, a.Header(), b.cookies[chatCookie])
	}
	for session, want := range map[string]bool{"s1": true, "s2": true, "s3": false} {
		events, err := h.db.Log().ReadStream(t.Context(), chat.Stream(chat.ConversationID("web", session)))
		if err != nil || chat.Fold("x", events).Erased != want {
			t.Errorf("%s: erased should be %v, %v", session, want, err)
		}
	}
	if h.taken() != 0 {
		t.Error("the chair is still taken")
	}
	cancelled := 0
	for _, e := range h.events(chat.Stream(chat.ConversationID("web", "s2"))) {
		if p, ok := e.Payload.(*event.AppointmentCancelled); ok && p.Source == "chat" {
			cancelled++
		}
	}
	if cancelled != 1 {
		t.Errorf("%d cancellations", cancelled)
	}
}
