// Package timex reads expressions of time: the days and the hours at which somebody says that they
// would like to come, in the Spanish of Panama and in some English.
//
// A text becomes tokens, tokens become parts by the rules of a grammar (a day, an hour, half a day,
// a word that refuses or joins them), and the parts of a text add up to one wish. What is no part
// is passed over, so that an expression is found wherever it stands in a sentence.
package timex

import (
	"time"

	"bitacora/domain/clinic"
)

// Moment is what has to be known to read a day or an hour out of a text.
type Moment struct {
	// At is the moment of the text, in the business zone.
	At time.Time
	// Ahead is how many days ahead appointments are given.
	Ahead int
	// Known are the days, or times, that are spoken of already: "el lunes" means the Monday among
	// them, "a la misma hora" the hour of the last that has one.
	Known []time.Time
	// Bare says that a number alone is a time of day.
	Bare bool
}

// Reading is what a text says of when somebody would like to come.
type Reading struct {
	// Wish is zero where nothing is said, or where it is doubtful.
	Wish clinic.Wish
	// Doubt is why what was said can be none, or more than one; nil for none. The wish then
	// has no day, unless it is the hour that is doubtful.
	Doubt *clinic.Doubt
	// Only are the days of the week that suit, where not all between the first and the last day of
	// the wish do: "martes o jueves". Nil for all.
	Only []time.Weekday
	// Unwanted are the days of the week that were refused.
	Unwanted []time.Weekday
}

// Read reads the days and the hours of a text.
func Read(text string, m Moment) Reading {
	zone := m.At.Location()
	p := parser{tokens: tokensOf(text), moment: Moment{At: onCalendar(m.At), Ahead: m.Ahead, Bare: m.Bare}}
	for _, known := range m.Known {
		p.moment.Known = append(p.moment.Known, onCalendar(known))
	}
	r := p.reading(p.parts())
	r.Wish.First, r.Wish.Last = inZone(r.Wish.First, zone), inZone(r.Wish.Last, zone)
	if r.Doubt != nil {
		r.Doubt.Day = inZone(r.Doubt.Day, zone)
		for i, day := range r.Doubt.Options {
			r.Doubt.Options[i] = inZone(day, zone)
		}
	}
	return r
}

// onCalendar is what calendar and clock of a zone show, as a time of UTC: there all days have 24 hours
// and begin at 00:00, while the clocks of some zones change at midnight.
func onCalendar(t time.Time) time.Time {
	y, m, d := t.Date()
	if t.Equal(clinic.StartOfDay(y, m, d, t.Location())) {
		return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
	}
	return time.Date(y, m, d, t.Hour(), t.Minute(), 0, 0, time.UTC)
}

// inZone is when a day begins in a zone; none stays none.
func inZone(day time.Time, zone *time.Location) time.Time {
	if day.IsZero() {
		return day
	}
	return clinic.StartOfDay(day.Year(), day.Month(), day.Day(), zone)
}

// Day is the one day that a text is about, seen from a moment: of the days of a name the next one,
// today included. ok is false for a text about several days, or about none.
func Day(text string, at time.Time) (day time.Time, ok bool) {
	p := parser{tokens: tokensOf(text), moment: Moment{At: onCalendar(at)}}
	for _, part := range p.parts() {
		if part.kind != aDay {
			continue
		}
		d := *part.days
		if set := d.set.list(); d.kind == aSet && len(set) == 1 {
			d.kind, d.date.weekday = aWeekday, int(set[0])
		}
		d.which.this = true
		s, doubt, means := d.resolve(p.moment, nil)
		if doubt != nil || !means || d.bound != noBound || !s.first.Equal(s.last) || ok && !s.first.Equal(day) {
			return time.Time{}, false
		}
		day, ok = s.first, true
	}
	return inZone(day, at.Location()), ok
}

// NamesWeekday says that a text names a day of the week.
func NamesWeekday(text string) bool {
	for _, t := range tokensOf(text) {
		if _, ok := weekdays[t.word]; ok {
			return true
		}
	}
	return false
}

func (m Moment) today() time.Time { return midnight(m.At) }

func midnight(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, t.Location())
}
