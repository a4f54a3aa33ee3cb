package httpapi

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/andybalholm/brotli"

	"bitacora/adapters/httpapi/site"
)

func TestSite(t *testing.T) {
	h := newTestServer(t)
	const revalidate, immutable = "no-cache", "public, max-age=31536000, immutable"
	for path, want := range map[string]struct {
		status             int
		kind, cache, robot string
	}{
		"/":                         {200, "text/html", revalidate, ""},
		"/login":                    {200, "text/html", revalidate, "noindex"},
		"/Login/":                   {200, "text/html", revalidate, "noindex"},
		"/DASHBOARD?x=1":            {200, "text/html", revalidate, "noindex"},
		"/nowhere":                  {404, "text/html", revalidate, "noindex"},
		"/login/x":                  {404, "text/html", revalidate, "noindex"},
		"/API/auth/user":            {404, "text/html", revalidate, "noindex"},
		"/favicon.svg":              {200, "image/svg+xml", revalidate, ""},
		"/assets/index-a1b2c3.js":   {200, "text/javascript", immutable, ""},
		"/assets/":                  {404, "text/html", revalidate, "noindex"},
		"/assets/gone.js":           {404, "text/html", revalidate, "noindex"},
		"/.gitkeep":                 {404, "text/html", revalidate, "noindex"},
		"/.well-known/x":            {404, "text/html", revalidate, "noindex"},
		"/.well-known/security.txt": {200, "text/plain", revalidate, ""},
		"/about":                    {200, "text/html", revalidate, ""},
		"/robots.txt":               {200, "text/plain", revalidate, ""},
		"/sitemap.xml":              {200, "text/xml", revalidate, ""},
		"/site.webmanifest":         {200, "application/manifest+json", revalidate, ""},
		"/index.html":               {404, "text/html", revalidate, "noindex"},
		"/../../etc/passwd":         {404, "text/html", revalidate, "noindex"},
		"/%2e%2e/%2e%2e/go.mod":     {404, "text/html", revalidate, "noindex"},
		"/a%00b":                    {404, "text/html", revalidate, "noindex"},
	} {
		get := h.browser().get(path)
		head := h.browser().send(http.MethodHead, path, nil, nil)
		for method, a := range map[string]answer{"GET": get, "HEAD": head} {
			kind, _, _ := strings.Cut(a.Header().Get("Content-Type"), ";")
			if a.Code != want.status || kind != want.kind || a.Header().Get("Cache-Control") != want.cache || a.Header().Get("X-Robots-Tag") != want.robot {
				t.Errorf("%s %s: %d %v", method, path, a.Code, a.Header())
			}
		}
		if head.Body.Len() != 0 || get.Body.Len() == 0 {
			t.Errorf("%s: HEAD gave %d bytes, GET %d", path, head.Body.Len(), get.Body.Len())
		}
	}
	if a := h.browser().post("/login", nil); a.Code != http.StatusMethodNotAllowed {
		t.Errorf("POST /login: %d", a.Code)
	}
}

func TestSiteIsRevalidatedAndCompressed(t *testing.T) {
	b := newTestServer(t).browser()
	plain := b.get("/")
	tag := plain.Header().Get("ETag")
	if a := b.send(http.MethodGet, "/", nil, map[string]string{"If-None-Match": tag}); a.Code != http.StatusNotModified || a.Body.Len() != 0 {
		t.Errorf("revalidation of %s: %d", tag, a.Code)
	}
	packed := b.send(http.MethodGet, "/", nil, map[string]string{"Accept-Encoding": "gzip"})
	if packed.Header().Get("Content-Encoding") != "gzip" || packed.Body.Len() >= plain.Body.Len() || !strings.Contains(packed.Header().Get("Vary"), "Accept-Encoding") {
		t.Fatalf("%d of %d bytes, %v", packed.Body.Len(), plain.Body.Len(), packed.Header())
	}
	unpack, err := gzip.NewReader(packed.Body)
	if err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(unpack); err != nil || string(text) != plain.Body.String() {
		t.Errorf("unpacked %d bytes, %v", len(text), err)
	}
	again := b.send(http.MethodGet, "/", nil, map[string]string{"Accept-Encoding": "gzip", "If-None-Match": packed.Header().Get("ETag")})
	if again.Code != http.StatusNotModified {
		t.Errorf("revalidation of what was compressed: %d", again.Code)
	}
}

func TestSiteIsSentAsItWasPacked(t *testing.T) {
	script := strings.Repeat("let a = 1;", 200)
	var compressed bytes.Buffer
	w := brotli.NewWriter(&compressed)
	if _, err := w.Write([]byte(script)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	h := newTestServer(t, func(h *testServer) {
		h.config.Site.Build = fstest.MapFS{
			"index.html":       website["index.html"],
			"assets/app.js":    {Data: []byte(script)},
			"assets/app.js.br": {Data: compressed.Bytes()},
			"assets/other.js":  {Data: []byte(script)},
		}
	})
	b := h.browser()
	for path, offers := range map[string]map[string]string{
		"/":                {"gzip, br": "br", "GZIP, BR;q=0.5": "br", "gzip, br;q=0.0": "gzip", "gzip": "gzip", "": ""},
		"/assets/app.js":   {"gzip, br": "br", "br;q=0": "", "gzip;q=0.5": "gzip"},
		"/assets/other.js": {"gzip, br": "gzip"},
	} {
		plain := b.get(path)
		for offer, want := range offers {
			a := b.send(http.MethodGet, path, nil, map[string]string{"Accept-Encoding": offer})
			if got := a.Header().Get("Content-Encoding"); got != want || a.Header().Get("ETag") != plain.Header().Get("ETag") || a.Header().Get("Content-Type") != plain.Header().Get("Content-Type") {
				t.Errorf("%s to whoever accepts %q: %q, %v", path, offer, got, a.Header())
			}
			if want != "br" {
				continue
			}
			size := strconv.Itoa(a.Body.Len())
			if text, err := io.ReadAll(brotli.NewReader(a.Body)); err != nil || string(text) != plain.Body.String() || a.Header().Get("Content-Length") != size {
				t.Errorf("%s unpacked: %d bytes, %v, %v", path, len(text), err, a.Header())
			}
		}
	}
}

func TestSiteServesTheAssetsOfFormerReleases(t *testing.T) {
	former := site.Assets{fstest.MapFS{"old-a1b2.js": {Data: []byte("old()")}, "index-a1b2c3.js": {Data: []byte("other()")}}}
	b := newTestServer(t, func(h *testServer) { h.config.Site.Former = former }).browser()
	if a := b.get("/assets/old-a1b2.js"); a.Code != http.StatusOK || a.Body.String() != "old()" || a.Header().Get("Cache-Control") != "public, max-age=31536000, immutable" {
		t.Errorf("%d %q %v", a.Code, a.Body, a.Header())
	}
	if a := b.get("/assets/index-a1b2c3.js"); strings.Contains(a.Body.String(), "other()") {
		t.Error("an asset of an earlier release hides the current one")
	}
	if a := b.get("/old-a1b2.js"); a.Code != http.StatusNotFound {
		t.Errorf("outside of the assets: %d", a.Code)
	}
}

func TestSiteThatIsNotBuilt(t *testing.T) {
	h := newTestServer(t, func(h *testServer) { h.config.Site.Build = fstest.MapFS{".gitkeep": {}} })
	if a := h.browser().get("/"); a.Code != http.StatusNotFound || !strings.Contains(a.Body.String(), "npm run build") {
		t.Errorf("%d %s", a.Code, a.Body)
	}
}
