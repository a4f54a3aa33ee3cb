package httpapi

import (
	"mime"
	"net/http"
	"slices"
)

// maxBody bounds a request's body, in bytes.
const maxBody = 64 << 10

// What a body may be.
const (
	typeJSON = "application/json"
	typeForm = "application/x-www-form-urlencoded"
)

// bodies bounds what is read of a body, and refuses a body of another type: a form of
// another site cannot send JSON.
func (a *api) bodies(types ...string) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.ContentLength != 0 && r.Method != http.MethodGet && r.Method != http.MethodHead {
				r.Body = http.MaxBytesReader(w, r.Body, maxBody)
				if t, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || !slices.Contains(types, t) {
					a.Fail(w, r, errNotJSON)
					return
				}
			}
			next.ServeHTTP(w, r)
		})
	}
}
