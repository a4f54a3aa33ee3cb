package httpapi

import (
	"context"
	"errors"
	"net/http"
	"time"

	"bitacora/domain/clinic"
)

// Mailbox takes what visitors write to the clinic.
type Mailbox interface {
	// Receive keeps a message, or gives [clinic.InvalidFields].
	Receive(ctx context.Context, m clinic.ContactMessage, channel string) error
}

// contactPause is for how long one message more makes up.
const contactPause = 30 * time.Second

// contactRate is far above what people write, and far below what fills a mailbox.
var contactRate = rate{perSecond: 1 / contactPause.Seconds(), burst: 10}

const tooManyContacts = "Se enviaron demasiados mensajes desde tu conexión. Inténtalo de nuevo en unos minutos o llámanos."

// contact takes a message from the page.
func (a *api) contact(w http.ResponseWriter, r *http.Request) {
	m, trapped, err := readContact(r)
	if err == nil && !trapped {
		err = a.takeContact(r.Context(), m, "web")
	}
	if err != nil {
		a.fail(w, r, err)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// contactForm takes the form itself from a visitor without JavaScript, and answers with
// the contact page: as it is after a message, or with the form as it was filled in.
func (a *api) contactForm(w http.ResponseWriter, r *http.Request) {
	m, trapped, err := readContactForm(r)
	if err == nil && !trapped {
		err = a.takeContact(r.Context(), m, "form")
	}
	if err == nil {
		http.Redirect(w, r, sentContact, http.StatusSeeOther)
		return
	}
	p, listens := a.explain(w, r, err)
	if !listens {
		return
	}
	a.site.serveForm(w, r, p.status, refusedForm{
		Values: map[string]string{"name": m.Name, "email": m.Email, "phone": m.Phone, "message": m.Message},
		Fields: p.fields,
	})
}

func (a *api) takeContact(ctx context.Context, m clinic.ContactMessage, channel string) error {
	// What is not right costs nothing and is not held against anybody.
	if _, err := m.Checked(); err != nil {
		return err
	}
	if a.Throttle {
		if v, wait := a.contacts.take(clientKey(ctx), a.Now()); v != pass {
			return &problem{status: http.StatusTooManyRequests, message: tooManyContacts, retryAfter: wait}
		}
	}
	return a.Mailbox.Receive(ctx, m, channel)
}

// readContact reads a message sent as JSON. What fills in the field that people do not see
// is a machine.
func readContact(r *http.Request) (m clinic.ContactMessage, trapped bool, err error) {
	var body ContactMessage
	if err := decode(r, &body); err != nil {
		return m, false, err
	}
	m = clinic.ContactMessage{Name: body.Name, Email: body.Email, Phone: deref(body.Phone), Message: body.Message}
	return m, deref(body.Website) != "", nil
}

func readContactForm(r *http.Request) (m clinic.ContactMessage, trapped bool, err error) {
	if err := r.ParseForm(); err != nil {
		var tooLarge *http.MaxBytesError
		if errors.As(err, &tooLarge) {
			return m, false, err
		}
		return m, false, errBadForm
	}
	sent := r.PostForm
	m = clinic.ContactMessage{Name: sent.Get("name"), Email: sent.Get("email"), Phone: sent.Get("phone"), Message: sent.Get("message")}
	return m, sent.Get("website") != "", nil
}
