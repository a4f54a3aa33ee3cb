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

var (
	//go:embed texts.tmpl
	textsFile string
	//go:embed texts-en.tmpl
	textsInEnglish string

	texts = parse("texts", textsFile+textsInEnglish)
)

// addressed are texts in each form of address.
type addressed [len(clinic.FormsOfAddress)]*template.Template

func parse(name, file string) addressed {
	var all addressed
	for _, form := range clinic.FormsOfAddress {
		all[form] = template.Must(template.New(name).Option("missingkey=error").Parse(form.In(file)))
	}
	return all
}

// render writes a text, in the visitor's language where it has it. The texts are part of the program and
// tested; one that cannot be written is a mistake in them.
func render(name string, d textData) string {
	form := d.Clinic.FormOfAddress
	if english := name + "-en"; d.English && texts[form].Lookup(english) != nil {
		name = english
	}
	return texts.render(name, form, d)
}

// ends says that a reply ends with a text, in either language.
func ends(reply, name string, d textData) bool {
	for _, d.English = range []bool{false, true} {
		if strings.HasSuffix(reply, render(name, d)) {
			return true
		}
	}
	return false
}

func (a addressed) render(name string, form clinic.FormOfAddress, data any) string {
	var b strings.Builder
	if err := a[form].ExecuteTemplate(&b, name, data); err != nil {
		panic(fmt.Sprintf("chat: write text %s: %v", name, err))
	}
	// "8:00 a. m." ends a sentence with its own full stop.
	return strings.ReplaceAll(strings.TrimSpace(b.String()), "m..", "m.")
}

// textData is what a text can name.
type textData struct {
	Clinic  clinic.Clinic
	state   event.Dialogue
	days    []time.Time
	doubt   *clinic.Doubt
	booked  *Appointment
	given   Contact
	consent bool
	// held says that the browser in which the conversation began can prove that.
	held bool
	// bound says that whoever asks showed the conversation's cookie.
	bound bool
	// Link leads to the external scheduling form.
	Link string
	// Callback says that the contact is asked for so that the staff can call back.
	Callback bool
	// at is the moment of the reply.
	at time.Time
	// English says that the visitor writes in English.
	English bool
	// due is when a request about the visitor's data is done at the latest.
	due time.Time
	// NewConversation is what is pressed for another conversation.
	NewConversation string
}

// inEnglish is the same for who writes in English.
func (d textData) inEnglish() textData {
	d.English = true
	return d
}

// Open says whether the clinic is open at the moment of the message.
func (d textData) Open() bool { return d.Clinic.Calendar().OpenAt(d.at) }

// Opens is when the clinic opens next, in words.
func (d textData) Opens() string {
	if d.English {
		return d.Clinic.Calendar().OpensInEnglish(d.at, d.at)
	}
	return d.Clinic.Calendar().Opens(d.at, d.at)
}

// day is a day in words.
func (d textData) day(t time.Time) string {
	if d.English {
		return clinic.DayInEnglish(t)
	}
	return clinic.Day(t)
}

// Due is the day by which a request about the visitor's data is done.
func (d textData) Due() string { return d.day(d.due.In(d.Clinic.Zone)) }

// ToCome says that the active appointment lies ahead.
func (d textData) ToCome() bool { return d.booked != nil && d.booked.Slot.After(d.at) }

// Consent says that the visitor agreed that the contact is kept.
func (d textData) Consent() bool { return d.consent }

// Held says that the browser in which the conversation began can prove that.
func (d textData) Held() bool { return d.held }

// Phones are the clinic's numbers.
func (d textData) Phones() string {
	return strings.Join(clinic.Numbers(d.Clinic.Phones), d.or())
}

// or stands between the last two of a list.
func (d textData) or() string {
	if d.English {
		return " or "
	}
	return " o "
}

// Service is the wanted service; "consulta" if unknown.
func (d textData) Service() string { return d.title(d.state.Specialty) }

