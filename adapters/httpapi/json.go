package httpapi

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"slices"
)

// maxBody bounds a request's body, in bytes.
const maxBody = 64 << 10

// decode reads a request's body as one JSON value. Fields that v does not name are
// ignored.
func decode(r *http.Request, v any) error {
	d := json.NewDecoder(r.Body)
	if err := d.Decode(v); err != nil {
		return badJSON(err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return badJSON(err)
	}
	return nil
}

func badJSON(err error) error {
	var tooLarge *http.MaxBytesError
	var mistyped *json.UnmarshalTypeError
	switch {
	case errors.As(err, &tooLarge):
		return err
	case errors.As(err, &mistyped) && mistyped.Field != "":
		return &problem{status: http.StatusBadRequest, message: fmt.Sprintf("El campo «%s» no es del tipo esperado.", mistyped.Field)}
	default:
		return errBadJSON
	}
}

// encode writes a JSON answer. An error of the connection has nobody left to be told.
func encode(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	_ = e.Encode(v)
}

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
					a.fail(w, r, errNotJSON)
					return
				}
			}
			next.ServeHTTP(w, r)
		})
	}
}
