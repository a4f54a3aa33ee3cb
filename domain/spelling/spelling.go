// Package spelling compares words and numbers as people type them.
package spelling

import "strings"

var marks = strings.NewReplacer(
	"á", "a", "é", "e", "í", "i", "ó", "o", "ú", "u", "ü", "u", "ñ", "n", "à", "a", "è", "e", "ì", "i", "ò", "o", "ù", "u",
	"\u0300", "", "\u0301", "", "\u0303", "", "\u0308", "", "'", "", "’", "",
)

// Unaccented is a text in lower case without accents, tildes and apostrophes.
func Unaccented(text string) string { return marks.Replace(strings.ToLower(text)) }

// Digits are those of a text, one after the other.
func Digits(text string) string {
	return strings.Map(func(r rune) rune {
		if '0' <= r && r <= '9' {
			return r
		}
		return -1
	}, text)
}

// OneEditApart says whether one letter changed, added, left out or swapped with its
// neighbour turns a into b.
func OneEditApart(a, b string) bool {
	if len(a) < len(b) {
		a, b = b, a
	}
	i := 0
	for i < len(b) && a[i] == b[i] {
		i++
	}
	switch len(a) - len(b) {
	case 0:
		if i == len(a) {
			return false
		}
		swapped := i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
		return swapped || a[i+1:] == b[i+1:]
	case 1:
		return a[i+1:] == b[i:]
	}
	return false
}

var sounds = strings.NewReplacer("qu", "k", "ce", "se", "ci", "si", "ch", "ch", "c", "k", "z", "s", "v", "b", "ge", "je", "gi", "ji", "ll", "y", "rr", "r", "h", "", "w", "u")

// Sound is how a plain word is spoken in Spanish, however it is written: that of "blankeamiento" is that of
// "blanqueamiento".
func Sound(word string) string { return sounds.Replace(word) }
