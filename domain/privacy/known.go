package privacy

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
)

// halfDigits is how many digits people write of a telephone at a time.
const halfDigits = 4

// contacts finds telephones and addresses that are known, however they are spaced.
func (f *folded) contacts(known []string, take func(mask string) func(i, j int)) {
	for _, one := range known {
		if strings.Contains(one, "@") {
			f.eachText(fold(one).text, anyByte, take(maskedEmail))
			continue
		}
		if digits := digitsOf(one); len(digits) >= fewestOfDocument {
			f.eachText(digits, isDigit, take(maskedPhone))
			f.eachText(national(digits), isDigit, take(maskedPhone))
		}
	}
}

// halves finds the halves of telephones that are known, where each stands by itself: they may be
// spread over a message, or over two.
func (f *folded) halves(known []string, take func(i, j int)) {
	for _, one := range known {
		digits := national(digitsOf(one))
		if strings.Contains(one, "@") || len(digits) < fewestDigits || len(digits) > 2*halfDigits {
			continue
		}
		for _, half := range [][]byte{digits[:len(digits)-halfDigits], digits[len(digits)-halfDigits:]} {
			if len(half) == halfDigits && !isYear(half) {
				f.eachText(half, isDigit, func(i, j int) {
					if !f.amongDigits(i, j) {
						take(i, j)
					}
				})
			}
		}
	}
}

// SpreadPhone is the telephone number of Panama that begins in one text and ends in the next; empty
// where there is none.
func SpreadPhone(before, text string) string {
	if len(someDigits.FindAllString(before, 1)) == 0 || len(someDigits.FindAllString(text, 1)) == 0 {
		return ""
	}
	s := newSearch(before+"\n"+text, Known{})
	s.patterns(before + "\n" + text)
	for _, one := range s.found {
		digits := string(digitsOf(one.plain))
		if one.mask == maskedPhone && one.from < len(before) && len(before) < one.to && (mobile.MatchString(digits) || local.MatchString(digits)) {
			return digits
		}
	}
	return ""
}

// amongDigits says that other digits stand beside a part, as in a list of them.
func (f *folded) amongDigits(i, j int) bool {
	before := bytes.TrimRight(f.text[:i], " -.")
	after := bytes.TrimLeft(f.text[j:], " -.")
	return len(before) > 0 && isDigit(before[len(before)-1]) || len(after) > 0 && isDigit(after[0])
}

// isYear says that four digits are more often a year.
func isYear(digits []byte) bool {
	return bytes.HasPrefix(digits, []byte("19")) || bytes.HasPrefix(digits, []byte("20"))
}

func digitsOf(text string) []byte {
	return slices.DeleteFunc(fold(text).text, func(b byte) bool { return !isDigit(b) })
}

// national are the digits of a telephone without the country's code.
func national(digits []byte) []byte {
	if len(digits) > 2*halfDigits {
		return bytes.TrimPrefix(digits, []byte(countryCode))
	}
	return digits
}

// known hides a name that is known: as a whole or in part, a single word of it only if it can be
// nothing else.
func (n *naming) known(name, text string) {
	f := fold(name)
	spans := f.withApostrophes(f.words())
	parts, capital := map[string]bool{}, map[string]bool{}
	for _, s := range spans {
		plain := f.plain(s)
		parts[plain] = vocabulary.words[plain]&particle == 0
		capital[plain] = unicode.IsUpper(f.firstRune(name, s))
	}
	for i := 0; i < len(n.words); i++ {
		if !parts[n.words[i].plain] || n.hidden(i) {
			continue
		}
		last, count := i, 1
		for k := i + 1; k < len(n.words) && n.words[k].gap == space; k++ {
			isPart, ofName := parts[n.words[k].plain]
			if !ofName || n.hidden(k) {
				break
			}
			if isPart {
				last = k
				count++
			}
		}
		w := n.words[i]
		asGiven := unicode.IsUpper(n.f.firstRune(text, w.span)) && capital[w.plain]
		single := asGiven || !w.is(ambiguous)
		ofPlace := w.is(place|beforePlace) && !asGiven || n.ofPlace(i)
		if count > 1 || single && (len(spans) == 1 || len(w.plain) > 2 && !w.is(everyday) && !ofPlace) {
			n.take(w.from, n.words[last].to)
		}
		i = last
	}
}
