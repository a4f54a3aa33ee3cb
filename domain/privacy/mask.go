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
	maskedAddress  = "[dirección]"
	maskedBirth    = "[fecha]"
)

var masks = []string{maskedEmail, maskedPhone, maskedDocument, maskedName, maskedAddress, maskedBirth}

// Known is what is known beside a text of what is personal in it.
type Known struct {
	// Names are those of the people who are spoken of, in full, and Contacts their telephones and
	// e-mail addresses.
	Names, Contacts []string
	// Public are contacts and names that the clinic itself gives everybody: they stay.
	Public []string
}

// Mask hides e-mail addresses, the numbers of documents and insurances, any number long enough to be a
// telephone's, dates of birth, the addresses at which people live, and names: those that are known, and those that stand where people name
// themselves or somebody close. Everything else stays as it is, byte for byte. Applying it to its
// own result changes nothing.
func Mask(text string, known Known) string { return mask(text, known, find) }

// MaskKnown hides in a text that was masked before what became known since, and nothing else: what
// the clinic gives everybody stays, also where it is not known here any more.
func MaskKnown(text string, known Known) string { return mask(text, known, findKnown) }

func mask(text string, known Known, find func(string, Known) []finding) string {
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
	s := newSearch(text, known)
	s.f.births(s.take(maskedBirth))
	s.f.addresses(text, s.take(maskedAddress))
	s.patterns(text)
	n := s.knownIn(text, known)
	n.patterns()
	return merge(s.found)
}

// findKnown gives what of a text is known, and so personal.
func findKnown(text string, known Known) []finding {
	s := newSearch(text, known)
	s.knownIn(text, known)
	return merge(s.found)
}

// search is a text with what was found in it.
type search struct {
	f     *folded
	found []finding
}

func newSearch(text string, known Known) *search {
	f := fold(text)
	f.hidePublic(known.Public)
	f.readNumerals(f.words())
	return &search{f: &f}
}

// patterns finds e-mail addresses and the numbers of documents and telephones.
func (s *search) patterns(text string) {
	s.f.emails(s.take(maskedEmail))
	if digitsIn(s.f.text) >= fewestOfDocument { // unlike in most messages
		s.f.documents(s.take(maskedDocument))
		s.f.phones(text, s.take(maskedPhone))
	}
}

// knownIn finds what is known, and gives the words of the text.
func (s *search) knownIn(text string, known Known) *naming {
	s.f.contacts(known.Contacts, s.take)
	s.f.halves(known.Contacts, s.take(maskedPhone))
	n := s.f.naming(text, s.take(maskedName))
	for _, name := range known.Names {
		n.known(name, text)
	}
	return n
}

// take gives what takes note of something that is replaced by a mask, and hides it from what is
// looked for next.
func (s *search) take(mask string) func(i, j int) {
	return func(i, j int) {
		from, to := s.f.original(i, j)
		s.found = append(s.found, finding{from, to, mask, string(s.f.text[i:j])})
		s.f.hide(i, j)
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
			f.eachText(plain.text, anyByte, f.hide)
			continue
		}
		if len(sought) >= fewestDigits {
			f.eachText(sought, isDigit, f.hide)
			f.eachText(bytes.TrimPrefix(sought, []byte(countryCode)), isDigit, f.hide)
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

func anyByte(byte) bool { return true }

// eachText gives a text wherever it stands by itself, over the bytes of another kind that lie
// between its own.
func (f *folded) eachText(sought []byte, counts func(byte) bool, take func(i, j int)) {
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
			take(i, j)
		}
	}
}

// firstRune is the first character of the original text of a part.
func (f *folded) firstRune(text string, s span) rune {
	r, _ := utf8.DecodeRuneInString(text[f.from[s.from]:])
	return r
}
