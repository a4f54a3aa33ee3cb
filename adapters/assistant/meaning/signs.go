package meaning

import (
	"io/fs"
	"regexp"
	"slices"
	"strings"

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
	// figurative is what names no trouble, though its words do: "me mata la curiosidad". It is
	// not read any further.
	figurative *words.Phrases
	// treatment: the text is about something that is done to patients. Who asks about it tells by
	// impersonal words how it is ("¿duele mucho?"), unless one of suffers says that it is told of
	// oneself, or of today.
	treatment, impersonal, suffers *words.Phrases
	// lasting is trouble that goes on, however long ago it began.
	lasting *words.Phrases
	// brushing is when gums show traces of blood that are no urgency, unless they are heavy.
	brushing, traces, heavy *words.Phrases
}

// readSigns reads urgency.json: lists of phrases in the notation of [Expand]. The parts of a phrase joined by " + "
// may stand anywhere in a text; "^" binds a phrase to the text's beginning.
func readSigns(files fs.FS, l *words.Language) (signs, error) {
	var file struct{ Grave, Acute, Denied, Elsewhere, Mouth, Ails, Unrelated, Calm, Figurative, Treatment, Impersonal, Suffers, Lasting, Brushing, Traces, Heavy []string }
	if err := words.ReadJSON(files, "urgency.json", &file); err != nil {
		return signs{}, err
	}
	s := signs{language: l}
	for into, from := range map[**words.Phrases][]string{
		&s.grave: file.Grave, &s.acute: file.Acute, &s.denied: file.Denied, &s.calm: file.Calm,
		&s.elsewhere: file.Elsewhere, &s.mouth: file.Mouth, &s.ails: file.Ails, &s.unrelated: file.Unrelated,
		&s.figurative: file.Figurative, &s.treatment: file.Treatment, &s.impersonal: file.Impersonal, &s.suffers: file.Suffers, &s.lasting: file.Lasting,
		&s.brushing: file.Brushing, &s.traces: file.Traces, &s.heavy: file.Heavy,
	} {
		var phrases []string
		for _, line := range from {
			phrases = append(phrases, Expand(line)...)
		}
		*into = words.NewPhrases(l, phrases)
	}
	return s, nil
}

// read judges a text that the classifier takes for urgent with a probability. What is not meant, is
// long past, or is asked of a treatment is left out before its signs are looked for.
func (s signs) read(text string, p float32) (grave, acute, urgent bool) {
	stems := s.stems(text)
	calm := s.figurative.Blank(stems)
	calm = s.pastBlank(text, stems) || calm
	calm = s.askedBlank(text, stems) || calm
	if s.brushing.In(stems) && !s.heavy.In(stems) {
		s.traces.Blank(stems)
		calm = true
	}
	if s.grave.In(stems) {
		return true, true, true
	}
	if s.unrelated.In(stems) || s.elsewhereIn(stems) {
		return false, false, false
	}
	calm = s.calm.In(stems) || calm
	calm = s.denied.Blank(stems) || calm
	sounds := p >= sureUrgency || p >= leastUrgency && (s.mouth.In(stems) || s.ails.In(stems))
	acute = s.acute.In(stems)
	return false, acute, acute || sounds && !calm
}

// elsewhereIn says that a part of the body is named, and none that is the dentist's.
func (s signs) elsewhereIn(stems []string) bool { return s.elsewhere.In(stems) && !s.mouth.In(stems) }

// Elsewhere says that a text names a part of the body, and none that is the dentist's.
func (r *Reader) Elsewhere(text string) bool { return r.signs.elsewhereIn(r.signs.stems(text)) }

func (s signs) stems(text string) []string {
	list := s.language.Words(text)
	for i, w := range list {
		list[i] = s.stem(w)
	}
	return list
}

// clauses are where one thing that is told ends and another begins.
var clauses = regexp.MustCompile(`[^,.;:?!¿¡\n]+?(?:[,.;:?!¿¡\n]+|\s[yY]\s|$)`)

// longAgo says in plain words that something happened years before: "hace cinco años", "de niño".
var longAgo = regexp.MustCompile(`\b(?:hace (?:\w+ ){0,3}anos?|hace (?:mucho|muchisimo|tanto|bastante) tiempo|anos atras|el ano (?:ante)?pasado|(?:desde|en)(?: el)? (?:19|20)\d\d|cuando (?:era|estaba) (?:nin|chic|chiq|peque|pela|joven|adolesc|en la escuela|en el colegio)|(?:me|perdi)\b.*\bde (?:nin|chic|chiq|peque|pela|joven|adolesc)\w+$|^de (?:nin|chiqu|peque|pela|joven|adolesc)\w+)`)

// pastBlank empties what is told of long ago and hurts no more, and says whether anything is.
func (s signs) pastBlank(text string, stems []string) bool {
	at, past := 0, false
	for _, clause := range clauses.FindAllString(text, -1) {
		list := s.language.Words(clause)
		end := min(at+len(list), len(stems))
		if longAgo.MatchString(strings.TrimSuffix(strings.Join(list, " "), " y")) && !s.lasting.In(stems[at:end]) {
			clear(stems[at:end])
			past = true
		}
		at = end
	}
	return past
}

// askedBlank empties the impersonal words of a question about a treatment, and says whether the
// text is one.
func (s signs) askedBlank(text string, stems []string) bool {
	if !strings.ContainsAny(text, "?¿") && !asks.MatchString(strings.Join(s.language.Words(text), " ")) {
		return false
	}
	if !s.treatment.In(stems) || s.suffers.In(stems) {
		return false
	}
	s.impersonal.Blank(stems)
	return true
}

// asks are the words that a question begins with, in plain words.
var asks = regexp.MustCompile(`^(?:hola |buenas |oye )?(?:(?:quiero|queria|quisiera|deseo|necesito|me gustaria) saber|es verdad|sera que|sera|que tan|que tanto|cuanto|como|que puedo|que no puedo|que debo|cuando)\b`)

// stem corrects one typing error in a word that nothing is known of.
func (s signs) stem(word string) string {
	stem := words.Stem(word)
	if s.language.Everyday(word) || s.knows(stem) {
		return stem
	}
	if corrected, ok := words.Correct(word, slices.Values([]*words.Phrases{s.grave, s.acute})); ok {
		return corrected
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
