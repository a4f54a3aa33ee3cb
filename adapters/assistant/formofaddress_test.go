package assistant

import (
	"io/fs"
	"strings"
	"testing"

	"bitacora/domain/clinic"
	"bitacora/domain/clinic/clinictest"
)

func TestTheTextsSpeakInEitherForm(t *testing.T) {
	file, err := fs.ReadFile(ownData(), "texts.tmpl")
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range strings.Split(string(file), `{{define "`)[1:] {
		name, body, _ := strings.Cut(part, `"}}`)
		if body, _, _ = strings.Cut(body, "{{- /*"); strings.HasSuffix(name, "-en") {
			continue
		}
		for _, form := range clinic.FormsOfAddress {
			if found := clinictest.Foreign(form, form.In(body)); len(found) > 0 {
				t.Errorf("%s, %s: %v", form, name, found)
			}
		}
	}
}

func TestTheAssistantSpeaksInTheClinicsForm(t *testing.T) {
	for form, want := range map[clinic.FormOfAddress][2]string{
		clinic.Tu:    {"prefiero no inventarte uno", "El doctor te explica en la consulta qué esperar en tu caso."},
		clinic.Usted: {"prefiero no inventarle uno", "El doctor le explica en la consulta qué esperar en su caso."},
	} {
		k := ownKnowledge(clinic.Default())
		k.Clinic.FormOfAddress = form
		a, err := newTestAssistant(t).Knowing(k)
		if err != nil {
			t.Fatal(err)
		}
		if reply := talk(t, a, "¿cuánto cuesta un implante?"); !strings.Contains(reply.Text, want[0]) {
			t.Errorf("%s: %s", form, reply.Text)
		}
		veneers, _ := a.embedded.library.named("carillas-dolor")
		said, err := a.embedded.worded(say(veneers, false), textData{Clinic: k.Clinic})
		if err != nil || !strings.Contains(said.text, want[1]) {
			t.Errorf("%s: %s", form, said.text)
		}
	}
}
