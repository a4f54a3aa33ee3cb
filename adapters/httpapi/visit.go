package httpapi

import (
	"net/http"

	"bitacora/domain/chat"
)

// visit counts a visit to the site. Who asks not to be followed is not counted, although
// nothing here could follow anybody.
func (a *api) visit(w http.ResponseWriter, r *http.Request) {
	var body Visit
	if err := decode(r, &body); err != nil {
		a.fail(w, r, err)
		return
	}
	if r.Header.Get("Sec-GPC") == "1" || r.Header.Get("DNT") == "1" {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	if a.Throttle {
		if v, wait := a.visits.take(clientKey(r.Context()), a.Now()); v != pass {
			a.fail(w, r, &problem{status: http.StatusServiceUnavailable, message: tooManyMessages, retryAfter: wait})
			return
		}
	}
	v := chat.Visit{SessionID: body.SessionID}
	if body.OpenedBy != nil {
		v.OpenedBy = string(*body.OpenedBy)
	}
	if err := a.Chat.Visit(r.Context(), v); err != nil {
		a.fail(w, r, err)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}
