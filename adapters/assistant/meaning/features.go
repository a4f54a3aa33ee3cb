package meaning

import (
	"bitacora/adapters/assistant/logistic"
	"bitacora/adapters/assistant/words"
)

// How much the kinds of features count relative to each other.
const (
	stemWeight    = 1.0
	conceptWeight = 1.2
	pairWeight    = 0.7
	skipWeight    = 0.4
	gramWeight    = 0.35
	strangeWeight = 0.6
)

// longestText is the number of words of a text that are looked at.
const longestText = 80

// features are what the classifiers see of a text: its stems, their concepts, their pairs,
// and the letters of its words, which survive typing errors.
func features(l *words.Language, list []string, known func(stem string) bool) []logistic.Feature {
	list = list[:min(len(list), longestText)]
	bag := logistic.NewBag(len(list) * 12)
	last := "^"
	before := ""
	for _, w := range list {
		if number(w) {
			w = "0"
		}
		stem := words.Stem(w)
		bag.Add(stemWeight, stem)
		if !known(stem) {
			bag.Add(strangeWeight, "?")
		}
		if c := l.Concept(stem); c != "" {
			bag.Add(conceptWeight, "=", c)
			stem = c
		}
		if before != "" {
			bag.Add(skipWeight, before, " _ ", stem)
		}
		before = last
		bag.Add(pairWeight, last, " ", stem)
		last = stem
		padded := "<" + w + ">"
		for n := 3; n <= 4; n++ {
			for i := 0; i+n <= len(padded); i++ {
				bag.Add(gramWeight, "~", padded[i:i+n])
			}
		}
	}
	bag.Add(pairWeight, last, " $")
	return bag.Features
}

func number(word string) bool {
	for i := range len(word) {
		if word[i] < '0' || word[i] > '9' {
			return false
		}
	}
	return true
}
