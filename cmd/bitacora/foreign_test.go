package main

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"mime/quotedprintable"
	"net/http"
	"net/mail"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"bitacora/adapters/engines/enginestest"
	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/programtest"
	"bitacora/domain/clinic"
	"bitacora/domain/palette"
)

// foreignFolder holds a clinic that has nothing in common with the default one: its facts in
// clinic.json, its texts and pictures in content/.
const foreignFolder = "testdata/foreign"

// factsOf are what a clinic's file tells, in each form in which a page, a reply or a letter could
// say it: as patterns, by the field. Nothing that an other clinic tells as well is among them.
func factsOf(c, other clinic.Clinic) map[string][]*regexp.Regexp {
	said := map[string][]string{
		"name": {c.Name}, "tagline": {c.Tagline}, "email": {c.Email, c.Email[strings.IndexByte(c.Email, '@')+1:]},
		"address": {c.Address.Street, c.Address.Building, c.Address.Floor, c.Address.City}, "zone": {c.Zone.String()},
		"country": {c.Says("countryName"), c.Locale(), strings.Replace(c.Locale(), "-", "_", 1), `"addressCountry":"` + c.Country + `"`},
		"law":     {c.PrivacyLaw}, "founded": {c.Says("founded")},
		"experience": {c.Says("experience") + " años", c.Says("experience") + "+"},
		"crisisLine": {c.CrisisLine.Name, c.CrisisLine.WhatsApp}, "emergency": {c.Emergency}, "team": {clinic.List(c.Team)},
	}
	for _, p := range c.Phones {
		said["phones"] = append(said["phones"], string(p), p.E164(), strings.TrimPrefix(p.E164(), "+"))
	}
	for _, link := range c.Links.All() {
		if u, err := url.Parse(link); err == nil {
			said["links"] = append(said["links"], u.Hostname())
		}
	}
	for _, row := range c.Hours.Rows() {
		if row.Hours != "cerrado" {
			said["hours"] = append(said["hours"], row.Hours)
		}
	}
	for _, spans := range c.Hours {
		for _, s := range spans {
			said["hours"] = append(said["hours"], fmt.Sprintf(`"closes":"%02d:%02d"`, s.Closes/60, s.Closes%60))
			if !appoints(other, s.Closes) {
				said["hours"] = append(said["hours"], clinic.Clock(s.Closes), strings.Replace(clinic.Clock(s.Closes), ":00", "", 1))
			}
		}
	}
	for _, color := range c.Theme.Colors() {
		said["theme"] = append(said["theme"], string(color))
	}
	shared := fmt.Sprint(other.Facts(), other.Theme.Colors(), other.Hours)
	patterns := map[string][]*regexp.Regexp{}
	for field, texts := range said {
		slices.Sort(texts)
		for _, text := range slices.Compact(texts) {
			if text == "" || strings.Contains(shared, text) {
				continue
			}
			pattern := strings.ReplaceAll(regexp.QuoteMeta(text), " ", `[\s\x{a0}]+`)
			patterns[field] = append(patterns[field], regexp.MustCompile(`(?:^|[^\pL\d])`+pattern+`(?:$|[^\pL\d])`))
		}
	}
	return patterns
}

// appoints says whether an appointment can be at a time of day, on some day: the chat offers the next
// free time.
func appoints(c clinic.Clinic, minute int) bool {
	for day := range c.Hours {
		if c.Hours.Contains(time.Weekday(day), minute) {
			return true
		}
	}
	return false
}

// published gathers what the program says to anybody, by where it says it.
type published struct {
	*programtest.Program
	said  map[string]string
	asked int
}

