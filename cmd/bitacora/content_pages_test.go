package main

import (
	"encoding/json"
	"fmt"
	"html"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"bitacora/cmd/bitacora/programtest"
)

// inData are the parts of pages that are seen in states that a page does not begin with, while
// something loads, after it failed, when a form is sent, in the chat; or of clinics that tell more, and of
// people who have no words of their own. They are among the page's data.
var inData = regexp.MustCompile(`\.(loading|error|errors|empty|success|toasts|pending|failed|unavailable|operator|own|problem|erase|play|readMoreAbout|moreAbout|open|opens|closed|done|mailBody|whatsapp)(\.|$)|^pages/(chat\.json|contact\.json\.(practical|map\.title)|services\.json\.detail\.(duration|facts\.minutes)|site\.json\.agenda\.(next|none)|doctor\.json\.(meta|facts)|blog\.json\.listing\.newsletter\.active)`)

// notShown are texts in the place of which others are shown.
var notShown = regexp.MustCompile(`^services/(diseno-sonrisa|endodoncia|implantes-dentales|muelas-del-juicio|ortodoncia|periodoncia|rehabilitacion-oral)\.md text$`)

// edits are texts of a folder of content that were changed: where each of them stands, by the mark that it begins with.
type edits struct {
	t     *testing.T
	dir   string
	marks map[string]string
}

func (e *edits) mark(place string) string {
	mark := fmt.Sprintf("Edit%d·", len(e.marks))
	e.marks[mark] = place
	return mark
}

// noTexts are fields that no visitor reads.
var noTexts = []string{"path", "icon", "id", "kind", "processAnchor", "lang", "slugs", "//"}

func (e *edits) edited(value any, place string) any {
	switch value := value.(type) {
	case string:
		return e.mark(place) + value
	case []any:
		for i, one := range value {
			value[i] = e.edited(one, fmt.Sprintf("%s[%d]", place, i))
		}
	case map[string]any:
		for name, one := range value {
			if !slices.Contains(noTexts, name) {
				value[name] = e.edited(one, place+"."+name)
			}
		}
	}
	return value
}

func (e *edits) editJSON(name string) {
	file := filepath.Join(e.dir, name)
	text, err := os.ReadFile(file)
	var value any
	if err == nil {
		err = json.Unmarshal(text, &value)
	}
	if err == nil {
		text, err = json.Marshal(e.edited(value, name))
	}
	if err == nil {
		err = os.WriteFile(file, text, 0o600)
	}
	if err != nil {
		e.t.Fatal(err)
	}
}

var (
	headLine   = regexp.MustCompile(`(?m)^(name|title|specialty|bio|description|excerpt|menuText|badge|pageTitle|pageDescription): "(.*)"$`)
	listLine   = regexp.MustCompile(`(?m)^(specialties|training|affiliations): \[(.*)\]$`)
	firstQuote = regexp.MustCompile(`(^|, )"`)
)

func (e *edits) editMarkdown(name string) {
	file := filepath.Join(e.dir, name)
	text, err := os.ReadFile(file)
	if err != nil {
		e.t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "---\n")
	head, body, _ := strings.Cut(rest, "---\n")
	head = headLine.ReplaceAllStringFunc(head, func(line string) string {
		m := headLine.FindStringSubmatch(line)
		return m[1] + `: "` + e.mark(name+" "+m[1]) + m[2] + `"`
	})
	head = listLine.ReplaceAllStringFunc(head, func(line string) string {
		m := listLine.FindStringSubmatch(line)
		return m[1] + ": [" + firstQuote.ReplaceAllStringFunc(m[2], func(q string) string { return q + e.mark(name+" "+m[1]) }) + "]"
	})
	if body = strings.TrimSpace(body); body != "" {
		body = e.mark(name+" text") + body + "\n"
	}
	if err := os.WriteFile(file, []byte("---\n"+head+"---\n"+body), 0o600); err != nil {
		e.t.Fatal(err)
	}
}

// pageOf is a page as it is served.
func pageAt(p *programtest.Program, path string) (status int, body, data string) {
	p.T.Helper()
	answer, err := http.Get("http://" + p.Addr + path)
	if err != nil {
		p.T.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		p.T.Fatal(err)
	}
	body, data, _ = strings.Cut(string(text), `<script type="application/json" id="page-data">`)
	return answer.StatusCode, html.UnescapeString(body), data
}

