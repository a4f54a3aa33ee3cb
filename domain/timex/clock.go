package timex

import (
	"bitacora/domain/spelling"
)

// minuteOfDay is an hour as it was said.
type minuteOfDay struct {
	hour, minute int
	half         half
	// impossible says that no day has it.
	impossible bool
}

// hours are an hour or the bounds of one: a bound that was not said is nil. exact says that both
// are the same, the very minute.
type hours struct {
	from, to *minuteOfDay
	exact    bool
	// same says that the bound is the hour that was named before: "después de esa hora".
	same bool
}

// half is a part of the day.
type half int

const (
	noHalf half = iota
	notEarly
	morning
	early
	afternoon
	evening
	noon
)

// lastHour is the highest number that is likelier a time of day than a day where both may be meant.
const lastHour = 19

var (
	beforeHour = phrases("a las", "a la", "para las", "para la", "por las", "tipo", "tipo las", "tipo a las", "como a las", "como a la", "como las", "sobre las", "de las", "de la", "at", "make it", "a eso de las", "a eso de la", "la de las", "el de las", "hasta las")
	afterHour  = phrases("no antes de las", "no antes de la", "no antes de", "despues de las", "despues de la", "despues de", "pasadas las", "pasada la", "pasadas", "a partir de las", "a partir de la", "a partir de", "desde las", "desde la", "desde", "luego de las", "luego de la", "luego de", "after")
	latestHour = phrases("no mas tarde de las", "no mas tarde de la", "a mas tardar a las", "a mas tardar a la", "maximo a las", "maximo a la", "no despues de las", "no despues de la")
	untilHour  = phrases("antes de las", "antes de la", "antes de", "hasta las", "hasta la", "before", "until")
	behindHour = []string{"y", "o", "u", "a", "hasta", "menos", "de", "del", "el", "en", "por", "pero", "mejor", "que", "porque", "si", "no", "para", "puedo", "podria", "me", "este", "esta", "los", "las", "or", "and", "to", "on", "please", "gracias", "ya", "would", "works", "sounds", "if", "for", "with", "instead", "rather", "then", "ok", "thanks"}
	notAnHour  = []string{"minutos", "anos", "ano", "dia", "dias", "semana", "semanas", "mes", "meses", "personas", "citas", "cita", "ninos", "hijos", "de"}
)

// readHour reads an hour that cannot be anything else: "a las 4", "10:30", "3pm", "15h", "4 y media",
// "un cuarto para las cinco".
func readHour(p *parser, i int) (*minuteOfDay, int) {
	if m, to := readQuarterTo(p, i); to > i {
		return m, to
	}
	if at := p.first(i, beforeHour); at > i {
		return readClock(p, at, i, true)
	}
	// "en 2 horas" is no hour, nor is the number of a day.
	if p.at(i-1).is("en", "cada", "hace", "por", "/", "-", ":") && p.at(i).figures > 0 || p.at(i-1).is("dentro", "unas") {
		return nil, i
	}
	return readClock(p, i, i, false)
}

// readQuarterTo reads "un cuarto para las cinco" and "faltan 10 para las 3".
func readQuarterTo(p *parser, i int) (*minuteOfDay, int) {
	at, less := p.any(p.skip(i, "a", "faltando"), "un"), 0
	switch {
	case p.at(at).is("cuarto"):
		less, at = 15, at+1
	default:
		less, at = p.count(p.skip(i, "faltan", "faltando"), 60)
	}
	to := p.any(p.any(at, "para"), "las", "la")
	if to < at+2 || less == 0 {
		return nil, i
	}
	m, end := readClock(p, to, to, true)
	if end == to {
		return nil, i
	}
	return m.less(less), end
}

// less is so many minutes earlier.
func (m minuteOfDay) less(minutes int) *minuteOfDay {
	m.minute -= minutes
	return &m
}

