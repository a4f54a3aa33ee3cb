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
	days   []time.Time
	doubt  *clinic.Doubt
	booked *Appointment
	given  Contact
	// bound says that whoever asks showed the conversation's cookie.
	bound bool
	// Link leads to the external scheduling form.
	Link string
	// Callback says that the contact is asked for so that the staff can call back.
	Callback bool
	// at is the moment of the reply.
	at time.Time
	// NewConversation is what is pressed for another conversation.
	NewConversation string
}

// Open says whether the clinic is open at the moment of the message.
func (s scene) Open() bool { return s.Clinic.OpenAt(s.at) }

// Opens is when the clinic opens next, in words.
func (s scene) Opens() string { return s.Clinic.Opens(s.at, s.at) }

// Phones are the clinic's numbers.
func (s scene) Phones() string {
	return strings.Join(clinic.Numbers(s.Clinic.Phones), " o ")
}

// Service is the wanted service; "consulta" if unknown.
func (s scene) Service() string { return s.title(s.state.Specialty) }

// BookedService is that of the appointment that stands.
func (s scene) BookedService() string {
	if s.booked == nil {
		return ""
	}
	return s.title(s.booked.Specialty)
}

func (s scene) title(slug string) string {
	if found, ok := s.Clinic.Service(slug); ok {
		return strings.ToLower(found.Title)
	}
	return "consulta"
}

// Person is whom the appointment is for.
func (s scene) Person() string { return s.given.Name }

// KnownPerson is that, where only the browser that told it can ask. What asks for the
// last yes names the person to everybody, since nobody should agree to, or give up, an appointment
// for somebody else.
func (s scene) KnownPerson() string {
	if !s.bound {
		return ""
	}
	return s.given.Name
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

// Moves says that an appointment stands which the new one replaces.
func (s scene) Moves() bool { return s.booked != nil && s.state.Replaces == s.booked.ID }

// Closed is when the clinic has no hours, of what is wished: "El domingo", "El viernes 25 de
// diciembre", "A las 9:00 p. m."; empty where it has.
func (s scene) Closed() string {
	wish := clinic.Wish(s.state.Wish)
	day := wish.First.In(s.Clinic.Zone)
	oneDay := !wish.First.IsZero() && wish.First.Equal(wish.Last)
	switch {
	case oneDay && len(s.Clinic.Hours[day.Weekday()]) == 0:
		return "El " + clinic.DayName(day.Weekday())
	case oneDay && s.Clinic.ClosedOn(day):
		return "El " + clinic.Day(day)
	case !wish.Exact:
		return ""
	}
	for weekday := range s.Clinic.Hours {
		if (!oneDay || day.Weekday() == time.Weekday(weekday)) && s.Clinic.Hours.Contains(time.Weekday(weekday), wish.Earliest) {
			return ""
		}
	}
	if oneDay {
		return "El " + clinic.DayName(day.Weekday()) + " " + clinic.At(wish.Earliest)
	}
	return strings.ToUpper(clinic.At(wish.Earliest)[:1]) + clinic.At(wish.Earliest)[1:]
}

// TooFar is the last day for which appointments are given, where a later one is wished.
func (s scene) TooFar() string {
	now := s.at.In(s.Clinic.Zone)
	last := time.Date(now.Year(), now.Month(), now.Day()+s.Clinic.Agenda.Days-1, 0, 0, 0, 0, s.Clinic.Zone)
	if !s.state.Wish.First.After(last) {
		return ""
	}
	return clinic.Day(last)
}

// Days are the days that stand for choice: "el lunes 30 de noviembre o el martes 1 de diciembre".
func (s scene) Days() string {
	var list []string
	for _, day := range s.days {
		list = append(list, "el "+clinic.Day(day.In(s.Clinic.Zone)))
	}
	return strings.Join(list, " o ")
}

// Doubt is why a day or an hour cannot be taken as it was said.
func (s scene) Doubt() string {
	d := s.doubt
	if d == nil {
		return ""
	}
	day := d.Day.In(s.Clinic.Zone)
	date := fmt.Sprintf("%d de %s", day.Day(), clinic.MonthName(day.Month()))
	if day.Year() != s.at.In(s.Clinic.Zone).Year() {
		date += fmt.Sprintf(" de %d", day.Year())
	}
	switch d.Kind {
	case clinic.OtherWeekday:
		return fmt.Sprintf("El %s es %s, no %s.", date, clinic.DayName(day.Weekday()), clinic.DayName(d.Weekday))
	case clinic.OtherThanNear:
		return fmt.Sprintf("%s es %s.", strings.ToUpper(d.Said[:1])+d.Said[1:], clinic.Day(day))
	case clinic.PastDay:
		return fmt.Sprintf("El %s ya pasó.", date)
	case clinic.NoSuchDay:
		return fmt.Sprintf("El %s no existe.", d.Said)
	}
	return "Esa hora no existe."
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