// TestEveryEditedTextIsOnItsPage exports the content, edits every text of every page, service, person,
// post, testimonial and of the notice, imports it, and looks for each of them in the HTML that is served.
func TestEveryEditedTextIsOnItsPage(t *testing.T) {
	// Some texts are seen only where there is a scheduling form, a video, a map, a price or a number of visits.
	p := programtest.NewProgram(t, programtest.ClinicSetting(t, `{"agenda": {"visits": {"carillas": {"minutes": 60, "chairs": 1, "visits": "2 o 3"}}}, "links": {"booking": "https://reservas.clinica.test/", "video": "https://video.clinica.test/", "map": "https://mapas.clinica.test/"}, "prices": {"currency": "USD", "services": {"ortodoncia": {"price": 900}}}}`))
	p.Start()
	e := &edits{t, filepath.Join(t.TempDir(), "content"), map[string]string{}}
	p.MustRun("content", "export", e.dir)
	p.MustRun("content", "check", e.dir)
	for _, pattern := range []string{"pages/*.json", "services/*.json", "testimonials.json", "services/*.md", "doctors/*.md", "posts/*.md", "privacidad.md"} {
		names, err := filepath.Glob(filepath.Join(e.dir, pattern))
		if err != nil || len(names) == 0 {
			t.Fatalf("%s: %v, %v", pattern, names, err)
		}
		for _, name := range names {
			name, _ = filepath.Rel(e.dir, name)
			if strings.HasSuffix(name, ".json") {
				e.editJSON(name)
			} else {
				e.editMarkdown(name)
			}
		}
	}
	// A visitor sees three testimonials.
	shown := 0
	out := p.MustRun("content", "import", e.dir)
	for _, name := range []string{"changed  pages/home.json", "changed  pages/chat.json", "changed  services/ortodoncia.json", "changed  doctors/anselmo-pitti.md", "changed  privacidad.md", "services/ortodoncia.md: its text is not shown"} {
		if !strings.Contains(out, name) {
			t.Errorf("%q is not told in\n%s", name, out)
		}
	}
	p.Eventually("the site shows other texts", time.Minute, func() error {
		if _, body, _ := pageAt(p, "/"); !strings.Contains(body, "Edit") {
			return fmt.Errorf("%.300s", body)
		}
		return nil
	})
	var bodies, everything strings.Builder
	_, sitemap, _ := pageAt(p, "/sitemap.xml")
	pages := []string{"/nada", "/contact?enviado=1"}
	for _, m := range regexp.MustCompile(`<loc>http://[^/]+([^<]*)</loc>`).FindAllStringSubmatch(sitemap, -1) {
		pages = append(pages, m[1])
	}
	if len(pages) < 35 {
		t.Fatalf("only %d pages", len(pages))
	}
	for _, path := range pages {
		_, body, data := pageAt(p, path)
		bodies.WriteString(body)
		everything.WriteString(body + data)
	}
	for mark, place := range e.marks {
		switch {
		case notShown.MatchString(place):
		case strings.HasPrefix(place, "testimonials.json"):
			if strings.Contains(bodies.String(), mark) {
				shown++
			}
		case inData.MatchString(place):
			if !strings.Contains(everything.String(), mark) {
				t.Errorf("%s comes with no page", place)
			}
		case !strings.Contains(bodies.String(), mark):
			t.Errorf("%s is on no page", place)
		}
	}
	if shown < 9 {
		t.Errorf("%d texts of testimonials are shown", shown)
	}
	// A text stands on its own page, and not only somewhere.
	for place, path := range map[string]string{
		"pages/home.json.welcome.heading": "/", "pages/about.json.mission.text": "/about", "services/endodoncia.json.hero.text": "/services/endodoncia",
		"services/carillas.md text": "/services/carillas", "doctors/noelia-barsallo.md text": "/about/noelia-barsallo", "doctors/fermin-arauz.md bio": "/about",
		"pages/contact.json.meta.title": "/contact", "pages/not-found.json.heading": "/nada", "posts/brackets-o-alineadores.md excerpt": "/blog", "privacidad.md title": "/privacidad",
		"pages/site.json.footer.rights": "/blog", "services/diseno-sonrisa.md badge": "/contact",
	} {
		_, body, _ := pageAt(p, path)
		found := false
		for mark, at := range e.marks {
			found = found || at == place && strings.Contains(body, mark)
		}
		if !found {
			t.Errorf("%s is not on %s", place, path)
		}
	}
}

