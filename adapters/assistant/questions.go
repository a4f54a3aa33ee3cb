package assistant

import (
	"regexp"
	"slices"

	"bitacora/adapters/assistant/meaning"
)

// asked is what a message asks, or a part of it.
type asked struct {
	text string
	m    meaning.Meaning
	// list are its plain words.
	list []string
	// english says that the message is in English.
	english bool
}

// facts are the intents that may be asked for together in one message, each of them
// answered by a fact of the clinic.
var facts = []string{"horario", "precio", "pago", "seguro", "ubicacion", "telefono", "correo"}

// joints are where one question may end and another begin.
var joints = regexp.MustCompile(`[?.;\n]+|,?\s+[yYeE]\s+|\s+and\s+`)

// mostParts bounds how many questions of a message are answered.
const mostParts = 4

// questions are the parts of a message that surely ask for different things, in their order;
// the message itself where they are fewer than two.
func (e *Embedded) questions(text string, m meaning.Meaning, b before) []asked {
	list := e.reader.Language.Words(text)
	english := writesEnglish(list)
	whole := []asked{{text, m, list, english}}
	if m.Urgent || slices.Contains(settled, m.Intent) {
		return whole
	}
	service := e.answers.service(e.answers.stems(text))
	if service == "" {
		service = b.service
	}
	if _, likely := e.library.find(text, service); likely >= likelySurely {
		return whole
	}
	var parts []asked
	var about []string
	for _, part := range joints.Split(text, -1) {
		read := e.reader.Read(part)
		one := asked{part, read, e.reader.Language.Words(part), english}
		subject := e.subjectOf(one, service)
		if subject != "" && !slices.Contains(about, subject) && len(parts) < mostParts {
			about, parts = append(about, subject), append(parts, one)
		}
	}
	if len(parts) < 2 {
		return whole
	}
	return parts
}

// subjectOf names what a part of a message surely asks for; empty where that is not sure.
func (e *Embedded) subjectOf(part asked, service string) string {
	if part.m.Urgent || len(part.list) == 0 {
		return ""
	}
	if part.m.Confidence >= sureness && slices.Contains(facts, part.m.Intent) {
		return part.m.Intent
	}
	if one, likely := e.library.find(part.text, service); likely >= likelyRather {
		return one.Slug
	}
	if len(part.list) > longestFollowUp || service == "" {
		return ""
	}
	if one, ok := e.library.about(part.text, part.list, before{service: service}); ok {
		return one.Slug
	}
	return ""
}
