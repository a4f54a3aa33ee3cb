package site

import (
	"net/http"
	"path"
	"slices"

	"bitacora/adapters/httpapi/contract"
	"bitacora/adapters/httpapi/web"
	"bitacora/domain/clinic"
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

// NextFree is when the chat would offer an appointment of a service next. It is none of its answers where
// another form books.
func (s *Site) NextFree(r *http.Request) (answer contract.NextFree, err error) {
	slug := path.Base(r.URL.Path)
	content, _, err := s.Content.Published(r.Context())
	switch {
	case err != nil:
		return answer, err
	case !slices.ContainsFunc(content.Services, func(of clinic.Service) bool { return of.Slug == slug }):
		return answer, web.ErrNotFound
	case s.Agenda == nil || s.Content.Clinic.Links.Configured().Booking != "":
		return answer, nil
	}
	at, err := s.Agenda.NextFree(r.Context(), slug)
	if err == nil && !at.IsZero() {
		answer.At = new(at.UTC())
	}
	return answer, err
}
