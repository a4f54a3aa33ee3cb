package httpapi

import (
	"encoding/csv"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"bitacora/adapters/httpapi/contract"
	"bitacora/domain/chat"
	"bitacora/domain/contacts"
	"bitacora/domain/event"
	"bitacora/projections"
)

const contactsPath = "/api/dashboard/contacts"

// leaves lets a visitor of the chat leave a way to be reached, and gives the lead.
func (s *testServer) leaves(session, phone string) contacts.Ref {
	s.t.Helper()
	s.clock.advance(time.Minute)
	b := s.browser()
	b.say(session, "Hola")
	ref := contacts.Ref{Kind: contacts.Lead, ID: chat.ConversationID("web", session)}
	started := s.events(ref.Stream())[0].Payload.(*event.ConversationStarted)
	_, err := s.db.Log().Append(s.t.Context(), event.Append{Stream: ref.Stream(), ExpectedVersion: event.AnyVersion, Drafts: []event.Draft{
		{ID: event.DerivedID("consent", session), OccurredAt: s.clock.Now(), Payload: &event.ConsentGiven{Conversation: started.Conversation, NoticeVersion: "1", Channel: "chat"}},
		{ID: event.DerivedID("lead", session), OccurredAt: s.clock.Now(), Payload: &event.LeadCaptured{Conversation: started.Conversation, Name: "Ana " + session, Phone: phone, HasPhone: true}},
	}})
	if err != nil {
		s.t.Fatal(err)
	}
	return ref
}

// writes sends a message with the contact form, and gives it.
func (s *testServer) writes(text string) contacts.Ref {
	s.t.Helper()
	s.clock.advance(time.Minute)
	s.browser().post("/api/contact", contract.ContactMessage{Name: "Íñigo", Email: "inigo@correo.example", Message: text})
	events, err := s.db.Log().Scan(s.t.Context(), 0, math.MaxInt64, 1_000_000)
	if err != nil {
		s.t.Fatal(err)
	}
	sent := events[len(events)-1].Payload.(*event.ContactMessageReceived)
	return contacts.Ref{Kind: contacts.Message, ID: sent.ContactID}
}

func changePath(ref contacts.Ref, what string) string {
	return contactsPath + "/" + ref.Kind + "/" + ref.ID + "/" + what
}

// contacts lists those of a query, from its first page to its last.
func (b *browser) contacts(query string) (all []contract.Contact, total string) {
	b.h.t.Helper()
	for path := contactsPath + "?" + query; path != ""; {
		var page []contract.Contact
		a := b.get(path)
		a.into(http.StatusOK, &page)
		all, total = append(all, page...), a.Header().Get("X-Total-Count")
		path, _, _ = strings.Cut(strings.TrimPrefix(a.Header().Get("Link"), "<"), ">")
	}
	return all, total
}

func names(list []contract.Contact) string {
	var ids []string
	for _, c := range list {
		ids = append(ids, string(c.Kind)+" "+contract.Deref(c.Name))
	}
	return strings.Join(ids, ", ")
}

func TestStaffSeesWhoCanBeReached(t *testing.T) {
	h := newTestServer(t)
	h.leaves("s1", "+50769001111")
	h.writes("¿Atienden a niños de dos años?")
	h.browser().say("nobody", "Hola")
	h.leaves("s2", "+50769002222")
	h.project()
	staff := h.staff()

	for query, want := range map[string]string{
		"":                     "lead Ana s2, message Íñigo, lead Ana s1",
		"limit=1":              "lead Ana s2, message Íñigo, lead Ana s1",
		"kind=lead":            "lead Ana s2, lead Ana s1",
		"kind=message&limit=1": "message Íñigo",
		"status=discarded":     "",
		"q=ana&limit=1":        "lead Ana s2, lead Ana s1",
		"q=6900-1111":          "lead Ana s1",
		"q=ninos":              "",
		"q=NIÑOS":              "message Íñigo",
		"startDate=2026-11-04": "",
		"startDate=2026-11-05&q=6900-1111&allTime=true":  "lead Ana s1",
		"startDate=2026-11-05&q=011-11&allTime=true":     "lead Ana s1",
		"startDate=2026-11-05&q=6900-1111&allTime=false": "",
		"startDate=2026-11-05&allTime=true&limit=1":      "lead Ana s2, message Íñigo, lead Ana s1",
		"status=new&q=inigo":                             "message Íñigo",
		"kind=lead&status=new":                           "lead Ana s2, lead Ana s1",
		"q=ana&kind=message":                             "",
		"q=ana&status=contacted":                         "",
	} {
		list, total := staff.contacts(query + "&endDate=2026-11-05")
		if names(list) != want || total != fmt.Sprint(len(list)) {
			t.Errorf("%s: %s of %s, want %s", query, names(list), total, want)
		}
	}
	list, _ := staff.contacts("")
	if lead := list[0]; lead.Phone == nil || *lead.Phone != "+50769002222" || lead.Message != nil || lead.State.Status != contract.ContactStatusNew || lead.State.ChangedAt != nil {
		t.Errorf("lead %+v", lead)
	}
	if message := list[1]; contract.Deref(message.Message) != "¿Atienden a niños de dos años?" || contract.Deref(message.Email) != "inigo@correo.example" {
		t.Errorf("message %+v", message)
	}
	for _, query := range []string{"limit=0", "limit=101", "kind=x", "status=x", "cursor=1-x-1", "startDate=x", "allTime=x", "q=" + strings.Repeat("x", 201)} {
		staff.get(contactsPath + "?" + query).refused(http.StatusBadRequest)
	}

	h.clock.advance(200 * 24 * time.Hour)
	staff.post("/api/auth/login", contract.Credentials{Username: anaEmail, Password: anaPassword})
	today := "startDate=" + h.clock.Now().In(panama(t)).Format(time.DateOnly)
	for query, want := range map[string]string{"&q=9002222": "", "&q=9002222&allTime=true": "lead Ana s2"} {
		if list, _ := staff.contacts(today + query); names(list) != want {
			t.Errorf("200 days later, %s: %s, want %s", query, names(list), want)
		}
	}
}

