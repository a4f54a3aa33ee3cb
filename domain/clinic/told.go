package clinic

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Told is what a clinic may tell of itself or not: its zero value tells nothing, and nothing of it
// is ever made up. Texts are Spanish sentences, as they are said to a visitor.
type Told struct {
	// WhatsApp is the number to write to; empty if there is none that is known.
	WhatsApp Phone
	// Exceptions are days with other hours; nil if nothing is known of any.
	Exceptions []Exception
	// Directions say how to get there, Landmarks what is near, Transit which metro or bus.
	Directions, Landmarks, Transit string
	Parking, Accessibility         string
	Payment                        Payment
	// Insurers are whom the clinic works with; nil if that is not known, empty if with none.
	Insurers []string
	// Consultation is the price of a first look; nil if it is not known.
	Consultation *Price
	// Prices are those of services, by slug.
	Prices map[string]Price
	// Doctors say who does what.
	Doctors []Doctor
	// Languages are those that the team speaks, as BCP 47 codes: "es".
	Languages []string
	Sedation  string
	// Children says from which age on they are seen; nil if that is not known.
	Children *Children
}

// Payment is how visitors can pay: methods in Spanish words, currencies as ISO 4217 codes.
type Payment struct {
	Methods, Currencies []string
}

func (p Payment) String() string {
	text := List(p.Methods)
	if len(p.Currencies) > 0 && text != "" {
		names := make([]string, len(p.Currencies))
		for i, code := range p.Currencies {
			names[i] = currencies[code].name
		}
		text += ", en " + joined(names, "o")
	}
	return text
}

// currencies are the known ones, by code: the sign before an amount, or none, and the name.
var currencies = map[string]struct{ sign, name string }{
	"PAB": {"B/.", "balboas"}, "USD": {"$", "dólares"}, "EUR": {"", "euros"}, "CRC": {"", "colones"}, "COP": {"", "pesos colombianos"},
	"MXN": {"", "pesos mexicanos"}, "GTQ": {"", "quetzales"}, "HNL": {"", "lempiras"}, "NIO": {"", "córdobas"}, "DOP": {"", "pesos dominicanos"},
	"PEN": {"", "soles"}, "CLP": {"", "pesos chilenos"}, "ARS": {"", "pesos argentinos"}, "UYU": {"", "pesos uruguayos"}, "PYG": {"", "guaraníes"},
	"BOB": {"", "bolivianos"}, "VES": {"", "bolívares"}, "BRL": {"", "reales"}, "GBP": {"", "libras"}, "CAD": {"", "dólares canadienses"},
}

// withComma are the currencies of countries that write a comma before cents: 80.000 COP.
var withComma = []string{"COP", "CLP", "ARS", "UYU", "PYG", "BOB", "VES", "BRL", "EUR", "CRC"}

// Price is what something costs: exactly From where To is the same, between both, or from From on
// where To is 0.
type Price struct {
	From, To float64
	// Currency is an ISO 4217 code.
	Currency string
	// Note says more in a few words, "por arcada"; it may be empty.
	Note string
}

// String is the price as people read it: "desde $1,200 (por arcada)".
func (p Price) String() string {
	var text string
	switch {
	case p.From == 0 && p.To == 0:
		text = "sin costo"
	case p.To == 0:
		text = "desde " + p.amount(p.From)
	case p.From == p.To:
		text = p.amount(p.From)
	default:
		text = "de " + p.amount(p.From) + " a " + p.amount(p.To)
	}
	if p.Note != "" {
		text += " (" + p.Note + ")"
	}
	return text
}

func (p Price) amount(value float64) string {
	digits := strconv.FormatFloat(value, 'f', 2, 64)
	whole, cents, _ := strings.Cut(digits, ".")
	thousands, point := ",", "."
	if slices.Contains(withComma, p.Currency) {
		thousands, point = ".", ","
	}
	for at := len(whole) - 3; at > 0; at -= 3 {
		whole = whole[:at] + thousands + whole[at:]
	}
	if cents != "00" {
		whole += point + cents
	}
	if sign := currencies[p.Currency].sign; sign != "" {
		return sign + whole
	}
	return whole + " " + p.Currency
}

