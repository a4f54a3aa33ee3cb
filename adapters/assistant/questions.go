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
}

// facts are the intents that may be asked for together in one message, each of them
// answered by a fact of the clinic.
var facts = []string{"horario", "precio", "pago", "seguro", "ubicacion", "telefono", "correo"}

// joints are where one question may end and another begin.
var joints = regexp.MustCompile(`[?.;\n]+|,?\s+[yYeE]\s+`)

// questions are the parts of a message that surely ask for different facts, in their order;
// the message itself where they are fewer than two.
func (e *Embedded) questions(text string, m meaning.Meaning) []asked {
	whole := []asked{{text, m}}
	if m.Intent != meaning.Unknown && !slices.Contains(facts, m.Intent) {
		return whole
	}
	var parts []asked
	for _, part := range joints.Split(text, -1) {
		read := e.reader.Read(part)
		known := slices.ContainsFunc(parts, func(p asked) bool { return p.m.Intent == read.Intent })
		if !known && read.Confidence >= sureness && slices.Contains(facts, read.Intent) {
			parts = append(parts, asked{part, read})
		}
	}
	if len(parts) < 2 {
		return whole
	}
	return parts
}
