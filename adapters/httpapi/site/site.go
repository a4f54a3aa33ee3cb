// Package site serves the clinic's public site: the webapp's files, its pages as complete HTML,
// and the content that they show.
package site

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"bitacora/adapters/httpapi/contract"
	"bitacora/adapters/httpapi/web"
)

// shell is the page in which the webapp runs, whatever the route.
const shell = "index.html"

// Config names what the site is made of.
type Config struct {
	// Content is what the site shows.
	Content *ContentCache
	// Build is the webapp's build, Pages renders its pages, and Origin is the address under
	// which the world knows it, "https://clinica.example".
	Build  fs.FS
	Pages  Pages
	Origin string
	// Agenda says when appointments are free; nil: nobody knows.
	Agenda Agenda
	// Former are the assets of the releases before this one, for the tabs that those opened.
	Former Assets
}

// Agenda knows when appointments are free.
type Agenda interface {
	// NextFree is when an appointment of a service is free next; the zero time where none is.
	NextFree(ctx context.Context, service string) (time.Time, error)
}

// Site serves the webapp's build: its files by name, and its pages as complete HTML.
type Site struct {
	Config
	web.Responder
	now      func() time.Time
	started  time.Time
	renderer *renderer
	pictures pictureCache
	// own are the clinic's files in the place of the build's.
	own    map[string]func() packed
	social socialImages
}

// New is the handler of the site.
func New(c Config, now func() time.Time, respond web.Responder) *Site {
	s := &Site{Config: c, Responder: respond, now: now, started: now(), social: socialImages{build: c.Build}}
	if page, err := fs.ReadFile(c.Build, shell); err == nil && c.Pages != nil {
		own, err := identify(c.Build, page, c.Content.Clinic)
		if err != nil {
			respond.Logger.Error("the site looks like another clinic's", "error", err)
		}
		s.own = map[string]func() packed{}
		for name, content := range own.files {
			s.own[name] = sync.OnceValue(func() packed { return packFile(name, content) })
		}
		s.renderer = &renderer{
			pages: c.Pages, origin: strings.TrimSuffix(c.Origin, "/"), document: newDocument(own.page),
			clinic: c.Content.Clinic, now: now, logger: respond.Logger,
		}
	}
	return s
}

// ServeHTTP implements [http.Handler].
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	route := path.Clean("/" + r.URL.Path)
	if name, is := strings.CutPrefix(route, pictureRoot); is {
		s.servePicture(w, r, name)
		return
	}
	name := strings.TrimPrefix(route, "/")
	if name == "favicon.ico" {
		// Programs that read no page ask for this name.
		name = smallIcon
	}
	if content, ok := s.own[name]; ok {
		s.serveOwn(w, r, name, content())
		return
	}
	if content, err := s.social.find(name); err == nil {
		s.serveOwn(w, r, name, packed{plain: content})
		return
	}
	for _, files := range []fs.FS{s.Build, s.Former} {
		if content, err := readVisible(files, name); err == nil {
			s.serveFile(w, r, files, name, content)
			return
		}
	}
	if s.renderer == nil {
		http.Error(w, "La aplicación web no está construida (npm run build).", http.StatusNotFound)
		return
	}
	current, err := s.Content.Current(r.Context())
	if err != nil {
		s.Fail(w, r, err)
		return
	}
	switch route {
	case "/robots.txt":
		serveText(w, r, "robots.txt", "User-agent: *\nAllow: /\n\nSitemap: "+s.renderer.origin+"/sitemap.xml\n")
	case securityPath:
		serveText(w, r, "security.txt", securityText(s.Content.Clinic.Email, s.renderer.origin, s.started))
	case "/sitemap.xml":
		s.serveMap(w, r, current)
	case manifestPath:
		text, err := manifestText(s.Content.Clinic)
		if err != nil {
			s.Fail(w, r, err)
			return
		}
		w.Header().Set("Content-Type", "application/manifest+json")
		serveText(w, r, manifestPath, text)
	default:
		s.servePage(w, r, current, strings.ToLower(route))
	}
}

func (s *Site) serveFile(w http.ResponseWriter, r *http.Request, files fs.FS, name string, content []byte) {
	cache, tag := "no-cache", ""
	if strings.HasPrefix(name, assetRoot) {
		// The build puts a hash of the content into these names.
		cache, tag = "public, max-age=31536000, immutable", path.Base(name)
	}
	w.Header().Set("Cache-Control", cache)
	// The build packs what is worth it.
	compressed, _ := readVisible(files, name+".br")
	serveContent(w, r, name, packed{content, compressed, tag})
}

