package site

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"bitacora/adapters/markdown"
	"bitacora/adapters/render"
	"bitacora/domain/clinic"
	"bitacora/domain/clinic/clinictest"
	"bitacora/webapp"
)

// nodeRender prints what Node makes of the pages that it reads, as JSON lines of path and data.
const nodeRender = `
const vm = require("vm"), fs = require("fs");
const surroundings = vm.createContext({ console, TextEncoder, MessageChannel, AbortController, setTimeout, clearTimeout, queueMicrotask });
vm.runInContext(fs.readFileSync(process.argv[1], "utf8") + "\n;globalThis.site = site;", surroundings);
(async () => {
	for (const line of fs.readFileSync(0, "utf8").trim().split("\n")) {
		const { path, data } = JSON.parse(line);
		const { html, head, status } = await surroundings.site.render(path, data);
		console.log(JSON.stringify({ HTML: html, Head: head, Status: status }));
	}
})();`

// elsewhere is a clinic of which nothing is the default's.
const elsewhere = `{
	"name": "Clínica «Sur» \"Dos\" & Cía", "tagline": "Cerca del puerto", "email": "hola@sur.example", "emergency": "112",
	"address": {"street": "Calle Mayor 1", "building": "", "floor": "", "city": "Ciudad Vieja"}, "phones": ["+34 600 000 001"],
	"links": {"booking": "https://citas.sur.example/", "video": "https://video.sur.example/", "map": "https://mapa.sur.example/"},
	"zone": %q, "hours": {"monday": "10:00-14:00, 16:00-20:00", "saturday": ""}
}`

// TestEveryPageIsTheSameInNode holds what goja makes of the real pages against Node, for
// clinics in several zones.
func TestEveryPageIsTheSameInNode(t *testing.T) {
	bundle, err := webapp.Pages()
	if err != nil {
		t.Fatalf("npm run build comes first: %v", err)
	}
	pages, err := render.New(bundle)
	if err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(t.TempDir(), "site.js")
	if err := os.WriteFile(script, bundle, 0o600); err != nil {
		t.Fatal(err)
	}
	content := shown(t)
	for i := range content.Posts {
		// Around midnight somewhere, and around the nights in which clocks are moved.
		content.Posts[i].PublishedAt = time.Date(2026, 3, 1+3*i, 10+i, 59, 59, 0, time.UTC)
	}
	for _, zone := range []string{"", "Europe/Madrid", "Pacific/Auckland"} {
		facts := clinic.Default()
		if zone != "" {
			if facts, err = clinic.Load(strings.NewReader(fmt.Sprintf(elsewhere, zone))); err != nil {
				t.Fatal(err)
			}
		}
		e, err := newContentVersion("", content, facts, "", false, time.Date(2026, 11, 3, 17, 0, 0, 0, time.UTC))
		if err != nil {
			t.Fatal(err)
		}
		checkPages(t, pages, e, script, facts)
	}
}

