package httpapi

import (
	"context"
	"errors"
	"html/template"
	"mime"
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

// contact takes a message: as JSON from the page, or as the form itself from a visitor
// without JavaScript.
func (a *api) contact(w http.ResponseWriter, r *http.Request) {
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	read, channel, refuse := readContact, "web", a.fail
	if kind == typeForm {
		read, channel, refuse = readContactForm, "form", a.failForm
	}
	m, trapped, err := read(r)
	if err == nil && !trapped {
		err = a.takeContact(r.Context(), m, channel)
	}
	switch {
	case err != nil:
		refuse(w, r, err)
	case kind == typeForm:
		http.Redirect(w, r, "/contact?enviado=1", http.StatusSeeOther)
	default:
		w.WriteHeader(http.StatusNoContent)
	}
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

// formPage is what a visitor without JavaScript sees of a form that was not taken. The
// browser's way back leads to the form as it was filled in.
var formPage = template.Must(template.New("form").Parse(`<!doctype html>
<html lang="es-PA">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>No pudimos enviar tu mensaje</title>
{{range .Styles}}<link rel="stylesheet" href="{{.}}">
{{end}}</head>
<body>
<main class="page py-16" id="contenido">
<h1>No pudimos enviar tu mensaje</h1>
<p>{{.Message}}</p>
{{with .Fields}}<ul>
{{range .}}<li>{{.}}</li>
{{end}}</ul>
{{end}}<p>Vuelve a la página anterior para corregirlo: lo que escribiste sigue allí.</p>
<p><a href="/contact">Ir a la página de contacto</a></p>
</main>
</body>
</html>
`))

// failForm answers a form that was not taken with a page.
func (a *api) failForm(w http.ResponseWriter, r *http.Request, err error) {
	p, listens := a.explain(w, r, err)
	if !listens {
		return
	}
	var wrong []string
	for _, field := range []string{"name", "email", "phone", "message"} {
		if sentence, ok := p.fields[field]; ok {
			wrong = append(wrong, sentence)
		}
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(p.status)
	_ = formPage.Execute(w, map[string]any{"Message": p.message, "Fields": wrong, "Styles": a.site.styles()})
}
