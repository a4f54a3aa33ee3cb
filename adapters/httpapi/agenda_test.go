package httpapi

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"bitacora/adapters/httpapi/contract"
	"bitacora/domain/analytics"
	"bitacora/domain/chat"
	"bitacora/domain/event"
	people "bitacora/domain/staff"
	"bitacora/projections"
)

// agenda asks for today's and tomorrow's appointments.
func (b *browser) agenda() (today, tomorrow contract.AgendaDay) {
	b.h.t.Helper()
	var got contract.Agenda
	b.get("/api/dashboard/agenda").into(http.StatusOK, &got)
	if len(got.Days) != 2 || got.Zone != "America/Panama" {
		b.h.t.Fatalf("agenda %+v", got)
	}
	return got.Days[0], got.Days[1]
}

// signInAgain begins another session: the former one ended with the time.
func (b *browser) signInAgain() {
	b.h.t.Helper()
	if a := b.post("/api/auth/login", contract.Credentials{Username: anaEmail, Password: anaPassword}); a.Code != http.StatusOK {
		b.h.t.Fatalf("sign in: %d %s", a.Code, a.Body)
	}
}

func (b *browser) outcome(conversation, booking, outcome string) answer {
	return b.post("/api/dashboard/conversation/"+conversation+"/booking/"+booking+"/outcome", contract.AgendaOutcome{Outcome: contract.AppointmentOutcome(outcome)})
}