// BookedService is that of the active appointment.
func (d textData) BookedService() string {
	if d.booked == nil {
		return ""
	}
	return d.title(d.booked.Specialty)
}

func (d textData) title(slug string) string {
	if found, ok := d.Clinic.Service(slug); ok {
		return strings.ToLower(found.Title)
	}
	return "consulta"
}

// Person is whom the appointment is for.
func (d textData) Person() string { return d.given.Name }

// KnownPerson is that, where only the browser that gave it can ask. What asks for the
// last yes names the person to everybody, since nobody should agree to, or give up, an appointment
// for somebody else.
func (d textData) KnownPerson() string {
	if !d.bound {
		return ""
	}
	return d.given.Name
}

// Examples are some of the services, the everyday ones first.
func (d textData) Examples() string {
	return strings.ToLower(clinic.List(examples(d.Clinic)))
}

func examples(c clinic.Clinic) []string {
	var titles []string
	for _, services := range [][]clinic.Service{c.FurtherServices(), c.Specialties()} {
		for _, service := range services[:min(len(services), 3)] {
			titles = append(titles, service.Title)
		}
	}
	return titles
}

// Hours are the opening hours of the open days.
func (d textData) Hours() string {
	if d.English {
		return d.Clinic.Hours.InEnglish()
	}
	var rows []string
	for _, row := range d.Clinic.Hours.Rows() {
		if row.Hours != "cerrado" {
			rows = append(rows, strings.ToLower(row.Days)+" de "+row.Hours)
		}
	}
	return clinic.List(rows)
}

// offered is one of the times to choose from.
type offered struct {
	Number int
	When   string
}

// Offered are the times to choose from, numbered from 1.
func (d textData) Offered() []offered {
	var list []offered
	for i, t := range d.state.Offered {
		list = append(list, offered{i + 1, d.free(t)})
	}
	return list
}

// Slot is the chosen time.
func (d textData) Slot() string { return d.free(d.state.Slot) }

// free is a time at which an appointment is possible, and the holiday that people may want to know of.
func (d textData) free(t time.Time) string {
	holiday := clinic.PublicHoliday(d.Clinic.Country, t.In(d.Clinic.Zone))
	switch {
	case holiday == "":
		return d.words(t)
	case d.English:
		return d.words(t) + " (public holiday: " + holiday + ")"
	}
	return d.words(t) + " (feriado: " + holiday + ")"
}

// Booked is the time of the active appointment.
func (d textData) Booked() string {
	if d.booked == nil {
		return ""
	}
	return d.words(d.booked.Slot)
}

// Moves says that the new appointment replaces an active one.
func (d textData) Moves() bool { return d.booked != nil && d.state.Replaces == d.booked.ID }

// Closed is when the clinic has no hours, of what is wished: "El domingo", "El viernes 25 de
// diciembre", "A las 9:00 p. m."; empty where it has.
func (d textData) Closed() string {
	wish := clinic.Wish(d.state.Wish)
	day := wish.First.In(d.Clinic.Zone)
	oneDay := !wish.First.IsZero() && wish.First.Equal(wish.Last)
	switch {
	case oneDay && d.Clinic.Calendar().ClosedOn(day) && len(d.Clinic.Hours[day.Weekday()]) == 0:
		return d.on(day.Weekday().String(), clinic.DayName(day.Weekday()))
	case oneDay && d.Clinic.Calendar().ClosedOn(day):
		return d.on(clinic.DayInEnglish(day), clinic.Day(day))
	case !wish.Exact:
		return ""
	case oneDay && d.Clinic.Calendar().OpenAt(time.Date(day.Year(), day.Month(), day.Day(), 0, wish.Earliest, 0, 0, d.Clinic.Zone)):
		return ""
	}
	for weekday := range d.Clinic.Hours {
		if !oneDay && d.Clinic.Hours.Contains(time.Weekday(weekday), wish.Earliest) {
			return ""
		}
	}
	at, atInEnglish := clinic.At(wish.Earliest), "at "+clinic.ClockInEnglish(wish.Earliest)
	switch {
	case oneDay:
		return d.on(day.Weekday().String()+" "+atInEnglish, clinic.DayName(day.Weekday())+" "+at)
	case d.English:
		return "A" + atInEnglish[1:]
	}
	return strings.ToUpper(at[:1]) + at[1:]
}

