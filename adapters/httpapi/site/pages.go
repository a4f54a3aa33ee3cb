package site

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"bitacora/adapters/render"
	"bitacora/domain/clinic"
)

// Pages renders the webapp's pages.
type Pages interface {
	// Routes are the pages that are always there.
	Routes(ctx context.Context) ([]string, error)
	// Render renders a page with the data that it shows. A page of which only the head could be
	// rendered comes with an error.
	Render(ctx context.Context, path string, data map[string]json.RawMessage) (render.Page, error)
	// Head gives the head and the status alone.
	Head(ctx context.Context, path string, data map[string]json.RawMessage) (render.Page, error)
}

// privatePages are for the staff: they are drawn by the browser, and are nothing for
// search engines.
var privatePages = []string{"/login", "/dashboard", "/dashboard/cuenta", "/dashboard/cuentas", "/dashboard/actividad", "/dashboard/respuestas", "/dashboard/respuestas/nueva", "/dashboard/agenda", "/dashboard/hoy", "/dashboard/bandeja"}

// nowhere is the address under which the not-found page is rendered, once for all.
const nowhere = "/404"

const (
	formPage = "/contact"
	// sentContact is the contact page after a form was sent without JavaScript.
	sentContact = formPage + "?enviado=1"
	noticePage  = "/privacidad"
	// erasedNotice is the page about personal data after the browser's conversations were erased.
	erasedNotice = noticePage + "?borrado=1"
)

// newsletterPage has the newsletter's box, and newsletterStates are what it shows beside the box itself.
const newsletterPage = "/blog"

var newsletterStates = []string{"pedido", "confirmado", "baja", "caducado"}

// homeShows is how many posts and testimonials the home page shows: it begins with no others.
const homeShows = 3

// latestPosts names those posts among what the home page begins with. The call for all of them has
// another answer.
const latestPosts = "latest"

// around are the calls whose answers every page begins with.
var around = []string{"/api/clinic", textsCall + "site", textsCall + "chat"}

// shows are the calls whose answers a page begins with as well. A name ending in "/" stands for
// all pages below it, which show what the call with their slug answers.
var shows = map[string][]string{
	"/":          {textsCall + "home", "/api/services/featured", "/api/testimonials", latestPosts},
	"/about":     {textsCall + "about", "/api/doctors"},
	"/about/":    {textsCall + "doctor", "/api/doctors/slug/"},
	"/services":  {textsCall + "services", "/api/services"},
	"/services/": {textsCall + "services", "/api/services/slug/"},
	formPage:     {textsCall + "contact"},
	"/blog":      {textsCall + "blog", "/api/blog"},
	"/blog/":     {textsCall + "blog", "/api/blog/slug/"},
	noticePage:   {textsCall + "privacy", "/api/privacy"},
	nowhere:      {textsCall + "not-found"},
}

// dataOf is what a page begins with.
func (v *contentVersion) dataOf(page, origin string) map[string]json.RawMessage {
	quote := func(text string) json.RawMessage { encoded, _ := json.Marshal(text); return encoded }
	path, _, _ := strings.Cut(page, "?")
	data := map[string]json.RawMessage{"path": quote(path), "origin": quote(origin)}
	slug, calls := "", shows[path]
	if calls == nil {
		cut := strings.LastIndexByte(path, '/') + 1
		slug, calls = path[cut:], shows[path[:cut]]
	}
	for _, call := range append(slices.Clone(around), calls...) {
		if strings.HasSuffix(call, "/") {
			call += slug
		}
		if list, ok := v.lists[call]; ok {
			data[call] = list
		} else if answer, ok := v.answers[call]; ok {
			data[call] = answer
		}
	}
	return data
}

// renderer renders pages and remembers them as long as the content and the day are the same, and
// the clinic is open or closed.
type renderer struct {
	pages    Pages
	origin   string
	document document
	clinic   clinic.Clinic
	now      func() time.Time
	logger   *slog.Logger

	mu       sync.Mutex
	version  string
	rendered map[string]*renderedPage
	routes   []string
}

