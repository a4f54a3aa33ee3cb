package timex

import (
	"slices"
	"strings"
	"time"

	"bitacora/domain/clinic"
)

// reading adds up the parts of a text.
func (p *parser) reading(parts []part) Reading {
	refused := p.refused(parts)
	parts, refused = lastWord(parts, refused)
	parts = firstChoice(p.wanted(parts), refused)
	var r Reading
	p.wishedDays(parts, refused, &r)
	impossible := wishedHours(parts, refused, &r.Wish)
	if impossible && r.Doubt == nil {
		r.Doubt = &clinic.Doubt{Kind: clinic.NoSuchHour}
	}
	if r.Wish.IsZero() && r.Doubt == nil && p.moment.Bare {
		if m := p.bareHour(); m != nil {
			r.Wish.Earliest, r.Wish.Exact = m.minuteIn(noHalf), true
		}
	}
	return r
}

func (k partKind) says() bool { return k == aDay || k == anHour || k == aHalf }

// refused says of each part whether it does not suit.
func (p *parser) refused(parts []part) []bool {
	refused := make([]bool, len(parts))
	refusing := false
	for i, part := range parts {
		before := i > 0 && parts[i-1].kind.says()
		switch part.kind {
		case anEnd, aTurn:
			refusing = false
		case aRefusal:
			if before && !p.excludes(part) {
				refused[i-1] = true
				continue
			}
			refusing = true
		case aNo:
			switch next := i + 1; {
			case before && (next == len(parts) || parts[next].kind != aWord):
				refused[i-1] = true
			case next < len(parts) && (parts[next].kind.says() || p.at(parts[next].from).is("el", "los", "la", "este", "esta") && next+1 < len(parts) && parts[next+1].kind.says()):
				refusing = true
			}
		case aDay, anHour:
			refused[i] = refusing
		case aHalf:
			// "Menos el martes y por la tarde" wishes for afternoons.
			refusing = refusing && !(p.at(part.from-1).is("y", "and") && lastSaid(parts[:i]) == aDay)
			refused[i] = refusing
		}
	}
	return refused
}

// lastSaid is the kind of the last part that says when.
func lastSaid(parts []part) partKind {
	for _, part := range slices.Backward(parts) {
		if part.kind.says() {
			return part.kind
		}
	}
	return aWord
}

// excludes says that a refusal is one of what follows, whatever stands before it: "menos el lunes".
func (p *parser) excludes(part part) bool {
	return p.at(part.from).is("ni", "menos", "excepto", "salvo", "nada", "nunca", "jamas", "ningun", "que", "en", "instead", "not", "except") || p.at(part.to-1).is("muy", "tan", "sea", "sean", "ser", "es")
}

// lastWord leaves out what a later "mejor" replaces: "el jueves, mejor el viernes".
func lastWord(parts []part, refused []bool) ([]part, []bool) {
	for i := len(parts) - 1; i > 0; i-- {
		if parts[i].kind != aTurn || !parts[i].better {
			continue
		}
		parts = slices.Clone(parts)
		for j := range i {
			same := func(k int) bool {
				return !refused[k] && (parts[k].kind == aDay) == (parts[j].kind == aDay) && parts[k].kind.says()
			}
			if parts[j].kind.says() && !refused[j] && slices.ContainsFunc(indexes(i, len(parts)), same) {
				parts[j].kind = aWord
			}
		}
		break
	}
	return parts, refused
}

// changes begin the words for another time: "cámbiala del lunes al miércoles" is no range.
var changes = []string{"cambi", "pasar", "pasal", "pasam", "pasem", "muev", "mover", "move", "correl", "reprogram", "reagend"}

// moves says that "del" at a place names the day that is to be changed.
func (p *parser) moves(i int) bool {
	if !p.at(i).is("del", "de") {
		return false
	}
	return p.at(i-1).is("cita", "la", "reserva", "turno") || slices.ContainsFunc(p.tokens, func(t token) bool {
		return slices.ContainsFunc(changes, func(begins string) bool { return strings.HasPrefix(t.word, begins) })
	})
}

