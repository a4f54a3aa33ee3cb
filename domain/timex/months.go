package timex

import "time"

// partsOfMonth are from and to which day they go; a last of 0 is the end of the month.
var partsOfMonth = []struct {
	words       phraseBook
	first, last int
}{
	{phrases("fin", "fines", "final", "finales", "ultimos dias", "ultima semana", "end"), 24, 0},
	{phrases("principio", "principios", "comienzo", "comienzos", "inicio", "inicios", "primeros dias", "primera semana", "beginning"), 1, 7},
	{phrases("primer dia"), 1, 1},
	{phrases("segunda semana"), 8, 14},
	{phrases("mediado", "mediados", "mitad", "middle"), 12, 20},
	{phrases("tercera semana"), 15, 21},
	{phrases("cuarta semana"), 22, 28},
	{phrases("primera quincena"), 1, 15},
	{phrases("segunda quincena"), 16, 0},
}

// readPartOfMonth reads "a fin de mes", "principios de diciembre", "la segunda semana de enero", "la
// semana del 14 de diciembre".
func readPartOfMonth(p *parser, i int) (*days, int) {
	if p.at(i).is("semana") && p.at(i+1).is("del", "de") {
		at := p.skip(i+2, "el")
		d, to := readDate(p, at, true, false)
		if to == at {
			return nil, i
		}
		day, doubt, ok := d.resolve(p.moment)
		if !ok || doubt != nil {
			return nil, i
		}
		monday := day.AddDate(0, 0, -(int(day.Weekday())+6)%7)
		return span(monday, monday.AddDate(0, 0, 6)), to
	}
	for _, part := range partsOfMonth {
		at := p.first(i, part.words)
		of := p.any(at, "de", "del", "of")
		if at == i || of == at {
			continue
		}
		of = p.skip(of, "este")
		var w which
		to := readNthOf(p, of, &w)
		if to == of {
			continue
		}
		first, last := daysInMonth(p, w, part.first, part.last)
		return span(first, last), to
	}
	return nil, i
}

// daysInMonth are the days of a part of a month. A part of which nothing is left this month is that of
// the next.
func daysInMonth(p *parser, w which, from, to int) (first, last time.Time) {
	today := p.moment.today()
	month := time.Date(today.Year(), today.Month()+time.Month(w.monthsAhead), 1, 0, 0, 0, 0, today.Location())
	if w.month > 0 {
		month = nextMonth(w.month, today)
	}
	days := func(month time.Time) (first, last time.Time) {
		end := to
		if end == 0 {
			end = month.AddDate(0, 1, -1).Day()
		}
		return month.AddDate(0, 0, from-1), month.AddDate(0, 0, end-1)
	}
	if first, last = days(month); last.Before(today) {
		return days(month.AddDate(0, 1, 0))
	}
	if first.Before(today) {
		first = today
	}
	return first, last
}

// readMonth reads a whole month: "en diciembre", "el mes que viene".
func readMonth(p *parser, i int) (*days, int) {
	at := p.any(i, "en", "para", "durante", "in")
	if p.words(at, "el", "mes", "de") > at {
		at += 3
	}
	today := p.moment.today()
	if month := p.monthAt(at); month > 0 && (at > i || len(p.tokens) == 1 && len(p.at(at).word) > 3) && p.at(at+1).figures == 0 {
		first := nextMonth(month, today)
		return span(later(first, today), first.AddDate(0, 1, -1)), at + 1
	}
	ahead, to := readCountedMonth(p, at)
	if to > at && ahead > 0 {
		first := time.Date(today.Year(), today.Month()+time.Month(ahead), 1, 0, 0, 0, 0, today.Location())
		return span(first, first.AddDate(0, 1, -1)), to
	}
	if to > at && p.at(to-2).is("este", "this") {
		return span(today, time.Date(today.Year(), today.Month()+1, 0, 0, 0, 0, 0, today.Location())), to
	}
	return nil, i
}

func later(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}

// nextMonth is the first day of the next month of that number, this one included.
func nextMonth(month int, today time.Time) time.Time {
	first := time.Date(today.Year(), time.Month(month), 1, 0, 0, 0, 0, today.Location())
	if first.AddDate(0, 1, 0).After(today) {
		return first
	}
	return first.AddDate(1, 0, 0)
}
