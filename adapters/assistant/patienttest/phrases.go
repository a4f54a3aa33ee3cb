// Package patienttest draws patients from a seed and lets them talk with a chat service: each wants
// something, answers what is asked, strays, changes its mind and makes typing errors, and judges
// what came of it. Tests alone use it.
package patienttest

import (
	_ "embed"
	"math/rand/v2"
	"strings"
)

var (
	//go:embed phrases.txt
	phrasesFile string
	//go:embed unseen.txt
	unseenFile string
)

// Phrases are the ways of saying something, by what is said.
type Phrases map[string][]string

// Common are the phrases with which the chat was made, and Unseen those that were written
// afterwards.
func Common() Phrases { return readPhrases(phrasesFile) }

// Unseen are phrases that the chat was never changed for.
func Unseen() Phrases { return readPhrases(unseenFile) }

func readPhrases(file string) Phrases {
	phrases, of := Phrases{}, ""
	for line := range strings.Lines(file) {
		// Blanks at the end of a line are part of what is put before a text.
		line = strings.TrimRight(line, "\n")
		switch name, head := strings.CutPrefix(line, "## "); {
		case line == "", strings.HasPrefix(line, "# "):
		case head:
			of = name
		default:
			phrases[of] = append(phrases[of], line)
		}
	}
	return phrases
}

// one is a random phrase; a mood prefers few words or many.
func (p Phrases) one(r *rand.Rand, of, mood string) string {
	list := p[of]
	if len(list) == 0 {
		panic("no phrases for " + of)
	}
	phrase := list[r.IntN(len(list))]
	other := list[r.IntN(len(list))]
	if mood == "terse" && len(other) < len(phrase) || mood == "talkative" && len(other) > len(phrase) {
		return other
	}
	return phrase
}

// misspelt makes some typing errors in the longer words of a phrase, but for what is filled in.
func misspelt(r *rand.Rand, phrase string, rate float64) string {
	words := strings.Split(phrase, " ")
	for i, word := range words {
		letters := []rune(word)
		if len(letters) < 5 || strings.ContainsAny(word, "{}0123456789@") || r.Float64() >= rate {
			continue
		}
		at := 1 + r.IntN(len(letters)-2)
		switch r.IntN(3) {
		case 0:
			letters[at], letters[at+1] = letters[at+1], letters[at]
		case 1:
			letters = append(letters[:at], letters[at+1:]...)
		default:
			letters = append(letters[:at+1], letters[at:]...)
		}
		words[i] = string(letters)
	}
	return strings.Join(words, " ")
}
