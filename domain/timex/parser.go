package timex

import (
	"slices"
	"strings"
)

// parser reads the parts of a text. Its rules take the place at which they are to apply and give
// the place behind what they read, or the same place where they do not apply.
type parser struct {
	tokens []token
	moment Moment
	// dateEnds is the place behind the last date: a number may go on with it ("el 24 o 25").
	// setEnds is that behind "los martes", with which another name may go on.
	dateEnds, setEnds int
}

// part is what the rules found at a place of a text: exactly one of its kinds.
type part struct {
	from, to int
	kind     partKind
	// days is set for a part of the kind aDay, hours for anHour, half for aHalf.
	days  *days
	hours hours
	half  half
	// better says that aTurn replaces what was said before it.
	better bool
}

type partKind int

const (
	// aWord is what the grammar passes over.
	aWord partKind = iota
	aDay
	anHour
	aHalf
	// aRefusal refuses what follows in its clause, or what stands right before it: "no puedo".
	aRefusal
	// aNo is a bare "no" or "tampoco".
	aNo
	// aTurn takes a refusal back: "pero", "sino", "mejor".
	aTurn
	// aJoint joins what stands before and behind it: "o", "y".
	aJoint
	// anEnd ends a clause.
	anEnd
)

// parts reads a text from its beginning to its end.
func (p *parser) parts() []part {
	var all []part
	for i := 0; i < len(p.tokens); {
		found := p.part(i)
		found.from = i
		if found.to <= i {
			found.to = i + 1
		}
		if found.kind == aDay && found.days.kind == aDate {
			p.dateEnds = found.to
		}
		if found.kind == aDay && found.days.kind == aSet {
			p.setEnds = found.to
		}
		all = append(all, found)
		i = found.to
	}
	return all
}

// part reads what stands at a place. What is longer goes first: "después de las 5" before "5".
func (p *parser) part(i int) part {
	if to := readPast(p, i); to > i {
		return part{to: to}
	}
	if h, to := readHourRange(p, i); to > i {
		return part{to: to, kind: anHour, hours: h}
	}
	if h, to := readHourBound(p, i); to > i {
		return part{to: to, kind: anHour, hours: h}
	}
	if d, to := readDayRange(p, i); to > i && !p.moves(i) && !p.moves(i-1) {
		return part{to: to, kind: aDay, days: d}
	}
	if d, to := readDayBound(p, i); to > i {
		return part{to: to, kind: aDay, days: d}
	}
	if to := p.first(i, refusals); to > i {
		return part{to: to, kind: aRefusal}
	}
	if d, to := readDay(p, i); to > i {
		if onward := p.words(to, "en", "adelante"); onward > to {
			d.bound, to = since, onward
		}
		return part{to: to, kind: aDay, days: d}
	}
	if h, to := readSameHour(p, i); to > i {
		return part{to: to, kind: anHour, hours: hours{from: h, to: h, exact: true}}
	}
	if h, to := readHour(p, i); to > i {
		if onward := p.words(to, "en", "adelante"); onward > to {
			return part{to: onward, kind: anHour, hours: hours{from: h}}
		}
		return part{to: to, kind: anHour, hours: hours{from: h, to: h, exact: true}}
	}
	if h, to := readHalfOfDay(p, i); to > i {
		return part{to: to, kind: aHalf, half: h}
	}
	t := p.tokens[i]
	switch {
	case t.is("no", "tampoco"):
		return part{to: i + 1, kind: aNo}
	case t.is("pero", "sino", "mejor", "digo", "si"):
		return part{to: i + 1, kind: aTurn, better: t.is("mejor", "digo")}
	case t.is("o", "u", "y", "or", "and"):
		return part{to: i + 1, kind: aJoint}
	case t.ends():
		return part{to: i + 1, kind: anEnd}
	}
	return part{to: i + 1}
}

// refusals are the phrases that refuse a day or an hour.
var refusals = phrases(
	"ni", "nunca", "jamas", "ningun", "menos", "excepto", "salvo", "nada de", "en lugar de", "en lugar del", "en vez de", "en vez del", "instead of", "no quiero", "imposible", "me queda mal", "se me complica", "se me complico", "que no sea", "que no sean", "no puede ser", "no sea", "no es",
	"no puedo ir", "no puedo", "no podria", "no podre", "no voy a poder ir", "no voy a poder",
	"no me sirve", "no me sirven", "no me queda bien", "no me queda", "no me quedan", "no me conviene", "no me convienen", "tampoco puedo", "tampoco podria", "tampoco me sirve",
	"puedo todos menos", "no muy", "no tan", "not on", "not", "except", "cant on", "cant do", "cant",
)

// phraseBook are phrases word by word, by their first word, the longest first.
type phraseBook map[string][][]string

func phrases(list ...string) phraseBook {
	book := phraseBook{}
	for _, phrase := range list {
		words := strings.Fields(phrase)
		book[words[0]] = append(book[words[0]], words[1:])
	}
	for _, all := range book {
		slices.SortStableFunc(all, func(a, b []string) int { return len(b) - len(a) })
	}
	return book
}

// first is the place behind the longest of the phrases that stands at a place.
func (p *parser) first(i int, of phraseBook) int {
	for _, rest := range of[p.at(i).word] {
		if to := p.words(i+1, rest...); to > i+1 || len(rest) == 0 {
			return i + 1 + len(rest)
		}
	}
	return i
}

// words is the place behind words that follow each other.
func (p *parser) words(i int, list ...string) int {
	for n, word := range list {
		if !p.at(i + n).is(word) {
			return i
		}
	}
	return i + len(list)
}

// any is the place behind one of some words.
func (p *parser) any(i int, words ...string) int {
	if p.at(i).is(words...) {
		return i + 1
	}
	return i
}

// skip is the place behind all of some words.
func (p *parser) skip(i int, words ...string) int {
	for p.at(i).is(words...) {
		i++
	}
	return i
}

// at is a token of the text; one that is nothing before its beginning and behind its end.
func (p *parser) at(i int) token {
	if i < 0 || i >= len(p.tokens) {
		return token{}
	}
	return p.tokens[i]
}

// count reads a number of figures or words below a bound: "24", "veinticuatro", "treinta y uno".
func (p *parser) count(i, below int) (n, to int) {
	t := p.at(i)
	switch {
	case t.figures > 0:
		n, to = t.number, i+1
		if t.figures > 2 {
			return 0, i
		}
	default:
		var ok bool
		if n, ok = numbers[t.word]; !ok {
			return 0, i
		}
		to = i + 1
		if unit, ok := numbers[p.at(i+2).word]; ok && n >= 30 && p.at(i+1).is("y") && 0 < unit && unit < 10 {
			n, to = n+unit, i+3
		}
	}
	if n >= below {
		return 0, i
	}
	return n, to
}

// misspeltCount reads a number where there can be nothing else: "a las dies".
func (p *parser) misspeltCount(i, below int) (n, to int) {
	if n, to = p.count(i, below); to > i || len(p.at(i).word) < 4 || p.at(i).mark() {
		return n, to
	}
	for word, value := range numbers {
		if value < below && len(word) >= 4 && value > n && oneEdit(p.at(i).word, word) {
			n, to = value, i+1
		}
	}
	return n, to
}
