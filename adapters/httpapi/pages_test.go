package httpapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"bitacora/adapters/render"
	"bitacora/domain/clinic"
	"bitacora/webapp"
)

// renderCounter renders pages that say what they were given.
type renderCounter struct {
	mu      sync.Mutex
	renders []string
	broken  bool
}

func (p *renderCounter) Routes(context.Context) ([]string, error) {
	return []string{"/", "/about", "/services", "/contact", "/blog"}, nil
}

func (p *renderCounter) Render(_ context.Context, path string, data map[string]json.RawMessage) (render.Page, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.renders = append(p.renders, path)
	page := render.Page{Head: "<title>" + path + "</title>", Status: http.StatusOK}
	if path == nowhere {
		page.Status = http.StatusNotFound
	}
	if p.broken {
		return page, errors.New("the press is broken")
	}
	page.HTML = fmt.Sprintf("<main>%s %v</main>", path, slices.Sorted(maps.Keys(data)))
	return page, nil
}

func (p *renderCounter) Head(_ context.Context, path string, _ map[string]json.RawMessage) (render.Page, error) {
	return render.Page{Head: "<title>" + path + "</title>", Status: http.StatusOK}, nil
}

func (p *renderCounter) rendered() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.renders)
}

func TestPagesArriveComplete(t *testing.T) {
	b := newTestServer(t).browser()
	for path, want := range map[string]struct {
		status int
		parts  []string
	}{
		"/": {200, []string{"<title>/</title>", `<link rel="canonical" href="https://clinica.example/">`,
			`<div id="root"><main>/ [/api/blog /api/clinic /api/services/featured /api/testimonials origin path]</main></div>`,
			`<script type="application/json" id="page-data">{"/api/blog":[{`, `"origin":"https://clinica.example"`, `"path":"/"`}},
		"/Services/":                   {200, []string{"<main>/services [/api/clinic /api/services origin path]", `href="https://clinica.example/services"`}},
		"/services/ENDODONCIA?x=1":     {200, []string{"<main>/services/endodoncia [/api/clinic /api/services/slug/endodoncia origin path]", `"content":"\u003cp\u003e`, `href="https://clinica.example/services/endodoncia"`}},
		"/blog":                        {200, []string{"[/api/blog /api/clinic origin path]", `"content":""`}},
		"/blog/brackets-o-alineadores": {200, []string{"[/api/blog/slug/brackets-o-alineadores /api/clinic origin path]"}},
		"/contact?enviado=1":           {200, []string{"<title>/contact?enviado=1</title>", `href="https://clinica.example/contact"`, `"path":"/contact"`}},
		"/contact?enviado=2":           {200, []string{"<title>/contact</title>"}},
		"/services/astrologia":         {404, []string{"<title>/404</title>", `"path":"/404"`}},
		"/blog/nada":                   {404, []string{"<main>/404 "}},
		"/about/nadie":                 {404, []string{"<main>/404 "}},
		"/login":                       {200, []string{"<title>/login</title>", `<div id="root"></div>`, `"/api/clinic":{`}},
	} {
		a := b.get(path)
		if a.Code != want.status {
			t.Errorf("%s: status %d, want %d", path, a.Code, want.status)
		}
		for _, part := range want.parts {
			if !strings.Contains(a.Body.String(), part) {
				t.Errorf("%s: %q is missing in\n%.600s", path, part, a.Body)
			}
		}
		if strings.Contains(a.Body.String(), "canonical") != (want.status == 200 && path != "/login") {
			t.Errorf("%s: canonical address", path)
		}
		if (a.Header().Get("X-Robots-Tag") == "noindex") != (want.status == 404 || path == "/login" || path == sentContact) {
			t.Errorf("%s: %v", path, a.Header())
		}
	}
}

