package visitor

import (
	"net/http"

	"bitacora/adapters/httpapi/contract"
	"bitacora/adapters/httpapi/web"
	"bitacora/domain/chat"
)

// Visit counts a visit to the site. Who asks not to be followed is not counted, although
// nothing here could follow anybody.
func (h *Handler) Visit(w http.ResponseWriter, r *http.Request) {
	var body contract.Visit
	if err := web.Decode(r, &body); err != nil {
		h.Fail(w, r, err)
		return
	}
	if r.Header.Get("Sec-GPC") == "1" || r.Header.Get("DNT") == "1" {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	if err := h.few(r.Context(), visitRate, "visits of ", tooManyMessages); err != nil {
		h.Fail(w, r, err)
		return
	}
	v := chat.Visit{SessionID: body.SessionID}
	if body.OpenedBy != nil {
		v.OpenedBy = string(*body.OpenedBy)
	}
	if err := h.Chat.Visit(r.Context(), v); err != nil {
		h.Fail(w, r, err)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}