func TestTheAgendaShowsWhatStandsInTheLog(t *testing.T) {
	h := openForBookings(t)
	visitor := h.browser()
	for i, session := range []string{"s1", "s2", "s3", "s4"} {
		visitor.say(session, "¿Cuánto cuesta la ortodoncia?")
		report := h.formBooking("f"+session, session)
		report["slot"], report["specialty"] = h.slot(i), "limpieza con "+session // takes no chair
		visitor.report(report, h.clock.Now(), nil).into(http.StatusOK, &contract.Booking{})
	}
	late := h.formBooking("f5", "s5")
	visitor.say("s5", "Hola")
	late["slot"] = h.slot(0).AddDate(0, 0, 1)
	visitor.report(late, h.clock.Now(), nil).into(http.StatusOK, &contract.Booking{})
	cancelled := h.formBooking("fs2", "s2")
	cancelled["status"] = "cancelled"
	visitor.report(cancelled, h.clock.Now(), nil).into(http.StatusOK, &contract.Booking{})

	ana := h.staff()
	_, tomorrow := ana.agenda()
	var listed []string
	for _, a := range *tomorrow.List {
		listed = append(listed, a.ConversationID)
		if *a.Name != "Ana" || *a.Phone != "+50761234567" || *a.Question != "¿Cuánto cuesta la ortodoncia?" || a.Source != "form" || a.Outcome != "unknown" {
			t.Errorf("appointment %+v", a)
		}
	}
	id := func(session string) string { return chat.ConversationID("web", session) }
	if want := []string{id("s1"), id("s3"), id("s4")}; !slices.Equal(listed, want) || tomorrow.Appointments != 3 || tomorrow.Date != h.slot(0).Format(time.DateOnly) {
		t.Errorf("listed %q on %s, want %q", listed, tomorrow.Date, want)
	}

	// On the day, at half past ten.
	h.clock.advance(h.slot(0).Add(30 * time.Minute).Sub(h.clock.Now()))
	ana.signInAgain()
	today, after := ana.agenda()
	if today.Appointments != 3 || after.Appointments != 1 {
		t.Errorf("%d and %d appointments", today.Appointments, after.Appointments)
	}
	first := (*today.List)[0]
	before := len(h.events(chat.Stream(id("s1"))))
	for range 2 {
		ana.outcome(id("s1"), first.BookingID, "missed").into(http.StatusOK, &contract.AgendaOutcome{})
	}
	if recorded := len(h.events(chat.Stream(id("s1")))) - before; recorded != 1 {
		t.Errorf("%d events", recorded)
	}
	if today, _ = ana.agenda(); (*today.List)[0].Outcome != "missed" || today.Missed != 1 || today.Came != 0 {
		t.Errorf("after an outcome %+v", today)
	}
	ana.outcome(id("s1"), first.BookingID, "unknown").into(http.StatusOK, &contract.AgendaOutcome{})
	if today, _ = ana.agenda(); (*today.List)[0].Outcome != "unknown" || today.Missed != 0 {
		t.Errorf("after it was taken back %+v", today)
	}
	ana.outcome(id("s4"), (*today.List)[2].BookingID, "came").refused(http.StatusBadRequest)
	if possible := (*today.List)[2].PossibleOutcomes; slices.Contains(possible, "came") || !slices.Contains(possible, "cancelled-late") {
		t.Errorf("possible at 10:30 for 13:00: %v", possible)
	}
	ana.outcome(id("s2"), event.DerivedID("form", "fs2"), "missed").refused(http.StatusNotFound)
	ana.outcome(id("s1"), "other", "missed").refused(http.StatusNotFound)

	last := (*today.List)[2].BookingID
	ana.outcome(id("s4"), last, "cancelled-late").into(http.StatusOK, &contract.AgendaOutcome{})
	if today, _ = ana.agenda(); today.Appointments != 2 || today.CancelledLate != 1 || len(*today.List) != 3 {
		t.Errorf("a late cancellation for 13:00: %+v", today)
	}
	ana.outcome(id("s4"), last, "unknown").into(http.StatusOK, &contract.AgendaOutcome{})

	_, reader := h.sign("lee@clinica.example", people.RoleReader)
	if today, _ = reader.agenda(); today.List != nil || today.Appointments != 3 {
		t.Errorf("a reader gets %+v", today)
	}
	reader.outcome(id("s1"), first.BookingID, "came").refused(http.StatusForbidden)

	_, err := h.db.Log().Append(t.Context(), event.Append{
		Stream: chat.Stream(id("s3")), ExpectedVersion: event.AnyVersion,
		Drafts: []event.Draft{{ID: event.DerivedID("erased"), OccurredAt: h.clock.Now(), Payload: &event.SubjectErased{By: "s1"}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if today, _ = ana.agenda(); today.Appointments != 2 {
		t.Errorf("who was erased is listed: %+v", *today.List)
	}
}

// TestStaffBooksForWhoWroteByTheForm: such a booking is on the agenda and takes a chair, and no number of conversations
// knows of it.
func TestStaffBooksForWhoWroteByTheForm(t *testing.T) {
	h := openForBookings(t)
	h.browser().say("s1", "Hola")
	ref := h.writes("Quisiera una cita de ortodoncia")
	who, ana := h.sign(anaEmail, people.RoleStaff)
	book := func(slot time.Time, status int) {
		t.Helper()
		body := contract.StaffBooking{Status: "booked", Slot: &slot, Specialty: new("ortodoncia")}
		if a := ana.post("/api/dashboard/conversation/"+ref.ID+"/booking", body); a.Code != status {
			t.Fatalf("book: %d %s", a.Code, a.Body)
		}
	}
	for range 2 {
		book(h.slot(0), http.StatusOK)
	}
	book(h.slot(1), http.StatusOK)
	if n := h.taken(); n != 1 {
		t.Errorf("%d chairs are taken", n)
	}
	_, tomorrow := ana.agenda()
	a := (*tomorrow.List)[0]
	if tomorrow.Appointments != 1 || a.ConversationID != ref.ID || !a.Slot.Equal(h.slot(1)) || *a.Name != "Íñigo" ||
		*a.Question != "Quisiera una cita de ortodoncia" || a.Source != "staff" {
		t.Errorf("agenda %+v", tomorrow)
	}
	h.project()
	listed, _ := ana.contacts("kind=message")
	if len(listed) != 1 || listed[0].State.Status != "scheduled" || *listed[0].State.ChangedBy != anaEmail || !listed[0].Appointment.Slot.Equal(h.slot(1)) {
		t.Errorf("contacts %+v", listed)
	}
	var opened []string
	for _, e := range h.events(people.Stream(who.ID)) {
		if p, ok := e.Payload.(*event.ContactMessagesOpened); ok {
			opened = append(opened, p.ContactIDs...)
		}
	}
	if !slices.Equal(opened, []string{ref.ID, ref.ID}) {
		t.Errorf("recorded as read: %q", opened)
	}

	h.clock.advance(h.slot(1).Add(30 * time.Minute).Sub(h.clock.Now()))
	ana.signInAgain()
	ana.outcome(ref.ID, a.BookingID, "missed").into(http.StatusOK, &contract.AgendaOutcome{})
	h.project()
	var reports contract.Reports
	var kpis contract.Kpis
	ana.get("/api/dashboard/reports").into(http.StatusOK, &reports)
	ana.get("/api/dashboard/kpis").into(http.StatusOK, &kpis)
	if all := reports.Outcomes.All; all.Missed != 1 || all.Came != 0 {
		t.Errorf("outcomes %+v", all)
	}
	if kpis.TotalConversations != 1 || kpis.TotalAppointments != 0 || kpis.TotalLeads != 0 {
		t.Errorf("numbers %+v", kpis)
	}
	recount := analytics.NewRecount()
	for _, e := range h.wholeLog() {
		recount.Add(e)
	}
	n := 0
	for _, day := range recount.Days(h.config.Staff.Clinic.Zone, nil) {
		n += day.Bookings*100 + day.Missed*10 + day.Appointments
	}
	if n != 210 {
		t.Errorf("the recount has bookings, missed and conversations with an appointment: %d", n)
	}
}

// TestErasingWhoWroteByTheFormCancelsTheirBooking: the chair is free, the agenda has no row of it, and the tables keep a
// count without a word of the person.
func TestErasingWhoWroteByTheFormCancelsTheirBooking(t *testing.T) {
	h := openForBookings(t)
	ref, ana := h.writes("Quisiera una cita de ortodoncia"), h.staff()
	book := func(body contract.StaffBooking) answer {
		return ana.post("/api/dashboard/conversation/"+ref.ID+"/booking", body)
	}
	past := h.clock.Now().Add(-time.Hour)
	if e := book(contract.StaffBooking{Status: "booked", Slot: &past, Specialty: new("ortodoncia")}).refused(http.StatusBadRequest); e.Message != "La cita no puede ser anterior al mensaje." {
		t.Errorf("refused with %q", e.Message)
	}
	book(contract.StaffBooking{Status: "booked", Slot: new(h.slot(0)), Specialty: new("lo que pidió Íñigo")}).into(http.StatusOK, &contract.Booking{})
	book(contract.StaffBooking{Status: "booked", Slot: new(h.slot(0)), Specialty: new("ortodoncia")}).into(http.StatusOK, &contract.Booking{})
	if _, tomorrow := ana.agenda(); tomorrow.Appointments != 1 || h.taken() != 1 {
		t.Fatalf("agenda %+v, %d chairs", tomorrow, h.taken())
	}
	ana.post(changePath(ref, "person/erasure"), contract.PersonErasure{Confirmation: "Íñigo", CancelAppointments: new(true)}).into(http.StatusOK, &contract.ErasureReport{})
	var of event.Booked
	for _, e := range h.events(ref.Stream()) {
		if p, ok := e.Payload.(*event.AppointmentCancelled); ok {
			of = p.Booked
		}
	}
	if _, tomorrow := ana.agenda(); tomorrow.Appointments+len(*tomorrow.List) != 0 || h.taken() != 0 || !of.OfForm() {
		t.Errorf("after the erasure %+v, %d chairs, cancelled for %+v", tomorrow, h.taken(), of)
	}
	h.project()
	rows := projections.RowsOf(h.wholeLog()).Bookings
	words := fmt.Sprintf("%+v", rows)
	if len(rows) != 2 || rows[0].CancelledPosition+rows[1].CancelledPosition == 0 || strings.Contains(words, "Íñigo") || strings.Contains(words, "inigo") {
		t.Errorf("the tables have %s", words)
	}
}

func TestTheFormReportsOutcomes(t *testing.T) {
	h := openForBookings(t)
	b := h.browser()
	b.say("s1", "Hola")
	report := h.formBooking("f1", "s1")
	b.report(report, h.clock.Now(), nil).into(http.StatusOK, &contract.Booking{})
	report["status"] = "missed"
	b.report(report, h.clock.Now(), nil).refused(http.StatusBadRequest) // tomorrow
	h.clock.advance(h.slot(0).Sub(h.clock.Now()))
	for _, step := range []struct{ status, recorded string }{
		{"missed", "AppointmentOutcomeRecorded"}, {"missed", ""}, {"came", "AppointmentOutcomeRecorded"}, {"unknown", "AppointmentOutcomeRecorded"},
		{"cancelled-late", "AppointmentOutcomeRecorded"}, // which frees nothing: it has begun
	} {
		from := len(h.events(chat.Stream(chat.ConversationID("web", "s1"))))
		report["status"] = step.status
		var got contract.Booking
		b.report(report, h.clock.Now(), nil).into(http.StatusOK, &got)
		if recorded := h.types("s1", from); recorded != step.recorded || string(got.Status) != step.status {
			t.Errorf("%s: %q, %+v", step.status, recorded, got)
		}
	}
	from := len(h.events(chat.Stream(chat.ConversationID("web", "s1"))))
	for name, change := range map[string]func(){
		"a status of no contract": func() { report["status"] = "confirmed" },
		"no status":               func() { delete(report, "status") },
	} {
		report["id"] = "f1"
		change()
		if a := b.report(report, h.clock.Now(), nil); a.Code != http.StatusBadRequest {
			t.Errorf("%s: %d %s", name, a.Code, a.Body)
		}
	}
	report["id"], report["status"] = "f9", "missed"
	b.report(report, h.clock.Now(), nil).refused(http.StatusNotFound)
	report["id"] = "f1"
	b.report(report, h.clock.Now(), func(h map[string]string) { delete(h, signatureHeader) }).refused(http.StatusUnauthorized)
	if got := h.types("s1", from); got != "" {
		t.Errorf("refused, and recorded %s", got)
	}
}

// TestReadingTheAgendaIsRecordedOnceAnHour: it is asked for anew as time goes on.
func TestReadingTheAgendaIsRecordedOnceAnHour(t *testing.T) {
	h := openForBookings(t)
	b := h.browser()
	b.say("s1", "Hola")
	b.report(h.formBooking("f1", "s1"), h.clock.Now(), nil).into(http.StatusOK, &contract.Booking{})
	ana := h.staff()
	readings := func() (n int) {
		accounts, err := h.db.Staff().Accounts(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range accounts {
			for _, e := range h.events(people.Stream(a.ID)) {
				if p, ok := e.Payload.(*event.ContactMessagesOpened); ok && slices.Equal(p.ConversationIDs, []string{chat.ConversationID("web", "s1")}) {
					n++
				}
			}
		}
		return n
	}
	for range 3 {
		ana.agenda()
	}
	if n := readings(); n != 1 {
		t.Errorf("%d readings", n)
	}
	h.clock.advance(time.Hour)
	ana.signInAgain()
	ana.agenda()
	if n := readings(); n != 2 {
		t.Errorf("an hour later %d readings", n)
	}
}
