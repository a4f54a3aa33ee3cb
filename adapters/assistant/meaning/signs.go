package meaning

import (
	"encoding/json"
	"fmt"
	"io/fs"

	"bitacora/adapters/assistant/words"
)

// signs are the phrases by which urgency is told.
type signs struct {
	language *words.Language
	// grave signs are urgent whatever else is said.
	grave *words.Phrases
	// acute signs are urgent where nothing speaks against it.
	acute *words.Phrases
	// denied is trouble that is over or absent; what is denied is not read any further.
	denied *words.Phrases
	// elsewhere are parts of the body that are not the dentist's, and mouth those that are.
	elsewhere, mouth *words.Phrases
	// ails are the words of which one stands in every urgent text, beside those of the mouth.
	ails *words.Phrases
	// unrelated: the trouble is not a person's, or not one of the body.
	unrelated *words.Phrases
	// calm: the text asks about a treatment, a price or a rule, not for help.
	calm *words.Phrases
}

// readSigns reads urgency.json: lists of phrases. The parts of a phrase joined by " + "
// may stand anywhere in a text; "^" binds a phrase to the text's beginning.
func readSigns(files fs.FS, l *words.Language) (signs, error) {
	raw, err := fs.ReadFile(files, "urgency.json")
	if err != nil {
		return signs{}, fmt.Errorf("read signs of urgency: %w", err)
	}
	var file struct{ Grave, Acute, Denied, Elsewhere, Mouth, Ails, Unrelated, Calm []string }
	if err := json.Unmarshal(raw, &file); err != nil {
		return signs{}, fmt.Errorf("read signs of urgency: %w", err)
	}
	s := signs{language: l}
	for into, from := range map[**words.Phrases][]string{
		&s.grave: file.Grave, &s.acute: file.Acute, &s.denied: file.Denied, &s.calm: file.Calm,
		&s.elsewhere: file.Elsewhere, &s.mouth: file.Mouth, &s.ails: file.Ails, &s.unrelated: file.Unrelated,
	} {
		*into = words.NewPhrases(l, from)
	}
	return s, nil
}

// read judges a text that the classifier takes for urgent with a probability.
func (s signs) read(list []string, p float32) (grave, acute, urgent bool) {
	stems := make([]string, len(list))
	for i, w := range list {
		stems[i] = s.stem(w)
	}
	if s.grave.In(stems) {
		return true, true, true
	}
	if s.unrelated.In(stems) || s.elsewhere.In(stems) && !s.mouth.In(stems) {
		return false, false, false
	}
	calm := s.calm.In(stems)
	if s.denied.Blank(stems) {
		calm = true
	}
	sounds := p >= sureUrgency || p >= leastUrgency && (s.mouth.In(stems) || s.ails.In(stems))
	acute = s.acute.In(stems)
	return false, acute, acute || sounds && !calm
}

// stem corrects one typing error in a word that nothing is known of.
func (s signs) stem(word string) string {
	stem := words.Stem(word)
	if s.language.Everyday(word) || s.knows(stem) {
		return stem
	}
	for _, p := range []*words.Phrases{s.grave, s.acute} {
		if corrected, ok := p.Correct(word); ok {
			return corrected
		}
	}
	return stem
}

func (s signs) knows(stem string) bool {
	for _, p := range []*words.Phrases{s.grave, s.acute, s.denied, s.calm, s.mouth, s.elsewhere, s.ails} {
		if p.Has(stem) {
			return true
		}
	}
	return false
}
