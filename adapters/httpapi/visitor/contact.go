package visitor

import (
	"context"
	"errors"
	"net/http"
	"time"

	"bitacora/adapters/httpapi/contract"
	"bitacora/adapters/httpapi/web"
	"bitacora/domain/clinic"
	"bitacora/domain/throttle"
)

// contactRate is far above what people write, and far below what fills a mailbox.
var contactRate = throttle.Rate{Every: 30 * time.Second, Burst: 10}

const tooManyContacts = "Se enviaron demasiados mensajes desde esta conexión. En unos minutos se puede intentar de nuevo; también atendemos por teléfono."

// Contact takes a message from the page.
func (h *Handler) Contact(r *http.Request, body contract.ContactMessage) error {
	// What fills in the field that people do not see is a machine.
	if contract.Deref(body.Website) != "" {
		return nil
	}
	m := clinic.ContactMessage{Name: body.Name, Email: body.Email, Phone: contract.Deref(body.Phone), Message: body.Message}
	return h.takeContact(r.Context(), m, "web")
}

// ContactForm takes the form itself from a visitor without JavaScript, and answers with
// the contact page: as it is after a message, or with the form as it was filled in.
func (h *Handler) ContactForm(w http.ResponseWriter, r *http.Request) {
	m, trapped, err := readContactForm(r)
	if err == nil && !trapped {
		err = h.takeContact(r.Context(), m, "form")
	}
	if err == nil {
		h.pages.ServeSent(w, r)
		return
	}
	p, listens := h.Explain(w, r, err)
	if !listens {
		return
	}
	values := map[string]string{"name": m.Name, "email": m.Email, "phone": m.Phone, "message": m.Message}
	h.pages.ServeRefused(w, r, p.Status, values, p.Fields)
}

func (h *Handler) takeContact(ctx context.Context, m clinic.ContactMessage, channel string) error {
	// What is not right costs nothing and is not held against anybody.
	if _, err := m.Checked(); err != nil {
		return err
	}
	if err := h.few(ctx, contactRate, "forms of ", tooManyContacts); err != nil {
		return err
	}
	return h.Mailbox.Receive(ctx, m, channel)
}

func parseForm(r *http.Request) error {
	err := r.ParseForm()
	if tooLarge := new(*http.MaxBytesError); err != nil && !errors.As(err, tooLarge) {
		return web.BadRequest("No se pudo leer el formulario.")
	}
	return err
}

func readContactForm(r *http.Request) (m clinic.ContactMessage, trapped bool, err error) {
	if err := parseForm(r); err != nil {
		return m, false, err
	}
	sent := r.PostForm
	m = clinic.ContactMessage{Name: sent.Get("name"), Email: sent.Get("email"), Phone: sent.Get("phone"), Message: sent.Get("message")}
	return m, sent.Get("website") != "", nil
}