func TestReadingContactsIsTakenDown(t *testing.T) {
	h := newTestServer(t)
	lead, message := h.leaves("s1", "+50769001111"), h.writes("Quisiera una cita, gracias.")
	h.project()
	staff := h.staff()
	staff.get(contactsPath + "/counts")
	staff.contacts("q=nobody")
	staff.contacts("")
	staff.get(contactsPath + "/export")
	events, err := h.db.Log().Scan(t.Context(), 0, math.MaxInt64, 1000)
	if err != nil {
		t.Fatal(err)
	}
	var read []string
	for _, e := range events {
		if opened, ok := e.Payload.(*event.ContactMessagesOpened); ok && opened.StaffID != "" {
			read = append(read, opened.ContactIDs...)
			read = append(read, opened.ConversationIDs...)
		}
	}
	if want := []string{message.ID, lead.ID, message.ID, lead.ID}; !slices.Equal(read, want) {
		t.Errorf("taken down as read: %v, want %v", read, want)
	}
}

func TestStatusChangesAreEvents(t *testing.T) {
	h := newTestServer(t)
	lead, message := h.leaves("s1", "+50769001111"), h.writes("Quisiera una cita, gracias.")
	staff := h.staff()
	for range 2 {
		var state contract.ContactState
		staff.post(changePath(lead, "status"), contract.ContactStatusChange{ID: "1", Status: contract.ContactStatusContacted}).into(http.StatusOK, &state)
		if state.Status != contract.ContactStatusContacted || contract.Deref(state.ChangedBy) != anaEmail || !state.ChangedAt.Equal(h.clock.Now()) {
			t.Errorf("state %+v", state)
		}
	}
	staff.post(changePath(message, "status"), contract.ContactStatusChange{ID: "1", Status: contract.ContactStatusDiscarded})
	if got := h.types("s1", 5); got != "ContactStatusChanged" {
		t.Errorf("events %s", got)
	}
	h.project()
	var counts contract.ContactCounts
	staff.get(contactsPath+"/counts").into(http.StatusOK, &counts)
	if counts.New != 0 || counts.Contacted != 1 || counts.Discarded != 1 || counts.Scheduled != 0 || counts.LastPosition == 0 || counts.DataThrough.Position < counts.LastPosition {
		t.Errorf("counts %+v", counts)
	}
	staff.get(contactsPath+"/counts?kind=message").into(http.StatusOK, &counts)
	if counts.Contacted != 0 || counts.Discarded != 1 {
		t.Errorf("counts of messages %+v", counts)
	}

	// The visitor writes on: what the staff takes down is no message of the conversation.
	h.browser().say("s1", "¿Siguen ahí?")
	if c := chat.Fold(lead.ID, h.events(lead.Stream())); len(c.Lines) != 4 {
		t.Errorf("%d messages", len(c.Lines))
	}
}

