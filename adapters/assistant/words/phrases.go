package words

import (
	"iter"
	"slices"
	"strings"

	"bitacora/domain/spelling"
)

// shortestCorrected is the length in letters from which on a typing error is corrected.
const shortestCorrected = 6

// Phrases are sequences of words that are looked for in texts, whatever the form of the
// words.
type Phrases struct {
	byStem map[string][]phrase
	stems  map[string]bool
	long   []form
}

// form is a word of a phrase, with its stem and how it sounds.
type form struct{ word, stem, sound string }

type phrase struct {
	parts [][]string
	// first: the phrase begins the text.
	first bool
}

// NewPhrases reads phrases. The parts of a phrase joined by " + " may stand anywhere in a
// text; "^" binds a phrase to the text's beginning.
func NewPhrases(l *Language, texts []string) *Phrases {
	p := &Phrases{byStem: map[string][]phrase{}, stems: map[string]bool{}}
	for _, text := range texts {
		rest, first := strings.CutPrefix(text, "^")
		one := phrase{first: first}
		for part := range strings.SplitSeq(rest, " + ") {
			list := l.Words(part)
			for i, w := range list {
				list[i] = Stem(w)
				p.stems[list[i]] = true
				if len(w) >= shortestCorrected {
					p.long = append(p.long, form{w, list[i], spelling.Sound(w)})
				}
			}
			one.parts = append(one.parts, list)
		}
		key := one.parts[0][0]
		p.byStem[key] = append(p.byStem[key], one)
	}
	return p
}

// Has says whether a stem is part of any phrase.
func (p *Phrases) Has(stem string) bool { return p.stems[stem] }

// Correct gives the stem of the word that a text's word is a misspelling of, in the first of some phrases that has one.
func Correct(word string, in iter.Seq[*Phrases]) (stem string, ok bool) {
	if len(word) < shortestCorrected {
		return "", false
	}
	sound := spelling.Sound(word)
	for p := range in {
		for _, known := range p.long {
			if sound == known.sound || spelling.OneEditApart(word, known.word) {
				return known.stem, true
			}
		}
	}
	return "", false
}

// In says whether any phrase stands in a text, given as stems.
func (p *Phrases) In(stems []string) bool { return p.Longest(stems) > 0 }

// Longest is the number of words of the longest phrase in a text, 0 if there is none.
func (p *Phrases) Longest(stems []string) int {
	longest := 0
	for i, s := range stems {
		for _, one := range p.byStem[s] {
			if n := one.in(stems, i); n > longest {
				longest = n
			}
		}
	}
	return longest
}

// Blank empties the places of phrases that stand in a text, and says whether any did.
func (p *Phrases) Blank(stems []string) bool {
	found := false
	for i, s := range stems {
		for _, one := range p.byStem[s] {
			if len(one.parts) == 1 && one.in(stems, i) > 0 {
				clear(stems[i : i+len(one.parts[0])])
				found = true
				break
			}
		}
	}
	return found
}

// in gives the number of words of a phrase that begins at a place of a text.
func (p phrase) in(stems []string, at int) int {
	if p.first && at != 0 || !begins(stems[at:], p.parts[0]) {
		return 0
	}
	n := len(p.parts[0])
	for _, part := range p.parts[1:] {
		found := false
		for i := range stems {
			found = found || begins(stems[i:], part)
		}
		if !found {
			return 0
		}
		n += len(part)
	}
	return n
}

func begins(stems, part []string) bool {
	return len(stems) >= len(part) && slices.Equal(stems[:len(part)], part)
}
