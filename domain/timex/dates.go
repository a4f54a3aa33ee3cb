package timex

import "time"

// readFigures reads a date of figures alone: "24/11/2026", "2026-11-24", "24-11-26", "24/11".
func readFigures(p *parser, i int) (*days, int) {
	a, mark, b := p.at(i), p.at(i+1), p.at(i+2)
	if a.figures == 0 || !mark.is("/", "-", ".") || !mark.glued || !b.glued || b.figures == 0 || b.figures > 2 {
		return nil, i
	}
	c, third := p.at(i+4), p.at(i+3).is("/", "-", ".") && p.at(i+3).glued && p.at(i+4).glued && p.at(i+4).figures > 0
	d := date{day: a.number, month: b.number, weekday: -1}
	to := i + 3
	switch {
	case a.figures == 4 && third && c.figures <= 2:
		d.year, d.day = a.number, c.number
		if to = i + 5; p.at(to).is("t") && p.at(to).glued {
			to++
		}
	case a.figures > 2:
		return nil, i
	case third && (c.figures == 4 || c.figures == 2):
		if d.year = c.number; c.figures == 2 {
			d.year += 2000
		}
		to = i + 5
	case third:
		return nil, i
	case !mark.is("/") && !(mark.is("-") && p.announced(i) && d.day > 0 && d.month > 0 && (d.day > lastHour || d.month <= 12 && d.month < d.day)):
		return nil, i
	}
	if d.month > 12 && d.day <= 12 {
		d.day, d.month = d.month, d.day
	}
	to = readWeekdayBeside(p, to, &d)
	return &days{kind: aDate, date: d}, to
}

// betweenDayAndNumber are the words that may stand between the name of a day and its number.
var betweenDayAndNumber = []string{"el", "dia", "the", "que", "es", "cae", "cayo", "sea", "numero", "proximo", "este", ",", "on", "para", "."}

// readNumberedDay reads a day by its number, and by the name that stands with it: "el 24", "lunes 30 de
// noviembre", "el 30, lunes", "November 30".
func readNumberedDay(p *parser, i int) (*days, int) {
	weekday, at := p.weekdayName(i)
	if at > i {
		number := p.skip(at, betweenDayAndNumber...)
		if d, to := readFigures(p, number); to > number {
			d.date.weekday = int(weekday)
			return d, to
		}
		d, to := readDate(p, number, true, true)
		if to == number {
			return nil, i
		}
		d.weekday = int(weekday)
		return &days{kind: aDate, date: *d}, to
	}
	goesOn := p.dateEnds > 0 && p.dateEnds == i-1 && p.at(i-1).is("o", "u", "y", "or", "al", "a")
	d, to := readDate(p, i, goesOn || p.announced(i), false)
	if to == i {
		return nil, i
	}
	to = readWeekdayBeside(p, to, d)
	return &days{kind: aDate, date: *d}, to
}

// readDate reads the number of a day and the month and the year behind it. A number in words is one
// only where a day is announced, or before a month.
func readDate(p *parser, i int, announced, named bool) (*date, int) {
	d := &date{weekday: -1}
	if month := p.monthAt(i); month > 0 && !named {
		if n, to := p.count(i+1, 100); to > i+1 && p.at(i+1).figures > 0 && !p.at(to).is(":") {
			d.month, d.day = month, max(n, 1)
			to, _ = p.ordinalMark(to)
			return d, readYearBehind(p, to, d)
		}
		return nil, i
	}
	n, to := p.count(i, 100)
	if p.at(i).is("un", "una") {
		return nil, i // "un cuarto", "una hora"
	}
	if to == i && !p.at(i).mark() {
		// "dies de disiembre"
		if n, to = p.misspeltCount(i, 32); to > i && !(p.at(to).is("de") && p.monthAt(to+1) > 0) {
			return nil, i
		}
	}
	if to == i {
		return nil, i
	}
	if d.day = n; n == 0 {
		d.day = -1
	}
	to, ordinal := p.ordinalMark(to)
	if end := readMonthBehind(p, to, d); end > to {
		return d, end
	}
	if _, last := p.count(to+1, 32); last > to+1 && p.at(to).is("y", "o", "u") && readMonthBehind(p, last, d) > last {
		return d, to // "3 y 4 de diciembre"
	}
	figures := p.at(i).figures > 0
	switch {
	case figures && ordinal:
		return d, to
	case p.at(i-1).is("las", "la", "tipo", "los", ":"), !figures && !announced, n <= lastHour && p.hourTail(i, to):
		return nil, i
	case announced, figures && p.weekdayAfter(to), figures && i == 0 && p.opensWithDay(to):
		return d, to
	}
	return nil, i
}

