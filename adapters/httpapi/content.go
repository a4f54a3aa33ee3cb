package httpapi

import (
	"net/http"
)

// contentCache is how long a browser uses what the site tells without asking again.
const contentCache = "public, max-age=60, must-revalidate"

// content answers the calls about what the site tells.
func (a *api) content(w http.ResponseWriter, r *http.Request) {
	current, err := a.Content.Current(r.Context())
	if err != nil {
		a.fail(w, r, err)
		return
	}
	body, ok := current.answers[r.URL.Path]
	if !ok {
		a.fail(w, r, errNotFound)
		return
	}
	w.Header().Set("Cache-Control", contentCache)
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	serveContent(w, r, "", packed{plain: body})
}
