package timex

import (
	"slices"
	"time"
)

// readWeekday reads a day by its name alone, and which of that name: "este lunes", "el jueves de la
// próxima semana", "el viernes que viene", "los sábados".
func readWeekday(p *parser, i int) (*days, int) {
	name, to := p.weekdayName(i)
	if to == i || p.at(to).figures > 0 && to > i+1 {
		return nil, i
	}
	goesOn := p.setEnds > 0 && p.setEnds == i-1 && p.at(i-1).is("o", "u", "y", ",", "and", "or")
	if goesOn || p.at(i-1).is("los", "todos") || slices.Contains([]string{"domingos", "sabados"}, p.at(i).word) && !p.at(i-1).is("fines") {
		return &days{kind: aSet, set: setOfDay(name)}, to
	}
	d := &days{kind: aWeekday, date: date{weekday: int(name)}}
	before := p.at(i - 1)
	if before.is("proximo", "siguiente") {
		before = p.at(i - 2)
	}
	d.which.this, d.which.other = before.is("este", "this"), before.is("otro")
	if end := p.eightDays(to); end > to {
		d.which.later = p.eight(to)
		return d, end
	}
	if end := p.first(to, comes); end > to {
		return d, end
	}
	at := p.any(to, "de", "del", "of", "in")
	if at == to {
		return d, to
	}
	if week, end := readWhichWeek(p, at); end > at {
		d.which.week = week
		return d, end
	}
	if end := readNthOf(p, at, &d.which); end > at {
		return d, end
	}
	return d, to
}

// readNthOf reads the month of which a day of a name is meant.
func readNthOf(p *parser, i int, w *which) (to int) {
	at := i
	if p.words(i, "mes", "de") > i {
		at = i + 2
	}
	if month := p.monthAt(at); month > 0 {
		w.month, w.inMonth = month, true
		return at + 1
	}
	if ahead, to := readCountedMonth(p, i); to > i {
		w.inMonth, w.monthsAhead = true, ahead
		return to
	}
	return i
}

// readNthWeekday reads "el primer lunes de diciembre", "el último viernes del mes".
func readNthWeekday(p *parser, i int) (*days, int) {
	nth, ok := ordinals[p.at(i).word]
	name, at := p.weekdayName(i + 1)
	of := p.any(at, "de", "del", "of", "in")
	if !ok || at == i+1 || of == at {
		return nil, i
	}
	d := &days{kind: aWeekday, date: date{weekday: int(name)}}
	d.which.nth = nth
	to := readNthOf(p, of, &d.which)
	if to == of {
		return nil, i
	}
	return d, to
}

// eightDays reads "en ocho", "en quince", which is a week or two after the day before it.
func (p *parser) eightDays(i int) (to int) {
	if p.at(i).is("en") && (p.at(i+1).is("ocho", "quince") || p.at(i+1).figures > 0 && (p.at(i+1).number == 8 || p.at(i+1).number == 15)) {
		return p.any(i+2, "dias")
	}
	return i
}

// eight is how many days later "en ocho" and "en quince" are.
func (p *parser) eight(i int) int {
	if p.at(i+1).is("ocho") || p.at(i+1).number == 8 {
		return 7
	}
	return 14
}

// nearDays are the days that count from today.
var nearDays = []struct {
	words phraseBook
	ahead int
	said  string
}{
	{phrases("anteayer", "antier", "antes de ayer"), -2, ""},
	{phrases("ayer", "yesterday"), -1, ""},
	{phrases("hoy", "today"), 0, "hoy"},
	{phrases("pasado manana", "day after tomorrow"), 2, "pasado mañana"},
	{phrases("tomorrow", "manana"), 1, "mañana"},
}

