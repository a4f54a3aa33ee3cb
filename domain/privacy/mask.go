// Package privacy decides what of a text is personal and how it is hidden.
package privacy

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// What something personal is replaced by, in the words of staff who read it.
const (
	maskedEmail    = "[correo]"
	maskedPhone    = "[teléfono]"
	maskedDocument = "[documento]"
	maskedName     = "[nombre]"
)

var masks = []string{maskedEmail, maskedPhone, maskedDocument, maskedName}

// Known is what is known beside a text of what is personal in it.
type Known struct {
	// Names are those of the people who are spoken of, in full.
	Names []string
	// Public are contacts and names that the clinic itself gives everybody: they stay.
	Public []string
}

// Mask hides e-mail addresses, the numbers of documents, any number long enough to be a
// telephone's, and names: those that are known, and those that stand where people name
// themselves or somebody close. Everything else stays as it is, byte for byte. Applying it to its
// own result changes nothing.
func Mask(text string, known Known) string {
	for {
		found := find(text, known)
		if len(found) == 0 {
			return text
		}
		text = replace(text, found)
	}
}

// HasMask says that something was masked in a text.
func HasMask(text string) bool {
	return slices.ContainsFunc(masks, func(mask string) bool { return strings.Contains(text, mask) })
}

// finding is something personal: the bytes of a text from one place to another.
type finding struct {
	from, to int
	mask     string
	// plain is how it was read: in lower case and with digits for numbers that are told in words.
	plain string
}

// find gives what is personal in a text, in the order in which it stands there.
func find(text string, known Known) []finding {
	f := fold(text)
	var found []finding
	f.hidePublic(known.Public)
	f.contacts(text, &found)
	f.names(text, f.words(), known, f.take(maskedName, &found))
	return merge(found)
}

// contacts finds e-mail addresses and the numbers of documents and telephones.
func (f *folded) contacts(text string, found *[]finding) {
	f.readNumerals(f.words())
	f.emails(f.take(maskedEmail, found))
	if digitsIn(f.text) >= fewestOfDocument { // unlike in most messages
		f.documents(f.take(maskedDocument, found))
		f.phones(text, f.take(maskedPhone, found))
	}
}

// take adds what is found from i to j, and hides it from what is looked for next.
func (f *folded) take(mask string, found *[]finding) func(i, j int) {
	return func(i, j int) {
		from, to := f.original(i, j)
		*found = append(*found, finding{from, to, mask, string(f.text[i:j])})
		f.hide(i, j)
	}
}

// merge sorts findings; of those that overlap the first one is kept, as far as all of them reach.
func merge(found []finding) []finding {
	slices.SortFunc(found, func(a, b finding) int { return cmp.Or(a.from-b.from, b.to-a.to) })
	merged := found[:0]
	for _, next := range found {
		if n := len(merged); n > 0 && next.from < merged[n-1].to {
			merged[n-1].to = max(merged[n-1].to, next.to)
			continue
		}
		merged = append(merged, next)
	}
	return merged
}

func replace(text string, found []finding) string {
	var b strings.Builder
	last := 0
	for _, one := range found {
		b.WriteString(text[last:one.from])
		b.WriteString(one.mask)
		last = one.to
	}
	b.WriteString(text[last:])
	return b.String()
}

// words are the runs of letters.
func (f *folded) words() []span {
	var words []span
	for i := 0; i < len(f.text); i++ {
		from := i
		for i < len(f.text) && isLetter(f.text[i]) {
			i++
		}
		if i > from {
			words = append(words, span{from, i})
		}
	}
	return words
}

// hidePublic hides what the clinic gives everybody, a number however it is spaced.
func (f *folded) hidePublic(public []string) {
	for _, one := range public {
		plain := fold(one)
		sought := slices.DeleteFunc(slices.Clone(plain.text), func(b byte) bool { return !significant(b) })
		if !slices.ContainsFunc(sought, isDigit) || slices.ContainsFunc(sought, isLetter) {
			f.hideText(plain.text, func(byte) bool { return true })
			continue
		}
		if len(sought) >= fewestDigits {
			f.hideText(sought, isDigit)
			f.hideText(bytes.TrimPrefix(sought, []byte(countryCode)), isDigit)
		}
	}
}

// goesOnBefore says that what begins at a place is the rest of something.
func (f *folded) goesOnBefore(i int) bool {
	if i == 0 {
		return false
	}
	if before := f.text[i-1]; before == '-' || before == '.' || before == '_' || before == '@' {
		i--
	}
	return i > 0 && (isDigit(f.text[i-1]) || isLetter(f.text[i-1]))
}

func significant(b byte) bool { return b > ' ' && !strings.ContainsRune("-.()+/", rune(b)) }

// hideText hides a text wherever it stands by itself, over the bytes of another kind that lie
// between its own.
func (f *folded) hideText(sought []byte, counts func(byte) bool) {
	if len(sought) == 0 {
		return
	}
	for i := range f.text {
		if f.text[i] != sought[0] || !counts(f.text[i]) || f.goesOnBefore(i) {
			continue
		}
		j, n := i, 0
		for j < len(f.text) && n < len(sought) {
			switch {
			case f.text[j] == sought[n]:
				n++
			case counts(f.text[j]) || !strings.ContainsRune(" -.()/", rune(f.text[j])):
				n = len(sought) + 1
			}
			j++
		}
		if n == len(sought) && (j == len(f.text) || !isDigit(f.text[j]) && !isLetter(f.text[j])) {
			f.hide(i, j)
		}
	}
}

// firstRune is the first character of the original text of a part.
func (f *folded) firstRune(text string, s span) rune {
	r, _ := utf8.DecodeRuneInString(text[f.from[s.from]:])
	return r
}
