package httpapi

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"
	"time"
)

// shell is the page in which the webapp runs, whatever the route.
const shell = "index.html"

// pages are the routes of the webapp, lower case. Every other path is its not-found page.
var pages = map[string]pageKind{
	"/":          {},
	"/login":     {private: true},
	"/dashboard": {private: true},
}

// pageKind is what is known of a route. A private one is nothing for search engines.
type pageKind struct{ private bool }

// site serves the webapp's build: its files by name, and its shell for every route.
type site struct{ files fs.FS }

func (s site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	route := path.Clean("/" + r.URL.Path)
	if p, ok := pages[strings.ToLower(route)]; ok {
		s.serveShell(w, r, http.StatusOK, p.private)
		return
	}
	name := strings.TrimPrefix(route, "/")
	content, err := readVisible(s.files, name)
	if err != nil {
		s.serveShell(w, r, http.StatusNotFound, true)
		return
	}
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

func (s site) serveShell(w http.ResponseWriter, r *http.Request, status int, private bool) {
	content, err := fs.ReadFile(s.files, shell)
	if errors.Is(err, fs.ErrNotExist) {
		http.Error(w, "La aplicación web no está construida (npm run build).", http.StatusNotFound)
		return
	}
	if err != nil {
		http.Error(w, "No se pudo leer la página.", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Cache-Control", "no-cache")
	if private {
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

func serveContent(w http.ResponseWriter, r *http.Request, name string, content []byte) {
	sum := sha256.Sum256(content)
	// Weak, since what is sent may be compressed.
	w.Header().Set("ETag", `W/"`+base64.RawURLEncoding.EncodeToString(sum[:12])+`"`)
	if t := mime.TypeByExtension(path.Ext(name)); t != "" {
		w.Header().Set("Content-Type", t)
	}
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(content))
}
