package assistant

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"bitacora/adapters/assistant/meaning"
	"bitacora/domain/chat"
)

// asked is what a message asks, or a part of it.
type asked struct {
	text string
	m    meaning.Meaning
	// list are its plain words.
	list []string
	// found is what it most likely asks for.
	found found
	// english says that the message is in English.
	english bool
	// of is the service that a message with several questions spoke of up to this one.
	of string
	// subject names what it surely asks for; empty where that is not sure.
	subject string
}

// asksBeside is the text of what is by its form a question, whatever it asks for; empty for what is none.
func (a asked) asksBeside() string {
	if beginsToAsk.MatchString(a.text) {
		return a.text
	}
	return ""
}

// facts are the intents that may be asked for together in one message, each of them
// answered by a fact of the clinic.
var facts = []string{"horario", "precio", "pago", "seguro", "ubicacion", "telefono", "correo"}

// tellable are further intents with a text of their own that a part of a message may ask for.
var tellable = []string{"doctores", "privacidad", "identidad"}

// voiced are the intents that are answered before the fact that a message names, too.
var voiced = []string{"queja", "persona", meaning.Abuse}

// joints are where one question may end and another begin; commas part also what is listed.
var (
	joints = regexp.MustCompile(`(?i)[?.;!\n]+|:\s|,?\s+[ye]\s+|,?\s+(?:and|así como|(?:and |ah,? |y )?(?:tambi[eé]n|adem[aá]s|aparte|de paso|also|plus))[\s,]+`)
	commas = regexp.MustCompile(joints.String() + `|,`)
)

// unmarked is where a question begins in the middle of a text, without a mark or an accent: "donde estan que horario tienen".
var unmarked = regexp.MustCompile(`(?i)\s((?:a |hasta |en |de )?que (?:hora|horarios?|d[ií]as|precios?|costo|seguros|tratamientos)|(?:cada |en |de |por )?cu[aá]nt[oa]s? (?:cuesta|vale|dura|tarda|demora|cobran|sale|es|tiempo)n?|d[oó]nde (?:es|est[aá]n|quedan?|se)|c[oó]mo (?:hago|saco|llego|pido|se|reservo|agendo)|qui[eé]n(?:es)? (?:es|son|atienden?|hacen?|ponen?)|aceptan|what (?:time|are)|where (?:are|is)|how (?:much|long|do)|do you)\b`)

// goesOn is a question word, alone or with what it asks for, before the rest of its question: "what time" do you close.
var goesOn = regexp.MustCompile(`(?i)(?:^|\s)(?:qu[eé]|cu[aá]l(?:es)?|cu[aá]nt[oa]s|what|which|how|when|where|why)(?: \pL+)?$`)

// withCommas is a text with a comma before each question that begins unmarked in it.
func withCommas(text string) string {
	var b strings.Builder
	from := 0
	for _, at := range unmarked.FindAllStringIndex(text, -1) {
		if !goesOn.MatchString(text[:at[0]]) {
			b.WriteString(text[from:at[0]] + ",")
			from = at[0] + 1
		}
	}
	return b.String() + text[from:]
}

// beginsToAsk is how a question begins that is asked beside another one, in plain words or with its accent.
var beginsToAsk = regexp.MustCompile(`(?i)^[\s¿]*(?:(?:y|e|o|ah|oye|pero|tambi[eé]n|adem[aá]s|and|also|d[ií]game|dime|saber|quisiera saber|quiero saber|me dice[ns]?)[\s,]+)*(?:si (?:\w+ )?(?:hay|tienen|aceptan|abren|atienden|duele|se puede|puedo)(?:\s|$)|(?:(?:a|en|de|desde|hasta|con|por|para|partir|cada)\s+)*(?:qué|cómo|cuándo|cu[aá]nt[oa]s?|d[oó]nde|qui[eé]n(?:es)?|cu[aá]l(?:es)?|que (?:hora|horarios?|d[ií]as|edad|precio|costo|seguros)|what|where|when|how|who|which|do you|can i|is there)(?:\s|$))`)

// numbered is how a question begins in a list: "2. ¿Cuánto cuestan?".
var numbered = regexp.MustCompile(`^\s*(?:\d{1,2}|[a-d])[.)]-?\s*`)

