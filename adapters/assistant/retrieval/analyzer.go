package retrieval

import (
	"slices"

	"bitacora/adapters/assistant/logistic"
	"bitacora/adapters/assistant/words"
	"bitacora/domain/spelling"
)

// Analyzer reads texts for what they can be compared by.
type Analyzer struct {
	Language *words.Language
	Lexicon  Lexicon
	// SubjectOf names what a text is about, by its stems, in the words of [Document.Subject]; empty
	// for nothing.
	SubjectOf func(stems []string) string
}

// How much the kinds of features count relative to each other.
const (
	stemWeight    = 1.0
	synonymWeight = 1.2
	pairWeight    = 0.7
	gramWeight    = 0.35
	subjectWeight = 1.0
)

// features are what is compared of a text: its stems, what they mean, their pairs, the letters of
// its words, which survive typing errors, and its subject.
func (a Analyzer) features(list []string, subject string) []logistic.Feature {
	bag := logistic.NewBag(len(list) * 12)
	last := "^"
	for _, word := range list {
		stem := words.Stem(word)
		alike := stem
		bag.Add(stemWeight, stem)
		for i, meaning := range a.Lexicon.meanings[stem] {
			bag.Add(synonymWeight, meaningMark, meaning)
			if i == 0 {
				alike = meaningMark + meaning
			}
		}
		bag.Add(pairWeight, last, " ", alike)
		last = alike
		padded := "<" + word + ">"
		for n := 3; n <= 4; n++ {
			for i := 0; i+n <= len(padded); i++ {
				bag.Add(gramWeight, "~", padded[i:i+n])
			}
		}
	}
	bag.Add(pairWeight, last, " $")
	if subject != "" {
		bag.Add(subjectWeight, "@", subject)
	}
	return bag.Features
}

const meaningMark = "="

// subject is what a text is about.
func (a Analyzer) subject(list []string) string {
	stems := make([]string, len(list))
	for i, w := range list {
		stems[i] = words.Stem(w)
	}
	return a.SubjectOf(stems)
}

// shortestCorrected is the length of words from which on a typing error is corrected.
const shortestCorrected = 6

// vocabulary holds the longer words of what is known, by length, and how each sounds.
type vocabulary map[int][]spoken

type spoken struct{ word, sound string }

func (v vocabulary) add(list []string) {
	for _, w := range list {
		if one := (spoken{w, spelling.Sound(w)}); len(w) >= shortestCorrected && !slices.Contains(v[len(w)], one) {
			v[len(w)] = append(v[len(w)], one)
		}
	}
}

// correct gives the word that a text's word is a misspelling of.
func (v vocabulary) correct(word string) (known string, ok bool) {
	sound := spelling.Sound(word)
	for n := len(word) - 1; n <= len(word)+1; n++ {
		for _, known := range v[n] {
			if sound == known.sound || spelling.OneEditApart(word, known.word) {
				return known.word, true
			}
		}
	}
	return "", false
}
