package httpapi

import (
	"context"
	"fmt"
	"iter"
	"net/http"
	"time"

	"bitacora/domain/contacts"
)

// exportContacts gives contacts away as a file, page by page, and takes down each of them.
func (a *api) exportContacts(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), exportTime)
	defer cancel()
	r = r.WithContext(ctx)
	q, err := a.askAboutContacts(r)
	if err != nil {
		a.fail(w, r, err)
		return
	}
	first, last := ends(q.Period)
	d := &download{w: w, control: http.NewResponseController(w), through: q.through, kind: exportTypes["csv"], name: fmt.Sprintf(
		"bitacora-contactos-%s-%s.csv", first.In(a.Zone).Format(time.DateOnly), last.In(a.Zone).Format(time.DateOnly))}
	if err := writeRows(d, "csv", contactFields, a.everyContact(ctx, q), a.Zone); err != nil {
		a.breakOff(w, r, d, err)
	}
}

func (a *api) everyContact(ctx context.Context, q contactQuestion) iter.Seq2[contacts.Contact, error] {
	return func(yield func(contacts.Contact, error) bool) {
		for place := (contactCursor{limit: maxContactPage}); ; {
			list, err := a.readContacts(ctx, q, place)
			if err == nil {
				err = a.noteReading(ctx, list.contacts)
			}
			if err != nil {
				yield(contacts.Contact{}, err)
				return
			}
			for _, c := range list.contacts {
				if !yield(c, nil) {
					return
				}
			}
			if list.next == nil {
				return
			}
			place.after = list.next
		}
	}
}

// statusNames and kindNames are what people read.
var (
	statusNames = map[string]string{
		contacts.New: "nuevo", contacts.Contacted: "contactado", contacts.Scheduled: "agendado", contacts.Discarded: "descartado",
	}
	kindNames = map[string]string{contacts.Lead: "lead del chat", contacts.Message: "formulario de contacto"}
)

var contactFields = []exportField[contacts.Contact]{
	{"cameAt", "Fecha", func(c contacts.Contact) any { return c.CameAt }},
	{"kind", "Origen", func(c contacts.Contact) any { return kindNames[c.Kind] }},
	{"name", "Nombre", func(c contacts.Contact) any { return c.Name }},
	{"phone", "Teléfono", func(c contacts.Contact) any { return c.Phone }},
	{"email", "Correo", func(c contacts.Contact) any { return c.Email }},
	{"specialty", "Especialidad", func(c contacts.Contact) any { return c.Specialty }},
	{"message", "Mensaje", func(c contacts.Contact) any { return c.Text }},
	{"status", "Estado", func(c contacts.Contact) any { return statusNames[c.Status] }},
	{"slot", "Cita", func(c contacts.Contact) any {
		if c.Booking == nil {
			return ""
		}
		return c.Booking.Slot
	}},
	{"cancelled", "Cita cancelada", func(c contacts.Contact) any { return c.Booking != nil && c.Booking.Cancelled }},
	{"notes", "Notas", func(c contacts.Contact) any {
		notes := make([]string, len(c.Notes))
		for i, n := range c.Notes {
			notes[i] = n.Text
		}
		return notes
	}},
	{"erased", "Datos borrados", func(c contacts.Contact) any { return c.Erased }},
	{"id", "Identificador", func(c contacts.Contact) any { return c.ID }},
}
