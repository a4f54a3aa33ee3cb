package httpapi

import (
	"encoding/json"
	"fmt"
	"image/png"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"bitacora/webapp"
)

// What has a hash of its content in its name is kept for good, everything else asked for anew
// each time, and not sent again unless it has changed.
func TestEveryStaticAnswerIsKeptOrRevalidated(t *testing.T) {
	const hashed, kept = "/assets/", "public, max-age=31536000, immutable"
	build := fstest.MapFS{"index.html": website["index.html"]}
	for _, name := range []string{"assets/main-a1b2.js", "assets/main-a1b2.css", "assets/inter-a1b2.woff2", "favicon.svg", "img/share.png", "img/hero/1.webp", "img/hero/1-640.svg", "img/map.svg"} {
		build[name] = &fstest.MapFile{Data: []byte(strings.Repeat(name, 200))}
	}
	for name, files := range map[string]fs.FS{"each kind of file": build, "the webapp as it was built": webapp.Dist()} {
		h := newTestServer(t, func(h *testServer) { h.config.Site.Build = files })
		paths := []string{"/", "/about", "/login", "/robots.txt", "/sitemap.xml", "/site.webmanifest", "/.well-known/security.txt"}
		if _, err := fs.Stat(files, "index.html"); err != nil {
			paths = nil // before the first build there is nothing to be served
		}
		err := fs.WalkDir(files, ".", func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && path != "index.html" && !strings.Contains("/"+path, "/.") {
				paths = append(paths, "/"+path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			want := "no-cache"
			if strings.HasPrefix(path, hashed) {
				want = kept
			}
			first := h.browser().get(path)
			tag := first.Header().Get("ETag")
			if first.Code != http.StatusOK || tag == "" || first.Header().Get("Cache-Control") != want {
				t.Errorf("%s, %s: %d %v", name, path, first.Code, first.Header())
				continue
			}
			again := h.browser().send(http.MethodGet, path, nil, map[string]string{"If-None-Match": tag})
			if again.Code != http.StatusNotModified || again.Body.Len() != 0 || again.Header().Get("Cache-Control") != want || again.Header().Get("ETag") != tag {
				t.Errorf("%s, %s, asked for anew: %d %v", name, path, again.Code, again.Header())
			}
			other := h.browser().send(http.MethodGet, path, nil, map[string]string{"If-None-Match": `W/"other"`})
			if other.Code != http.StatusOK || other.Body.Len() != first.Body.Len() {
				t.Errorf("%s, %s, changed: %d, %d bytes", name, path, other.Code, other.Body.Len())
			}
		}
	}
}

// Every icon that a page or the manifest names is there, as large as it is said to be.
func TestEveryIconIsServed(t *testing.T) {
	page, err := os.ReadFile("../../webapp/index.html")
	if err != nil {
		t.Fatal(err)
	}
	files := fstest.MapFS{"index.html": {Data: page}}
	public := os.DirFS("../../webapp/public")
	for _, name := range []string{"favicon.svg", "img/icon-180.png", "img/icon-192.png", "img/icon-512.png"} {
		data, err := fs.ReadFile(public, name)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = &fstest.MapFile{Data: data}
	}
	b := newTestServer(t, func(h *testServer) { h.config.Site.Build = files }).browser()
	// What iOS takes is 180 pixels wide.
	named := map[string]string{}
	for _, link := range regexp.MustCompile(`<link rel="(icon|apple-touch-icon|manifest)"[^>]*href="([^"]+)"`).FindAllStringSubmatch(b.get("/").Body.String(), -1) {
		named[link[2]] = map[string]string{"icon": "any", "apple-touch-icon": "180x180", "manifest": ""}[link[1]]
	}
	if len(named) != 3 {
		t.Errorf("the page names %v", slices.Sorted(maps.Keys(named)))
	}
	var manifest struct {
		Icons []struct{ Src, Sizes string }
	}
	if err := json.Unmarshal(b.get("/site.webmanifest").Body.Bytes(), &manifest); err != nil || len(manifest.Icons) < 3 {
		t.Fatalf("%d icons, %v", len(manifest.Icons), err)
	}
	for _, icon := range manifest.Icons {
		named[icon.Src] = icon.Sizes
	}
	for path, size := range named {
		a := b.get(path)
		if a.Code != http.StatusOK {
			t.Errorf("%s: %d", path, a.Code)
		}
		if !strings.HasSuffix(path, ".png") {
			continue
		}
		drawn, err := png.DecodeConfig(a.Body)
		if got := fmt.Sprintf("%dx%d", drawn.Width, drawn.Height); err != nil || got != size {
			t.Errorf("%s is %s instead of %s, %v", path, got, size, err)
		}
	}
	if a := b.get("/favicon.ico"); a.Code != http.StatusOK || a.Body.String() != b.get("/img/icon-192.png").Body.String() {
		t.Errorf("/favicon.ico: %d %v", a.Code, a.Header())
	}
}