func TestChangesAtTheSameTimeAreAllTakenDown(t *testing.T) {
	h := newTestServer(t)
	lead := h.leaves("s1", "+50769001111")
	staff := h.staff()
	cookies := staff.cookies
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			b := &browser{h: h, address: staff.address, cookies: map[string]string{staffCookie: cookies[staffCookie]}}
			b.post(changePath(lead, "notes"), contract.NewContactNote{ID: fmt.Sprint(i % 4), Text: fmt.Sprint("nota ", i%4)})
			b.post(changePath(lead, "status"), contract.ContactStatusChange{ID: fmt.Sprint(i), Status: []contract.ContactStatus{contract.ContactStatusContacted, contract.ContactStatusDiscarded}[i%2]})
			b.say("s1", fmt.Sprint("mensaje ", i))
		})
	}
	all.Wait()
	h.project()
	list, _ := staff.contacts("")
	if len(list) != 1 || len(list[0].Notes) != 4 {
		t.Fatalf("%+v", list)
	}
	var last string
	for _, e := range h.events(lead.Stream()) {
		if p, ok := e.Payload.(*event.ContactStatusChanged); ok {
			last = p.Status
		}
	}
	again, _ := staff.contacts("status=" + last)
	if string(list[0].State.Status) != last || len(again) != 1 {
		t.Errorf("list says %s, log %s, table %+v", list[0].State.Status, last, again)
	}
}

func TestBookingsSchedule(t *testing.T) {
	h := newTestServer(t)
	visitor := h.browser()
	visitor.say("s1", "Hola")
	id := chat.ConversationID("web", "s1")
	staff := h.staff()
	slot, specialty, yes, phone := h.slot(2), "ortodoncia", true, "+50761234567"
	path := "/api/dashboard/conversation/" + id + "/booking"
	var booked contract.Booking
	staff.post(path, contract.StaffBooking{Status: contract.StaffBookingStatusBooked, Slot: &slot, Specialty: &specialty, Contact: &contract.BookingContact{Phone: &phone}, Consent: &yes}).into(http.StatusOK, &booked)

	look := func(status contract.ContactStatus, cancelled bool) {
		t.Helper()
		h.project()
		list, _ := staff.contacts("status=" + string(status))
		if len(list) != 1 || list[0].State.Status != status || list[0].Appointment == nil || list[0].Appointment.Cancelled != cancelled {
			t.Fatalf("want %s: %+v", status, list)
		}
	}
	kpis := func(cancelled int64) {
		t.Helper()
		var k contract.Kpis
		staff.get("/api/dashboard/kpis").into(http.StatusOK, &k)
		if k.TotalLeads != 1 || k.TotalAppointments != 1 || k.CancelledAppointments != cancelled {
			t.Errorf("leads %d, appointments %d, cancelled %d; want 1, 1, %d", k.TotalLeads, k.TotalAppointments, k.CancelledAppointments, cancelled)
		}
	}
	look(contract.ContactStatusScheduled, false)
	kpis(0)
	list, _ := staff.contacts("")
	if a := list[0].Appointment; !a.Slot.Equal(slot) || contract.Deref(a.Specialty) != specialty || a.Source != contract.BookedByStaff {
		t.Errorf("appointment %+v", a)
	}
	staff.post(path, contract.StaffBooking{Status: contract.StaffBookingStatusCancelled})
	look(contract.ContactStatusScheduled, true)
	kpis(1)
	staff.post(changePath(contacts.Ref{Kind: contacts.Lead, ID: id}, "status"), contract.ContactStatusChange{ID: "1", Status: contract.ContactStatusContacted})
	look(contract.ContactStatusContacted, true)
	later := h.slot(4)
	staff.post(path, contract.StaffBooking{Status: contract.StaffBookingStatusBooked, Slot: &later, Specialty: &specialty}).into(http.StatusOK, &booked)
	look(contract.ContactStatusScheduled, false)
	kpis(0)
}

func TestNothingIsKeptAboutTheErased(t *testing.T) {
	h := newTestServer(t)
	lead := h.leaves("s1", "+50769001111")
	staff := h.staff()
	var note contract.ContactNote
	staff.post(changePath(lead, "notes"), contract.NewContactNote{ID: "1", Text: "Prefiere las mañanas <b>siempre</b>"}).into(http.StatusOK, &note)
	if note.Text != "Prefiere las mañanas <b>siempre</b>" || contract.Deref(note.Author) != anaEmail || !note.WrittenAt.Equal(h.clock.Now()) {
		t.Errorf("note %+v", note)
	}
	if err := h.db.Log().DestroyKey(t.Context(), lead.Stream()); err != nil {
		t.Fatal(err)
	}
	h.project()
	list, _ := staff.contacts("")
	if c := list[0]; !c.Erased || c.Name != nil || c.Phone != nil || len(c.Notes) != 1 || c.Notes[0].Text != "" {
		t.Errorf("erased contact %+v", c)
	}
	staff.post(changePath(lead, "notes"), contract.NewContactNote{ID: "2", Text: "otra"}).refused(http.StatusGone)
	var state contract.ContactState
	staff.post(changePath(lead, "status"), contract.ContactStatusChange{ID: "3", Status: contract.ContactStatusDiscarded}).into(http.StatusOK, &state)
	if found, _ := staff.contacts("q=Ana"); len(found) != 0 {
		t.Errorf("found %+v", found)
	}
}

