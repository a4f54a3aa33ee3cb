package assistant

import (
	"regexp"
	"strings"

	"bitacora/adapters/assistant/details"
	"bitacora/domain/chat"
)

// pieces are the questions and statements of a message, each with its question mark.
var pieces = regexp.MustCompile(`[^?.;!\n]+\??`)

// besideBooking is what a message that asks for an appointment asks beside it, "¿dónde están? Quiero una cita"; empty
// for nothing.
func (e *Embedded) besideBooking(text string, b before) string {
	var asks []string
	for _, piece := range pieces.FindAllString(joints.ReplaceAllStringFunc(text, func(joint string) string {
		return strings.TrimRight(joint, " yYeEand,") + ". "
	}), -1) {
		piece = strings.TrimSpace(e.rephrased(piece, b))
		if !question.MatchString(piece) || details.AsksFreeTimes(piece, true, true) || details.AsksForAppointment(piece, true) || details.WantsCare(piece, true) {
			continue
		}
		one := asked{text: piece, m: e.read(piece), list: e.reader.Language.Words(piece)}
		if act := acts[one.m.Intent]; act == chat.IntentBook || changesBooking(act) {
			continue
		}
		if subject := e.subjectOf(one, e.answers.service(e.answers.stems(text))); subject != "" {
			asks = append(asks, piece)
		}
	}
	return strings.Join(asks, " ")
}