func checkPages(t *testing.T, pages *render.Renderer, e *contentVersion, script string, facts clinic.Clinic) {
	t.Helper()
	routes, err := pages.Routes(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	routes = append(routes, nowhere, sentContact)
	for _, a := range e.pages {
		if !slices.Contains(routes, a.path) {
			routes = append(routes, a.path)
		}
	}
	var lines strings.Builder
	for _, route := range routes {
		line, err := json.Marshal(map[string]any{"path": route, "data": e.dataOf(route, "https://clinica.example")})
		if err != nil {
			t.Fatal(err)
		}
		lines.Write(append(line, '\n'))
	}
	node := exec.Command("node", "-e", nodeRender, script)
	node.Stdin = strings.NewReader(lines.String())
	out, err := node.Output()
	if err != nil {
		t.Fatalf("node: %v", err)
	}
	byNode := json.NewDecoder(strings.NewReader(string(out)))
	for _, route := range routes {
		var want render.Page
		if err := byNode.Decode(&want); err != nil {
			t.Fatal(err)
		}
		got, err := pages.Render(t.Context(), route, e.dataOf(route, "https://clinica.example"))
		if err != nil || got != want {
			t.Errorf("%s: %v\ngoja %s\nnode %s", route, err, fromDifference(got.Head+got.HTML, want.Head+want.HTML), fromDifference(want.Head+want.HTML, got.Head+got.HTML))
		}
		if len(got.HTML) == 0 || strings.Contains(got.HTML, "style=\"") {
			t.Errorf("%s: %d bytes, head %.200s", route, len(got.HTML), got.Head)
		}
		checkTitle(t, route, got)
		if facts.Name == clinic.Default().Name {
			continue
		}
		for _, fact := range append(clinic.Default().Contacts(), "Regency", "Vía España", "desde 2005", "{{", "undefined") {
			if strings.Contains(got.Head+got.HTML, fact) {
				t.Errorf("%s shows %q to %s", route, fact, facts.Name)
			}
		}
	}
	for _, route := range privatePages {
		got, err := pages.Head(t.Context(), route, e.dataOf(route, "https://clinica.example"))
		if err != nil || !strings.Contains(got.Head, `content="noindex"`) {
			t.Errorf("%s: %v, head %s", route, err, got.Head)
		}
		checkTitle(t, route, got)
	}
}

// checkTitle holds the status of a page against its title: both or none of them say that
// there is no such page.
func checkTitle(t *testing.T, route string, page render.Page) {
	t.Helper()
	want := map[bool]int{false: http.StatusOK, true: http.StatusNotFound}[route == nowhere]
	if missing := strings.Contains(page.Head, "<title>404"); page.Status != want || missing != (want == http.StatusNotFound) || !strings.Contains(page.Head, "<title>") {
		t.Errorf("%s: status %d, want %d, head %.120s", route, page.Status, want, page.Head)
	}
}

// fromDifference is a piece of a text around where another one begins to differ.
func fromDifference(text, other string) string {
	same := 0
	for same < min(len(text), len(other)) && text[same] == other[same] {
		same++
	}
	return text[max(0, same-100):min(len(text), same+200)]
}

// shown is the project's own content, with the HTML of its texts.
func shown(t testing.TB) clinic.Content {
	t.Helper()
	content, err := markdown.Content(clinic.DefaultContent())
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// markup is what is not read in a page, but for what attributes say; a pair has words of both forms.
var (
	spoken = regexp.MustCompile(`(?:aria-label|alt|placeholder|title|content)="([^"]*)"`)
	markup = regexp.MustCompile(`(?s)<script.*?</script>|<[^>]*>`)
	pair   = regexp.MustCompile(`\{[^{}]*\|`)
)

// TestEveryPageSpeaksInTheClinicsForm reads every page, and what comes with it, in either form of address.
func TestEveryPageSpeaksInTheClinicsForm(t *testing.T) {
	bundle, err := webapp.Pages()
	if err != nil {
		t.Fatalf("npm run build comes first: %v", err)
	}
	pages, err := render.New(bundle)
	if err != nil {
		t.Fatal(err)
	}
	content := shown(t)
	for _, form := range clinic.FormsOfAddress {
		facts := clinic.Default()
		facts.FormOfAddress = form
		e, err := newContentVersion("", content, facts, "Acme", false, time.Date(2026, 11, 3, 17, 0, 0, 0, time.UTC))
		if err != nil {
			t.Fatal(err)
		}
		read := func(where, text string) {
			// Patients say "te" of everybody, and addresses are of one form.
			if !strings.Contains(text, " ") || slices.ContainsFunc(content.Testimonials, func(said clinic.Testimonial) bool { return said.Comment == text }) {
				return
			}
			if found := clinictest.Foreign(form, text); len(found) > 0 || pair.MatchString(text) {
				t.Errorf("%s, %s: %v in %.200s", form, where, found, text)
			}
		}
		routes, err := pages.Routes(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range e.pages {
			routes = append(routes, a.path)
		}
		for _, route := range append(routes, nowhere, sentContact, erasedNotice) {
			got, err := pages.Render(t.Context(), route, e.dataOf(route, "https://clinica.example"))
			if err != nil {
				t.Fatal(err)
			}
			page := got.Head + got.HTML
			for _, m := range spoken.FindAllStringSubmatch(page, -1) {
				read(route, m[1])
			}
			for _, text := range markup.Split(page, -1) {
				read(route, text)
			}
		}
		for call, answer := range e.answers {
			var value any
			if err := json.Unmarshal(answer, &value); err != nil {
				t.Fatal(err)
			}
			if call != "/api/clinic" {
				eachText(value, func(text string) { read(call, text) })
			}
		}
	}
}

func eachText(value any, read func(string)) {
	switch value := value.(type) {
	case string:
		read(value)
	case []any:
		for _, one := range value {
			eachText(one, read)
		}
	case map[string]any:
		for _, one := range value {
			eachText(one, read)
		}
	}
}
