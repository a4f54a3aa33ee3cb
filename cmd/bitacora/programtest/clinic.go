package programtest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bitacora/cmd/bitacora/app"
	"bitacora/domain/clinic"
)

// LeastFile is a clinic's file that tells no more than has to be told on a public site.
const LeastFile = `{
	"name": "Dentistas del Páramo", "tagline": "Junto al mercado", "email": "hola@paramo.test", "phones": ["+58 274 555 0177"],
	"address": {"street": "Avenida 3", "city": "Mérida"}, "team": ["odontóloga"],
	"hours": {"monday": "10:00-16:30", "tuesday": "10:00-16:30", "wednesday": "", "thursday": "10:00-16:30", "friday": "", "saturday": "", "sunday": ""}
}`

// LeastClinic is that clinic, with a single service.
func LeastClinic(t *testing.T) clinic.Clinic {
	t.Helper()
	c, err := clinic.Load(strings.NewReader(LeastFile))
	if err != nil {
		t.Fatal(err)
	}
	if made := app.MadeUp(c); len(made) > 0 {
		t.Fatalf("made up: %v", made)
	}
	c.Services = []clinic.Service{{Slug: "consulta", Title: "Consulta odontológica", Description: "Una conversación sobre lo que le preocupa."}}
	return c
}

// ClinicSetting has a program work for the clinic of a file.
func ClinicSetting(t testing.TB, text string) (setting string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "clinic.json")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return "BITACORA_CLINIC_FILE=" + file
}

// WithForm is the file of a clinic that has a scheduling form.
const WithForm = `{"links": {"booking": "https://reservas.clinica.test/"}}`
