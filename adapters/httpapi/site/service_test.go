package site

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bitacora/adapters/httpapi/contract"
	"bitacora/domain/clinic"
)

func TestAServiceSaysWhatTheClinicTellsOfIt(t *testing.T) {
	facts := clinic.Default()
	facts.FormOfAddress = clinic.Usted
	facts.Prices = map[string]clinic.Price{"carillas": {From: 250, Currency: "USD"}}
	facts.Agenda.Visits = map[string]clinic.Visit{"carillas": {Minutes: 45, Chairs: 1, Visits: "2 o 3"}}
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
	price, minutes := contract.ServicePrice{Text: "desde $250", Currency: "USD", From: 250}, 45
	want := contract.Service{
		Slug: "carillas", Price: &price, Minutes: &minutes, Visits: contract.Optional("2 o 3"), Team: &[]contract.ServiceTeam{{Name: "Ana", Title: "Dentista"}},
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

func TestAPriceHasItsBounds(t *testing.T) {
	for text, price := range map[string]clinic.Price{
		"desde $250": {From: 250}, "de $250 a $400": {From: 250, To: 400}, "$80": {From: 80, To: 80}, "sin costo": {},
	} {
		facts := clinic.Default()
		price.Currency = "USD"
		facts.Prices = map[string]clinic.Price{"carillas": price}
		told := newPresentation(facts, clinic.Content{}).told(contract.Service{Slug: "carillas"}).Price
		open := price.From > 0 && price.To == 0
		if told.Text != text || told.From != price.From || (told.To == nil) != open || !open && *told.To != price.To {
			t.Errorf("%+v is told as %+v", price, told)
		}
	}
}

func TestAProfileHasWhatTheClinicsFileTellsOfThePerson(t *testing.T) {
	facts := clinic.Default()
	facts.Doctors = []clinic.Doctor{{Name: "Dra. Ana Ruiz", Profession: "dentista", Registration: "2417", Since: 2009, Languages: []string{"es", "en"}}, {Profession: "higienista"}}
	shown := newPresentation(facts, clinic.Content{})
	got := shown.profile(clinic.Profile{Name: "Dra. Ana Ruiz"})
	if contract.Deref(got.Registration) != "2417" || got.Since == nil || *got.Since != 2009 || got.Languages == nil || !slices.Equal(*got.Languages, []string{"español", "inglés"}) {
		t.Errorf("%+v", got)
	}
	// Nothing is made up of another person, or of one without a name.
	for _, name := range []string{"Dra. Eva Ruiz", ""} {
		if got := shown.profile(clinic.Profile{Name: name}); got.Registration != nil || got.Since != nil || got.Languages != nil {
			t.Errorf("%q: %+v", name, got)
		}
	}
}