// wanted leaves out the day of the appointment that is to be changed, where another one is named.
func (p *parser) wanted(parts []part) []part {
	for i, part := range parts {
		if part.kind != aDay || !p.moves(part.from-1) && !p.moves(part.from-2) {
			continue
		}
		if slices.ContainsFunc(indexes(i+1, len(parts)), func(j int) bool { return parts[j].kind == aDay }) {
			parts = slices.Clone(parts)
			parts[i].kind = aWord
		}
	}
	return parts
}

// firstChoice leaves out all but the first of several days that have an hour each: "el jueves a las 9 o
// el viernes a las 10". A wish has one.
func firstChoice(parts []part, refused []bool) []part {
	has := func(from, to int) bool {
		says := func(day bool) bool {
			return slices.ContainsFunc(indexes(from, to), func(i int) bool {
				return !refused[i] && parts[i].kind.says() && (parts[i].kind == aDay) == day
			})
		}
		return says(true) && says(false)
	}
	for i, part := range parts {
		if part.kind == aJoint && has(0, i) && has(i+1, len(parts)) {
			return parts[:i]
		}
	}
	return parts
}

func indexes(from, to int) (list []int) {
	for i := from; i < to; i++ {
		list = append(list, i)
	}
	return list
}

// wishedDays sets what is said of days.
func (p *parser) wishedDays(parts []part, refused []bool, r *Reading) {
	g := gathered{moment: p.moment}
	for i, part := range parts {
		if part.kind == aDay && refused[i] {
			g.refuse(part.days)
		}
	}
	r.Doubt = g.gather(parts, refused)
	wished := g.wished()
	if r.Doubt == nil && len(wished) > 0 {
		r.Wish.First, r.Wish.Last = g.hull(wished)
		if first, last := r.Wish.First, r.Wish.Last; first.Equal(last) {
			g.unwanted &^= setOfDay(first.Weekday())
		} else if named := g.set | weekdaysOf(wished); !g.bounded && named != (stretch{first, last}).weekdays() {
			r.Only = named.list()
		}
	}
	if r.Doubt == nil && g.set != 0 {
		if r.Only = g.set.list(); len(wished) == 0 {
			today := p.moment.today()
			r.Wish.First, r.Wish.Last = today, today.AddDate(0, 0, max(p.moment.Ahead-1, 0))
		}
	}
	r.Unwanted = g.unwanted.list()
}

// gathered are the days of a text by what they are.
type gathered struct {
	moment Moment
	// dates, named, near and spans are what was said, those of each kind in order.
	dates, named, near, spans []stretch
	// set are the days of the week that suit, where some were said; unwanted those that do not.
	set, unwanted weekdaySet
	// bounded says that a day was said as a bound.
	bounded bool
	// after is what "el otro" is the one after, a whole week where afterWeek says so; joined says that
	// both suit.
	after             *stretch
	afterWeek, joined bool
}

// refuse takes down days that do not suit.
func (g *gathered) refuse(d *days) {
	if d.kind == aSet {
		g.unwanted |= d.set
		return
	}
	s, doubt, ok := d.resolve(g.moment, nil)
	if doubt != nil || !ok {
		return
	}
	g.after, g.afterWeek = &s, d.week
	if set := s.weekdays(); set != everyDay && !d.week && d.bound == noBound {
		g.unwanted |= set
	}
}

