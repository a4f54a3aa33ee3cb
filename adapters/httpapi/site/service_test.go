package site

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"bitacora/adapters/httpapi/contract"
	"bitacora/domain/clinic"
)

func TestAServiceSaysWhatTheClinicTellsOfIt(t *testing.T) {
	facts := clinic.Default()
	facts.FormOfAddress = clinic.Usted
	facts.Prices = map[string]clinic.Price{"carillas": {From: 250, Currency: "USD"}}
	about := func(aspect, text string, questions ...string) clinic.Answer {
		return clinic.Answer{Service: "carillas", Aspect: aspect, Questions: questions, Text: text}
	}
	content := clinic.Content{
		Profiles: []clinic.Profile{{Slug: "ana", Name: "Ana", Title: "Dentista", Service: "carillas"}, {Slug: "eva", Name: "Eva", Service: "otro"}},
		Answers: []clinic.Answer{
			about("dolor", "No {te|le} dolerá.", "duele", "¿Duele que te pongan carillas?", "¿Duelen las carillas?"),
			about("dolor", "Otra vez.", "¿Duele mucho?"),
			about("costo", "Depende.", "¿Cuánto cuestan?"),
			about("duracion", "Años.", "cuánto duran"),
			{Service: "carillas", Aspect: "edad", Open: true, Questions: []string{"¿A qué edad?"}},
			{Service: "otro", Aspect: "edad", Questions: []string{"¿Desde cuándo?"}, Text: "Siempre."},
		},
	}
	price, minutes := "desde $250", facts.Agenda.Visit("carillas").Minutes
	want := contract.Service{
		Slug: "carillas", Price: &price, Minutes: &minutes, Team: &[]contract.ServiceTeam{{Name: "Ana", Title: "Dentista"}},
		Questions: &[]contract.ServiceQuestion{{Question: "¿Duelen las carillas?", Answer: "No le dolerá."}},
	}
	if diff := cmp.Diff(want, newPresentation(facts, content).told(contract.Service{Slug: "carillas"})); diff != "" {
		t.Error(diff)
	}
	// Another form books: how long its visits are is not known.
	facts.Links.Booking = "https://citas.clinica.test/"
	want = contract.Service{Slug: "nada"}
	if diff := cmp.Diff(want, newPresentation(facts, content).told(contract.Service{Slug: "nada"})); diff != "" {
		t.Error(diff)
	}
}
