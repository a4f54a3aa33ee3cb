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

	"bitacora/domain/clinic"
	"bitacora/domain/palette"
)

// foreignServices are those that the foreign clinic has.
var foreignServices = []string{"limpieza-dental", "odontologia-general", "endodoncia", "ortodoncia"}

// foreignContent is the default's content as another clinic would keep it: of four services, with
// the voices of its own patients, and without what its country does not have.
func foreignContent(t *testing.T, dir string) {
	t.Helper()
	c := clinic.DefaultContent()
	kept := func(slug string) bool { return slug == "" || slices.Contains(foreignServices, slug) }
	c.Services = slices.DeleteFunc(c.Services, func(s clinic.Service) bool { return !kept(s.Slug) })
	c.Answers = slices.DeleteFunc(c.Answers, func(a clinic.Answer) bool { return !kept(a.Service) })
	c.Testimonials = []clinic.Testimonial{{ID: "1", Name: "Lucía B.", Comment: "Me explicaron cada paso.", Rating: 5, Location: "Chapinero"}}
	// The complaint goes to an office of the default's country.
	c.Notice.Markdown, _, _ = strings.Cut(c.Notice.Markdown, "## Si no {quedas|queda} conforme")
	files, err := c.Files()
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

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
			said["hours"] = append(said["hours"], fmt.Sprintf(`"closes":"%02d:%02d"`, s.Closes/60, s.Closes%60), clinic.Clock(s.Closes), strings.Replace(clinic.Clock(s.Closes), ":00", "", 1))
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

// published gathers what the program says to anybody, by where it says it.
type published struct {
	*program
	said map[string]string
}

// open asks for a page, whatever its status.
func (p *published) open(method, path, contentType, body string) string {
	p.t.Helper()
	request, err := http.NewRequest(method, "http://"+p.addr+path, strings.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	request.Header.Set("Content-Type", contentType)
	client := &http.Client{Timeout: 20 * time.Second, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	answer, err := client.Do(request)
	if err != nil {
		p.t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	where := fmt.Sprintf("%s %s (%d)", method, path, answer.StatusCode)
	p.said[where] = fmt.Sprint(answer.Header, "\n", string(text))
	return string(text)
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
	p.t.Helper()
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
	if len(pages) < 40 {
		p.t.Errorf("only %d pages", len(pages))
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
		for n, message := range messages {
			p.open(http.MethodPost, "/api/chatbot", call, fmt.Sprintf(`{"sessionId":"s%d","messageId":"m%d","message":%q}`, i, n, message))
			// Each message is said at a path of its own.
			where := "POST /api/chatbot (200)"
			p.said["chat: "+message] = p.said[where]
			delete(p.said, where)
		}
	}
	p.said["summary"] = p.mustRun("summary")
	p.said["clinic show"] = p.mustRun("clinic", "show")
	p.eventually("the letters are written", 30*time.Second, p.readLetters)
}

// readLetters reads the letters to the staff, once there is one of each kind.
func (p *published) readLetters() error {
	for _, kind := range []string{"request", "crisis", "emergency", "urgency", "complaint", "callback", "lead"} {
		letters, err := filepath.Glob(filepath.Join(p.dir, "data", "outbox", kind+"-*.eml"))
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
			p.said["letter "+filepath.Base(letter)] = fmt.Sprint(read.Header, "\n", string(body))
		}
	}
	return nil
}

func TestAForeignClinicPublishesNoFactOfTheDefault(t *testing.T) {
	file, err := filepath.Abs("testdata/foreign.json")
	if err != nil {
		t.Fatal(err)
	}
	foreign, err := readFacts(file)
	if err != nil {
		t.Fatal(err)
	}
	if made := foreign.Placeholders(); len(made) > 0 {
		t.Fatalf("the foreign clinic has placeholders: %v", made)
	}
	p := &published{newProgram(t, "BITACORA_CLINIC_FILE="+file), map[string]string{}}
	p.start()
	dir := t.TempDir()
	foreignContent(t, dir)
	p.mustRun("content", "import", dir)
	p.eventually("the site shows the clinic's content", 20*time.Second, func() error {
		var services []struct{ Slug string }
		if err := p.get("/api/services", "", &services); err != nil || len(services) != len(foreignServices) {
			return fmt.Errorf("%d services, %v", len(services), err)
		}
		return nil
	})
	p.everything()
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
	// The same look finds what the clinic itself tells.
	own := factsOf(foreign, clinic.Default())
	home := p.said["GET / (200)"]
	for _, field := range []string{"name", "tagline", "email", "address", "phones", "links", "zone", "hours", "law", "country", "experience"} {
		if !slices.ContainsFunc(own[field], func(fact *regexp.Regexp) bool {
			return fact.MatchString(home) || fact.MatchString(p.said["GET /contact (200)"])
		}) {
			t.Errorf("the pages do not tell the clinic's own %s", field)
		}
	}
	if palette.Default == foreign.Theme || !strings.Contains(p.said["GET /theme.css (200)"], string(foreign.Theme.Primary)) {
		t.Error("the colours are the default's")
	}
}