// renderedPage is one page. Its lock is held while it is rendered, so that many requests wait
// for one rendering.
type renderedPage struct {
	mu     sync.Mutex
	html   packed
	status int
	// until is when a page that failed is tried again; the zero time for one that did not.
	until time.Time
}

const (
	// renderTime bounds how long a page may take, whoever asked for it.
	renderTime = 15 * time.Second
	// failedTime is how long a page that failed is not tried again.
	failedTime = 10 * time.Second
)

// known are all pages that search engines may know, by path.
func (r *renderer) known(ctx context.Context, v *contentVersion) []address {
	known := slices.Clone(v.pages)
	for _, route := range r.always(ctx) {
		if !slices.ContainsFunc(v.pages, func(a address) bool { return a.path == route }) {
			known = append(known, address{path: route})
		}
	}
	return slices.SortedFunc(slices.Values(known), func(a, b address) int { return strings.Compare(a.path, b.path) })
}

// exists says whether there is such a page for visitors.
func (r *renderer) exists(ctx context.Context, v *contentVersion, path string) bool {
	return slices.Contains(r.always(ctx), path) || slices.ContainsFunc(v.pages, func(a address) bool { return a.path == path })
}

// always are the pages that do not depend on the content.
func (r *renderer) always(ctx context.Context) []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.routes == nil {
		routes, err := r.pages.Routes(ctx)
		if err != nil {
			r.logger.Error("pages cannot be listed", "error", err)
			return []string{"/"}
		}
		r.routes = routes
	}
	return r.routes
}

// dataOf is what a page begins with now.
func (r *renderer) dataOf(v *contentVersion, page string) map[string]json.RawMessage {
	data := v.dataOf(page, r.origin)
	data["now"], _ = json.Marshal(r.now().UTC().Truncate(time.Second))
	return data
}

// page is the page in the current version.
func (r *renderer) page(v *contentVersion, page string) *renderedPage {
	r.mu.Lock()
	defer r.mu.Unlock()
	// A page may show the day, or the year, and whether the clinic is open.
	now := r.now().In(r.clinic.Zone)
	if name := fmt.Sprint(v.name, now.Format(time.DateOnly), r.clinic.Calendar().OpenAt(now), r.clinic.Calendar().Opens(now, now)); r.version != name {
		r.version, r.rendered = name, map[string]*renderedPage{}
	}
	s := r.rendered[page]
	if s == nil {
		s = &renderedPage{}
		r.rendered[page] = s
	}
	return s
}

// render gives a page. The caller names only pages that there are, so that what is
// remembered is bounded.
func (r *renderer) render(ctx context.Context, v *contentVersion, page string) (packed, int) {
	s := r.page(v, page)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.html.plain == nil || !s.until.IsZero() && !r.now().Before(s.until) {
		s.until = time.Time{}
		html, status, err := r.fresh(ctx, page, r.dataOf(v, page))
		if s.html, s.status = pack(html), status; err != nil {
			s.until = r.now().Add(failedTime)
			r.logger.Error("page was served without its content", "page", page, "error", err)
		}
	}
	return s.html, s.status
}

// fresh renders a page. Where it cannot be rendered, the browser draws it under its right
// head.
func (r *renderer) fresh(ctx context.Context, page string, data map[string]json.RawMessage) ([]byte, int, error) {
	// Others may wait for it too.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), renderTime)
	defer cancel()
	embedded, err := pageJSON(data)
	if err != nil {
		return nil, 0, err
	}
	private := slices.Contains(privatePages, page)
	write := r.pages.Render
	if private {
		write = r.pages.Head
	}
	rendered, err := write(ctx, page, data)
	if rendered.Status == 0 {
		rendered.Status = http.StatusOK
		if page == nowhere {
			rendered.Status = http.StatusNotFound
		}
	}
	canonical := ""
	if path, _, _ := strings.Cut(page, "?"); !private && rendered.Status == http.StatusOK && !strings.Contains(rendered.Head, `rel="canonical"`) {
		canonical = r.origin + path
	}
	return r.document.fill(rendered, canonical, embedded), rendered.Status, err
}
