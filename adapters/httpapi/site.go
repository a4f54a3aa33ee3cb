package httpapi

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/xml"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"slices"
	"strings"
	"time"
)

// shell is the page in which the webapp runs, whatever the route.
const shell = "index.html"

// site serves the webapp's build: its files by name, and its pages as complete HTML.
type site struct {
	api      *api
	files    fs.FS
	document document
	press    *press
}

func newSite(a *api) *site {
	s := &site{api: a, files: a.Site}
	if page, err := fs.ReadFile(a.Site, shell); err == nil && a.Pages != nil {
		s.document = newDocument(page)
		s.press = &press{
			pages: a.Pages, origin: strings.TrimSuffix(a.Origin, "/"), document: s.document,
			zone: a.Zone, now: a.Now, logger: a.Logger,
		}
	}
	return s
}

// styles are the style sheets of the build.
func (s *site) styles() []string { return s.document.styles }

func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	route := path.Clean("/" + r.URL.Path)
	if content, err := readVisible(s.files, strings.TrimPrefix(route, "/")); err == nil {
		s.serveFile(w, r, strings.TrimPrefix(route, "/"), content)
		return
	}
	if s.press == nil {
		http.Error(w, "La aplicación web no está construida (npm run build).", http.StatusNotFound)
		return
	}
	current, err := s.api.Library.Current(r.Context())
	if err != nil {
		// The pages need no more than the clinic's facts to say what they are.
		s.api.Logger.Error("site is served without content", "error", err)
		current, err = newEdition("", s.api.Library.content, s.api.Library.Clinic, s.api.Now())
	}
	if err != nil {
		s.api.fail(w, r, err)
		return
	}
	switch route {
	case "/robots.txt":
		serveText(w, r, "robots.txt", "User-agent: *\nAllow: /\n\nSitemap: "+s.press.origin+"/sitemap.xml\n")
	case "/sitemap.xml":
		s.serveMap(w, r, current)
	default:
		s.servePage(w, r, current, strings.ToLower(route))
	}
}

func (s *site) serveFile(w http.ResponseWriter, r *http.Request, name string, content []byte) {
	cache := "no-cache"
	if strings.HasPrefix(name, "assets/") {
		// The build puts a hash of the content into these names.
		cache = "public, max-age=31536000, immutable"
	}
	w.Header().Set("Cache-Control", cache)
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
func (s *site) servePage(w http.ResponseWriter, r *http.Request, e *edition, route string) {
	private := slices.Contains(privatePages, route)
	page := route
	switch {
	case !private && !s.press.exists(r.Context(), e, route):
		page = nowhere
	case route == "/contact" && r.URL.Query().Get("enviado") == "1":
		page = sentContact
	}
	content, status := s.press.print(r.Context(), e, page)
	w.Header().Set("Cache-Control", "no-cache")
	if private || status != http.StatusOK || page == sentContact {
		w.Header().Set("X-Robots-Tag", "noindex")
	}
	if status == http.StatusOK {
		serveContent(w, r, shell, content)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(content)
	}
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

func (s *site) serveMap(w http.ResponseWriter, r *http.Request, e *edition) {
	known := e.pages
	for _, route := range s.press.always(r.Context()) {
		if !slices.ContainsFunc(e.pages, func(a address) bool { return a.path == route }) {
			known = append(known, address{path: route})
		}
	}
	var m siteMap
	for _, a := range slices.SortedFunc(slices.Values(known), func(a, b address) int { return strings.Compare(a.path, b.path) }) {
		u := siteURL{Location: s.press.origin + a.path}
		if !a.changed.IsZero() {
			u.Modified = a.changed.Format(time.DateOnly)
		}
		m.URLs = append(m.URLs, u)
	}
	text, err := xml.MarshalIndent(m, "", " ")
	if err != nil {
		s.api.fail(w, r, err)
		return
	}
	serveText(w, r, "sitemap.xml", xml.Header+string(text)+"\n")
}

func serveText(w http.ResponseWriter, r *http.Request, name, text string) {
	w.Header().Set("Cache-Control", "no-cache")
	serveContent(w, r, name, []byte(text))
}

func serveContent(w http.ResponseWriter, r *http.Request, name string, content []byte) {
	sum := sha256.Sum256(content)
	// Weak, since what is sent may be compressed.
	w.Header().Set("ETag", `W/"`+base64.RawURLEncoding.EncodeToString(sum[:12])+`"`)
	if t := mime.TypeByExtension(path.Ext(name)); t != "" {
		w.Header().Set("Content-Type", t)
	}
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(content))
}
