package web

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
)

// Decode reads a request's body as one JSON value. Fields that v does not name are
// ignored.
func Decode(r *http.Request, v any) error {
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
		return BadRequest(fmt.Sprintf("El campo «%s» no es del tipo esperado.", mistyped.Field))
	default:
		return errBadJSON
	}
}

// Encode writes a JSON answer. An error of the connection has no reader left.
func Encode(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	_ = e.Encode(v)
}
