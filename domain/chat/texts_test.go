package chat

import (
	"maps"
	"strings"
	"testing"
	"time"

	"bitacora/domain/clinic"
	"bitacora/domain/clinic/clinictest"
	"bitacora/domain/danger"
	"bitacora/domain/event"
)

// Whoever goes on with a conversation by its id alone learns nothing of how its visitor is
// reached, not even in part.
func TestNoTextTellsAStoredContact(t *testing.T) {
	begins := time.Date(2026, 11, 24, 15, 0, 0, 0, time.UTC)
	for _, given := range []Contact{{Phone: "+50769999987"}, {Email: "zulema@correo.example"}, {Phone: "+50769999987", Email: "zulema@correo.example"}} {
		s := textData{
			Clinic: clinic.Default(), given: given, booked: &Appointment{ID: "b", Slot: begins},
			state: event.Dialogue{Offered: []time.Time{begins}, Slot: begins},
		}
		for _, text := range texts[clinic.Tu].Templates() {
			if text.Name() == "texts" {
				continue
			}
			said := render(text.Name(), s)
			for _, part := range []string{"87", "zulema", "correo.example"} {
				if strings.Contains(said, part) {
					t.Errorf("%s: %q tells of %+v", text.Name(), said, given)
				}
			}
		}
	}
}

// Only what asks for the last yes names the person to whoever goes on by the id alone.
func TestAStoredNameIsToldToTheBrowserThatToldIt(t *testing.T) {
	confirmation := map[string]bool{"resumen": true, "confirm": true, "cancel": true}
	for name := range maps.Clone(confirmation) {
		confirmation[name+"-en"] = true
	}
	for _, bound := range []bool{false, true} {
		named := map[string]bool{}
		s := textData{Clinic: clinic.Default(), given: Contact{Name: "Zulema Abrego", Phone: "+50769999987"}, bound: bound}
		for _, text := range texts[clinic.Tu].Templates() {
			if text.Name() != "texts" && strings.Contains(render(text.Name(), s), "Zulema") {
				named[text.Name()] = true
			}
		}
		for name := range named {
			if !bound && !confirmation[name] {
				t.Errorf("%s tells the name", name)
			}
		}
		if !named["confirm"] || !named["cancel"] || named["otra-persona"] != bound {
			t.Errorf("bound %v: named in %v", bound, named)
		}
	}
}

// Whoever writes in English is told everything so; "lista" has no words, "duda" is worded by itself.
func TestEveryTextIsThereInEnglish(t *testing.T) {
	begins := time.Date(2026, 11, 24, 15, 0, 0, 0, time.UTC)
	for _, said := range texts[clinic.Tu].Templates() {
		name := strings.TrimSuffix(said.Name(), "-en")
		if texts[clinic.Tu].Lookup(name+"-en") == nil && name != "texts" && name != "lista" && name != "duda" {
			t.Errorf("%s is Spanish only", name)
		}
	}
	s := textData{
		Clinic: clinic.Default(), English: true, at: begins, due: begins, given: Contact{Name: "Ann", Phone: "+50769999987"}, booked: &Appointment{ID: "b", Slot: begins},
		state: event.Dialogue{Slot: begins, Offered: []time.Time{begins}, Wish: event.Wish{First: begins.AddDate(0, 0, 5), Last: begins.AddDate(0, 0, 5)}}, days: []time.Time{begins, begins},
		doubt: &clinic.Doubt{Kind: clinic.OtherWeekday, Day: begins, Weekday: time.Friday},
	}
	for name, want := range map[string]string{
		"confirm": "on Tuesday, November 24 at 10:00 a.m.; if needed, they contact you at the number that you gave me. Shall I confirm the appointment? (yes or no)",
		"slot":    "1. Tuesday, November 24 at 10:00 a.m.\nWhich one", "fuera": "On Sunday we are closed;", "duda": "November 24, 2026 is a Tuesday, not a Friday.",
		"time": "Tuesday, November 24 or Tuesday, November 24?", "urgencia": "call us now at +507 200-0101 or +507 6000-0101.", "recado": "Monday to Friday, 8:00 a.m. to 7:00 p.m.", "pide-copia": "by Tuesday, November 24 at the latest",
	} {
		if text := render(name, s); !strings.Contains(text, want) {
			t.Errorf("%s: %q", name, text)
		}
	}
}

// spanish are the templates of a file that are said to whoever writes in Spanish, by name.
func spanish(t *testing.T, file string) map[string]string {
	t.Helper()
	bodies := map[string]string{}
	for _, part := range strings.Split(file, `{{define "`)[1:] {
		name, body, _ := strings.Cut(part, `"}}`)
		if body, _, _ = strings.Cut(body, "{{- /*"); !strings.HasPrefix(name, "en-") && !strings.HasSuffix(name, "-en") {
			bodies[name] = body
		}
	}
	if len(bodies) == 0 {
		t.Fatal("no texts")
	}
	return bodies
}

func TestTheDialogueSpeaksInEitherForm(t *testing.T) {
	for _, file := range []string{textsFile, dangerFile} {
		for name, body := range spanish(t, file) {
			for _, form := range clinic.FormsOfAddress {
				if found := clinictest.Foreign(form, form.In(body)); len(found) > 0 {
					t.Errorf("%s, %s: %v", form, name, found)
				}
			}
		}
	}
	asked := textData{Clinic: clinic.Default(), given: Contact{Phone: "+50769999987"}}
	asked.Clinic.FormOfAddress = clinic.Usted
	if got := render("recado", asked); !strings.Contains(got, "para que le contacte al número que me dio") {
		t.Error(got)
	}
	if got := dangerReply(asked.Clinic, danger.Read("me quiero morir")).Text; !strings.Contains(got, "No tiene que llevarlo a solas") {
		t.Error(got)
	}
}

func TestWhatIsSaidOfADayOrHourWithoutHours(t *testing.T) {
	c := clinic.Default()
	c.Exceptions = []clinic.Exception{{Date: "12-25"}, {Date: "2026-12-24", Spans: []clinic.Span{{Opens: 8 * 60, Closes: 12 * 60}}}, {Date: "2026-12-27", Spans: []clinic.Span{{Opens: 8 * 60, Closes: 9 * 60}}}}
	for name, tt := range map[string]struct {
		day, hour int
		want      string
	}{
		"an open hour":                {23, 16, ""},
		"after closing":               {23, 20, "El miércoles a las 8:00 p. m."},
		"a short day, early":          {24, 10, ""},
		"a short day, late":           {24, 16, "El jueves a las 4:00 p. m."},
		"a holiday":                   {25, 10, "El viernes 25 de diciembre"},
		"a Sunday":                    {20, 10, "El domingo"},
		"an open Sunday":              {27, 8, ""},
		"of any day, an hour of some": {0, 16, ""},
		"of any day, an hour of none": {0, 21, "A las 9:00 p. m."},
	} {
		wish := clinic.Wish{Earliest: tt.hour * 60, Exact: true}
		if tt.day > 0 {
			wish.First = time.Date(2026, 12, tt.day, 0, 0, 0, 0, c.Zone)
			wish.Last = wish.First
		}
		d := textData{Clinic: c, state: event.Dialogue{Wish: event.Wish(wish)}}
		if got := d.Closed(); got != tt.want {
			t.Errorf("%s: got %q, want %q", name, got, tt.want)
		}
	}
}
