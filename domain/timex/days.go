package timex

import "time"

// days is a day, or several that follow each other, as it was said.
type days struct {
	kind daysKind
	// date is set for aDate; its weekday for aWeekday too.
	date date
	// near is how many days from today aNearDay is, said its words; date what was said with it.
	near int
	said string
	// which tells days of a name apart.
	which which
	// first and last are the days of aSpan; whole says that it is a week in which a day of a
	// name may be meant.
	first, last time.Time
	week        bool
	// set are the days of the week of aSet.
	set weekdaySet
	// bound says that the days from, or up to, this one are meant; to is the end of a range.
	bound bound
	to    *days
}

type daysKind int

const (
	aDate daysKind = iota
	aWeekday
	aNearDay
	aSpan
	aSet
	// theOther is the one after what was refused: "este martes no, el otro".
	theOther
)

type bound int

const (
	noBound bound = iota
	since
	after
	until
	upTo
)

// date is a date as it was said; what was not said is 0, or -1 for the day of the week.
type date struct {
	day, month, year, weekday int
	// monthsAhead is the month as it counts from this one, where it was said so.
	monthsAhead int
}

// which tells days of a name apart: "el primer lunes de diciembre", "el jueves de la próxima semana".
type which struct {
	// this, other: "este lunes", "el otro lunes".
	this, other bool
	// week is 1 for this week and 2 for the next; later so many days more ("en ocho").
	week, later int
	// month is that of which it is the nth day of the name, 0 for none; inMonth says so where
	// the month counts from this one, by monthsAhead.
	month, nth, monthsAhead int
	inMonth                 bool
}

// weekdaySet is a set of days of the week; bit n is the day n of [time.Weekday].
type weekdaySet uint8

const everyDay weekdaySet = 1<<7 - 1

func setOfDay(d time.Weekday) weekdaySet { return 1 << d }

func (s weekdaySet) has(d time.Weekday) bool { return s&setOfDay(d) != 0 }

// list are the days of a set, from Sunday on.
func (s weekdaySet) list() (days []time.Weekday) {
	for d := time.Sunday; d <= time.Saturday; d++ {
		if s.has(d) {
			days = append(days, d)
		}
	}
	return days
}

// readDay reads one day or span at a place.
func readDay(p *parser, i int) (*days, int) {
	for _, rule := range []func(*parser, int) (*days, int){readFigures, readHoliday, readNthWeekday, readNumberedDay, readWeekday, readNearDay, readAhead, readWeeks, readPartOfMonth, readMonth, readTheOther, readSameDay} {
		if d, to := rule(p, i); to > i {
			return d, to
		}
	}
	return nil, i
}

// holidays are days that people name instead of their dates.
var holidays = []struct {
	words      phraseBook
	day, month int
}{
	{phrases("nochebuena", "noche buena", "vispera de navidad", "christmas eve"), 24, 12}, {phrases("navidad", "christmas"), 25, 12},
	{phrases("nochevieja", "noche vieja", "fin de ano", "new years eve", "new year s eve"), 31, 12}, {phrases("ano nuevo", "new years day", "new year s day"), 1, 1},
	{phrases("dia de la madre", "dia de las madres"), 8, 12},
}

func readHoliday(p *parser, i int) (*days, int) {
	for _, h := range holidays {
		if to := p.first(i, h.words); to > i {
			return &days{kind: aDate, date: date{day: h.day, month: h.month, weekday: -1}}, to
		}
	}
	return nil, i
}

// readDayRange reads "del 1 al 4 de diciembre", "entre el lunes y el miércoles", "de lunes a viernes".
func readDayRange(p *parser, i int) (*days, int) {
	open := p.any(i, "entre", "de", "del", "desde", "between", "from")
	_, name := p.weekdayName(i)
	if open == i && name == i && !(p.at(i).figures > 0 && p.at(i+1).is("al")) {
		return nil, i
	}
	article := p.at(i).is("del", "entre", "desde") || p.at(i-1).is("el", "este", "proximo")
	start := p.any(open, "el", "dia")
	from, at := readRangeDay(p, start, open == i)
	if at == start {
		return nil, i
	}
	next := p.any(at, "al", "a", "hasta", "y", "to", "and")
	if next == at || p.at(at).is("y", "and") && !p.at(i).is("entre", "between") {
		return nil, i
	}
	next = p.skip(next, "el", "la", "dia")
	to, end := readRangeDay(p, next, from.kind == aDate)
	if end == next {
		return nil, i
	}
	if from.kind == aDate && from.date.month == 0 && to.kind == aDate {
		from.date.month, from.date.year, from.date.monthsAhead = to.date.month, to.date.year, to.date.monthsAhead
	}
	if from.kind == aWeekday && to.kind == aWeekday && !article && from.which == to.which && from.which == (which{}) {
		set := weekdaySet(0)
		for d := time.Weekday(from.date.weekday); ; d = (d + 1) % 7 {
			if set |= setOfDay(d); d == time.Weekday(to.date.weekday) {
				break
			}
		}
		return &days{kind: aSet, set: set}, end
	}
	from.to = to
	return from, end
}

// readRangeDay reads a day of a range, where a number alone is one.
func readRangeDay(p *parser, i int, sure bool) (*days, int) {
	if d, to := readDay(p, i); to > i {
		return d, to
	}
	n, to := p.count(i, 32)
	if to == i || n == 0 || !sure && !p.at(i-1).is("del", "el", "dia") || p.at(to).is(":", "h", "am", "pm") || p.at(i-1).is("las", "la") {
		return nil, i
	}
	d := &days{kind: aDate, date: date{day: n, weekday: -1}}
	return d, readMonthBehind(p, to, &d.date)
}

var (
	sinceDay = phrases("a partir de", "a partir del", "desde", "desde el", "from", "no antes de", "no antes del")
	afterDay = phrases("despues de", "despues del", "luego de", "luego del", "pasado el", "after")
	untilDay = phrases("hasta", "hasta el", "de aqui a", "de aqui al", "a mas tardar", "no mas tarde de", "no mas tarde del", "until")
	upToDay  = phrases("antes de", "antes del", "before")
)

// readDayBound reads "a partir del 7 de diciembre", "después del 15", "antes del viernes".
func readDayBound(p *parser, i int) (*days, int) {
	for _, b := range []struct {
		words phraseBook
		bound bound
	}{{sinceDay, since}, {afterDay, after}, {untilDay, until}, {upToDay, upTo}} {
		at := p.first(i, b.words)
		if at == i {
			continue
		}
		at = p.skip(at, "el", "dia")
		if d, to := readRangeDay(p, at, false); to > at && d.to == nil && (d.kind != aSpan || b.bound != since || d.week) {
			d.bound = b.bound
			return d, to
		}
	}
	return nil, i
}
