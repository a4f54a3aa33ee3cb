package httpapi

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"bitacora/domain/event"
)

func TestStaffReadsContactMessages(t *testing.T) {
	h := newHouse(t)
	b := h.browser()
	for i := range 3 {
		h.clock.advance(time.Minute)
		b.post("/api/contact", ContactMessage{Name: "Ana", Email: "ana@correo.example", Message: fmt.Sprintf("Mensaje número %d", i)})
		b.say("s1", "Hola")
	}
	b.get("/api/dashboard/contacts").refused(http.StatusUnauthorized)
	staff := h.staff()

	var page []ReceivedContact
	first := staff.get("/api/dashboard/contacts?limit=2")
	first.into(http.StatusOK, &page)
	if len(page) != 2 || page[0].Message != "Mensaje número 2" || page[0].Phone != nil || page[0].Erased || !page[0].ReceivedAt.Equal(h.clock.Now()) {
		t.Errorf("first page: %+v", page)
	}
	next, _, _ := strings.Cut(strings.TrimPrefix(first.Header().Get("Link"), "<"), ">")
	var rest []ReceivedContact
	last := staff.get(next)
	last.into(http.StatusOK, &rest)
	if len(rest) != 1 || rest[0].Message != "Mensaje número 0" || last.Header().Get("Link") != "" {
		t.Errorf("second page: %+v, %v", rest, last.Header())
	}
	events, err := h.db.Log().Read(t.Context(), 0, 1000)
	if err != nil {
		t.Fatal(err)
	}
	var read []string
	for _, e := range events {
		if opened, ok := e.Payload.(*event.ContactMessagesOpened); ok && opened.StaffID != "" {
			read = append(read, opened.ContactIDs...)
		}
	}
	if !slices.Equal(read, []string{page[0].ID, page[1].ID, rest[0].ID}) {
		t.Errorf("noted as read: %v", read)
	}
	for _, query := range []string{"limit=0", "limit=101", "limit=x", "before=-1"} {
		staff.get("/api/dashboard/contacts?" + query).refused(http.StatusBadRequest)
	}
}
