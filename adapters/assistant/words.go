package assistant

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"
	"unicode"

	"github.com/kljensen/snowball/spanish"
)

//go:embed data/words.json
var wordsFile []byte

// language is what is known of how people write: the abbreviations they use, and the
// everyday words that are not to be taken for a misspelt key word.
type language struct {
	abbreviations map[string]string
	everyday      map[string]bool
}

func loadLanguage() (language, error) {
	var file struct {
		Abbreviations map[string]string `json:"abbreviations"`
		Everyday      []string          `json:"everyday"`
	}
	if err := json.Unmarshal(wordsFile, &file); err != nil {
		return language{}, fmt.Errorf("read words: %w", err)
	}
	l := language{abbreviations: file.Abbreviations, everyday: map[string]bool{}}
	for _, w := range file.Everyday {
		l.everyday[w] = true
	}
	return l, nil
}

// words splits a text into lower-case words without accents, with abbreviations written
// out and drawn-out letters ("holaaa") written once.
func (l language) words(text string) []string {
	var words []string
	for _, w := range strings.FieldsFunc(plain(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if long, ok := l.abbreviations[w]; ok {
			w = long
		}
		words = append(words, strings.Fields(w)...)
	}
	return words
}

var withoutAccent = strings.NewReplacer(
	"á", "a", "é", "e", "í", "i", "ó", "o", "ú", "u", "ü", "u", "ñ", "n", "à", "a", "è", "e", "ì", "i", "ò", "o", "ù", "u",
	"\u0300", "", "\u0301", "", "\u0303", "", "\u0308", "", "'", "", "’", "",
)

// plain is the text in lower case, without accents and without letters repeated more
// than twice.
func plain(text string) string {
	text = withoutAccent.Replace(strings.ToLower(text))
	var b strings.Builder
	run := []rune(text)
	for i := 0; i < len(run); {
		j := i
		for j < len(run) && run[j] == run[i] {
			j++
		}
		n := j - i
		if n > 2 && unicode.IsLetter(run[i]) {
			n = 1
		}
		for range n {
			b.WriteRune(run[i])
		}
		i = j
	}
	return b.String()
}

// shortestStem is the length in letters under which a stem says too little: "láser" and
// "las" have the same.
const shortestStem = 4

// stem is what the forms of a word have in common.
func stem(word string) string {
	if s := spanish.Stem(word, false); len(s) >= shortestStem {
		return s
	}
	return strings.TrimSuffix(word, "s")
}

// oneEditApart says whether one letter changed, added, left out or swapped with its
// neighbour turns a into b.
func oneEditApart(a, b string) bool {
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
