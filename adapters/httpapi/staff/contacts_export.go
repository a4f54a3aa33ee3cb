package staff

import (
	"context"
	"fmt"
	"iter"
	"net/http"
	"time"

	"bitacora/domain/contacts"
	"bitacora/domain/event"
)

// Export gives contacts away as a file, page by page, and records each of them.
func (h *ContactsHandler) Export(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), exportTime)
	defer cancel()
	r = r.WithContext(ctx)
	q, err := h.askAboutContacts(r)
	if err != nil {
		h.Fail(w, r, err)
		return
	}
	taken := &event.ExportTaken{StaffID: account(ctx).ID, Rows: "contacts", Format: "csv"}
	if err := h.readings.record(ctx, taken); err != nil {
		h.Fail(w, r, err)
		return
	}
	first, last := ends(q.Period)
	zone := q.From.Location()
	d := &download{w: w, control: http.NewResponseController(w), through: q.through, kind: exportTypes["csv"], name: fmt.Sprintf(
		"bitacora-contactos-%s-%s.csv", first.In(zone).Format(time.DateOnly), last.In(zone).Format(time.DateOnly))}
	if err := writeRows(d, "csv", contactFields, h.everyContact(ctx, q), zone); err != nil {
		d.breakOff(h.Responder, w, r, err)
	}
}

func (h *ContactsHandler) everyContact(ctx context.Context, q contactQuestion) iter.Seq2[contacts.Contact, error] {
	return func(yield func(contacts.Contact, error) bool) {
		for page := (contactCursor{limit: maxContactPage}); ; {
			list, err := h.readContacts(ctx, q, page)
			if err == nil {
				err = h.recordReading(ctx, list.contacts)
			}
			if err != nil {
				yield(contacts.Contact{}, err)
				return
			}
			for _, c := range list.contacts {
				if !c.Restricted && !yield(c, nil) {
					return
				}
			}
			if list.next == nil {
				return
			}
			page.after = list.next
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