// readClock reads hour, minutes and half of the day at a place; sure says that a number there is an
// hour. What it reads nothing of gives the place back where the rule began.
func readClock(p *parser, i, began int, sure bool) (*minuteOfDay, int) {
	m := &minuteOfDay{}
	var to int
	if sure {
		m.hour, to = p.misspeltCount(i, 100)
	} else {
		m.hour, to = p.count(i, 100)
	}
	if t := p.at(i); to == i && sure && (t.figures == 3 || t.figures == 4) && t.number%100 < 60 && t.number < 2400 {
		m.hour, m.minute = t.number/100, t.number%100 // "a las 1030"
		to = i + 1
	}
	if to == i {
		return nil, began
	}
	to, said := readMinutes(p, to, m, sure)
	marked := to
	if p.at(i-1).is("las", "la") || m.hour > 12 || p.moment.Bare || p.afterDay(i) { // "dos horas" is how long something takes
		marked = p.skip(to, "horas", "hora", "h")
	}
	if p.at(marked).is("en") && p.at(marked+1).is("punto") {
		marked += 2
	}
	m.half, marked = readHalfBehind(p, marked)
	if !sure && !said && marked == to {
		return nil, began
	}
	if sure && !said && marked == to && !p.at(i-1).is("las", "la") && (p.at(i).is("un", "una") || !p.mayFollowHour(to)) {
		return nil, began
	}
	m.impossible = m.hour > 23 || m.minute > 59 || m.hour == 0 && m.half == noHalf && !said
	if m.impossible && !sure && (p.at(i+1).is(".") || !said) {
		return nil, began
	}
	return m, marked
}

// mayFollowHour says that what follows a number without an article leaves it an hour: "después de 5 y
// antes de 7" does, "después de 5 días" does not.
func (p *parser) mayFollowHour(i int) bool {
	t := p.at(i)
	if t.word == "" && t.figures == 0 || t.mark() || t.is(behindHour...) {
		return true
	}
	_, to := readDay(p, i)
	return to > i
}

// readMinutes reads what follows an hour; said says that there was something.
func readMinutes(p *parser, i int, m *minuteOfDay, sure bool) (to int, said bool) {
	next := p.at(i + 1)
	switch {
	case p.at(i).is(":", ".") && p.at(i).glued && next.glued && next.figures == 2 && !(p.at(i+2).is(".") && p.at(i+3).figures > 0 && p.at(i+3).glued):
		m.minute = next.number
		return i + 2, true
	case p.at(i).is("h") && p.at(i).glued:
		if next.glued && next.figures == 2 {
			m.minute = next.number
			return i + 2, true
		}
		return i + 1, true
	case p.at(i).is("y", "con") && next.is("media"):
		m.minute = 30
		return i + 2, true
	case p.at(i).is("y", "con") && next.is("cuarto"):
		m.minute = 15
		return i + 2, true
	case p.at(i).is("menos") && next.is("cuarto"):
		m.minute = -15
		return i + 2, true
	case p.at(i).is("y", "con", "menos"):
		n, to := p.count(i+1, 60)
		_, half := readHalfBehind(p, to)
		if to > i+1 && n%5 == 0 && (sure || half > to || p.at(i).is("menos")) {
			m.minute = n
			if p.at(i).is("menos") {
				m.minute = -n
			}
			return to, true
		}
	case sure && p.at(i).figures == 0 && numbers[p.at(i).word] >= 10 && numbers[p.at(i).word]%5 == 0:
		m.minute = numbers[p.at(i).word] // "a las nueve treinta"
		return i + 1, true
	case sure && p.at(i).figures == 2 && !p.at(i).glued && p.at(i).number%5 == 0 && p.at(i).number < 60 && m.hour < 24 && !p.at(i+1).is("/", "-", "de") && p.monthAt(i+1) == 0:
		m.minute = p.at(i).number
		return i + 1, true
	}
	return i, false
}

// readHalfBehind reads the half of the day that belongs to the hour before it: "pm", "p. m.", "de la tarde".
func readHalfBehind(p *parser, i int) (half, int) {
	t := p.at(i)
	switch {
	case t.is("md"), t.is("m") && p.at(i-1).number == 12:
		return afternoon, i + 1
	case t.is("am"):
		return morning, i + 1
	case t.is("pm"):
		return afternoon, i + 1
	case t.is("a", "p"):
		if at := p.any(i+1, "."); p.at(at).is("m") {
			to := at + 1
			if p.at(to).is(".") && p.at(to).glued {
				to++
			}
			if t.is("a") {
				return morning, to
			}
			return afternoon, to
		}
	case t.is("del") && p.at(i+1).is("mediodia", "dia"):
		return afternoon, i + 2
	}
	at := p.any(i, "de", "en", "por")
	if at > i {
		if la := p.any(at, "la"); la > at {
			switch {
			case p.at(la).is("manana", "madrugada"):
				return morning, la + 1
			case p.at(la).is("tarde", "noche"):
				return afternoon, la + 1
			}
		}
	}
	return noHalf, i
}

