package httpapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"bitacora/adapters/render"
	"bitacora/domain/clinic"
)

// renderCounter renders pages that say what they were given.
type renderCounter struct {
	mu      sync.Mutex
	renders []string
	broken  bool
}

func (p *renderCounter) Routes(context.Context) ([]string, error) {
	return []string{"/", "/about", "/services", "/contact", "/privacidad", "/blog"}, nil
}

func (p *renderCounter) Render(_ context.Context, path string, data map[string]json.RawMessage) (render.Page, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.renders = append(p.renders, path)
	page := render.Page{Head: "<title>" + path + "</title>", Status: http.StatusOK}
	if path == "/404" {
		page.Status = http.StatusNotFound
	}
	if p.broken {
		return page, errors.New("the renderer is broken")
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

// TestOnlyPagesWithoutContentSpeakOfMissingScripts since the others are complete without any.
func TestOnlyPagesWithoutContentSpeakOfMissingScripts(t *testing.T) {
	b := newTestServer(t).browser()
	for path, want := range map[string]bool{"/login": true, "/dashboard": true, "/dashboard/cuenta": true, "/": false, "/about": false, "/nowhere": false} {
		if got := strings.Contains(b.get(path).Body.String(), `<main class="late">`); got != want {
			t.Errorf("%s: %v", path, got)
		}
	}
}

func TestPagesArriveComplete(t *testing.T) {
	b := newTestServer(t).browser()
	for path, want := range map[string]struct {
		status int
		parts  []string
	}{
		"/": {200, []string{"<title>/</title>", `<link rel="canonical" href="https://clinica.example/">`,
			`<div id="root"><main>/ [/api/clinic /api/pages/chat /api/pages/home /api/pages/site /api/services/featured /api/testimonials latest now origin path]</main></div>`,
			`<script type="application/json" id="page-data">{"/api/clinic":{`, `"origin":"https://clinica.example"`, `"path":"/"`}},
		"/Services/":                   {200, []string{"<main>/services [/api/clinic /api/pages/chat /api/pages/services /api/pages/site /api/services now origin path]", `href="https://clinica.example/services"`}},
		"/services/ENDODONCIA?x=1":     {200, []string{"<main>/services/endodoncia [/api/clinic /api/pages/chat /api/pages/services /api/pages/site /api/services/slug/endodoncia now origin path]", `"content":"\u003cp\u003e`, `href="https://clinica.example/services/endodoncia"`}},
		"/blog":                        {200, []string{"[/api/blog /api/clinic /api/pages/blog /api/pages/chat /api/pages/site now origin path]", `"content":""`}},
		"/blog/brackets-o-alineadores": {200, []string{"[/api/blog/slug/brackets-o-alineadores /api/clinic /api/pages/blog /api/pages/chat /api/pages/site now origin path]"}},
		"/contact?enviado=1":           {200, []string{"<title>/contact?enviado=1</title>", `href="https://clinica.example/contact"`, `"path":"/contact"`}},
		"/privacidad":                  {200, []string{"<main>/privacidad [/api/clinic /api/pages/chat /api/pages/privacy /api/pages/site /api/privacy now origin path]"}},
		"/privacidad?borrado=1":        {200, []string{"<main>/privacidad?borrado=1 ", `href="https://clinica.example/privacidad"`}},
		"/contact?enviado=2":           {200, []string{"<title>/contact</title>"}},
		"/services/astrologia":         {404, []string{"<title>/404</title>", `"path":"/404"`}},
		"/blog/nada":                   {404, []string{"<main>/404 "}},
		"/about/irina-solanilla":       {200, []string{"<main>/about/irina-solanilla [/api/clinic /api/doctors/slug/irina-solanilla /api/pages/chat /api/pages/doctor /api/pages/site now origin path]"}},
		"/about/anselmo-pitti":         {404, []string{"<main>/404 [/api/clinic /api/pages/chat /api/pages/not-found /api/pages/site now origin path]"}},
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
		if (a.Header().Get("X-Robots-Tag") == "noindex") != (want.status == 404 || path == "/login" || path == "/contact?enviado=1" || path == "/privacidad?borrado=1") {
			t.Errorf("%s: %v", path, a.Header())
		}
	}
}

func TestPagesArePrintedOnceAState(t *testing.T) {
	pages := &renderCounter{}
	h := newTestServer(t, func(h *testServer) { h.config.Site.Pages = pages })
	b := h.browser()
	var readers sync.WaitGroup
	for range 8 {
		readers.Go(func() { h.browser().get("/blog") })
	}
	readers.Wait()
	for i := range 20 {
		b.get(fmt.Sprintf("/nowhere/%d", i))
	}
	if n := pages.rendered(); n != 2 {
		t.Errorf("printed %d pages: %v", n, pages.renders)
	}
	tag := b.get("/blog").Header().Get("ETag")
	c := clinic.DefaultContent()
	c.Posts = c.Posts[1:]
	if _, err := h.db.Content().Replace(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	h.clock.advance(time.Second)
	if again := b.get("/blog"); again.Header().Get("ETag") == tag || pages.rendered() != 3 {
		t.Error("new content does not give new pages")
	}
	h.clock.advance(24 * time.Hour)
	if b.get("/blog"); pages.rendered() != 4 {
		t.Error("a new day does not give new pages")
	}
}

func TestAPageThatCannotBeRenderedKeepsItsHead(t *testing.T) {
	pages := &renderCounter{broken: true}
	h := newTestServer(t, func(h *testServer) { h.config.Site.Pages = pages })
	b := h.browser()
	for range 3 {
		a := b.get("/about")
		if a.Code != http.StatusOK || !strings.Contains(a.Body.String(), "<title>/about</title>") || !strings.Contains(a.Body.String(), `<div id="root"></div><script type="application/json"`) {
			t.Errorf("%d %.300s", a.Code, a.Body)
		}
	}
	if pages.rendered() != 1 {
		t.Errorf("tried %d times at once", pages.rendered())
	}
	pages.mu.Lock()
	pages.broken = false
	pages.mu.Unlock()
	h.clock.advance(10 * time.Second)
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

func TestFaultsCanBeReported(t *testing.T) {
	for name, c := range map[string]struct {
		server *testServer
		want   string
	}{
		"the default clinic": {newTestServer(t), "Contact: mailto:citas@clinica-regency.example\n" +
			"Expires: 2027-10-03T17:00:00Z\nPreferred-Languages: es, en\nCanonical: https://clinica.example/.well-known/security.txt\n"},
		"another clinic, on its own machine": {newTestServer(t, func(h *testServer) {
			h.config.Site.Content.Clinic.Email, h.config.Site.Origin = "seguridad+100%@otra.example", "http://127.0.0.1:8080/"
		}), "Contact: mailto:seguridad+100%25@otra.example\nExpires: 2027-10-03T17:00:00Z\nPreferred-Languages: es, en\n"},
	} {
		// However long the program runs, the file promises no more than at its start.
		c.server.clock.advance(24 * time.Hour)
		if got := c.server.browser().get("/.well-known/security.txt"); got.Body.String() != c.want {
			t.Errorf("%s: %d\n%s", name, got.Code, got.Body)
		}
	}
}

func TestOnlyTheMapMayBeFramed(t *testing.T) {
	place := clinic.Default().Address.Position
	for _, c := range []struct {
		address  string
		position *clinic.Position
		want     string
	}{
		{"https://mapas.clinica.test/plaza", place, "frame-src https://mapas.clinica.test"},
		{"", nil, "frame-src 'none'"},
		{"https://mapas.clinica.example/torre1", nil, "frame-src 'none'"},
		{"https://mapas.clinica.example/torre1", place, "frame-src https://www.openstreetmap.org"},
	} {
		h := newTestServer(t, func(h *testServer) {
			h.config.Site.Content.Clinic.Links.Map, h.config.Site.Content.Clinic.Address.Position = c.address, c.position
		})
		policy := h.browser().get("/").Header().Get("Content-Security-Policy")
		if !strings.HasSuffix(policy, "; "+c.want) || strings.Contains(policy, "unsafe") {
			t.Errorf("%s, %v: %s", c.address, c.position, policy)
		}
	}
}

func TestTheHomeScreenNamesTheClinic(t *testing.T) {
	h := newTestServer(t, func(h *testServer) { h.config.Site.Content.Clinic.Name = `Sonrisas "del Sur" & Cía.` })
	var got struct {
		Name  string
		Icons []struct{ Src string }
	}
	if err := json.Unmarshal(h.browser().get("/site.webmanifest").Body.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if got.Name != `Sonrisas "del Sur" & Cía.` || len(got.Icons) != 3 {
		t.Error(got)
	}
}