// gather resolves the days that suit: first the numbered ones, from which the named ones count.
func (g *gathered) gather(parts []part, refused []bool) *clinic.Doubt {
	var accepted []*days
	var within *stretch
	for i, part := range parts {
		if part.kind == aDay && !refused[i] {
			accepted = append(accepted, part.days)
			if part.days.kind == aSpan && part.days.week && part.days.bound == noBound {
				within = &stretch{part.days.first, part.days.last}
			}
		}
	}
	moment := g.moment
	for _, kind := range []daysKind{aNearDay, aDate, aWeekday, aSpan, aSet, theOther} {
		for _, d := range accepted {
			if d.kind != kind {
				continue
			}
			if doubt := g.add(d, moment, within); doubt != nil {
				return doubt
			}
		}
		if kind == aDate && len(g.dates) > 0 {
			moment.Known = nil
			for _, s := range g.dates {
				moment.Known = append(moment.Known, s.first)
			}
			moment.At = slices.MinFunc(moment.Known, time.Time.Compare)
		}
	}
	return nil
}

// add takes down days that suit.
func (g *gathered) add(d *days, m Moment, within *stretch) *clinic.Doubt {
	switch d.kind {
	case aSet:
		g.set |= d.set
		return nil
	case theOther:
		g.addOther()
		return nil
	}
	if d.kind == aWeekday && d.which.week == 0 && len(g.dates) > 0 {
		within = nil
	}
	s, doubt, ok := d.resolve(m, within)
	if doubt != nil || !ok {
		return doubt
	}
	g.bounded = g.bounded || d.bound != noBound
	s = d.bounded(s, g.moment)
	switch d.kind {
	case aDate:
		g.dates = append(g.dates, s)
	case aWeekday:
		g.named = append(g.named, s)
	case aNearDay:
		g.near = append(g.near, s)
	case aSpan:
		g.spans = append(g.spans, s)
	}
	return nil
}

// addOther takes down the day or the week after the one that was refused, or beside the one that suits.
func (g *gathered) addOther() {
	switch {
	case g.after == nil && len(g.spans) > 0: // "esta semana o la próxima"
		last := g.spans[len(g.spans)-1].last
		g.spans, g.joined = append(g.spans, stretch{last.AddDate(0, 0, 1), last.AddDate(0, 0, 7)}), true
	case g.after == nil:
	case g.afterWeek:
		monday := g.after.last.AddDate(0, 0, 1)
		g.named = append(g.named, stretch{monday, monday.AddDate(0, 0, 6)})
	default:
		g.named = append(g.named, stretch{g.after.first.AddDate(0, 0, 7), g.after.last.AddDate(0, 0, 7)})
	}
}

// wished are the days that count: numbers and names before "mañana", and all of them before weeks
// and months.
func (g *gathered) wished() []stretch {
	named := append(slices.Clone(g.dates), g.named...)
	switch {
	case len(named) > 0:
		return named
	case len(g.near) > 0:
		return g.near
	}
	if g.joined {
		return g.spans
	}
	return g.spans[:min(len(g.spans), 1)]
}

// hull are the first and the last of the wished days; of bounds, what lies within all of them.
func (g *gathered) hull(wished []stretch) (first, last time.Time) {
	first, last = wished[0].first, wished[0].last
	for _, s := range wished[1:] {
		if g.bounded && !s.last.Before(first) && !s.first.After(last) {
			first, last = later(first, s.first), earlier(last, s.last)
			continue
		}
		first, last = earlier(first, s.first), later(last, s.last)
	}
	return first, last
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

// weekdaysOf are the days of the week of all the wished days.
func weekdaysOf(wished []stretch) (set weekdaySet) {
	for _, s := range wished {
		set |= s.weekdays()
	}
	return set
}

// weekdays are the days of the week on which the days are.
func (s stretch) weekdays() (set weekdaySet) {
	for n := 0; n < 7 && !s.first.AddDate(0, 0, n).After(s.last); n++ {
		set |= setOfDay(s.first.AddDate(0, 0, n).Weekday())
	}
	return set
}

// bareHour reads a text that is nothing but an hour: "10", "las 3", "4 y media".
func (p *parser) bareHour() *minuteOfDay {
	end := len(p.tokens)
	for end > 0 && p.at(end-1).mark() {
		end--
	}
	at := p.any(0, "las", "la")
	m, to := readClock(p, at, 0, true)
	if to < end || end == 0 || m == nil || m.impossible {
		return nil
	}
	return m
}