// readHourRange reads "entre 2 y 4", "de 9 a 11 de la mañana".
func readHourRange(p *parser, i int) (hours, int) {
	open := p.any(i, "entre", "de", "desde", "between", "from")
	bare := open == i
	if bare && !(p.at(i).figures > 0 && p.at(i).figures < 3 && p.at(i+1).is("-", "a") && p.at(i+2).figures > 0 && p.at(i+2).figures < 3 && p.at(i+2).number <= lastHour && !p.at(i+3).is("-", "/", ".") && p.afterDay(i)) {
		return hours{}, i
	}
	from, at := readBoundHour(p, open)
	if at == open {
		return hours{}, i
	}
	next := p.any(at, "y", "a", "hasta", "and", "to", "-")
	if next == at {
		return hours{}, i
	}
	to, end := readBoundHour(p, next)
	if end == next || from.impossible || to.impossible {
		return hours{}, i
	}
	sure := p.at(i).is("entre", "between") || p.at(open).is("las", "la") || from.half+to.half != noHalf || (bare || p.moment.Bare) && from.hour <= lastHour && to.hour <= lastHour
	if !sure || p.at(end).is("de", "del") && p.monthAt(end+1) > 0 || p.at(end).is(notAnHour...) && !p.at(end).is("de") {
		return hours{}, i
	}
	return hours{from: from, to: to}, end
}

// afterDay says that a day stands right before a place.
func (p *parser) afterDay(i int) bool {
	_, named := weekdays[p.at(i-1).word]
	return named || p.at(i-1).is("hoy", "manana")
}

// readBoundHour reads an hour that bounds others, with or without its article.
func readBoundHour(p *parser, i int) (*minuteOfDay, int) {
	at := p.any(i, "las", "la")
	if m, to := readClock(p, at, i, true); to > i && (to == len(p.tokens) || !p.at(to).is("/")) {
		return m, to
	}
	return nil, i
}

var sameHour = phrases("esa hora", "eso")

// readHourBound reads "después de las 5", "antes de las 11".
func readHourBound(p *parser, i int) (hours, int) {
	if at := p.first(i, beforeHour); at > i && p.after(i, departures) {
		if m, to := readClock(p, at, i, true); to > i {
			return hours{from: m}, to
		}
	}
	for _, bound := range []struct {
		words phraseBook
		after bool
	}{{afterHour, true}, {untilHour, false}, {latestHour, false}} {
		at := p.first(i, bound.words)
		if at == i {
			continue
		}
		if to := p.first(at, sameHour); to > at && bound.after {
			return hours{same: true}, to
		}
		m, to := readClock(p, at, i, true)
		if to == i || p.at(to).is("/", "-") || p.at(to).is("de") && p.monthAt(to+1) > 0 || p.at(to).is(notAnHour...) && !p.at(to).is("de") {
			continue
		}
		if bound.after || p.after(i, occupations) {
			return hours{from: m}, to
		}
		if p.first(i, latestHour) == at {
			m = m.less(-1) // that hour too
		}
		return hours{to: m}, to
	}
	return hours{}, i
}

// after says that one of some words stands before a place, with at most [longestOccupation] words of its clause between.
func (p *parser) after(i int, list []string) bool {
	for n := i - 1; n >= max(0, i-longestOccupation) && !p.at(n).ends(); n-- {
		if p.at(n).is(list...) && !(p.at(n).is("sale") && !p.at(n+1).is("de", "del")) {
			return true
		}
	}
	return false
}

// longestOccupation is how many words stand between an occupation and its end: "trabajo de lunes a viernes hasta las 4".
const longestOccupation = 5