// PriceRange is from the lowest to the highest price that is told, "$35 - $1,200"; empty where there
// is none, or where they are in several currencies.
func (c Clinic) PriceRange() string {
	all := slices.Collect(maps.Values(c.Prices))
	if c.Consultation != nil {
		all = append(all, *c.Consultation)
	}
	if len(all) == 0 {
		return ""
	}
	lowest, highest := all[0].From, 0.0
	for _, p := range all {
		if p.Currency != all[0].Currency {
			return ""
		}
		lowest, highest = min(lowest, p.From), max(highest, p.From, p.To)
	}
	if lowest == highest {
		return all[0].amount(lowest)
	}
	return all[0].amount(lowest) + " - " + all[0].amount(highest)
}

// Doctor is somebody of the team, or a profession of it.
type Doctor struct {
	// Name may be empty.
	Name       string
	Profession string
	// Services are slugs.
	Services []string
	// Days are those on which they are there; none if that is not known.
	Days []time.Weekday
	// Registration is the number under which the profession is registered, Since the year in which they began
	// to practise, and Languages are BCP 47 codes. Each may be missing.
	Registration string
	Since        int
	Languages    []string
}

// LanguagesInWords are the names of the languages in Spanish.
func (d Doctor) LanguagesInWords() []string { return namesOf(d.Languages, 0) }

// Doctor finds who has a name among those that the clinic's file tells of.
func (c Clinic) Doctor(name string) (Doctor, bool) {
	return find(c.Doctors, func(d Doctor) bool { return d.Name != "" && d.Name == name })
}

// String is who it is: "Dra. Ana Pérez, ortodoncista".
func (d Doctor) String() string { return strings.Join(nonEmpty(d.Name, d.Profession), ", ") }

// inTeam is who it is among others: "Dra. Ana Pérez (ortodoncista)".
func (d Doctor) inTeam() string {
	if d.Name == "" {
		return d.Profession
	}
	return d.Name + " (" + d.Profession + ")"
}

func (d Doctor) daysInWords() string {
	var names []string
	for _, day := range weekFromMonday {
		if slices.Contains(d.Days, day) {
			names = append(names, DayName(day))
		}
	}
	return List(names)
}

// WithDays is who it is, with the days where they are known.
func (d Doctor) WithDays() string {
	if days := d.daysInWords(); days != "" {
		return d.String() + " (" + days + ")"
	}
	return d.String()
}

// DoctorsOf are those who do a service.
func (c Clinic) DoctorsOf(slug string) []Doctor {
	return slices.DeleteFunc(slices.Clone(c.Doctors), func(d Doctor) bool { return !slices.Contains(d.Services, slug) })
}

// Does is who does a service, with their days where they are known; empty if that is not known.
func (c Clinic) Does(slug string) string {
	return strings.Join(eachOf(c.DoctorsOf(slug), Doctor.WithDays), "; ")
}

// isThere says whether somebody who does a service may be there on a day of the week: who has told
// no days may be there on each.
func (c Clinic) isThere(service string, day time.Weekday) bool {
	doctors := c.DoctorsOf(service)
	return len(doctors) == 0 || slices.ContainsFunc(doctors, func(d Doctor) bool {
		return len(d.Days) == 0 || slices.Contains(d.Days, day)
	})
}

// Children says from which age on children are seen.
type Children struct {
	FromMonths int
	// Note says more in a few words; it may be empty.
	Note string
}

func (c Children) String() string {
	text := "Atendemos a niñas y niños "
	switch years := c.FromMonths / 12; {
	case c.FromMonths == 0:
		text += "de cualquier edad"
	case c.FromMonths == 1:
		text += "desde 1 mes"
	case c.FromMonths%12 > 0:
		text += fmt.Sprintf("desde los %d meses", c.FromMonths)
	case years == 1:
		text += "desde 1 año"
	default:
		text += fmt.Sprintf("desde los %d años", years)
	}
	return sentence(strings.Join(nonEmpty(text, c.Note), ", "))
}