func TestChangesThatAreRefused(t *testing.T) {
	h := newTestServer(t)
	lead := h.leaves("s1", "+50769001111")
	h.browser().say("s2", "Hola")
	staff, stranger := h.staff(), h.browser()
	status, note := contract.ContactStatusChange{ID: "1", Status: contract.ContactStatusContacted}, contract.NewContactNote{ID: "1", Text: "hola"}
	for path, body := range map[string]any{"status": status, "notes": note} {
		stranger.post(changePath(lead, path), body).refused(http.StatusUnauthorized)
		for _, ref := range []contacts.Ref{
			{Kind: "lead", ID: "nobody"}, {Kind: "message", ID: lead.ID}, {Kind: "x", ID: lead.ID},
			{Kind: "lead", ID: chat.ConversationID("web", "s2")}, {Kind: "lead", ID: "a%20b"},
		} {
			staff.post(changePath(ref, path), body).refused(http.StatusNotFound)
		}
	}
	for _, path := range []string{"", "/counts", "/export"} {
		stranger.get(contactsPath + path).refused(http.StatusUnauthorized)
	}
	staff.post(changePath(lead, "status"), contract.ContactStatusChange{ID: "1", Status: "lost"}).refused(http.StatusBadRequest)
	staff.post(changePath(lead, "status"), contract.ContactStatusChange{Status: contract.ContactStatusContacted}).refused(http.StatusBadRequest)
	staff.post(changePath(lead, "notes"), contract.NewContactNote{ID: "1", Text: " "}).refused(http.StatusBadRequest)
	for range 2 {
		staff.post(changePath(lead, "notes"), note).into(http.StatusOK, new(contract.ContactNote))
	}
	note.Text = "otra cosa"
	staff.post(changePath(lead, "notes"), note).refused(http.StatusBadRequest)
	if got := h.types("s1", 5); got != "ContactNoteAdded" {
		t.Errorf("events %s", got)
	}
}

func TestSearchSaysWhomItLeftOut(t *testing.T) {
	h := newTestServer(t)
	const maxSearched = 5000
	rows := make([]projections.ContactRow, maxSearched+1)
	for i := range rows {
		rows[i] = projections.ContactRow{Kind: contacts.Message, ContactID: fmt.Sprintf("m%d", i), CameAt: noon.Add(-time.Duration(i) * time.Minute), Reachable: true}
	}
	b := h.staff()
	ask := func(query string) string {
		a := b.get("/api/dashboard/contacts?" + query)
		if a.Code != http.StatusOK {
			t.Fatalf("%s: %d %s", query, a.Code, a.Body)
		}
		return a.Header().Get("X-Searched-Count")
	}
	for _, c := range []struct {
		known int
		query string
		want  string
	}{
		{maxSearched, "q=ana", ""},
		{maxSearched + 1, "q=ana", "5000"},
		{maxSearched + 1, "q=ana&startDate=2026-11-03&endDate=2026-11-03", ""},
		{maxSearched + 1, "", ""},
	} {
		if err := h.tables().Writer(build).Write(t.Context(), projections.Tables{Contacts: rows[:c.known]}); err != nil {
			t.Fatal(err)
		}
		if got := ask(c.query); got != c.want {
			t.Errorf("%d contacts, %q: searched %q, want %q", c.known, c.query, got, c.want)
		}
	}
}

func TestContactsAsAFile(t *testing.T) {
	h := newTestServer(t)
	h.leaves("s1", "+50769001111")
	message := h.writes("=HYPERLINK(\"http://mal.example\")")
	staff := h.staff()
	staff.post(changePath(message, "notes"), contract.NewContactNote{ID: "1", Text: "+1 llamar"})
	h.project()
	a := staff.get(contactsPath + "/export?startDate=2026-11-03&endDate=2026-11-03")
	if a.Code != http.StatusOK || a.Header().Get("Content-Disposition") != `attachment; filename="bitacora-contactos-2026-11-03-2026-11-03.csv"` {
		t.Fatalf("%d %v", a.Code, a.Header())
	}
	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(a.Body.String(), "\ufeff"))).ReadAll()
	if err != nil || len(rows) != 3 {
		t.Fatalf("%v, %v", rows, err)
	}
	if got := strings.Join(rows[1][1:8], "|"); got != "formulario de contacto|Íñigo||inigo@correo.example||'=HYPERLINK(\"http://mal.example\")|nuevo" {
		t.Errorf("message %s", got)
	}
	if got := strings.Join(rows[2][1:5], "|"); got != "lead del chat|Ana s1|'+50769001111|" || rows[1][10] != "'+1 llamar" {
		t.Errorf("lead %s, note %s", got, rows[1][10])
	}
	staff.get(contactsPath + "/export?kind=x").refused(http.StatusBadRequest)
}