var (
	// occupations keep somebody from coming until an hour: "trabajo hasta las 4".
	occupations = []string{
		"trabajo", "trabaja", "trabajamos", "trabajando", "laburo", "estudio", "estudia", "clase", "clases", "colegio", "escuela", "universidad", "oficina", "turno",
		"ocupado", "ocupada", "ocupados", "reunion", "work", "working", "busy", "class", "school",
	}
	// departures leave somebody free from an hour on: "salgo del trabajo a las 5". "Sale" alone is also a price.
	departures = []string{"salgo", "sale", "salimos", "saliendo", "desocupo"}
)

var sameTime = phrases("a la misma hora", "la misma hora", "misma hora", "a esa misma hora", "a esa hora", "en ese horario", "same time", "at that time", "same hour")

// readSameHour reads "a la misma hora", that of the last time which is spoken of already.
func readSameHour(p *parser, i int) (*minuteOfDay, int) {
	to := p.first(i, sameTime)
	for n := len(p.moment.Known) - 1; n >= 0 && to > i; n-- {
		if known := p.moment.Known[n]; !known.Equal(midnight(known)) {
			half := morning
			if known.Hour() >= 12 {
				half = afternoon
			}
			return &minuteOfDay{hour: known.Hour(), minute: known.Minute(), half: half}, to
		}
	}
	return nil, i
}

var halves = []struct {
	half  half
	words phraseBook
}{
	{noHalf, phrases("lo mas temprano posible", "lo mas pronto posible", "lo mas temprano que")},
	{evening, phrases("tarde noche", "al final de la tarde", "a ultima hora", "ultima hora", "ultimas horas", "a ultimas horas", "al final del dia", "al salir del trabajo", "despues del trabajo", "saliendo del trabajo", "evening", "evenings")},
	{early, phrases("temprano", "tempranito", "temprana", "primera hora", "primeras horas", "early")},
	{afternoon, phrases("tardecita", "la tardecita", "despues del almuerzo", "despues de almuerzo", "despues de almorzar", "despues del mediodia", "despues de mediodia", "pasado el mediodia", "luego del mediodia", "afternoon", "afternoons", "in the afternoon")},
	{morning, phrases("mananera", "mananita", "morning", "mornings", "in the morning", "antes del almuerzo", "antes del mediodia")},
	{noon, phrases("al mediodia", "a mediodia", "mediodia", "medio dia", "al medio dia", "hora del almuerzo", "hora de almuerzo", "noon")},
}

// readHalfOfDay reads "en la tarde", "por la mañana", "esta noche", "temprano".
func readHalfOfDay(p *parser, i int) (half, int) {
	for _, h := range halves {
		if to := p.first(i, h.words); to > i {
			return h.half, to
		}
	}
	if !p.moment.Bare && p.at(i).is("la", "las") && !p.at(i-1).is("en", "por") {
		return noHalf, i // "toda la noche"
	}
	at := p.skip(p.any(i, "en", "por", "de", "a", "para", "horas", "cualquier"), "horas", "hora", "de", "la", "las", "cualquier")
	announced := at > i && p.at(at-1).is("la", "las", "cualquier") || at == i && (p.at(i-1).is("esta") || len(p.tokens) == 1 && p.at(i).is("tarde", "tardes"))
	if !announced {
		return noHalf, i
	}
	switch {
	case p.at(at).is("manana", "mananas", "mananita"):
		return morning, at + 1
	case p.at(at).is("tarde", "tardes", "tardecita"):
		return afternoon, at + 1
	case p.at(at).is("noche", "noches"):
		return evening, at + 1
	}
	return noHalf, i
}

func oneEdit(a, b string) bool { return spelling.OneEditApart(a, b) }

// Bounds of the parts of a day, in minutes after midnight.
const (
	midday     = 12 * 60
	endOfDay   = 19 * 60
	earlyUntil = 10 * 60
	lateFrom   = 17 * 60
)

// firstMorningHour and the hours after it are in the morning unless something else is
// said; those before it are in the afternoon, when clinics are open.
const firstMorningHour = 8

// minute is the minute of the day, where the text names a part of it elsewhere.
func (m minuteOfDay) minuteIn(part half) int {
	hour := m.hour
	switch {
	case hour > 12:
	case m.half == morning, m.half == noHalf && (part == morning || part == early):
		hour %= 12
	case m.half == afternoon, part == afternoon, part == evening:
		hour = hour%12 + 12
	case hour < firstMorningHour:
		hour += 12
	}
	return hour*60 + m.minute
}
