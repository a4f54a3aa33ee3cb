package assistant

import (
	"regexp"
	"strings"
)

// begs are the words by which somebody asks to be told.
const begs = `(?:(?:y|tambi[eé]n|adem[aá]s|le|les|me|te)\s+)*(?:tenga la (?:bondad|amabilidad) de|tendr[ií]an? (?:usted(?:es)? )?la (?:bondad|amabilidad) de|ser[ií]an? (?:usted(?:es)? )?tan (?:amables?|gentil(?:es)?) (?:de|en|como para)|h[aá]gan?me el favor de|podr[ií]an?|puede[ns]?|agradecer[ií]a|agradecer[eé]|ruego|solicito|deseo|desear[ií]a|quisiera|quer[ií]a|pido|gustar[ií]a)\s+(?:usted(?:es)?\s+)?(?:que\s+)?(?:me\s+|nos\s+)?`

var (
	// asksPolitely is how a question begins that is asked for formally: "le agradecería me indique".
	asksPolitely = regexp.MustCompile(`(?i)^[\s¿]*` +
		`(?:(?:(?:por (?:este medio|la presente)|me dirijo a usted(?:es)? para|(?:muy )?estimad[oa]s?(?: señor[a-z]*| doctor[a-z]*)?|(?:por )?favor(?: de)?|(?:me|nos) permit(?:o|imos)|mir[ae]|una pregunta)[\s,:]+)(?:` + begs + `)?|` + begs + `)` +
		`(?:saber|conocer|consultar|preguntar|decir|inform[a-z]*|indi(?:ca|que)[a-z]*|facilit[a-z]*|confirm[a-z]*|orient[a-z]*|comuni(?:ca|que)[a-z]*|expli(?:ca|que)[a-z]*|decirme|brind[a-z]*|(?:obtener |recibir |tener |pedir |solicitar )?(?:m[aá]s )?informaci[oó]n)(?:\s*,?\s*por favor\s*,?)?` +
		`(?:\s+(?:sobre|acerca del?|referente al?|respecto (?:al?|del?)|del?)(?:\s+(?:el|la|los|las|sus?))?)?\s+`)
	// leavesOut is how it goes on where that alone says something else: "confirmar mi cita", "consultar con el doctor".
	leavesOut = regexp.MustCompile(`(?i)^(?:con|m[aá]s|(?:la|mi|una|su) (?:cita|turno|hora))\b`)
	// sentenceEnd is where its first sentence ends.
	sentenceEnd = regexp.MustCompile(`\s*(?:[.;!?\n]+|$)`)
	// endsPolitely is how it ends.
	endsPolitely = regexp.MustCompile(`(?i)(?:[\s,;.]+(?:por fa(?:vor(?:cito)?)?|si (?:es|fuera|fuese|son|fueran) (?:usted(?:es)? )?(?:tan (?:amables?|gentil(?:es)?)|posible)|si no es (?:mucha )?molestia|(?:muchas |mil )?gracias (?:de antemano|por (?:su|la) (?:atenci[oó]n|ayuda|respuesta|informaci[oó]n))|de antemano,? (?:muchas )?gracias|(?:se lo|le) agradezco(?: mucho| de antemano)?|(?:quedo|estoy) (?:atent[oa]|a la espera)[^.?!]*|saludos cordiales|atentamente|please|thanks in advance))+[\s.!]*(\?*)\s*$`)
)

// withoutCourtesy is a question without the words of courtesy before and after it, which say nothing of what is
// asked; the text itself where hardly more than those are said.
func withoutCourtesy(text string) string {
	if rest := endsPolitely.ReplaceAllString(text, "$1"); len(strings.Fields(rest)) > 1 {
		text = rest
	}
	begin := asksPolitely.FindString(text)
	rest := text[len(begin):]
	if !strings.Contains(strings.TrimSpace(begin), " ") || rest == "" || leavesOut.MatchString(rest) {
		return text
	}
	at := sentenceEnd.FindStringIndex(rest)
	return strings.TrimPrefix(rest[:at[0]], "si ") + "?" + rest[at[1]:] // "quisiera saber si" asks, mark or none
}
