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

// JSON answers with the value of a call, or with its error.
func JSON[T any](respond Responder, call func(*http.Request) (T, error)) http.HandlerFunc {
	return JSONAndHead(respond, func(r *http.Request, _ http.Header) (T, error) { return call(r) })
}

// JSONAndHead is [JSON] for a call that sets headers of its answer.
func JSONAndHead[T any](respond Responder, call func(*http.Request, http.Header) (T, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		answer, err := call(r, w.Header())
		if err != nil {
			respond.Fail(w, r, err)
			return
		}
		Encode(w, http.StatusOK, answer)
	}
}

// JSONOf is [JSON] for a call with a body.
func JSONOf[B, T any](respond Responder, call func(*http.Request, B) (T, error)) http.HandlerFunc {
	return JSON(respond, func(r *http.Request) (answer T, err error) {
		var body B
		if err := Decode(r, &body); err != nil {
			return answer, err
		}
		return call(r, body)
	})
}

// NoContent answers with the error of a call, or with 204.
func NoContent(respond Responder, call func(*http.Request) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if err := call(r); err != nil {
			respond.Fail(w, r, err)
			return
		}
		w.WriteHeader(http.StatusNoContent)
	}
}

// NoContentOf is [NoContent] for a call with a body.
func NoContentOf[B any](respond Responder, call func(*http.Request, B) error) http.HandlerFunc {
	return NoContent(respond, func(r *http.Request) error {
		var body B
		if err := Decode(r, &body); err != nil {
			return err
		}
		return call(r, body)
	})
}

// Encode writes a JSON answer. An error of the connection has no reader left.
func Encode(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	_ = e.Encode(v)
}
