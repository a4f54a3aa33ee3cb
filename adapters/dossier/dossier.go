// Package dossier writes down everything that the clinic keeps of a person, to be handed over to
// them: as JSON for programs, and as one page that needs nothing else to be read.
package dossier

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"strings"
	"time"

	"bitacora/domain/clinic"
	"bitacora/domain/contacts"
	"bitacora/domain/event"
	"bitacora/domain/fault"
	"bitacora/domain/subjects"
)

//go:embed dossier.html
var page string

var parsed = template.Must(template.New("dossier").Funcs(template.FuncMap{
	"when": func(time.Time) string { return "" }, "by": func(string) string { return "" },
	"word": word, "size": size, "linked": linked, "count": count,
}).Parse(page))

// Write writes a copy in a format, times of the page in a zone.
func Write(w io.Writer, c subjects.Copy, format string, facts clinic.Clinic) error {
	if format == subjects.JSON {
		out := json.NewEncoder(w)
		out.SetEscapeHTML(false)
		out.SetIndent("", "  ")
		if err := out.Encode(c); err != nil {
			return fmt.Errorf("write copy as JSON: %w", err)
		}
		return nil
	}
	t, err := parsed.Clone()
	if err == nil {
		err = t.Funcs(template.FuncMap{
			"when": func(at time.Time) string {
				return clinic.DayAndTime(at.In(facts.Zone)) + fmt.Sprintf(" de %d", at.In(facts.Zone).Year())
			},
			"by": func(id string) string { return actor(id, c.Names) },
		}).Execute(w, struct {
			subjects.Copy
			Clinic clinic.Clinic
		}{c, facts})
	}
	return fault.Wrap(err, "write copy as a page")
}

// FileName is what a copy is called that is made on a day of the clinic's. It names nobody.
func FileName(c subjects.Copy, format string, facts clinic.Clinic) string {
	return "bitacora-datos-" + c.Records[0].ID + "-" + c.MadeAt.In(facts.Zone).Format("20060102") + "." + format
}

// actor is what people call an account.
func actor(id string, names map[string]string) string {
	switch id {
	case event.ByOperator:
		return "quien administra el programa"
	case event.ByVisitor:
		return "la propia persona"
	case "":
		return "el programa"
	}
	return cmp.Or(names[id], "una cuenta que ya no existe")
}

// words are the program's own, as people read them.
var words = map[string]string{
	subjects.Conversation: "Conversación del chat", subjects.Message: "Mensaje del formulario de contacto", subjects.Subscription: "Suscripción al boletín",
	"web": "el sitio", "form": "el formulario del sitio", "letter": "el enlace de un correo", "import": "conversaciones importadas", "demo": "demostración",
	"chat": "en el chat", "staff": "por el equipo",
	contacts.New: "nuevo", contacts.Contacted: "contactado", contacts.Scheduled: "agendado", contacts.Discarded: "descartado",
	event.RatedPositive: "útil", event.RatedNegative: "no útil", event.RatedNone: "retirada",
	event.FlagCrisis: "crisis", event.FlagEmergency: "emergencia", event.FlagUrgency: "urgencia dental",
	event.FlagComplaint: "queja", event.FlagCallback: "pide que la llamen",
	event.OpenedByVisitor: "abrió el chat", event.OpenedByItself: "el chat se abrió solo",
	"erased": "Se borraron sus datos", "exported": "Se entregó una copia", "restricted": "Se restringió su uso", "released": "Terminó la restricción",
	event.ReasonRequest: "por pedido de la persona", event.ReasonRetention: "por cumplirse el plazo", event.ReasonOther: "por otro motivo",
	"transcript": "la conversación", "contact": "los datos de contacto", "questions": "las preguntas, entre las de todos", "person": "la lista de lo que se guarda de la persona",
	"conversations": "conversaciones", "messages": "mensajes", "contacts": "contactos",
	"phone": "por el teléfono", "email": "por el correo", "document": "por el documento", "id": "por su número",
}

func word(name string) string { return cmp.Or(words[name], strings.ReplaceAll(name, "-", " ")) }

func size(texts []subjects.Text) string { return count(len(texts), "texto", "textos") }

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// linked says how a record came to be among the others.
func linked(l subjects.Link) string {
	said := "Se encontró " + word(l.By)
	if l.From != "" {
		said += " que consta en " + l.From
	}
	return said + "."
}