// tellsOf is how a part begins that tells, in plain words, of something done, and asks for nothing.
var tellsOf = regexp.MustCompile(`^(?:(?:disculpe?|es que|mire?|ayer|ya|a mi(?: \w+)?) )*(?:me|le|nos|les) \w+(?:aron|ieron)\b`)

// mostParts bounds how many questions of a message are answered.
const mostParts = 4

// questions are the parts of a message that ask for different things, in their order; the message
// itself where they are fewer than two.
func (e *Embedded) questions(q chat.Question, m meaning.Meaning, b before) []asked {
	text, english := q.Text, q.Understood.English
	list := e.reader.Language.Words(text)
	whole := []asked{{text: text, m: m, list: list, english: english}}
	service := e.answers.service(e.answers.stems(text))
	if service == "" {
		service = b.service
	}
	if m.Grave {
		return whole
	}
	if m.Urgent || slices.Contains(voiced, m.Intent) {
		return append(whole, e.askedBeside(whole[0], service)...)
	}
	// What ends in a question mark is a question of its own, or several; what follows the last one tells of the
	// matter, unless it surely asks for another.
	ended := strings.Split(text, "?")
	if last := len(ended) - 1; last > 0 {
		if sure, _ := e.parts(ended[last:], service, english); len(sure) == 0 {
			ended = ended[:last]
		}
	}
	var all []asked
	for _, piece := range ended {
		several := e.divided(piece, service, english)
		if len(several) < 2 && len(ended) == 1 {
			return e.plainest(whole, service)
		}
		if len(several) < 2 {
			_, several = e.parts([]string{piece}, service, english)
		}
		all = append(all, several...)
	}
	sure, least := 0, 1
	if slices.Contains(settled, m.Intent) {
		least = 2
	}
	asking := slices.DeleteFunc(slices.Clone(all), func(one asked) bool {
		if one.subject != "" {
			sure++
		}
		if one.subject != "" || slices.Contains(facts, one.m.Intent) {
			return false
		}
		// "¿qué me aconsejan?" asks for what the rest tells.
		return tellsOf.MatchString(plain(one.list)) || e.answers.service(e.answers.stems(one.text)) == "" && len(e.library.lexicon.Telling(one.list)) < 2
	})
	if len(all) > 1 && sure >= least {
		return asking[:min(len(asking), mostParts)]
	}
	return e.plainest(whole, service)
}

// plainest is the only part of a message that surely asks for a fact, where all of it together says nothing:
// "joven, no veo bien las letras, ¿dónde es que queda?"; the whole else.
func (e *Embedded) plainest(whole []asked, service string) []asked {
	pieces := commas.Split(whole[0].text, -1)
	if m := whole[0].m; len(pieces) < 2 || m.Intent != meaning.Unknown && m.Intent != meaning.GoOn || e.subjectOf(whole[0], service) != "" {
		return whole
	}
	sure, _ := e.parts(pieces, service, whole[0].english)
	sure = slices.DeleteFunc(sure, func(one asked) bool { return !slices.Contains(facts, one.subject) || one.asksBeside() == "" })
	if len(sure) != 1 {
		return whole
	}
	return sure
}

// askedBeside is what an urgent message, or a complaint, asks for, too: of an urgent one only facts.
func (e *Embedded) askedBeside(whole asked, service string) []asked {
	fact := e.names.intent(whole.text, whole.list, e.answers.service(e.answers.stems(whole.text)))
	if fact == "" && whole.m.Urgent {
		return nil
	}
	sure, _ := e.parts(commas.Split(whole.text, -1), service, whole.english)
	sure = slices.DeleteFunc(sure, func(one asked) bool {
		factual := slices.Contains(facts, one.subject)
		return one.subject == "" || whole.m.Urgent && !factual || one.asksBeside() == "" && (!factual || e.names.intent(one.text, one.list, "") == "")
	})
	if fact != "" && len(sure) == 0 {
		whole.m = whole.m.As(fact)
		whole.m.Urgent = false
		return []asked{whole}
	}
	return sure
}

