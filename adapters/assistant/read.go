package assistant

import (
	"regexp"
	"slices"

	"bitacora/adapters/assistant/meaning"
)

// asksSomething are the words of a question, in plain words.
var asksSomething = regexp.MustCompile(`\b(?:cuanto|cuanta|cuantos|cuantas|como|por que|cuando|puedo|pueden|puede|se puede|cual|cuales|que|hay que|es normal|es necesario|es malo|duele|lastiman|sirve|sirven)\b`)

// bookingActs are the intents by which an appointment is arranged or changed.
var bookingActs = []string{"reservar", "cancelar", "reprogramar", "mi-cita"}

// read is what a message means. One that only sounds urgent, or like something about an
// appointment, and that the clinic answers, is a question.
func (e *Embedded) read(text string) meaning.Meaning {
	m := e.reader.Read(text)
	sounds := m.Urgent && !m.Grave && !m.Acute
	act := slices.Contains(bookingActs, m.Intent) && m.Confidence < sureness
	list := e.reader.Language.Words(text)
	if m.Intent == meaning.Unknown && writesEnglish(list) && booksInEnglish.MatchString(plain(list)) {
		m = m.As("reservar")
		m.Confidence = sureness
		return m
	}
	if !sounds && !act || len(list) <= fewWords {
		return m
	}
	one, likely := e.library.find(text, e.answers.service(e.answers.stems(text)))
	asks := asksSomething.MatchString(plain(list))
	switch {
	case sounds && one.Topic != "urgencias" && (likely >= likelyRather || asks && likely >= likelyCalm),
		act && one.Topic != "citas" && asks && likely >= likelyRather:
		m = m.As("servicio")
		m.Urgent = false
	}
	return m
}

// likelyCalm is how likely the clinic's answer to a question must be that only sounds urgent.
const likelyCalm = 0.35
