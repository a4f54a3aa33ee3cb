package main

import (
	"bytes"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	adapter "bitacora/adapters/assistant"
	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/assistant"
	"bitacora/cmd/bitacora/content"
	"bitacora/cmd/bitacora/programtest"
	"bitacora/cmd/bitacora/settings"
	"bitacora/domain/clinic"
)

// What a clinic may or may not do, by what makes the chat say that it does.
const (
	ofEveryClinic = ""
	ifUrgencies   = "a service for urgencies"
	ifBudgets     = "an answer of the clinic's own that promises a budget"
	ifChildren    = "a service for children"
	ifSmileDesign = "the text of the service"
	ifSpecialties = "services that are specialties"
)

// claims are what the replies' texts say of the clinic, between facts and ends of sentences, and for
// which clinic they do.
var claims = map[string]string{
	"Atendemos urgencias dentales en nuestro horario":    ifUrgencies,
	"y te buscan el primer espacio posible":              ifUrgencies,
	"We see dental emergencies during our opening hours": ifUrgencies,
	"so that we can find you the first possible time":    ifUrgencies,
	"antes de empezar recibes un presupuesto":            ifBudgets,
	"se entrega un presupuesto":                          ifBudgets,
	"y antes de empezar se entrega un presupuesto":       ifBudgets,
	"Sí, atendemos a niñas y niños":                      ifChildren,
	"Yes, we see children":                               ifChildren,
	"We offer these services (names in Spanish)":         ofEveryClinic,
	"We offer “":      ofEveryClinic,
	"Yes, we offer “": ofEveryClinic,
	"La primera consulta de diseño de sonrisa es gratuita": ifSmileDesign,
	"Nuestras especialidades son":                          ifSpecialties,
	"Atendemos":                                            ofEveryClinic,
	"y nuestro equipo te atiende en el":                    ofEveryClinic,
	"Si la clínica atiende urgencias, no me lo han dicho":  ofEveryClinic,
	"Después te atendemos en el":                           ofEveryClinic,
	"no atendemos":                                         ofEveryClinic,
	"Sí, ofrecemos":                                        ofEveryClinic,
	"Ofrecemos":                                            ofEveryClinic,
	"También ofrecemos":                                    ofEveryClinic,
	"Somos una clínica dental":                             ofEveryClinic,
	"Los demás dependen de lo que se encuentre en la evaluación":                        ofEveryClinic,
	"de lo que se encuentre en la evaluación":                                           ofEveryClinic,
	"para tu caso hace falta una evaluación":                                            ofEveryClinic,
	"En la primera visita cuentas qué necesitas y te hacen una exploración":             ofEveryClinic,
	"medicina general y otras especialidades médicas no están entre nuestros servicios": ofEveryClinic,
	"si no tienes claro el tratamiento, puedes pedir una revisión":                      ofEveryClinic,
	"Si no lo tienes claro, dime «no sé» y agendamos una revisión":                      ofEveryClinic,
	"De acuerdo, te anoto una revisión de":                                              ofEveryClinic,
}

var (
	// claiming finds what says that a clinic does, offers or promises something.
	claiming = regexp.MustCompile(`(?i)\b(?:atendemos|atiende|ofrecemos|tenemos|somos|aceptamos|trabajamos|hablamos|contamos con|damos|hacemos|recibimos|realizamos|gratuit\pL+|gratis|garanti\pL+|presupuesto|primer espacio posible|especialidades|evaluación|exploración|revisión|we see|we offer|we have|we accept|we speak|we can find)(?:$|[^\pL])|niñas y niños`)
	// acted is where the program puts something in, or decides.
	acted = regexp.MustCompile(`(?s)\{\{.*?\}\}`)
	// partEnd is where one part of a sentence ends.
	partEnd = regexp.MustCompile(`[.?!;:\n]+`)
)

// TestEveryClaimOfTheChatIsKnown: what the texts of replies say of the clinic is said of every one, or only of
// those of which it is so.
func TestEveryClaimOfTheChatIsKnown(t *testing.T) {
	said := map[string]bool{}
	for _, file := range []string{"adapters/assistant/data/texts.tmpl", "domain/chat/texts.tmpl", "domain/chat/texts-en.tmpl", "domain/chat/danger.tmpl"} {
		text, err := os.ReadFile(filepath.Join("../..", file))
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range partEnd.Split(acted.ReplaceAllString(clinic.Tu.In(string(text)), "\n"), -1) {
			if part = strings.Trim(part, " ,-"); claiming.MatchString(part) {
				said[part] = true
			}
		}
	}
	for _, part := range slices.Sorted(maps.Keys(said)) {
		if _, known := claims[part]; !known {
			t.Errorf("of which clinic is it so? %q", part)
		}
	}
	for _, part := range slices.Sorted(maps.Keys(claims)) {
		if !said[part] {
			t.Errorf("nothing says any more: %q", part)
		}
	}
}

