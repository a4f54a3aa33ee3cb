package httpapi

import (
	"net/http"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	ics "github.com/arran4/golang-ical"
	"github.com/getkin/kin-openapi/openapi3filter"

	"bitacora/adapters/httpapi/contract"
	"bitacora/domain/chat"
)

func init() {
	openapi3filter.RegisterBodyDecoder("text/calendar", openapi3filter.PlainBodyDecoder)
}

func TestAnAppointmentGoesIntoTheVisitorsCalendar(t *testing.T) {
	h := openForBookings(t)
	own, stranger := h.browser(), h.browser()
	own.say("s1", "Hola")
	h.parrot.meaning = chat.Understanding{Intent: chat.IntentMyAppointment}
	ask := func() (answer contract.ChatResponse) {
		own.say("s1", "¿cuándo es mi cita?").into(http.StatusOK, &answer)
		return answer
	}
	path := "/r/" + chat.ConversationID("web", "s1") + "/cita.ics"
	if got := ask(); got.Calendar != nil {
		t.Errorf("without an appointment: %q", *got.Calendar)
	}
	own.get(path).refused(http.StatusNotFound)

	report := h.formBooking("f1", "s1")
	own.report(report, h.clock.Now(), nil)
	got := ask()
	if got.Calendar == nil || *got.Calendar != path || strings.Join(got.Suggestions, "|") != "Cambiar|Cancelar|Cómo llegar" {
		t.Fatalf("after the booking: %+v", got)
	}
	var back contract.ChatConversation
	own.readBack("s1").into(http.StatusOK, &back)
	if last := back.Messages[len(back.Messages)-1]; last.Calendar == nil || *last.Calendar != path || back.Messages[1].Calendar != nil {
		t.Errorf("read back: %+v", back.Messages)
	}
	stranger.say("s2", "Hola")
	stranger.get(path).refused(http.StatusNotFound)
	h.browser().get(path).refused(http.StatusNotFound)
	own.get("/r/unknown/cita.ics").refused(http.StatusNotFound)

	first := h.event(own.get(path))
	begins := h.slot(0)
	for property, want := range map[ics.ComponentProperty]string{
		ics.ComponentPropertyDtStart: begins.Format("20060102T150405"),
		ics.ComponentPropertyDtEnd:   begins.Add(h.chat.Clinic.Agenda.Length("ortodoncia")).Format("20060102T150405"),
		ics.ComponentPropertySummary: "Cita de ortodoncia, " + h.chat.Clinic.Name, ics.ComponentPropertyLocation: h.chat.Clinic.Address.String(),
		ics.ComponentPropertySequence: "0",
	} {
		if got := first.GetProperty(property); got == nil || got.Value != want {
			t.Errorf("%s: %+v, want %q", property, got, want)
		}
	}
	if start, err := first.GetStartAt(); err != nil || !start.Equal(begins) {
		t.Errorf("starts at %s, %v; want %s", start, err, begins)
	}

	report = h.formBooking("f2", "s1")
	report["slot"] = h.slot(1)
	own.report(report, h.clock.Now().Add(time.Second), nil)
	if moved := h.event(own.get(path)); moved.Id() != first.Id() || moved.GetProperty(ics.ComponentPropertySequence).Value != "1" || moved.GetProperty(ics.ComponentPropertyDtStart).Value != h.slot(1).Format("20060102T150405") {
		t.Errorf("moved: %s", moved.Serialize(&ics.SerializationConfiguration{MaxLength: 75, NewLine: "\n"}))
	}

	report["status"] = "cancelled"
	own.report(report, h.clock.Now().Add(2*time.Second), nil)
	own.get(path).refused(http.StatusNotFound)
	if got := ask(); got.Calendar != nil {
		t.Errorf("cancelled: %q", *got.Calendar)
	}
}

// event is the one of a calendar's file, whose lines are those of RFC 5545.
func (s *testServer) event(a answer) *ics.VEvent {
	s.t.Helper()
	text := a.Body.String()
	if a.Code != http.StatusOK || a.Header().Get("Content-Type") != "text/calendar; charset=utf-8" || a.Header().Get("Cache-Control") != "no-store" {
		s.t.Fatalf("%d, %v: %s", a.Code, a.Header(), text)
	}
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\r\n"), "\r\n") {
		if len(line) > 75 || strings.ContainsAny(line, "\r\n") || !utf8.ValidString(line) {
			s.t.Errorf("line %q", line)
		}
	}
	for _, part := range []string{"TZID=America/Panama:", "TZOFFSETTO:-0500\r\n", "METHOD:PUBLISH\r\n", `Cita de ortodoncia\, `} {
		if !strings.Contains(text, part) {
			s.t.Errorf("without %q: %s", part, text)
		}
	}
	calendar, err := ics.ParseCalendar(strings.NewReader(text))
	if err != nil || len(calendar.Events()) != 1 {
		s.t.Fatalf("%v: %s", err, text)
	}
	return calendar.Events()[0]
}