// languages are the known ones, by code, in Spanish and English.
var languages = map[string][2]string{
	"es": {"español", "Spanish"}, "en": {"inglés", "English"}, "fr": {"francés", "French"}, "pt": {"portugués", "Portuguese"},
	"it": {"italiano", "Italian"}, "de": {"alemán", "German"}, "zh": {"chino", "Chinese"}, "yue": {"cantonés", "Cantonese"},
	"ja": {"japonés", "Japanese"}, "ko": {"coreano", "Korean"}, "ar": {"árabe", "Arabic"}, "he": {"hebreo", "Hebrew"},
	"hi": {"hindi", "Hindi"}, "ru": {"ruso", "Russian"}, "nl": {"neerlandés", "Dutch"}, "el": {"griego", "Greek"}, "ca": {"catalán", "Catalan"},
	"gym": {"ngäbere", "Ngäbere"}, "cuk": {"guna", "Guna"}, "emp": {"emberá", "Emberá"}, "ht": {"criollo haitiano", "Haitian Creole"},
	"sgn": {"lengua de señas", "sign language"},
}

// namesOf are the names of languages in Spanish (0) or English (1).
func namesOf(codes []string, in int) []string {
	return eachOf(codes, func(code string) string { return languages[code][in] })
}

// insurersInWords says with whom the clinic works.
func insurersInWords(c Clinic) string {
	switch {
	case c.Insurers == nil:
		return ""
	case len(c.Insurers) == 0:
		return "No trabajamos con aseguradoras."
	}
	return sentence("Trabajamos con " + List(c.Insurers))
}

// pricesInWords are the prices of the services that are told, those of the content in its order.
func pricesInWords(c Clinic) string {
	var parts []string
	left := maps.Clone(c.Prices)
	for _, s := range c.Services {
		if price, ok := left[s.Slug]; ok {
			parts = append(parts, strings.ToLower(s.Title)+", "+price.String())
			delete(left, s.Slug)
		}
	}
	for _, slug := range slices.Sorted(maps.Keys(left)) {
		parts = append(parts, strings.ReplaceAll(slug, "-", " ")+", "+left[slug].String())
	}
	return strings.Join(parts, "; ")
}

// doctorsInWords are who does what, and when.
func doctorsInWords(c Clinic) string {
	return strings.Join(eachOf(c.Doctors, func(d Doctor) string {
		var titles []string
		for _, slug := range d.Services {
			if s, ok := c.Service(slug); ok {
				titles = append(titles, strings.ToLower(s.Title))
			}
		}
		if len(titles) == 0 {
			return d.WithDays()
		}
		return d.WithDays() + ": " + List(titles)
	}), "; ")
}

// doctorDays are the days of who told them.
func doctorDays(c Clinic) string {
	told := slices.DeleteFunc(slices.Clone(c.Doctors), func(d Doctor) bool { return len(d.Days) == 0 })
	return strings.Join(eachOf(told, func(d Doctor) string { return d.String() + ": " + d.daysInWords() }), "; ")
}

// whatsAppURL opens a chat with the number.
func whatsAppURL(c Clinic) string {
	if c.WhatsApp == "" {
		return ""
	}
	return c.WhatsApp.WhatsAppURL()
}

// WhatsAppURL opens a chat with a number.
func (p Phone) WhatsAppURL() string { return "https://wa.me/" + strings.TrimPrefix(p.E164(), "+") }

func eachOf[T any](all []T, text func(T) string) []string {
	texts := make([]string, len(all))
	for i, one := range all {
		texts[i] = text(one)
	}
	return texts
}

// joined are words with commas, and the given one before the last.
func joined(words []string, and string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " " + and + " " + words[len(words)-1]
}

// sentence is a text that begins with a capital letter and ends; empty of an empty one.
func sentence(text string) string {
	text = strings.TrimSpace(text)
	if text == "" {
		return ""
	}
	if !strings.ContainsAny(text[len(text)-1:], ".!?") {
		text += "."
	}
	return capitalised(text)
}
