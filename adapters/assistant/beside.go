package assistant

import (
	"regexp"
	"slices"
	"strings"

	"bitacora/adapters/assistant/details"
	"bitacora/adapters/assistant/meaning"
)

// asksWithoutMark is how a question begins that a booking goes on with and no mark ends.
var asksWithoutMark = regexp.MustCompile(`^(?:(?:y|tambien|ademas|de paso|and|also) )*(?:dime|diga[nm]\w*|dig[ao]me|me (?:dice|dices|dicen|puede\w* decir)|(?:(?:quiero|queria|quisiera|necesito) )?(?:saber|averiguar|conocer|preguntar(?:les?)?|consultar(?:les?)?)|si (?:hay|tienen|aceptan|abren|atienden)|en que|hasta que|de que|a que|where|what|when|how|who|do you|are you|is there|tell me)\b`)

// clausesOf are the clauses of a text, each with its question mark.
func clausesOf(text string) []string {
	return strings.FieldsFunc(commas.ReplaceAllStringFunc(strings.ReplaceAll(text, "¿", "\n¿"), func(joint string) string {
		if strings.Contains(joint, "?") {
			return "?\n"
		}
		return "\n"
	}), func(r rune) bool { return r == '\n' || r == '!' })
}

// besideBooking is what a message that arranges an appointment asks beside it, "¿dónde están? Quiero una cita"; empty
// for nothing.
func (e *Embedded) besideBooking(text string, b before) string {
	service := e.answers.service(e.answers.stems(text))
	var asks []string
	for _, piece := range clausesOf(text) {
		piece = strings.TrimSpace(e.rephrased(piece, b))
		list := e.reader.Language.Words(piece)
		if !question.MatchString(piece) && !asksWithoutMark.MatchString(plain(list)) || details.AsksForAppointment(piece, true) || details.WantsCare(piece, true) {
			continue
		}
		one := asked{text: piece, m: e.read(piece), list: list}
		if arrangesOne(acts[one.m.Intent]) || one.m.Intent != hoursTopic && details.AsksFreeTimes(piece, true, true) {
			continue
		}
		if subject := e.subjectOf(one, service); subject != "" {
			asks = append(asks, strings.TrimSuffix(piece, "?"))
		}
	}
	if len(asks) == 0 {
		return ""
	}
	return strings.Join(asks, "? ") + "?"
}

// booksBeside says that a message which asks for something else asks for an appointment, too, in a clause of its own.
func booksBeside(r *meaning.Reader, text string, timed bool) bool {
	return slices.ContainsFunc(clausesOf(text), func(clause string) bool {
		m := r.Read(clause)
		return m.Intent == "reservar" && m.Confidence >= sureness && !asksSomething.MatchString(plain(r.Language.Words(clause))) && (details.AsksForAppointment(clause, timed) || details.WantsCare(clause, timed))
	})
}
