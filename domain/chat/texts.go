package chat

import (
	_ "embed"
	"fmt"
	"strings"
	"text/template"
	"time"

	"bitacora/domain/clinic"
	"bitacora/domain/event"
)

//go:embed texts.tmpl
var textsFile string

var texts = template.Must(template.New("texts").Option("missingkey=error").Parse(textsFile))

// render writes a text. The texts are part of the program and tested; one that cannot be
// written is a mistake in them.
func render(name string, s scene) string { return renderIn(texts, name, s) }

func renderIn(texts *template.Template, name string, s any) string {
	var b strings.Builder
	if err := texts.ExecuteTemplate(&b, name, s); err != nil {
		panic(fmt.Sprintf("chat: write text %s: %v", name, err))
	}
	// "8:00 a. m." ends a sentence with its own full stop.
	return strings.ReplaceAll(strings.TrimSpace(b.String()), "m..", "m.")
}

// scene is what a text can speak of.
type scene struct {
	Clinic clinic.Clinic
	state  event.Dialogue
	booked *Appointment
	given  Contact
	// Link leads to the external scheduling form.
	Link string
	// Callback says that the contact is asked for so that the staff can call back.
	Callback bool
	at       time.Time
}

// Open says whether the clinic is open at the moment of the message.
func (s scene) Open() bool { return s.Clinic.OpenAt(s.at) }

// Opens is when the clinic opens next, in words.
func (s scene) Opens() string { return s.Clinic.Opens(s.at, s.at) }

// Phones are the clinic's numbers.
func (s scene) Phones() string {
	return strings.Join(clinic.Numbers(s.Clinic.Phones), " o ")
}

// Service is the wanted service, or that of the appointment; "la consulta" if unknown.
func (s scene) Service() string {
	slug := s.state.Specialty
	if slug == "" && s.booked != nil {
		slug = s.booked.Specialty
	}
	if found, ok := s.Clinic.Service(slug); ok {
		return strings.ToLower(found.Title)
	}
	return "consulta"
}

// Examples are some of the services, the everyday ones first.
func (s scene) Examples() string {
	var titles []string
	for _, services := range [][]clinic.Service{s.Clinic.FurtherServices(), s.Clinic.Specialties()} {
		for _, service := range services[:min(len(services), 3)] {
			titles = append(titles, strings.ToLower(service.Title))
		}
	}
	return clinic.List(titles)
}

// Hours are the opening hours of the open days.
func (s scene) Hours() string {
	var rows []string
	for _, row := range s.Clinic.Hours.Rows() {
		if row.Hours != "cerrado" {
			rows = append(rows, strings.ToLower(row.Days)+" de "+row.Hours)
		}
	}
	return clinic.List(rows)
}

// offered is one of the times that stand for choice.
type offered struct {
	Place int
	When  string
}

// Offered are the times that stand for choice, numbered from 1.
func (s scene) Offered() []offered {
	var list []offered
	for i, t := range s.state.Offered {
		list = append(list, offered{i + 1, s.words(t)})
	}
	return list
}

// Slot is the chosen time.
func (s scene) Slot() string { return s.words(s.state.Slot) }

// Booked is the time of the appointment that stands.
func (s scene) Booked() string {
	if s.booked == nil {
		return ""
	}
	return s.words(s.booked.Slot)
}

// Closed is the wished day if the clinic has no hours on it.
func (s scene) Closed() string {
	day := s.state.Wish.First
	if day.IsZero() || !day.Equal(s.state.Wish.Last) {
		return ""
	}
	if !s.Clinic.ClosedOn(day) {
		return ""
	}
	return clinic.DayName(day.In(s.Clinic.Zone).Weekday())
}

// Contact says how the visitor is reached without telling any of it: somebody else may go on
// with a conversation that is not bound to a browser.
func (s scene) Contact() string {
	switch {
	case s.given.Phone != "":
		return "al número que me diste"
	case s.given.Email != "":
		return "al correo que me diste"
	}
	return ""
}

// Told says that the visitor told a name or how to be reached, with consent or before it.
func (s scene) Told() bool { return s.given != Contact{} }

func (s scene) words(t time.Time) string { return clinic.DayAndTime(t.In(s.Clinic.Zone)) }
