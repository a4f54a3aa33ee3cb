package meaning

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"bitacora/adapters/assistant/words"
)

// signs are the phrases by which urgency is told.
type signs struct {
	language *words.Language
	// grave signs are urgent whatever else is said.
	grave phrases
	// acute signs are urgent where nothing speaks against it.
	acute phrases
	// denied is trouble that is over or absent; what is denied is not read any further.
	denied phrases
	// elsewhere are parts of the body that are not the dentist's, and mouth those that are.
	elsewhere, mouth phrases
	// unrelated: the trouble is not a person's, or not one of the body.
	unrelated phrases
	// calm: the text asks about a treatment, a price or a rule, not for help.
	calm phrases
}

// readSigns reads urgency.json: lists of phrases. The parts of a phrase joined by " + "
// may stand anywhere in a text; "^" binds a phrase to the text's beginning.
func readSigns(files fs.FS, l *words.Language) (signs, error) {
	raw, err := fs.ReadFile(files, "urgency.json")
	if err != nil {
		return signs{}, fmt.Errorf("read signs of urgency: %w", err)
	}
	var file struct{ Grave, Acute, Denied, Elsewhere, Mouth, Unrelated, Calm []string }
	if err := json.Unmarshal(raw, &file); err != nil {
		return signs{}, fmt.Errorf("read signs of urgency: %w", err)
	}
	s := signs{language: l}
	for into, from := range map[*phrases][]string{
		&s.grave: file.Grave, &s.acute: file.Acute, &s.denied: file.Denied, &s.calm: file.Calm,
		&s.elsewhere: file.Elsewhere, &s.mouth: file.Mouth, &s.unrelated: file.Unrelated,
	} {
		*into = newPhrases(l, from)
	}
	return s, nil
}

// read judges a text of which the classifier says whether it sounds urgent.
func (s signs) read(list []string, sounds bool) (grave, urgent bool) {
	stems := make([]string, len(list))
	for i, w := range list {
		stems[i] = s.stem(w)
	}
	if s.grave.in(stems) {
		return true, true
	}
	if s.unrelated.in(stems) || s.elsewhere.in(stems) && !s.mouth.in(stems) {
		return false, false
	}
	calm := s.calm.in(stems)
	if s.denied.blank(stems) {
		calm = true
	}
	return false, s.acute.in(stems) || sounds && !calm
}

// stem corrects one typing error in a long word.
func (s signs) stem(word string) string {
	stem := words.Stem(word)
	if len(word) < shortestCorrected || s.language.Everyday(word) || s.knows(stem) {
		return stem
	}
	for _, p := range []phrases{s.grave, s.acute} {
		for _, known := range p.long {
			if words.OneEditApart(word, known.word) {
				return known.stem
			}
		}
	}
	return stem
}

func (s signs) knows(stem string) bool {
	for _, p := range []phrases{s.grave, s.acute, s.denied, s.calm, s.mouth, s.elsewhere} {
		if p.stems[stem] {
			return true
		}
	}
	return false
}

// shortestCorrected is the length in letters from which on a word is corrected.
const shortestCorrected = 6

type form struct{ word, stem string }

type phrases struct {
	// byStem holds the phrases by the first stem of their first part.
	byStem map[string][]phrase
	stems  map[string]bool
	long   []form
}

type phrase struct {
	parts [][]string
	// first: the first part begins the text.
	first bool
}

func newPhrases(l *words.Language, texts []string) phrases {
	p := phrases{byStem: map[string][]phrase{}, stems: map[string]bool{}}
	for _, text := range texts {
		rest, first := strings.CutPrefix(text, "^")
		one := phrase{first: first}
		for part := range strings.SplitSeq(rest, " + ") {
			list := l.Words(part)
			for i, w := range list {
				list[i] = words.Stem(w)
				p.stems[list[i]] = true
				if len(w) >= shortestCorrected {
					p.long = append(p.long, form{w, list[i]})
				}
			}
			one.parts = append(one.parts, list)
		}
		key := one.parts[0][0]
		p.byStem[key] = append(p.byStem[key], one)
	}
	return p
}

func (p phrases) in(stems []string) bool {
	for i, s := range stems {
		for _, one := range p.byStem[s] {
			if one.in(stems, i) {
				return true
			}
		}
	}
	return false
}

// blank empties the places of phrases that stand in a text, and says whether any did.
func (p phrases) blank(stems []string) bool {
	found := false
	for i, s := range stems {
		for _, one := range p.byStem[s] {
			if len(one.parts) == 1 && one.in(stems, i) {
				clear(stems[i : i+len(one.parts[0])])
				found = true
				break
			}
		}
	}
	return found
}

func (p phrase) in(stems []string, at int) bool {
	if p.first && at != 0 || !begins(stems[at:], p.parts[0]) {
		return false
	}
	for _, part := range p.parts[1:] {
		found := false
		for i := range stems {
			found = found || begins(stems[i:], part)
		}
		if !found {
			return false
		}
	}
	return true
}

func begins(stems, part []string) bool {
	return len(stems) >= len(part) && slices.Equal(stems[:len(part)], part)
}