// ordinalMark reads what makes a number that of a day: "30th", "1ero", "1º".
func (p *parser) ordinalMark(i int) (to int, ok bool) {
	if p.at(i).glued && p.at(i).is("st", "nd", "rd", "th", "ro", "ero", "er", "ra", "°", "º") {
		return i + 1, true
	}
	return i, false
}

// hourTail says that what follows a number makes it a time of day, or a count of something.
func (p *parser) hourTail(i, to int) bool {
	if _, end := readClock(p, i, i, false); end > i && !p.at(to).is("en", "por") {
		return true
	}
	return p.at(to).is("minutos", "anos", "ano", "dias", "semana", "semanas", "mes", "meses", "personas", "horas", "h", ":") ||
		p.at(to).is("a", "-") && p.at(to+1).figures > 0 && p.at(to+1).number <= 2*lastHour
}

// opensWithDay says that a text that begins with a number goes on as one about a day: "24 a las 10".
func (p *parser) opensWithDay(to int) bool {
	return p.words(to, "a", "las") > to || p.words(to, "a", "la") > to || p.words(to, "en", "la") > to || p.words(to, "por", "la") > to
}

// announced says that the words before a place announce the number of a day.
func (p *parser) announced(i int) bool {
	before := p.at(i - 1)
	if before.is("el", "dia", "al", "del", "the", "fecha", "proximo", "este") {
		return true
	}
	_, named := weekdays[before.word]
	return named
}

// weekdayName reads the name of a day at a place; a short one only before a number.
func (p *parser) weekdayName(i int) (time.Weekday, int) {
	if d, ok := weekdays[p.at(i).word]; ok {
		return d, i + 1
	}
	if d, ok := shortWeekdays[p.at(i).word]; ok {
		if to := p.any(i+1, "."); p.at(to).figures > 0 {
			return d, to
		}
	}
	return 0, i
}

// weekdayAfter says that the name of a day follows, and no number behind that.
func (p *parser) weekdayAfter(i int) bool {
	at := p.skip(i, betweenDayAndNumber...)
	_, to := p.weekdayName(at)
	number := p.skip(to, betweenDayAndNumber...)
	_, hour := readClock(p, number, number, false)
	return to > at && (p.at(number).figures == 0 || hour > number)
}

// readWeekdayBeside takes the name of the day that follows a date with it.
func readWeekdayBeside(p *parser, i int, d *date) (to int) {
	if d.weekday >= 0 || !p.weekdayAfter(i) {
		return i
	}
	at := p.skip(i, betweenDayAndNumber...)
	weekday, to := p.weekdayName(at)
	d.weekday = int(weekday)
	return to
}

// monthAt is the month whose name stands at a place; 0 for none.
func (p *parser) monthAt(i int) int {
	t := p.at(i)
	if m, ok := months[t.word]; ok {
		return m
	}
	return 0
}

// readMonthBehind reads the month and the year behind the number of a day: "de diciembre de 2026", "de
// este mes", "del mes que viene".
func readMonthBehind(p *parser, i int, d *date) (to int) {
	of := p.any(i, "de", "del", "of")
	if p.at(i).is("/", "-") && p.at(i).glued && p.at(i+1).glued {
		of = i + 1
	}
	at := of
	if n := p.at(of); of > i && p.at(i).is("del") && 0 < n.number && n.number <= 12 && n.figures <= 2 && !p.at(of+1).is(":", "/") && p.announced(i-1) {
		d.month = n.number
		return readYearBehind(p, of+1, d)
	}
	if p.words(of, "mes", "de") > of {
		at = of + 2
	}
	if month := p.monthAt(at); month > 0 {
		d.month = month
		return readYearBehind(p, at+1, d)
	}
	if ahead, to := readCountedMonth(p, of); of > i && to > of {
		d.monthsAhead = ahead
		return to
	}
	return i
}

func readYearBehind(p *parser, i int, d *date) (to int) {
	at := p.any(i, "de", "del", ",", "-", "/")
	if p.at(at).figures == 4 {
		d.year = p.at(at).number
		return at + 1
	}
	return i
}

// readCountedMonth reads a month that counts from this one: "mes", "este mes", "el mes que viene".
func readCountedMonth(p *parser, i int) (ahead, to int) {
	at := p.any(i, "el", "the")
	switch {
	case p.at(at).is("proximo", "otro", "siguiente", "next") && p.at(at+1).is("mes", "month"):
		return 1, at + 2
	case p.at(at).is("este", "presente", "mismo", "this") && p.at(at+1).is("mes", "month"):
		return 0, at + 2
	case p.at(at).is("mes", "month"):
		if end := p.first(at+1, comes); end > at+1 {
			return 1, end
		}
		return 0, at + 1
	}
	return 0, i
}

// comes is said of the next week, month or day of a name.
var comes = phrases("que viene", "que entra", "que sigue", "proximo", "proxima", "entrante", "siguiente")
