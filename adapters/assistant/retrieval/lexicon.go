package retrieval

import (
	"io/fs"
	"slices"

	"bitacora/adapters/assistant/words"
)

// Lexicon is what is known of the words of questions.
type Lexicon struct {
	// meanings are what a stem means: the first word of each list of synonyms that it stands in.
	meanings map[string][]string
	// filler are words that say nothing of what a question is about.
	filler map[string]bool
}

// ReadLexicon reads a lexicon from JSON: lists of "synonyms", each named by its first word, and
// "filler" words.
func ReadLexicon(files fs.FS, name string) (Lexicon, error) {
	var file struct {
		Synonyms [][]string `json:"synonyms"`
		Filler   []string   `json:"filler"`
	}
	if err := words.ReadJSON(files, name, &file); err != nil {
		return Lexicon{}, err
	}
	l := Lexicon{meanings: map[string][]string{}, filler: map[string]bool{}}
	for _, list := range file.Synonyms {
		for _, word := range list {
			stem := words.Stem(words.Plain(word))
			if !slices.Contains(l.meanings[stem], list[0]) {
				l.meanings[stem] = append(l.meanings[stem], list[0])
			}
		}
	}
	for _, w := range file.Filler {
		l.filler[w] = true
	}
	return l, nil
}

// Means says whether any of some words has a meaning.
func (l Lexicon) Means(list []string, meaning string) bool {
	return slices.ContainsFunc(list, func(w string) bool { return slices.Contains(l.meanings[words.Stem(w)], meaning) })
}

// Same says whether any of some words has the stem of a word, or a meaning of it.
func (l Lexicon) Same(word string, list []string) bool {
	stem := words.Stem(word)
	return !l.filler[word] && slices.ContainsFunc(list, func(w string) bool {
		return words.Stem(w) == stem || slices.ContainsFunc(l.meanings[stem], func(m string) bool { return slices.Contains(l.meanings[words.Stem(w)], m) })
	})
}

// Filler says that a word says nothing of what a question is about.
func (l Lexicon) Filler(word string) bool { return l.filler[word] }

// Telling are the words that say what a question is about.
func (l Lexicon) Telling(list []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(w string) bool { return l.filler[w] })
}
