package timex

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"bitacora/domain/spelling"
)

// token is a word, a number or a mark of a text.
type token struct {
	// word is the plain word, with its misspelling mended, or the mark; empty for a number.
	word string
	// number is that of figures, and figures how many they are; 0 for what is none.
	number, figures int
	// glued says that nothing stands between the token and the one before.
	glued bool
}

func (t token) is(words ...string) bool {
	return t.figures == 0 && slices.Contains(words, t.word)
}

// mark says that a token is punctuation.
func (t token) mark() bool {
	return t.figures == 0 && len(t.word) > 0 && !unicode.IsLetter(rune(t.word[0]))
}

// ends says that a clause ends with the token.
func (t token) ends() bool { return t.is(",", ";", ".", "!", "?", "\n") }

// longestFigures bounds the figures whose value matters: those of a year.
const longestFigures = 4

// tokensOf takes a text apart. Brackets and quotes are passed over.
func tokensOf(text string) []token {
	var tokens []token
	glued := false
	runes := []rune(spelling.Unaccented(text))
	for i := 0; i < len(runes); {
		r, from := runes[i], i
		in := func(is func(rune) bool) string {
			for i < len(runes) && is(runes[i]) {
				i++
			}
			return string(runes[from:i])
		}
		switch {
		case unicode.IsLetter(r) && r != 'º' && r != 'ª':
			before := token{}
			if len(tokens) > 0 {
				before = tokens[len(tokens)-1]
			}
			word := drawnIn(in(unicode.IsLetter))
			tokens = append(tokens, token{word: mended(word, before.is("el", "este", "proximo")), glued: glued})
		case '0' <= r && r <= '9':
			figures := in(func(r rune) bool { return '0' <= r && r <= '9' })
			number, _ := strconv.Atoi(figures[:min(len(figures), longestFigures)])
			tokens = append(tokens, token{number: number, figures: len(figures), glued: glued})
		case strings.ContainsRune(",;.:!?/-\n°º", r):
			i++
			tokens = append(tokens, token{word: string(r), glued: glued})
		default:
			i++
			glued = false
			continue
		}
		glued = true
	}
	return tokens
}

// drawnIn writes once what is drawn out: "mañanaaa".
func drawnIn(word string) string {
	var b strings.Builder
	runes := []rune(word)
	for i, r := range runes {
		same := func(j int) bool { return 0 <= j && j < len(runes) && runes[j] == r }
		if same(i-1) && (same(i-2) || same(i+1)) {
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// shortestMended is the length of the shortest word that is looked at for a typing error.
const shortestMended = 4

// mended is the word of the grammar that was probably meant. What looks like one and is a word of
// its own ("vienes") is a misspelt day only where a day is announced.
func mended(word string, announced bool) string {
	if long, ok := abbreviations[word]; ok {
		return long
	}
	if len(word) < shortestMended || known[word] || lookalikes[word] && !announced {
		return word
	}
	for _, right := range misspelt {
		if _, day := weekdays[right]; spelling.OneEditApart(word, right) && (day || !lookalikes[word]) {
			return right
		}
	}
	return word
}