// TestWhatIsRemovedLeavesNoLink takes services, people, testimonials and posts away, adds others,
// and looks through every page.
func TestWhatIsRemovedLeavesNoLink(t *testing.T) {
	t.Parallel()
	p := programtest.NewProgram(t)
	p.Start()
	dir := filepath.Join(t.TempDir(), "content")
	p.MustRun("content", "export", dir)
	file := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	edit := func(name, old, new string) {
		t.Helper()
		text, err := os.ReadFile(file(name))
		if err == nil {
			err = os.WriteFile(file(name), []byte(strings.ReplaceAll(string(text), old, new)), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	gone := []string{"services/ortodoncia.md", "services/ortodoncia.json", "services/limpieza-dental.md", "doctors/noelia-barsallo.md", "doctors/mireya-castrellon.md"}
	posts, err := filepath.Glob(file("posts/*.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, post := range posts[1:] {
		name, _ := filepath.Rel(dir, post)
		gone = append(gone, name)
	}
	for _, name := range gone {
		if err := os.Remove(file(name)); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := p.Run("", "content", "import", dir); err == nil || !strings.Contains(out, `answers/ortodoncia.md:2: ortodoncia-que-es: service: there is no service "ortodoncia"`) {
		t.Errorf("answers about nothing: %v\n%s", err, out)
	}
	answers, err := filepath.Glob(file("answers/*.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, answer := range answers {
		name, _ := filepath.Rel(dir, answer)
		edit(name, "service: ortodoncia\n", "")
		edit(name, "service: limpieza-dental\n", "")
	}
	if err := os.WriteFile(file("testimonials.json"), []byte("[]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"services/sedacion.md": "---\ntitle: \"Sedación consciente\"\nslug: sedacion\ndescription: \"Con calma.\"\nicon: fa-tooth\nspecialty: true\nmenuText: \"Sin miedo\"\nfeatured: true\norder: 1\n---\nUn texto sobre [encías](/services/periodoncia) y [brackets](/services/ortodoncia).\n",
		"doctors/ana-rios.md":  "---\nname: \"Dra. Ana Ríos\"\nslug: ana-rios\ntitle: \"Odontóloga\"\nspecialty: \"Sedación\"\nbio: \"Atiende con calma.\"\norder: 1\nservice: sedacion\n---\nUn perfil.\n",
	} {
		if err := os.WriteFile(file(name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out := p.MustRun("content", "import", dir)
	told := []string{
		"added    services/sedacion.md", "added    doctors/ana-rios.md", "removed  testimonials.json: ",
		"pages/site.json: there is no page /services/ortodoncia; the link to it is left out",
		`doctors/irina-solanilla.md: there is no service "ortodoncia"; the link to it is left out`,
		"services/sedacion.md: there is no page /services/ortodoncia; the link to it is left out",
	}
	for _, name := range gone {
		told = append(told, "removed  "+name)
	}
	for _, want := range told {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not told in\n%s", want, out)
		}
	}
	p.Eventually("the site has other services", time.Minute, func() error {
		if status, body, _ := pageAt(p, "/services/sedacion"); status != http.StatusOK {
			return fmt.Errorf("%d %.200s", status, body)
		}
		return nil
	})
	missing := []string{"/services/ortodoncia", "/services/limpieza-dental", "/about/noelia-barsallo", "/blog/brackets-o-alineadores", "/about/anselmo-pitti"}
	for _, path := range missing {
		if status, body, _ := pageAt(p, path); status != http.StatusNotFound || !strings.Contains(body, "<title>404") {
			t.Errorf("%s: %d", path, status)
		}
	}
	_, sitemap, _ := pageAt(p, "/sitemap.xml")
	links := regexp.MustCompile(`href="(/[^"#?]*)`)
	for _, m := range regexp.MustCompile(`<loc>http://[^/]+([^<]*)</loc>`).FindAllStringSubmatch(sitemap, -1) {
		status, body, data := pageAt(p, m[1])
		if status != http.StatusOK {
			t.Errorf("%s: %d", m[1], status)
		}
		for _, link := range links.FindAllStringSubmatch(body, -1) {
			if slices.Contains(missing, link[1]) {
				t.Errorf("%s links to %s", m[1], link[1])
			}
		}
		for _, path := range missing {
			if strings.Contains(data, `"`+path+`"`) || strings.Contains(sitemap, path+"<") {
				t.Errorf("%s knows %s", m[1], path)
			}
		}
		if !strings.Contains(body, `href="/services/sedacion"`) {
			t.Errorf("the menus of %s do not lead to the new service", m[1])
		}
	}
	for _, want := range []struct{ path, text string }{
		{"/about", `href="/about/ana-rios"`}, {"/about/ana-rios", "Más sobre sedación consciente"}, {"/services/sedacion", "Sobre este servicio"},
		{"/about/ana-rios", "<title>Dra. Ana Ríos, Odontóloga | Clínica Dental Regency</title>"},
		{"/services/sedacion", "<title>Sedación consciente | Clínica Dental Regency</title>"}, {"/services/sedacion", `<a href="/services/periodoncia">encías</a> y brackets.`},
		{"/", "Conocer más sobre Sedación consciente"},
	} {
		if _, body, _ := pageAt(p, want.path); !strings.Contains(body, want.text) {
			t.Errorf("%s does not show %s", want.path, want.text)
		}
	}
	if _, body, _ := pageAt(p, "/"); strings.Contains(body, "Lo que cuentan nuestros pacientes") || !strings.Contains(body, "Blog de salud dental") {
		t.Error("the home page shows testimonials, or no blog")
	}
	var answer struct{ Response string }
	if err := p.Post("/api/chatbot", map[string]string{"sessionId": "s1", "message": "¿qué servicios ofrecen?"}, &answer); err != nil || !strings.Contains(answer.Response, "sedación consciente") {
		t.Errorf("the chat tells %q, %v", answer.Response, err)
	}
	// Without any post the home page has no teaser, and the blog says so.
	if err := os.Remove(posts[0]); err != nil {
		t.Fatal(err)
	}
	p.MustRun("content", "import", dir)
	p.Eventually("the blog is empty", time.Minute, func() error {
		_, home, _ := pageAt(p, "/")
		_, blog, _ := pageAt(p, "/blog")
		if strings.Contains(home, "Blog de salud dental</h2>") || !strings.Contains(blog, "No Se Encontraron Artículos") {
			return fmt.Errorf("%.200s", blog)
		}
		return nil
	})
}
