package danger

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"bitacora/domain/spelling"
)

// tokens are the words of a text by their sound, with a [stop] where a sentence ends.
func (l *language) tokens(text string) []string {
	text = spelling.Unaccented(strings.ReplaceAll(text, "...", " "))
	var tokens []string
	var word strings.Builder
	end := func() {
		if word.Len() > 0 {
			tokens = append(tokens, l.token(word.String())...)
			word.Reset()
		}
	}
	for _, r := range text {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r):
			word.WriteRune(r)
		case r == '´', r == '`': // typed for an apostrophe
		case strings.ContainsRune(".;!?", r):
			end()
			tokens = append(tokens, stop)
		default:
			end()
		}
	}
	end()
	return tokens
}

// token is a word as the phrases have it: an abbreviation written out, a typing error put right.
func (l *language) token(word string) []string {
	if isNumber(word) {
		return []string{word}
	}
	key := phoneticKey(word)
	if long, ok := l.spellings[key]; ok {
		return long
	}
	return []string{l.corrected(key)}
}

func isNumber(word string) bool {
	return strings.IndexFunc(word, func(r rune) bool { return r < '0' || r > '9' }) < 0
}

// phoneticKey is a plain word by its sound, so that words that are written as they are heard
// are the same: "kiero" and "quiero", "suisidarme" and "suicidarme", "bida" and "vida".
func phoneticKey(word string) string {
	var b strings.Builder
	b.Grow(len(word))
	var last byte
	put := func(c byte) {
		if c != last || '0' <= c && c <= '9' {
			b.WriteByte(c)
		}
		last = c
	}
	at := func(i int) byte {
		if i < len(word) {
			return word[i]
		}
		return 0
	}
	for i := 0; i < len(word); i++ {
		soft := at(i+1) == 'e' || at(i+1) == 'i'
		switch c := word[i]; c {
		case 'c':
			switch {
			case at(i+1) == 'h':
				put('x')
				i++
			case soft:
				put('s')
			default:
				put('k')
			}
		case 'q':
			put('k')
			if at(i+1) == 'u' {
				i++
			}
		case 'z':
			put('s')
		case 'v':
			put('b')
		case 'h':
		case 'g':
			if soft {
				put('j')
			} else {
				put('g')
			}
		case 'l':
			if at(i+1) == 'l' {
				put('y')
				i++
			} else {
				put('l')
			}
		case 'n':
			if n := at(i + 1); n == 'b' || n == 'v' || n == 'p' {
				put('m')
			} else {
				put('n')
			}
		default:
			put(c)
		}
	}
	return b.String()
}

// shortestCorrected is the length in letters from which on a typing error is put right.
const shortestCorrected = 6

// corrected is the word of the phrases that a key is one typing error away from.
func (l *language) corrected(key string) string {
	if utf8.RuneCountInString(key) < shortestCorrected || l.words[key] {
		return key
	}
	for _, known := range l.long {
		if spelling.OneEditApart(key, known) {
			return known
		}
	}
	return key
}
