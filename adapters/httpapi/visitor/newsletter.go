package visitor

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"bitacora/adapters/httpapi/contract"
	"bitacora/adapters/httpapi/web"
	"bitacora/domain/fault"
	"bitacora/domain/throttle"
)

// letterRate bounds the letters to one address, whoever asks for them.
var letterRate = throttle.Rate{Every: 8 * time.Hour, Burst: 3}

// Subscribe takes an address from the page.
func (h *Handler) Subscribe(r *http.Request, body contract.NewsletterSubscription) error {
	return h.subscribe(r.Context(), body.Email)
}

// subscribe answers the same whether an address is known, new or was written to too often.
func (h *Handler) subscribe(ctx context.Context, email string) error {
	if err := h.few(ctx, contactRate, "newsletter of ", tooManyContacts); err != nil {
		return err
	}
	email = strings.TrimSpace(email)
	key := fmt.Sprintf("letters to %x", h.DeriveToken("newsletter", strings.ToLower(email)))
	if v, _, err := h.take(ctx, throttle.Bucket{Rate: letterRate, Key: key}); err != nil || v != throttle.Pass {
		return err
	}
	return h.Newsletter.Subscribe(ctx, email)
}

// NewsletterForm takes an address from a visitor without JavaScript, and what was decided on the page that a
// letter leads to. A link alone decides nothing, since mail programs follow links. For these there is the
// form of RFC 8058.
func (h *Handler) NewsletterForm(w http.ResponseWriter, r *http.Request) {
	state, err := h.decided(r)
	switch {
	case fault.KindOf(err) == fault.NotFound:
		state = "caducado"
	case err != nil:
		if p, listens := h.Explain(w, r, err); listens {
			h.pages.ServeNoNewsletter(w, r, p.Status)
		}
		return
	}
	if r.PostFormValue(oneTouch) != "" {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	h.pages.ServeNewsletter(w, r, state)
}

// maxParts is how much of a form in parts is held in memory.
const maxParts = 1 << 16

// oneTouch is the only field of the form that mail programs send.
const oneTouch = "List-Unsubscribe"

// decided does what a form asks for, and gives what the page shows of it.
func (h *Handler) decided(r *http.Request) (state string, err error) {
	if err := parseForm(r); err != nil {
		return "", err
	}
	// Mail programs may send it in parts.
	if err := r.ParseMultipartForm(maxParts); err != nil && !errors.Is(err, http.ErrNotMultipart) {
		return "", web.BadRequest("No se pudo leer el formulario.")
	}
	ctx, id, asked := r.Context(), r.URL.Query().Get("boletin"), r.PostFormValue("accion")
	switch {
	case asked == "pedir":
		return "pedido", h.subscribe(ctx, r.PostFormValue("email"))
	case !web.ValidID(id):
		return "caducado", nil
	case asked == "baja", r.PostFormValue(oneTouch) == "One-Click":
		return "baja", h.Newsletter.Cancel(ctx, id)
	case asked == "confirmar":
		return "confirmado", h.Newsletter.Confirm(ctx, id)
	}
	return "caducado", nil
}