// readNearDay reads "hoy", "mañana", "esta tarde", "de hoy en ocho", and what is said with it: "mañana
// martes", "hoy 21".
func readNearDay(p *parser, i int) (*days, int) {
	if p.at(i).is("esta") && p.at(i+1).is("tarde", "tardecita", "noche", "manana") {
		return &days{kind: aNearDay, said: "hoy", date: date{weekday: -1}}, i + 1
	}
	for _, near := range nearDays {
		to := p.first(i, near.words)
		if to == i || near.ahead == 1 && p.at(i).is("manana") && p.isMorning(i) {
			continue
		}
		d := &days{kind: aNearDay, near: near.ahead, said: near.said, date: date{weekday: -1}}
		if end := p.eightDays(to); end > to {
			d.near += p.eight(to)
			d.said = ""
			return d, end
		}
		return d, readWithNear(p, to, d)
	}
	if p.at(i).is("pasado") && p.at(i+1).word == "" && p.at(i+1).figures == 0 || p.at(i).is("pasado") && p.at(i+1).ends() {
		return &days{kind: aNearDay, near: 2, said: "pasado mañana", date: date{weekday: -1}}, i + 1
	}
	return nil, i
}

// isMorning tells "mañana", the morning, from "mañana", tomorrow.
func (p *parser) isMorning(i int) bool {
	before := p.at(i - 1)
	_, weekday := weekdays[before.word]
	return weekday || before.is("la", "las", "esta", "cualquier")
}

// readPast reads what was, and so is no wish: "el lunes pasado", "desde ayer", "hace dos semanas".
func readPast(p *parser, i int) (to int) {
	at := p.any(i, "el", "la")
	_, name := p.weekdayName(at)
	if p.at(at).is("semana", "mes", "ano") {
		name = at + 1
	}
	if name > at && p.at(name).is("pasado", "pasada", "anterior") && !p.at(name+1).is("manana") {
		return name + 1
	}
	if since := p.any(i, "desde", "hace"); since > i {
		since = p.any(since, "hace")
		if n, unit := p.count(since, 100); n > 0 && p.at(unit).is("dia", "dias", "semana", "semanas", "mes", "meses", "ano", "anos", "horas", "hora") {
			return unit + 1
		}
		day := p.any(since, "el")
		if _, name := p.weekdayName(day); name > day && p.at(name).figures == 0 && !p.moment.Bare && p.at(i).is("desde") {
			return name // "me duele desde el domingo"
		}
		if yesterday := p.first(day, yesterdays); yesterday > day {
			return yesterday
		}
	}
	if yesterday := p.first(i, yesterdays); yesterday > i && !p.at(i-1).is("para") && !(p.moment.Bare && i == 0) {
		return yesterday
	}
	return i
}

var yesterdays = phrases("ayer", "anteayer", "antier", "antes de ayer", "yesterday", "anoche")

// readWithNear reads the name and the number that are said with a near day.
func readWithNear(p *parser, i int, d *days) (to int) {
	at := p.skip(i, betweenDayAndNumber...)
	if at > i && p.at(at-1).is("el", "este", "proximo", "para") && !p.at(at-1).glued && p.at(i).ends() {
		return i
	}
	to = i
	if weekday, end := p.weekdayName(at); end > at {
		d.date.weekday, to = int(weekday), end
		at = p.skip(end, betweenDayAndNumber...)
	}
	ahead := p.moment.today().AddDate(0, 0, d.near).Day()
	if n := p.at(at); n.figures > 0 && n.figures <= 2 && (n.number > lastHour || n.number == ahead) && !p.hourTail(at, at+1) && !p.at(at+1).is("/", "-") && !p.at(at-1).ends() {
		d.date.day, to = n.number, at+1
	}
	return to
}

var in = phrases("en", "dentro de", "de aqui a", "in")

// readAhead reads "en tres semanas", "dentro de 10 días", "en un par de días".
func readAhead(p *parser, i int) (*days, int) {
	at := p.first(i, in)
	if at == i {
		return nil, i
	}
	n, to := p.count(at, 100)
	if p.at(at).is("mes") && p.words(at+1, "y", "medio") > at+1 {
		day := p.moment.today().AddDate(0, 0, 45)
		return span(day, day.AddDate(0, 0, 6)), at + 3
	}
	if pair := p.words(at, "un", "par", "de"); pair > at {
		n, to = 2, pair
	}
	if to == at {
		return nil, i
	}
	today := p.moment.today()
	day := today
	switch unit := p.at(to); {
	case unit.is("dia", "dias", "day", "days"):
		if n == 15 && p.at(i).is("en") {
			n = 14
		}
		day = today.AddDate(0, 0, n)
	case unit.is("semana", "semanas", "week", "weeks"):
		day, end := today.AddDate(0, 0, 7*n), p.words(to+1, "y", "media")
		if end > to+1 {
			day = day.AddDate(0, 0, 3)
		}
		d := span(day, day)
		d.week = true
		return d, end
	case unit.is("hora", "horas", "hour", "hours", "minutos", "minutes") && n < 12:
		day = today
	case unit.is("quincena", "quincenas"):
		day = today.AddDate(0, 0, 14*n)
	case unit.is("mes", "meses", "month", "months"):
		day = today.AddDate(0, n, 0)
		return span(day, day.AddDate(0, 0, 6)), to + 1
	case unit.is("ano", "anos", "year", "years"):
		day = today.AddDate(n, 0, 0)
	default:
		return nil, i
	}
	return span(day, day), to + 1
}