func TestPagesArePrintedOnceAState(t *testing.T) {
	room := &renderCounter{}
	h := newTestServer(t, func(h *testServer) { h.config.Pages = room })
	b := h.browser()
	var crowd sync.WaitGroup
	for range 8 {
		crowd.Go(func() { h.browser().get("/blog") })
	}
	crowd.Wait()
	for i := range 20 {
		b.get(fmt.Sprintf("/nowhere/%d", i))
	}
	if n := room.rendered(); n != 2 {
		t.Errorf("printed %d pages: %v", n, room.renders)
	}
	tag := b.get("/blog").Header().Get("ETag")
	c := clinic.DefaultContent()
	c.Posts = c.Posts[1:]
	if _, err := h.db.Content().Replace(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	h.clock.advance(contentTime)
	if again := b.get("/blog"); again.Header().Get("ETag") == tag || room.rendered() != 3 {
		t.Error("new content does not give new pages")
	}
	h.clock.advance(24 * time.Hour)
	if b.get("/blog"); room.rendered() != 4 {
		t.Error("a new day does not give new pages")
	}
}

func TestPagesArePrintedAheadOfVisitors(t *testing.T) {
	room := &renderCounter{}
	h := newTestServer(t, func(h *testServer) { h.config.Pages = room })
	ctx, stop := context.WithCancel(t.Context())
	var printing sync.WaitGroup
	printing.Go(func() { h.handler.(*Handler).KeepRendered(ctx) })
	defer printing.Wait()
	defer stop()
	// The sitemap names every page; two more are the not-found page and the thanks.
	known := strings.Count(h.browser().get("/sitemap.xml").Body.String(), "<loc>") + 2
	for deadline := time.Now().Add(30 * time.Second); room.rendered() < known; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%d of %d pages are printed", room.rendered(), known)
		}
	}
	for _, path := range []string{"/", "/contact?enviado=1", "/nada", "/blog/brackets-o-alineadores"} {
		h.browser().get(path)
	}
	if n := room.rendered(); n != known {
		t.Errorf("printed %d pages, want %d: %v", n, known, room.renders)
	}
}

func TestAPageThatCannotBeRenderedKeepsItsHead(t *testing.T) {
	room := &renderCounter{broken: true}
	h := newTestServer(t, func(h *testServer) { h.config.Pages = room })
	b := h.browser()
	for range 3 {
		a := b.get("/about")
		if a.Code != http.StatusOK || !strings.Contains(a.Body.String(), "<title>/about</title>") || !strings.Contains(a.Body.String(), `<div id="root"></div><script type="application/json"`) {
			t.Errorf("%d %.300s", a.Code, a.Body)
		}
	}
	if room.rendered() != 1 {
		t.Errorf("tried %d times at once", room.rendered())
	}
	room.mu.Lock()
	room.broken = false
	room.mu.Unlock()
	h.clock.advance(failedTime)
	if a := b.get("/about"); !strings.Contains(a.Body.String(), "<main>/about") {
		t.Errorf("after a while: %.300s", a.Body)
	}
}

func TestMapAndRobots(t *testing.T) {
	b := newTestServer(t).browser()
	robots := b.get("/robots.txt")
	if robots.Code != 200 || !strings.Contains(robots.Body.String(), "Sitemap: https://clinica.example/sitemap.xml") {
		t.Errorf("robots: %d %s", robots.Code, robots.Body)
	}
	m := b.get("/sitemap.xml")
	for _, part := range []string{
		"<loc>https://clinica.example/</loc>", "<loc>https://clinica.example/services/endodoncia</loc>",
		"<loc>https://clinica.example/blog/brackets-o-alineadores</loc>\n  <lastmod>2025-12-09</lastmod>", "<loc>https://clinica.example/about</loc>",
	} {
		if !strings.Contains(m.Body.String(), part) {
			t.Errorf("site map: %q is missing in\n%s", part, m.Body)
		}
	}
	if strings.Contains(m.Body.String(), "dashboard") || !strings.Contains(m.Header().Get("Content-Type"), "xml") {
		t.Errorf("site map: %v\n%s", m.Header(), m.Body)
	}
}

func TestOnlyTheMapMayBeFramed(t *testing.T) {
	policy := newTestServer(t).browser().get("/").Header().Get("Content-Security-Policy")
	if !strings.HasSuffix(policy, "; frame-src https://mapas.clinica-regency.example") || strings.Contains(policy, "unsafe") {
		t.Error(policy)
	}
	none := newTestServer(t, func(h *testServer) { h.config.Content.Clinic.Links.Map = "" })
	if policy := none.browser().get("/").Header().Get("Content-Security-Policy"); !strings.HasSuffix(policy, "; frame-src 'none'") {
		t.Error(policy)
	}
}

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
	content := rendered(t)
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
		e, err := newContentVersion("", content, facts, noon)
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
				t.Errorf("%s tells %q of %s", route, fact, facts.Name)
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

// rendered is the project's own content as the database would give it.
func rendered(t *testing.T) clinic.Content {
	t.Helper()
	h := newTestServer(t)
	content, _, err := h.db.Content().Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return content
}
