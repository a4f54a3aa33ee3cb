package assistant

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"bitacora/adapters/assistant/words"
	"bitacora/domain/clinic"
)

var (
	// opening is a yes or a no with which an answer begins.
	opening = regexp.MustCompile(`^(?:Por lo general,? )?(?:Sí|No|sí|no|Yes)[,:] +`)
	// asksOpenly is how a question begins that neither yes nor no answers.
	asksOpenly = regexp.MustCompile(`^(?:hola |buenas |oye |disculpe |y |pero |entonces )*(?:que|como|cuant[oa]s?|cual|cuales|quien|quienes|donde|cuando|por que|(?:para|a|en|hasta|desde|de) que|what|how|when|where|who|which|why)\b`)
	// turned are words by which a yes may mean no.
	turned = regexp.MustCompile(`\b(?:no|nunca|jamas|tampoco|sin|verdad|cierto|not|never|without|right)\b|n't\b`)
)

// opened is the text of an answer to a question. It begins with a yes or a no only where the question was read as
// one that this answers: "¿la anestesia puede causar un infarto?" has no yes because anaesthesia is asked for.
func (l *library) opened(q asked, a clinic.Answer, text string) string {
	at := opening.FindStringIndex(text)
	if at == nil || l.asksWhetherSo(q, a) {
		return text
	}
	return capitalised(text[at[1]:])
}

// asksWhetherSo says that a question asks for a yes or a no, without a turn, and in words of the answer alone.
func (l *library) asksWhetherSo(q asked, a clinic.Answer) bool {
	text := plain(q.list)
	if slices.ContainsFunc(a.Questions, func(asked string) bool { return plain(l.language.Words(asked)) == text }) {
		return true
	}
	if asksOpenly.MatchString(text) || turned.MatchString(text) {
		return false
	}
	own := map[string]bool{}
	for _, w := range l.language.Words(strings.Join(slices.Concat(a.Questions, []string{a.Text, a.English}), " ")) {
		own[words.Stem(w)] = true
	}
	return !slices.ContainsFunc(l.lexicon.Telling(q.list), func(w string) bool { return !own[words.Stem(w)] })
}

// capitalised begins a text with a capital, also one that begins with a pair, "{puedes|puede}".
func capitalised(text string) string {
	if pair, rest, ok := strings.Cut(text, "}"); ok && strings.HasPrefix(pair, "{") && !strings.HasPrefix(pair, "{{") {
		one, other, _ := strings.Cut(pair[1:], "|")
		return "{" + capitalised(one) + "|" + capitalised(other) + "}" + rest
	}
	r, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(r)) + text[size:]
}
