// Package words reads what visitors write: everyday Spanish of Panama with typing errors,
// without accents, in capitals, with abbreviations and some English.
package words

import (
	"encoding/json"
	"fmt"
	"hash/maphash"
	"io"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"unicode"

	"github.com/kljensen/snowball/spanish"

	"bitacora/domain/fault"
	"bitacora/domain/spelling"
)

// Language is what is known of how people write.
type Language struct {
	// abbreviations are written out: "xq" is "porque".
	abbreviations map[string]string
	// everyday words are never taken for a misspelt key word.
	everyday map[string]bool
	// concepts are what words of one meaning have in common, by stem.
	concepts map[string]string
}

// Open reads the language of words.json.
func Open(files fs.FS) (*Language, error) {
	f, err := files.Open("words.json")
	if err != nil {
		return nil, fmt.Errorf("open words: %w", err)
	}
	defer f.Close()
	return Read(f)
}

// Read reads a language from JSON: "abbreviations" by what they stand for, "everyday"
// words, and "concepts", each with the words that mean it.
func Read(r io.Reader) (*Language, error) {
	var file struct {
		Abbreviations map[string]string   `json:"abbreviations"`
		Everyday      []string            `json:"everyday"`
		Concepts      map[string][]string `json:"concepts"`
	}
	d := json.NewDecoder(r)
	d.DisallowUnknownFields()
	if err := d.Decode(&file); err != nil {
		return nil, fmt.Errorf("read words: %w", err)
	}
	l := &Language{abbreviations: file.Abbreviations, everyday: map[string]bool{}, concepts: map[string]string{}}
	for _, w := range file.Everyday {
		l.everyday[w] = true
	}
	// A word of two concepts has the first one, in the order of their names.
	for _, concept := range slices.Sorted(maps.Keys(file.Concepts)) {
		for _, w := range file.Concepts[concept] {
			if stem := Stem(Plain(w)); l.concepts[stem] == "" {
				l.concepts[stem] = concept
			}
		}
	}
	return l, nil
}

// ReadJSON reads one of the files that the assistant's knowledge lies in.
func ReadJSON(files fs.FS, name string, into any) error {
	raw, err := fs.ReadFile(files, name)
	if err == nil {
		err = json.Unmarshal(raw, into)
	}
	return fault.Wrap(err, "read "+name)
}

// mark stands where something personal was taken out of a text: "[NOMBRE]", "[teléfono]".
var mark = regexp.MustCompile(`\[[\p{L}_]+\]`)

// Words splits a text into plain words with abbreviations written out. What stands in the
// place of something personal is no word.
func (l *Language) Words(text string) []string {
	fields := strings.FieldsFunc(Plain(mark.ReplaceAllString(text, " ")), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	words := make([]string, 0, len(fields)+2)
	for _, w := range fields {
		long, ok := l.abbreviations[w]
		switch {
		case !ok:
			words = append(words, w)
		case strings.Contains(long, " "):
			words = append(words, strings.Fields(long)...)
		default:
			words = append(words, long)
		}
	}
	return words
}

// Concept is what a stem means; empty if it stands for itself only.
func (l *Language) Concept(stem string) string { return l.concepts[stem] }

// Everyday says whether a word is too common to be a misspelling.
func (l *Language) Everyday(word string) bool { return l.everyday[word] }

// Plain is a text in lower case, without accents, with drawn-out letters ("holaaa")
// written once.
func Plain(text string) string {
	text = spelling.Unaccented(text)
	var b strings.Builder
	b.Grow(len(text))
	var last rune
	run := 0
	flush := func() {
		if run > 2 && unicode.IsLetter(last) {
			run = 1
		}
		for range run {
			b.WriteRune(last)
		}
	}
	for _, r := range text {
		if r != last {
			flush()
			last, run = r, 0
		}
		run++
	}
	flush()
	return b.String()
}

// shortestStem is the length in letters under which a stem says too little: "láser" and
// "las" have the same.
const shortestStem = 4

// stems are those of the latest words, each at a place of its own: a few thousand words make up most texts.
var (
	stems [1 << 14]atomic.Pointer[struct{ word, stem string }]
	seed  = maphash.MakeSeed()
)

// Stem is what the forms of a plain word have in common; it is never empty.
func Stem(word string) string {
	place := &stems[maphash.String(seed, word)%uint64(len(stems))]
	if kept := place.Load(); kept != nil && kept.word == word {
		return kept.stem
	}
	stem := strings.Clone(stemOf(word))
	place.Store(&struct{ word, stem string }{strings.Clone(word), stem})
	return stem
}

func stemOf(word string) string {
	if s := spanish.Stem(word, false); len(s) >= shortestStem {
		return s
	}
	if word == "s" {
		return word
	}
	return strings.TrimSuffix(word, "s")
}

// diminutive is the ending of a word made small: "pelaitos", "bebecitas".
var diminutive = regexp.MustCompile(`(?:ec|c)?it([oa]s?)$`)

// Undiminished is the word that a diminutive is made of: "pelaos" of "pelaitos".
func Undiminished(word string) string {
	if len(word) < shortestCorrected {
		return word
	}
	return diminutive.ReplaceAllString(word, "$1")
}
