package visitor

import (
	"cmp"
	"net/http"

	"github.com/go-chi/chi/v5"

	"bitacora/adapters/httpapi/web"
)

// FollowLink takes a visitor to the scheduling form, and where there is none any more to the contact form. Only a GET counts as followed.
func (h *Handler) FollowLink(w http.ResponseWriter, r *http.Request) {
	reference := chi.URLParam(r, "reference")
	if !web.ValidID(reference) {
		h.Fail(w, r, web.ErrNotFound)
		return
	}
	address, err := h.Conversations.OpenLink(r.Context(), reference)
	if err != nil {
		h.Fail(w, r, err)
		return
	}
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Referrer-Policy", "no-referrer")
	http.Redirect(w, r, cmp.Or(address, "/contact"), http.StatusFound)
}
