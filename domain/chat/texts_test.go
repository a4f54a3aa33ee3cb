package chat

import (
	"strings"
	"testing"
	"time"

	"bitacora/domain/clinic"
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