// readSameDay reads "ese día", the only one that is spoken of already.
func readSameDay(p *parser, i int) (*days, int) {
	to := p.first(i, thatDay)
	if to == i || len(p.moment.Known) == 0 {
		return nil, i
	}
	day := midnight(p.moment.Known[0])
	for _, known := range p.moment.Known {
		if !midnight(known).Equal(day) {
			return nil, i
		}
	}
	return span(day, day), to
}

var thatDay = phrases("el mismo dia", "mismo dia", "ese mismo dia", "ese dia", "same day", "that day")

func span(first, last time.Time) *days { return &days{kind: aSpan, first: first, last: last} }

// readWeeks reads weeks and weekends: "la próxima semana", "esta semana", "la semana del 14 de diciembre",
// "el fin de semana", "entre semana".
func readWeeks(p *parser, i int) (*days, int) {
	today := p.moment.today()
	sunday := today.AddDate(0, 0, (7-int(today.Weekday()))%7)
	if to := p.first(i, workdays); to > i {
		return &days{kind: aSet, set: everyDay &^ setOfDay(time.Saturday) &^ setOfDay(time.Sunday)}, to
	}
	if to := p.first(i, weekend); to > i {
		saturday := today.AddDate(0, 0, (int(time.Saturday)-int(today.Weekday())+7)%7)
		if p.first(to, comes) > to && saturday.Equal(today) {
			saturday = saturday.AddDate(0, 0, 7)
		}
		return span(saturday, saturday.AddDate(0, 0, 1)), to
	}
	week, to := readWhichWeek(p, i)
	if to == i {
		return nil, i
	}
	d := span(later(sunday.AddDate(0, 0, 7*week-13), today), sunday.AddDate(0, 0, 7*week-7))
	d.week = true
	return d, to
}

var (
	workdays  = phrases("entre semana", "dias de semana", "dia de semana", "dias laborables", "dias habiles", "weekdays")
	weekend   = phrases("fin de semana", "fines de semana", "finde", "weekend", "weekends")
	thisWeek  = phrases("esta misma semana", "esta semana", "this week")
	nextWeek  = phrases("proxima semana", "proximo semana", "otra semana", "siguiente semana", "semana que viene", "semana entrante", "semana proxima", "semana siguiente", "semana que entra", "semana que sigue", "next week")
	afterNext = phrases("semana despues de la proxima", "semana subsiguiente")
)

// readWhichWeek reads a week that counts from this one, which is 1.
func readWhichWeek(p *parser, i int) (week, to int) {
	at := p.any(i, "la")
	for n, words := range []phraseBook{thisWeek, nextWeek, afterNext} {
		if to := p.first(at, words); to > at {
			return n + 1, to
		}
	}
	return 0, i
}

// readTheOther reads "el otro", "la otra", "el que sigue".
func readTheOther(p *parser, i int) (*days, int) {
	at := p.any(i, "el", "la")
	if at == i {
		return nil, i
	}
	to := p.any(at, "otro", "otra", "siguiente", "proximo", "proxima")
	if end := p.words(at, "que", "sigue"); end > at {
		to = end
	}
	if end := p.words(at, "que", "viene"); end > at {
		to = end
	}
	if to == at || to < len(p.tokens) && !p.at(to).ends() && !p.at(to).is("si", "a", "en", "por") {
		return nil, i
	}
	return &days{kind: theOther}, to
}