// TestNothingIsSaidOfAClinicThatItDoesNotTell lets visitors say all of the test sets to a clinic that tells the least.
func TestNothingIsSaidOfAClinicThatItDoesNotTell(t *testing.T) {
	c := programtest.LeastClinic(t)
	service, err := assistant.StandaloneChat(&app.App{Config: settings.Config{ReplyTimeout: time.Minute, StoreTimeout: time.Minute}, Clinic: c}, nil)
	if err != nil {
		t.Fatal(err)
	}
	answers, err := service.Assistant.(*adapter.Assistant).Knowing(adapter.Knowledge{Clinic: c})
	if err != nil {
		t.Fatal(err)
	}
	service.Understander, service.Further, service.Assistant = answers, answers.Further(), answers
	replies := repliesToSets(t, service)
	if len(replies) < 1000 {
		t.Errorf("only %d replies", len(replies))
	}
	facts, sentences := factsOf(clinic.Default(), c), ownSentences(t, clinic.Content{})
	delete(sentences, "No tengo precios publicados y prefiero no inventarte uno") // the program's words, too, in several parts
	for _, reply := range replies {
		for field, patterns := range facts {
			for _, fact := range patterns {
				if fact.MatchString(reply) {
					t.Errorf("the default's %s: %s", field, reply)
				}
			}
		}
		for sentence, where := range sentences {
			if strings.Contains(reply, sentence) {
				t.Errorf("what stands in %s: %s", where, reply)
			}
		}
		for claim, founded := range claims {
			if founded != ofEveryClinic && strings.Contains(reply, claim) {
				t.Errorf("said without %s: %s", founded, reply)
			}
		}
	}
}

func TestAClinicBeginsWithoutOthersPeople(t *testing.T) {
	c := programtest.LeastClinic(t)
	first := content.FirstContent(c)
	if len(first.Profiles)+len(first.Testimonials) > 0 {
		t.Errorf("it begins with %d people and %d testimonials", len(first.Profiles), len(first.Testimonials))
	}
	quoting := []string{"services/diseno-sonrisa.json", "services/implantes-dentales.json"}
	for name, tt := range map[string]struct {
		facts   clinic.Clinic
		content clinic.Content
		want    []string
	}{
		"the default's own": {clinic.Default(), content.FirstContent(clinic.Default()), nil},
		"as it begins":      {c, first, slices.Concat([]string{"pages/about.json", "pages/home.json"}, quoting)},
		"as it once began":  {c, clinic.DefaultContent(), slices.Concat([]string{"doctors/", "pages/about.json", "pages/home.json"}, quoting, []string{"testimonials.json"})},
		"one patient left":  {c, clinic.Content{Testimonials: clinic.DefaultContent().Testimonials[2:3]}, []string{"testimonials.json"}},
		"its own":           {c, clinic.Content{Services: []clinic.Service{{Slug: "consulta"}}}, nil},
	} {
		if got := content.OthersTexts(tt.facts, tt.content); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestAFileThatSaysNoPlaceStartsWithAWarning: those of older versions need not say it.
func TestAFileThatSaysNoPlaceStartsWithAWarning(t *testing.T) {
	for file, left := range map[string]string{
		programtest.LeastFile: "zone, country, emergency",
		strings.Replace(programtest.LeastFile, `"name"`, `"country": "VE", "name"`, 1):                                                "zone, emergency",
		strings.Replace(programtest.LeastFile, `"name"`, `"country": "VE", "zone": "America/Caracas", "emergency": "911", "name"`, 1): "",
		strings.NewReplacer("+58 274 555 0177", "+507 399-1234", `, "city": "Mérida"`, "").Replace(programtest.LeastFile):             "address.city",
	} {
		c, err := clinic.Load(strings.NewReader(file))
		if err != nil {
			t.Fatal(err)
		}
		var log bytes.Buffer
		a := &app.App{Config: settings.Config{SiteURL: "https://paramo.test"}, Clinic: c, Log: slog.New(slog.NewTextHandler(&log, nil))}
		if err := a.Presentable(); err != nil {
			t.Errorf("without %s it does not start: %v", left, err)
		}
		a.WarnOfLeftOut()
		if warned := log.String(); (left == "") != (warned == "") || !strings.Contains(warned, left) {
			t.Errorf("without %q it says: %s", left, warned)
		}
	}
}