// divided are the parts of a text without question marks that surely ask for different things.
func (e *Embedded) divided(text, service string, english bool) []asked {
	text = between.ReplaceAllString(text, "${1}/ ")
	var pieces []string
	for _, piece := range joints.Split(text, -1) {
		if list := e.reader.Language.Words(piece); onlyFacts(e.reader, list) {
			pieces = append(pieces, list...)
		} else {
			pieces = append(pieces, piece)
		}
	}
	marked := withCommas(text)
	lists := strings.Contains(marked, ",")
	if len(pieces) < 2 && !lists {
		return nil // the text itself, which its caller reads
	}
	byJoints, _ := e.parts(pieces, service, english)
	if !lists {
		return byJoints
	}
	listed, _ := e.parts(commas.Split(marked, -1), service, english)
	if len(listed) > max(len(byJoints), 1) && !slices.ContainsFunc(listed, func(one asked) bool {
		return !slices.Contains(facts, one.m.Intent) && !asksSomething.MatchString(plain(one.list)) && !asksWhetherItHurts.MatchString(plain(one.list)) && !beginsToAsk.MatchString(one.text)
	}) {
		return listed
	}
	return byJoints
}

// between is where two things are compared, and not asked for one by one: "entre brackets y alineadores".
var between = regexp.MustCompile(`(?i)(\b(?:entre|between)\s+(?:\S+\s+){1,4}?)(?:y|and)\s+`)

// onlyFacts says that each of some words asks for another fact by itself: "horario dirección teléfono".
func onlyFacts(r *meaning.Reader, list []string) bool {
	var asked []string
	for _, w := range list {
		m := r.Read(w)
		if m.Confidence < sureness || !slices.Contains(facts, m.Intent) || slices.Contains(asked, m.Intent) {
			return false
		}
		asked = append(asked, m.Intent)
	}
	return len(asked) > 1 && len(asked) <= mostParts
}

// parts are the pieces of a message that ask: those that surely ask for different things, and all
// that say anything.
func (e *Embedded) parts(pieces []string, service string, english bool) (sure, all []asked) {
	var about []string
	for _, piece := range pieces {
		piece = withoutCourtesy(numbered.ReplaceAllString(piece, ""))
		list := e.reader.Language.Words(piece)
		if len(list) == 0 {
			continue
		}
		one := asked{text: piece, m: e.read(piece), list: list, english: english}
		if named := e.answers.service(e.answers.stems(piece)); named != "" {
			service = named
		}
		one.of = service
		if one.m.Urgent && !one.m.Acute || e.library.asksOfBefore(piece, one.list, e.answers.service(e.answers.stems(piece)), before{service: service}, one.m) {
			one.m = one.m.As(meaning.Unknown)
			one.m.Urgent = false
		}
		one.subject = e.subjectOf(one, service)
		if len(e.library.lexicon.Telling(one.list)) == 0 && one.subject == "" || len(all) == mostParts {
			continue
		}
		all = append(all, one)
		subject := cmp.Or(one.subject, one.asksBeside())
		if subject != "" && (one.subject == "" || one.subject == one.m.Intent) {
			// "¿tienen parqueo?" sounds like the address, and asks for another answer.
			if told := e.library.find(piece, service); given(told, one.m) >= likelyEnough {
				subject = told.answer.Slug
			}
		}
		if subject != "" && !slices.Contains(about, subject) {
			about, sure = append(about, subject), append(sure, one)
		}
	}
	return sure, all
}

// subjectOf names what a part of a message surely asks for; empty where that is not sure.
func (e *Embedded) subjectOf(part asked, service string) string {
	if part.m.Urgent || len(part.list) == 0 {
		return ""
	}
	if part.m.Confidence >= sureness && (slices.Contains(facts, part.m.Intent) || slices.Contains(tellable, part.m.Intent)) {
		return part.m.Intent
	}
	one := e.library.find(part.text, service)
	if intent, ok := one.fact(); ok {
		return intent
	}
	if one.likely >= likelyEnough {
		return one.answer.Slug
	}
	if there, ok := e.treatments.surelyThere(part); ok {
		return there.Name
	}
	if len(part.list) > longestFollowUp || service == "" || tellsOf.MatchString(plain(part.list)) {
		return ""
	}
	if one, ok := e.library.about(part.text, part.list, before{service: service}); ok {
		return one.answer.Slug
	}
	return ""
}
