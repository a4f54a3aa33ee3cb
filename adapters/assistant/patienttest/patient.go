package patienttest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"bitacora/domain/clinic"
)

// goal is what a patient came for.
type goal string

const (
	books            goal = "book"
	booksForOther    goal = "book for another"
	booksInPain      goal = "book in pain"
	asksThenBooks    goal = "ask, then book"
	refusesThenBooks goal = "refuse, then book"
	stopsThenBooks   goal = "stop, then book"
	movesIt          goal = "move"
	cancelsIt        goal = "cancel"
	keepsIt          goal = "cancel, then keep"
	booksTwice       goal = "book for two"
	wantsCall        goal = "be called"
	onlyAsks         goal = "only ask"
	refuses          goal = "refuse"
	givesUp          goal = "give up"
)

var goals = []goal{
	books, books, books, books, booksForOther, booksForOther, booksInPain, asksThenBooks, refusesThenBooks, stopsThenBooks,
	movesIt, movesIt, cancelsIt, keepsIt, booksTwice, wantsCall, onlyAsks, refuses, givesUp,
}

// arranges says that an appointment is to come about, if only to be moved or cancelled.
func (g goal) arranges() bool {
	return !slices.Contains([]goal{wantsCall, onlyAsks, refuses, givesUp}, g)
}

var moods = []string{"plain", "terse", "talkative", "angry", "hesitant", "polite"}

// detail is something of an appointment that a patient says wrong at first.
type detail string

const (
	dayDetail     detail = "day"
	serviceDetail detail = "service"
	nameDetail    detail = "name"
	phoneDetail   detail = "phone"
)

// patient is one of the drawn patients.
type patient struct {
	*rand.Rand
	phrases Phrases
	goal    goal
	mood    string
	// slips is the share of words with a typing error.
	slips float64
	// detours is how often the patient will stray, and wrongs what it will change.
	detours int
	wrongs  []detail

	person
	wish wish
	// relative is who somebody else is to the patient.
	relative string
	// service is a slug, and unsure says that the choice is left to the clinic.
	service string
	unsure  bool
}

// person is whom an appointment is for, and how they are reached.
type person struct{ name, phone, email string }

// newPatient draws a patient who writes at a moment.
func newPatient(seed uint64, phrases Phrases, c clinic.Clinic, at time.Time) *patient {
	p := &patient{Rand: rand.New(rand.NewPCG(seed, 1)), phrases: phrases}
	p.goal, p.mood = pick(p, goals), pick(p, moods)
	p.slips = pick(p, []float64{0, 0, 0.05, 0.15})
	p.detours = p.IntN(4)
	p.relative = pick(p, phrases["relative"])
	p.person = p.somebody()
	p.service, p.unsure = p.someService()
	p.wish = p.someWish(at.In(c.Zone), c)
	if p.goal == booksInPain {
		p.service, p.unsure, p.wish = "odontologia-general", true, wish{}
	}
	for _, d := range []detail{dayDetail, serviceDetail, nameDetail, phoneDetail} {
		if p.IntN(8) == 0 && p.goal != booksInPain && p.goal.arranges() {
			p.wrongs = append(p.wrongs, d)
		}
	}
	return p
}

func pick[T any](p *patient, list []T) T { return list[p.IntN(len(list))] }

func (p *patient) somebody() person {
	digits := fmt.Sprintf("6%07d", p.IntN(10_000_000))
	forms := []string{digits, digits[:4] + "-" + digits[4:], "+507 " + digits[:4] + " " + digits[4:], digits[:4] + " " + digits[4:]}
	one := person{name: pick(p, p.phrases["names"]), phone: pick(p, forms)}
	if p.IntN(5) == 0 {
		one.phone, one.email = "", fmt.Sprintf("paciente%d@correo.example", p.IntN(1000))
	}
	return one
}

func (p *patient) someService() (slug string, unsure bool) {
	if p.IntN(10) == 0 {
		return "odontologia-general", true
	}
	var known []string
	for name := range p.phrases {
		if slug, ok := strings.CutPrefix(name, "care "); ok {
			known = append(known, slug)
		}
	}
	slices.Sort(known)
	return pick(p, known), false
}

// wish is when a patient would like to come.
type wish struct {
	// day is a midnight of the business zone; zero if any will do.
	day time.Time
	// part is "", "morning", "afternoon" or "exact", at a minute of the day.
	part   string
	minute int
}

func (w wish) fits(slot time.Time) bool {
	minute := slot.Hour()*60 + slot.Minute()
	if y, m, d := slot.Date(); !w.day.IsZero() && !w.day.Equal(time.Date(y, m, d, 0, 0, 0, 0, slot.Location())) {
		return false
	}
	switch w.part {
	case "morning":
		return minute < 12*60
	case "afternoon":
		return minute >= 12*60
	case "exact":
		return minute == w.minute
	}
	return true
}

func (p *patient) someWish(now time.Time, c clinic.Clinic) wish {
	w := wish{part: pick(p, []string{"", "", "morning", "afternoon", "exact"})}
	for w.day.IsZero() && p.IntN(6) > 0 {
		day := time.Date(now.Year(), now.Month(), now.Day()+1+p.IntN(20), 0, 0, 0, 0, c.Zone)
		if p.IntN(2) == 0 {
			day = time.Date(now.Year(), now.Month(), now.Day()+1+p.IntN(6), 0, 0, 0, 0, c.Zone)
		}
		if !c.Calendar().ClosedOn(day) && len(c.Hours[day.Weekday()]) > 0 {
			w.day = day
		}
	}
	switch {
	case w.part == "exact" && w.day.IsZero():
		w.part = ""
	case w.part == "exact":
		w.minute = 60 * (9 + p.IntN(5)) // open on every day
	}
	return w
}

// words are a wish as the patient says it; far says that other days were spoken of.
func (p *patient) words(w wish, now time.Time, far bool) string {
	if w == (wish{}) {
		return p.phrases.one(p.Rand, "when any", p.mood)
	}
	var words []string
	if !w.day.IsZero() {
		words = append(words, p.dayWords(w.day, now, far))
	}
	if w.part != "" {
		words = append(words, p.filled(p.phrases.one(p.Rand, "part "+w.part, p.mood), map[string]string{"hour": p.hourWords(w.minute)}))
	}
	return strings.Join(words, " ")
}

func (p *patient) dayWords(day, now time.Time, far bool) string {
	ahead := int(day.Sub(time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, now.Location())).Hours() / 24)
	of := "day date"
	switch {
	case far:
	case ahead == 1:
		of = "day tomorrow"
	case ahead < 7:
		of = "day near"
	}
	return p.filled(p.phrases.one(p.Rand, of, p.mood), map[string]string{
		"weekday": clinic.DayName(day.Weekday()), "dom": fmt.Sprint(day.Day()), "month": clinic.MonthName(day.Month()),
	})
}

func (p *patient) hourWords(minute int) string {
	hour, half := minute/60, "am"
	if hour >= 12 {
		half = "pm"
	}
	if hour > 12 {
		hour -= 12
	}
	text := fmt.Sprint(hour)
	if minute%60 != 0 {
		text += fmt.Sprintf(":%02d", minute%60)
	}
	return text + pick(p, []string{"", " " + half, half})
}

func (p *patient) filled(phrase string, values map[string]string) string {
	for name, value := range values {
		phrase = strings.ReplaceAll(phrase, "{"+name+"}", value)
	}
	return phrase
}