// open asks for a page, whatever its status.
func (p *published) open(method, path, contentType, body string) string {
	p.T.Helper()
	request, err := http.NewRequest(method, "http://"+p.Addr+path, strings.NewReader(body))
	if err != nil {
		p.T.Fatal(err)
	}
	request.Header.Set("Content-Type", contentType)
	client := &http.Client{Timeout: 20 * time.Second, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	answer, err := client.Do(request)
	if err != nil {
		p.T.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		p.T.Fatal(err)
	}
	where := fmt.Sprintf("%s %s (%d)", method, path, answer.StatusCode)
	p.said[where] = fmt.Sprint(answer.Header, "\n", string(text))
	return string(text)
}

// ask gives the chat's answer to a message of a conversation.
func (p *published) ask(conversation, message string) string {
	p.T.Helper()
	p.asked++
	const where = "POST /api/chatbot (200)"
	p.open(http.MethodPost, "/api/chatbot", "application/json", fmt.Sprintf(`{"sessionId":%q,"messageId":"m%d","message":%q}`, conversation, p.asked, message))
	defer delete(p.said, where)
	return p.said[where]
}

// smallTalk are messages of a conversation each, which bring about what the chat tells of the clinic.
var smallTalk = [][]string{
	{"¿a qué hora abren?"}, {"¿abren los domingos?"}, {"¿dónde están?"}, {"cómo llego en metro"}, {"¿cuál es su teléfono?"}, {"tienen whatsapp?"},
	{"cuánto cuesta la consulta"}, {"qué formas de pago aceptan"}, {"qué doctores hay"}, {"qué servicios tienen"}, {"¿desde cuándo existe la clínica?"},
	{"quiero una cita", "no"}, {"quiero una cita de limpieza", "sí", "Ana Ruiz", "ana.ruiz@correo.test"}, {"me quiero morir"},
	{"no puedo respirar y se me hinchó la cara"}, {"me duele mucho una muela"}, {"qué hacen con mis datos"}, {"borren mis datos"},
	{"quiero hablar con una persona"}, {"pésimo servicio, quiero poner una queja"}, {"hola"}, {"gracias"}, {"where are you?"}, {"what are your hours?"},
	{"asdf qwer"}, {"quién ganó el mundial"},
}

var located = regexp.MustCompile(`<loc>https?://[^/]+([^<]*)</loc>`)

// everything visits every page in every state, talks, writes, and reads the letters.
func (p *published) everything() {
	p.T.Helper()
	const page, form, call = "text/html", "application/x-www-form-urlencoded", "application/json"
	pages := []string{
		"/404", "/no/existe", "/services/no-existe", "/blog/no-existe", "/contact?enviado=1", "/privacidad?borrado=1", "/login", "/dashboard",
		"/dashboard/cuenta", "/robots.txt", "/.well-known/security.txt", "/site.webmanifest", "/favicon.svg", "/theme.css",
		"/api/clinic", "/api/privacy", "/api/services", "/api/services/featured", "/api/blog", "/api/testimonials", "/api/chatbot/status",
		"/api/services/slug/no", "/api/dashboard/kpis", "/api/nothing", "/r/nobody",
	}
	for _, m := range located.FindAllStringSubmatch(p.open(http.MethodGet, "/sitemap.xml", page, ""), -1) {
		pages = append(pages, m[1])
	}
	if len(pages) < 36 {
		p.T.Errorf("only %d pages", len(pages))
	}
	for _, path := range pages {
		p.open(http.MethodGet, path, page, "")
	}
	p.open(http.MethodPost, "/contact", form, "name=A&email=b&message=c")
	p.open(http.MethodPost, "/api/contact", call, `{"name":"Ana Ruiz","email":"ana@correo.test","phone":"","message":"Quisiera una cita, gracias."}`)
	p.open(http.MethodPost, "/api/contact", call, `{}`)
	p.open(http.MethodPost, "/api/contact", call, `{"name":"Ana Ruiz","email":"ana@correo.test","message":"Quiero que borren mis datos personales."}`)
	p.open(http.MethodPost, "/api/auth/login", call, `{"username":"a@b.test","password":"no"}`)
	for i, messages := range smallTalk {
		for _, message := range messages {
			p.said["chat: "+message] = p.ask(fmt.Sprint("s", i), message)
		}
	}
	for i, s := range clinic.DefaultContent().Services {
		for _, question := range []string{"¿hacen %s?", "cuánto cuesta %s", "quiero una cita de %s"} {
			message := fmt.Sprintf(question, strings.ToLower(s.Title))
			p.said["chat: "+message] = p.ask(fmt.Sprint("d", i, question), message)
		}
		p.open(http.MethodGet, "/services/"+s.Slug, page, "")
	}
	p.said["summary"] = p.MustRun("summary")
	p.said["clinic show"] = p.MustRun("clinic", "show")
	p.Eventually("the letters are written", 30*time.Second, p.readLetters)
}

// momentTold is the moment of what a letter is about, which may be the very minute at which the default
// clinic closes.
var momentTold = regexp.MustCompile(`(?m)^Cuándo: .*$`)

// readLetters reads the letters to the staff, once there is one of each kind.
func (p *published) readLetters() error {
	for _, kind := range []string{"request", "crisis", "emergency", "urgency", "complaint", "callback", "lead"} {
		letters, err := filepath.Glob(filepath.Join(p.Dir, "data", "outbox", kind+"-*.eml"))
		if err != nil || len(letters) == 0 {
			return fmt.Errorf("no letter of a %s, %v", kind, err)
		}
		for _, letter := range letters {
			text, err := os.ReadFile(letter)
			if err != nil {
				return err
			}
			read, err := mail.ReadMessage(bytes.NewReader(text))
			if err != nil {
				return err
			}
			body, err := io.ReadAll(quotedprintable.NewReader(read.Body))
			if err != nil {
				return err
			}
			p.said["letter "+filepath.Base(letter)] = fmt.Sprint(read.Header, "\n", momentTold.ReplaceAllString(string(body), ""))
		}
	}
	return nil
}

func TestAForeignClinicPublishesNothingOfTheDefault(t *testing.T) {
	enginestest.Long(t)
	t.Parallel()
	file, err := filepath.Abs(filepath.Join(foreignFolder, "clinic.json"))
	if err != nil {
		t.Fatal(err)
	}
	foreign, err := app.ReadFacts(file)
	if err != nil {
		t.Fatal(err)
	}
	if made := foreign.Placeholders(); len(made) > 0 {
		t.Fatalf("the foreign clinic has placeholders: %v", made)
	}
	p := &published{Program: programtest.NewProgram(t, "BITACORA_CLINIC_FILE="+file), said: map[string]string{}}
	p.Start()
	dir, err := filepath.Abs(filepath.Join(foreignFolder, "content"))
	if err != nil {
		t.Fatal(err)
	}
	own, err := clinic.ReadContent(os.DirFS(dir), clinic.Content{})
	if err != nil {
		t.Fatal(err)
	}
	if said := p.MustRun("content", "import", dir); !strings.Contains(said, ", 1 person,") {
		t.Errorf("the import says: %s", said)
	}
	p.Eventually("the site shows the clinic's content", 20*time.Second, func() error {
		var services []struct{ Slug string }
		if err := p.Get("/api/services", "", &services); err != nil || len(services) != len(own.Services) {
			return fmt.Errorf("%d services, %v", len(services), err)
		}
		return nil
	})
	p.everything()
	p.noDefaultFact(t, foreign)
	p.noDefaultText(t, own)
	p.ownFacts(t, foreign)
	p.ownTexts(t, foreign, own)
	p.ownAnswers(t, foreign, own)
	p.ownPictures(t, dir, own)
	p.ownRoutes(t, own)
	p.exportsAs(t, dir)
}

// noDefaultFact reports facts of the default.
func (p *published) noDefaultFact(t *testing.T, foreign clinic.Clinic) {
	t.Helper()
	facts := factsOf(clinic.Default(), foreign)
	if len(facts) < 14 {
		t.Errorf("only %d of the default's facts are looked for", len(facts))
	}
	for _, where := range slices.Sorted(maps.Keys(p.said)) {
		for _, field := range slices.Sorted(maps.Keys(facts)) {
			for _, fact := range facts[field] {
				if at := fact.FindStringIndex(p.said[where]); at != nil {
					t.Errorf("%s tells the default's %s: …%s…", where, field, p.said[where][max(0, at[0]-80):min(len(p.said[where]), at[1]+40)])
				}
			}
		}
	}
}

// ownFacts reports which facts the pages do not tell: the same look finds them.
func (p *published) ownFacts(t *testing.T, foreign clinic.Clinic) {
	t.Helper()
	own := factsOf(foreign, clinic.Default())
	home := p.said["GET / (200)"]
	for _, field := range []string{"name", "tagline", "email", "address", "phones", "links", "zone", "hours", "law", "country", "experience"} {
		if !slices.ContainsFunc(own[field], func(fact *regexp.Regexp) bool {
			return fact.MatchString(home) || fact.MatchString(p.said["GET /contact (200)"])
		}) {
			t.Errorf("the pages do not tell the clinic's own %s", field)
		}
	}
	if said := p.said["chat: cuánto cuesta la consulta"]; !strings.Contains(said, "La consulta: 80.000 COP. Lo demás depende") {
		t.Errorf("the price of a consultation is not told: %s", said)
	}
	if palette.Default == foreign.Theme || !strings.Contains(p.said["GET /theme.css (200)"], string(foreign.Theme.Primary)) {
		t.Error("the colours are the default's")
	}
}
