package assistant

import (
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"text/template"
	"time"

	"bitacora/domain/clinic"
	"bitacora/domain/fault"
)

// textData is what a text can speak of: the clinic, and the moment of the question.
type textData struct {
	clinic.Clinic
	// Service is the one that was asked about.
	Service clinic.Service
	// Title names the text that is quoted, or that explains more, and Link is where it is read.
	Title, Link string
	// English says that the question is in English.
	English bool
	// openly says that neither yes nor no answers the question.
	openly bool
	// Grave says that the question is about what cannot wait for a dentist.
	Grave bool
	// Budgets says that the clinic promises a budget before a treatment, in its own words.
	Budgets bool
	// Profiled says that the site presents the people who treat.
	Profiled bool
	// Listed are the names that were asked for and that the clinic's file lists; Unlisted says that it lists
	// none of them, Uninsured that somebody has no insurance.
	Listed              []string
	Unlisted, Uninsured bool
	// Look says that the price of a first visit was asked for.
	Look bool
	// priced are the slugs of the prices that were asked for.
	priced  []string
	siteURL string
	// at is in the business zone; zero if the moment is not known.
	at time.Time
	// day is the one that was asked about.
	day time.Time
}

// Open says whether the clinic is open at the moment of the question.
func (s textData) Open() bool { return !s.at.IsZero() && s.Calendar().OpenAt(s.at) }

// Closes is the time of day at which the clinic closes, if it is open.
func (s textData) Closes() string {
	t, open := s.Clinic.Calendar().ClosesAt(s.at)
	if !open {
		return ""
	}
	return clinic.Clock(minutes(t))
}

// Opens is when the clinic opens next, "mañana sábado a las 9:00 a. m.", counted from the
// day that was asked about; empty if the moment is not known.
func (s textData) Opens() string {
	if s.at.IsZero() {
		return ""
	}
	return s.Clinic.Calendar().Opens(s.from(), s.at)
}

// from is the moment, or the day that was asked about, if that is later.
func (s textData) from() time.Time {
	if s.day.After(s.at) {
		return s.day
	}
	return s.at
}

// ClosesInEnglish is when the clinic closes, if it is open: "7:00 p.m.".
func (s textData) ClosesInEnglish() string {
	t, open := s.Calendar().ClosesAt(s.at)
	if !open {
		return ""
	}
	return clinic.ClockInEnglish(minutes(t))
}

// OpensInEnglish is when the clinic opens next: "tomorrow, Saturday at 9:00 a.m.".
func (s textData) OpensInEnglish() string {
	if s.at.IsZero() {
		return ""
	}
	return s.Calendar().OpensInEnglish(s.from(), s.at)
}

// DayInEnglish names the day that was asked about: "today, Saturday", "on Monday".
func (s textData) DayInEnglish() string { return clinic.NearDayInEnglish(s.day, s.at) }

// DayHoursInEnglish are its hours.
func (s textData) DayHoursInEnglish() string { return clinic.InEnglish(s.Calendar().HoursOn(s.day)) }

// Moment is the moment of the question in words; empty if it is not known.
func (s textData) Moment() string {
	if s.at.IsZero() {
		return ""
	}
	return clinic.DayAndTime(s.at)
}

// Day names the day that was asked about, "hoy sábado".
func (s textData) Day() string { return clinic.NearDay(s.day, s.at) }

// DayHours are the hours of the day that was asked about; empty if it is a closed one.
func (s textData) DayHours() string {
	if s.Calendar().ClosedOn(s.day) {
		return ""
	}
	return clinic.InWords(s.Calendar().HoursOn(s.day))
}

// DayIsToday says whether the question is about its own day.
func (s textData) DayIsToday() bool { return s.daysAhead(s.day) == 0 }

// DayOver says that the question is about its own day and came after closing time.
func (s textData) DayOver() bool {
	if !s.DayIsToday() || s.Open() {
		return false
	}
	next, ok := s.Calendar().NextOpening(s.at)
	return !ok || s.daysAhead(next) > 0
}

func (s textData) daysAhead(t time.Time) int {
	return int(midnight(t).Sub(midnight(s.at)).Round(24*time.Hour) / (24 * time.Hour))
}

// free is how a service's own words offer something free.
var free = regexp.MustCompile(`(?i)gratuit|gratis|sin costo`)

// Free says whether the clinic offers the free first visit of the smile design, in its own words.
func (s textData) Free() bool {
	service, ok := s.Clinic.Service("diseno-sonrisa")
	return ok && free.MatchString(strings.Join([]string{service.Description, service.MenuText, service.Badge, service.Markdown}, "\n"))
}

// urgency is how a clinic calls a service for urgencies.
var urgency = regexp.MustCompile(`(?i)urgencia|emergencia`)

// SeesUrgencies says whether the clinic offers to see urgencies.
func (s textData) SeesUrgencies() bool { return seesUrgencies(s.Clinic) }

// seesUrgencies says whether one of a clinic's services is for urgencies.
func seesUrgencies(c clinic.Clinic) bool {
	return slices.ContainsFunc(c.Services, func(s clinic.Service) bool { return urgency.MatchString(s.Title) })
}

// budget is how a clinic's own answers promise one before a treatment begins.
var budget = regexp.MustCompile(`(?i)\bantes de [^.]*presupuesto`)

func midnight(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, t.Location())
}

func minutes(t time.Time) int { return t.Hour()*60 + t.Minute() }

// texts are the answers of the embedded assistant, by the name of their intent.
type texts struct{ templates *template.Template }

// inTexts are the functions that texts may call.
var inTexts = template.FuncMap{
	"phones": func(phones []clinic.Phone) string {
		return strings.Join(clinic.Numbers(phones), " o ")
	},
	"phonesEn": func(phones []clinic.Phone) string {
		return strings.Join(clinic.Numbers(phones), " or ")
	},
	"numbers": func(phones []clinic.Phone) string {
		return clinic.List(clinic.Numbers(phones))
	},
	"hours":   clinic.Hours.String,
	"hoursEn": clinic.Hours.InEnglish,
	"titles": func(services []clinic.Service) string {
		words := make([]string, len(services))
		for i, s := range services {
			words[i] = strings.ToLower(s.Title)
		}
		return clinic.List(words)
	},
	"list":  clinic.List,
	"lower": strings.ToLower,
}

func loadTexts(files fs.FS, form clinic.FormOfAddress) (texts, error) {
	t, err := parseIn(files, "texts.tmpl", form)
	return texts{t}, err
}

func parseTexts(files fs.FS, name string) (*template.Template, error) {
	return parseIn(files, name, clinic.Tu)
}

func parseIn(files fs.FS, name string, form clinic.FormOfAddress) (*template.Template, error) {
	text, err := fs.ReadFile(files, name)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	t, err := template.New(name).Funcs(inTexts).Parse(form.In(string(text)))
	return t, fault.Wrap(err, "read "+name)
}

func (t texts) render(name string, s textData) (string, error) {
	var b strings.Builder
	if english := name + "-en"; s.English && t.templates.Lookup(english) != nil {
		name = english
	}
	err := t.templates.ExecuteTemplate(&b, name, s)
	return tidied(b.String()), fault.Wrap(err, "render text")
}

// tidied is a text in one line.
func tidied(text string) string { return ended(strings.Join(strings.Fields(text), " ")) }

// ended is a text in which a time of day, "8:00 a. m.", that ends a sentence has one full stop.
func ended(text string) string { return strings.ReplaceAll(text, "m..", "m.") }