// serveOwn serves a file of the clinic; the page names its stylesheet with a hash of the content.
func (s *Site) serveOwn(w http.ResponseWriter, r *http.Request, name string, content packed) {
	w.Header().Set("Cache-Control", "no-cache")
	if name == themePath && r.URL.RawQuery != "" {
		w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	serveContent(w, r, name, content)
}

// readVisible reads a file of the build. What begins with a dot is not part of it.
func readVisible(files fs.FS, name string) ([]byte, error) {
	if name == shell || strings.HasPrefix(name, ".") || strings.Contains(name, "/.") {
		return nil, fs.ErrNotExist
	}
	return fs.ReadFile(files, name)
}

// servePage serves the page of a route. Routes match in any case; the page's canonical
// address is in lower case.
func (s *Site) servePage(w http.ResponseWriter, r *http.Request, v *contentVersion, route string) {
	private := slices.Contains(privatePages, route)
	page := route
	switch {
	case !private && !s.renderer.exists(r.Context(), v, route):
		page = nowhere
	case route == formPage && r.URL.Query().Get("enviado") == "1":
		page = sentContact
	case route == noticePage && r.URL.Query().Get("borrado") == "1":
		page = erasedNotice
	case route == newsletterPage && r.URL.Query().Has("boletin"):
		page = newsletterOf(r.URL.Query().Get("boletin"))
	}
	content, status := s.renderer.render(r.Context(), v, page)
	w.Header().Set("Cache-Control", "no-cache")
	if private || status != http.StatusOK || strings.Contains(page, "?") {
		w.Header().Set("X-Robots-Tag", "noindex")
	}
	if status == http.StatusOK {
		serveContent(w, r, shell, content)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(content.plain)
	}
}

// refusedForm is a contact form that was not taken.
type refusedForm struct {
	Values map[string]string `json:"values"`
	// Fields says what is wrong with which field; nothing where that is not the reason.
	Fields map[string]string `json:"fields"`
}

// ServeSent implements [visitor.Pages].
func (s *Site) ServeSent(w http.ResponseWriter, r *http.Request) {
	http.Redirect(w, r, sentContact, http.StatusSeeOther)
}

// ServeRefused implements [visitor.Pages].
func (s *Site) ServeRefused(w http.ResponseWriter, r *http.Request, status int, values, fields map[string]string) {
	s.serveAnswer(w, r, status, formPage, "form", refusedForm{values, fields})
}

// newsletterOf is the page that shows what became of a subscription. All links of letters lead to the same one.
func newsletterOf(state string) string {
	if !slices.Contains(newsletterStates, state) {
		state = "enlace"
	}
	return newsletterPage + "?boletin=" + state
}

// ServeNewsletter implements [visitor.Pages].
func (s *Site) ServeNewsletter(w http.ResponseWriter, r *http.Request, state string) {
	http.Redirect(w, r, newsletterOf(state)+"#boletin", http.StatusSeeOther)
}

// ServeNoNewsletter implements [visitor.Pages].
func (s *Site) ServeNoNewsletter(w http.ResponseWriter, r *http.Request, status int) {
	s.serveAnswer(w, r, status, newsletterPage, "newsletter", "fallo")
}

// ServeErased implements [visitor.Pages].
func (s *Site) ServeErased(w http.ResponseWriter, r *http.Request) {
	http.Redirect(w, r, erasedNotice, http.StatusSeeOther)
}

// ServeErasure implements [visitor.Pages].
func (s *Site) ServeErasure(w http.ResponseWriter, r *http.Request, status int, erasure contract.Erasure) {
	s.serveAnswer(w, r, status, noticePage, "erasure", erasure)
}

// serveAnswer serves a page with what answers its form, under a name among its data.
func (s *Site) serveAnswer(w http.ResponseWriter, r *http.Request, status int, page, name string, answer any) {
	v, err := s.Content.Current(r.Context())
	if err == nil && s.renderer == nil {
		err = web.ErrNotFound
	}
	var filled []byte
	if err == nil {
		filled, err = json.Marshal(answer)
	}
	if err != nil {
		s.Fail(w, r, err)
		return
	}
	data := s.renderer.dataOf(v, page)
	data[name] = filled
	content, _, err := s.renderer.fresh(r.Context(), page, data)
	if err != nil {
		s.Logger.Error("form was served without its page", "error", err)
	}
	w.Header().Set("X-Robots-Tag", "noindex")
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(content)
}

// address is a page that search engines may know.
type address struct {
	path string
	// changed is when the page was published; the zero time where nobody knows.
	changed time.Time
}

// siteMap is the list of all public pages, see sitemaps.org.
type siteMap struct {
	XMLName xml.Name  `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 urlset"`
	URLs    []siteURL `xml:"url"`
}

type siteURL struct {
	Location string `xml:"loc"`
	Modified string `xml:"lastmod,omitempty"`
}

func (s *Site) serveMap(w http.ResponseWriter, r *http.Request, v *contentVersion) {
	var m siteMap
	for _, a := range s.renderer.known(r.Context(), v) {
		u := siteURL{Location: s.renderer.origin + a.path}
		if !a.changed.IsZero() {
			u.Modified = a.changed.Format(time.DateOnly)
		}
		m.URLs = append(m.URLs, u)
	}
	text, err := xml.MarshalIndent(m, "", " ")
	if err != nil {
		s.Fail(w, r, err)
		return
	}
	serveText(w, r, "sitemap.xml", xml.Header+string(text)+"\n")
}

func serveText(w http.ResponseWriter, r *http.Request, name, text string) {
	w.Header().Set("Cache-Control", "no-cache")
	serveContent(w, r, name, packed{plain: []byte(text)})
}

func serveContent(w http.ResponseWriter, r *http.Request, name string, content packed) {
	tag := content.tag
	if tag == "" {
		tag = tagOf(content.plain)
	}
	// Weak, since what is sent may be compressed.
	w.Header().Set("ETag", `W/"`+tag+`"`)
	if t := mime.TypeByExtension(path.Ext(name)); t != "" {
		w.Header().Set("Content-Type", t)
	}
	body := content.plain
	if content.brotli != nil && acceptsBrotli(r) {
		body = content.brotli
		w.Header().Set("Content-Encoding", "br")
		// The standard library leaves it out where the content is encoded.
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	}
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(body))
}
