package site

import (
	"net/http"

	"bitacora/adapters/httpapi/web"
)

// contentCache is how long a browser uses what the site shows without asking again.
const contentCache = "public, max-age=60, must-revalidate"

// ServeContent answers the calls about what the site shows.
func (s *Site) ServeContent(w http.ResponseWriter, r *http.Request) {
	current, err := s.Content.Current(r.Context())
	if err != nil {
		s.Fail(w, r, err)
		return
	}
	body, ok := current.answers[r.URL.Path]
	if !ok {
		s.Fail(w, r, web.ErrNotFound)
		return
	}
	w.Header().Set("Cache-Control", contentCache)
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	serveContent(w, r, "", packed{plain: body})
}
