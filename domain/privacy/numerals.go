package privacy

import "strconv"

// numeral is a word that says a number, or how often the next one is said.
type numeral struct {
	value int
	times int
}

// Numerals of which longer numbers are made.
const (
	hundred  = 100
	thousand = 1000
)

var numerals = readNumerals()

func readNumerals() map[string]numeral {
	units := []string{"", "uno", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve"}
	table := map[string]numeral{
		"doble": {times: 2}, "double": {times: 2}, "triple": {times: 3}, "cien": {value: hundred}, "ciento": {value: hundred}, "mil": {value: thousand}, "hundred": {value: hundred}, "thousand": {value: thousand},
		"zero": {}, "cero": {}, "sero": {}, "sinco": {value: 5}, "seiz": {value: 6}, "sies": {value: 6},
	}
	add := func(first, step int, names ...string) {
		for i, name := range names {
			if name != "" {
				table[name] = numeral{value: first + i*step}
			}
		}
	}
	add(0, 1, units...)
	add(10, 1, "diez", "once", "doce", "trece", "catorce", "quince", "dieciseis", "diecisiete", "dieciocho", "diecinueve")
	add(100, 100, "", "doscientos", "trescientos", "cuatrocientos", "quinientos", "seiscientos", "setecientos", "ochocientos", "novecientos")
	add(1, 1, "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen")
	add(20, 10, "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
	for i, ten := range []string{"veinte", "treinta", "cuarenta", "cincuenta", "sesenta", "setenta", "ochenta", "noventa"} {
		value := 20 + 10*i
		table[ten] = numeral{value: value}
		for unit, name := range units[1:] {
			for _, and := range []string{"i", "y"} {
				table[ten+and+name] = numeral{value: value + unit + 1}
				table[ten[:len(ten)-1]+and+name] = numeral{value: value + unit + 1}
			}
		}
	}
	return table
}

// span is a part of a folded text.
type span struct{ from, to int }

// said is a number that is told in words.
type said struct {
	span
	digits string
}

// readNumerals writes the numbers that a text says in words with digits.
func (f *folded) readNumerals(words []span) {
	var found []said
	for from := 0; from < len(words); {
		to := from + 1
		for to < len(words) && f.joined(words[to-1], words[to]) {
			to++
		}
		found = append(found, f.numbers(words[from:to])...)
		from = to
	}
	if len(found) > 0 {
		*f = f.with(found)
	}
}

// joined says that two words may belong to one number.
func (f *folded) joined(a, b span) bool {
	return b.from-a.to == 1 && (f.text[a.to] == ' ' || f.text[a.to] == '-')
}

// numbers reads those that are told by words which follow one another.
func (f *folded) numbers(words []span) []said {
	var found []said
	for i := 0; i < len(words); {
		digits, n := f.number(words[i:], len(found) > 0 && found[len(found)-1].to+1 == words[i].from)
		if n > 0 {
			found = append(found, said{span{words[i].from, words[i+n-1].to}, digits})
		}
		i += max(n, 1)
	}
	return found
}

// with is the text with digits for numbers; each digit stands for all of the words.
func (f *folded) with(numbers []said) folded {
	var g folded
	last := 0
	copied := func(to int) {
		g.text, g.from, g.to = append(g.text, f.text[last:to]...), append(g.from, f.from[last:to]...), append(g.to, f.to[last:to]...)
	}
	for _, number := range numbers {
		copied(number.from)
		from, to := f.original(number.from, number.to)
		for _, digit := range []byte(number.digits) {
			g.add(digit, from, to)
		}
		last = number.to
	}
	copied(len(f.text))
	return g
}

// number reads the number that a list of words begins with, and of how many words it is made.
func (f *folded) number(words []span, follows bool) (digits string, n int) {
	at := func(i int) (numeral, bool) {
		if i >= len(words) {
			return numeral{}, false
		}
		word := string(f.text[words[i].from:words[i].to])
		if word == "oh" && (follows || i > 0) {
			return numeral{}, true
		}
		n, ok := numerals[word]
		return n, ok
	}
	if first, ok := at(0); ok && first.times > 0 {
		if next, ok := at(1); ok && next.times == 0 && next.value < 10 {
			for range first.times {
				digits += strconv.Itoa(next.value)
			}
			return digits, 2
		}
		return "", 0
	}
	value, n := f.belowThousand(words, at, 0)
	next, ok := at(n)
	if !ok || next.value != thousand {
		return strconv.Itoa(value), n
	}
	if n == 0 {
		value = 1
	}
	rest, more := f.belowThousand(words, at, n+1)
	return strconv.Itoa(value*thousand + rest), n + 1 + more
}

// belowThousand reads a number under a thousand from the i-th word on.
func (f *folded) belowThousand(words []span, at func(int) (numeral, bool), i int) (value, n int) {
	first, ok := at(i)
	switch next, more := at(i + 1); {
	case !ok || first.times > 0 || first.value == thousand:
		return 0, 0
	case first.value >= hundred:
		rest, n := f.belowHundred(words, at, i+1)
		return first.value + rest, n + 1
	case first.value < 10 && first.value > 0 && more && next.value == hundred && string(f.text[words[i+1].from:words[i+1].to]) == "hundred":
		rest, n := f.belowHundred(words, at, i+2)
		return first.value*hundred + rest, n + 2
	}
	return f.belowHundred(words, at, i)
}

func (f *folded) belowHundred(words []span, at func(int) (numeral, bool), i int) (value, n int) {
	first, ok := at(i)
	if !ok || first.times > 0 || first.value >= hundred {
		return 0, 0
	}
	if first.value < 20 || first.value%10 != 0 {
		return first.value, 1
	}
	second := i + 1
	if second < len(words) {
		if and := string(f.text[words[second].from:words[second].to]); and == "y" || and == "i" {
			second++
		}
	}
	if unit, ok := at(second); ok && unit.times == 0 && 0 < unit.value && unit.value < 10 {
		return first.value + unit.value, second - i + 1
	}
	return first.value, 1
}