// on begins a sentence with a day.
func (d textData) on(english, spanish string) string {
	if d.English {
		return "On " + english
	}
	return "El " + spanish
}

// TooFar is the last day for which appointments are given, where a later one is wished.
func (d textData) TooFar() string {
	now := d.at.In(d.Clinic.Zone)
	last := clinic.StartOfDay(now.Year(), now.Month(), now.Day()+d.Clinic.Agenda.Days-1, d.Clinic.Zone)
	if !d.state.Wish.First.After(last) {
		return ""
	}
	return d.day(last)
}

// Days are the days to choose from: "el lunes 30 de noviembre o el martes 1 de diciembre".
func (d textData) Days() string {
	var list []string
	for _, day := range d.days {
		name := d.day(day.In(d.Clinic.Zone))
		if !d.English {
			name = "el " + name
		}
		list = append(list, name)
	}
	return strings.Join(list, d.or())
}

// Doubt is why a day or an hour cannot be taken as it was said.
func (d textData) Doubt() string {
	doubt := d.doubt
	if doubt == nil {
		return ""
	}
	day := doubt.Day.In(d.Clinic.Zone)
	if d.English {
		return doubtInEnglish(*doubt, day)
	}
	date := fmt.Sprintf("%d de %s", day.Day(), clinic.MonthName(day.Month()))
	if day.Year() != d.at.In(d.Clinic.Zone).Year() {
		date += fmt.Sprintf(" de %d", day.Year())
	}
	switch doubt.Kind {
	case clinic.OtherWeekday:
		return fmt.Sprintf("El %s es %s, no %s.", date, clinic.DayName(day.Weekday()), clinic.DayName(doubt.Weekday))
	case clinic.OtherThanNear:
		return fmt.Sprintf("%s es %s.", strings.ToUpper(doubt.Said[:1])+doubt.Said[1:], clinic.Day(day))
	case clinic.PastDay:
		return fmt.Sprintf("El %s ya pasó.", date)
	case clinic.NoSuchDay:
		return fmt.Sprintf("El %s no existe.", doubt.Said)
	}
	return "Esa hora no existe."
}

func doubtInEnglish(doubt clinic.Doubt, day time.Time) string {
	date := day.Format("January 2, 2006")
	switch doubt.Kind {
	case clinic.OtherWeekday:
		return fmt.Sprintf("%s is a %s, not a %s.", date, day.Weekday(), doubt.Weekday)
	case clinic.OtherThanNear:
		return fmt.Sprintf("That day is %s.", clinic.DayInEnglish(day))
	case clinic.PastDay:
		return fmt.Sprintf("%s has passed.", date)
	case clinic.NoSuchDay:
		return "There is no such day."
	}
	return "There is no such time."
}

// Contact says how the visitor is reached without any detail of it: somebody else may go on
// with a conversation that is not bound to a browser.
func (d textData) Contact() string {
	switch {
	case d.English && d.given.Phone != "":
		return "at the number that you gave me"
	case d.English && d.given.Email != "":
		return "at the e-mail that you gave me"
	case d.given.Phone != "":
		return d.Clinic.FormOfAddress.In("al número que me {diste|dio}")
	case d.given.Email != "":
		return d.Clinic.FormOfAddress.In("al correo que me {diste|dio}")
	}
	return ""
}

// HasContact says that the visitor gave a name or a way to be reached, with consent or before it.
func (d textData) HasContact() bool { return d.given != Contact{} }

func (d textData) words(t time.Time) string {
	if d.English {
		return clinic.DayAndTimeInEnglish(t.In(d.Clinic.Zone))
	}
	return clinic.DayAndTime(t.In(d.Clinic.Zone))
}
