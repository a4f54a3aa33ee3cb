package visitor

import (
	"net/http"

	"bitacora/adapters/httpapi/contract"
	"bitacora/domain/chat"
)

// Visit counts a visit to the site. Who asks not to be followed is not counted, although
// nothing here could follow anybody.
func (h *Handler) Visit(r *http.Request, body contract.Visit) error {
	if r.Header.Get("Sec-GPC") == "1" || r.Header.Get("DNT") == "1" {
		return nil
	}
	if err := h.few(r.Context(), visitRate, "visits of ", tooManyMessages); err != nil {
		return err
	}
	v := chat.Visit{SessionID: body.SessionID}
	if body.OpenedBy != nil {
		v.OpenedBy = string(*body.OpenedBy)
	}
	return h.Chat.Visit(r.Context(), v)
}
