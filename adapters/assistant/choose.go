package assistant

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"bitacora/adapters/assistant/details"
	"bitacora/adapters/assistant/meaning"
	"bitacora/adapters/assistant/words"
	"bitacora/domain/clinic"
	"bitacora/domain/event"
)

// choose gives the answer to a question and sets the scene for its text: what is urgent and small
// talk first, then what the clinic answers, then what its facts say, then a whole section; and if
// there is nothing, that.
func (e *Embedded) choose(q asked, b before, s *textData) answer {
	stems := e.answers.stems(q.text)
	one, known := e.answers.find(q.m.Intent, stems)
	subject := e.answers.service(stems)
	if one.Name == "servicios" && subject != "" {
		one.phrases = nil // "un tratamiento de ortodoncia" asks for no list of treatments
	}
	slug := cmp.Or(one.Service, subject)
	if !e.library.onlyAspect(q.list) {
		subject = slug
	}
	s.Service, _ = e.clinic.Service(slug)
	if q.m.Urgent {
		return e.urgent(q, subject, one, s)
	}
	if talk, ok := e.smallTalk(q, stems, slug); ok {
		return talk
	}
	if absent, ok := e.absent(q, e.answers.service(stems)); ok {
		return absent
	}
	if priced, ok := e.priced(q, slug, b, s); ok {
		return priced
	}
	if offer, ok := e.offered(q, slug, b, s); ok {
		return offer
	}
	q.found = e.library.find(q.text, subject)
	if subject == "" && q.of != "" {
		if about := e.library.find(q.text, q.of); about.answer.Service == q.of && about.likely >= likelyEnough {
			q.found = about
		}
	}
	q.found.likely = given(q.found, q.m)
	if listed, ok := e.listed(q, s); ok {
		return listed
	}
	if told, ok := e.told(q, subject, b, s); ok {
		return told
	}
	if intent, ok := q.found.fact(); ok && (q.m.Intent == meaning.Unknown || slices.Contains(aboutCare, q.m.Intent)) {
		one, known = e.answers.find(intent, stems)
	}
	switch {
	case !known || q.m.Intent == meaning.Unknown && one.phrases == nil:
		return e.otherwise(q, slug, s)
	case slices.Contains(aboutCare, q.m.Intent) && one.phrases == nil:
		return e.care(q, one, slug, s)
	case one.Service != "" && s.Service.Slug == "":
		return answer{Name: "servicio-ausente", Topic: one.Topic, Open: true}
	case e.names.asksHours(q, one, s):
		one.Name = e.names.hoursText(q, s)
	case one.Name == "doctores" && e.treatments.further(q.list) > 1:
		return answer{Name: "no-se", Topic: one.Topic, Open: true}
	case one.Name == "precio" && slug == "":
		s.Service, _ = e.clinic.Service(b.service)
	}
	return one
}

// urgent is the answer to who needs help now. Where no sign tells how urgent it is and the clinic most
// likely answers what is told, that comes first, and then what to do if it is.
func (e *Embedded) urgent(q asked, subject string, one answer, s *textData) answer {
	switch {
	case one.phrases != nil:
		s.Grave = q.m.Grave
	case q.m.Grave:
		one.Name = "urgencia-grave"
	default:
		f := e.library.find(q.text, subject)
		if f.likely >= likelyBeyondDoubt || !q.m.Acute && f.likely >= likelyEnough {
			said := e.library.tell(q, f)
			said.Topic, said.Sources, said.then = one.Topic, slices.Concat(said.Sources, one.Sources), "si-urge"
			return said
		}
		one.Name = "urgencia"
	}
	return one
}

// smallTalk answers what asks for nothing.
func (e *Embedded) smallTalk(q asked, stems []string, slug string) (answer, bool) {
	nothing := q.m.Intent == meaning.Unknown
	switch {
	case (nothing || q.m.Intent == meaning.GoOn) && onlyContact(q.text, e.phones):
		return answer{Name: "datos", Topic: "contacto", Answered: true, Sources: []string{"clinic/booking"}}, true
	case details.Acknowledges(q.text):
		return answer{Name: "enterado", Topic: unknownTopic, Answered: true}, true
	case details.OnlyIntroduces(q.text, e.usual):
		return answer{Name: "presentacion", Topic: greetingTopic, Answered: true}, true
	case details.AsksBack(q.text):
		return answer{Name: "cortesia", Topic: greetingTopic, Answered: true}, true
	case details.OnlyEmoji(q.text):
		return answer{Name: "emoji", Topic: unknownTopic, Answered: true}, true
	case (nothing || q.m.Intent == meaning.GoOn) && slug == "" && q.of == "" && details.ReadAnswer(q.text) != 0 && len(stems) <= 3:
		return answer{Name: "seguir", Topic: unknownTopic, Answered: true}, true
	}
	return answer{}, false
}

// aboutCare are the intents that the clinic's answers and texts are to speak of.
var aboutCare = []string{"servicio", "cuidados", "ninos", meaning.GoOn}

// settled are the intents with a fixed answer, whatever else a message resembles.
var settled = []string{
	"persona", "queja", "privacidad", meaning.Abuse, "manipulacion", "identidad", "saludo", "gracias", "despedida",
	"reservar", "cancelar", "reprogramar", "mi-cita",
}

// likelyEnough is how likely something must be what is asked for to be answered; likelySurely is
// when nothing else is thought of, likelyRather when not even an appointment is, likelyBeyondDoubt when not
// even a sign of an urgency is, and likelyAtAll when it may be thought of.
const (
	likelyEnough      = 0.5
	likelySurely      = 0.75
	likelyRather      = 0.8
	likelyBeyondDoubt = 0.9
	likelyAtAll       = 0.1
	// likelyInEnglish is likelyEnough where fewer lines were learned from, which makes everything less likely.
	likelyInEnglish = 0.35
)

// enoughIn is how likely an answer of the clinic must be to be given.
func enoughIn(language words.Code) float64 {
	if language == words.English {
		return likelyInEnglish
	}
	return likelyEnough
}

// topicsOf are the topics of answers that are about an intent's own matter.
var topicsOf = map[string][]string{
	"horario": {"horario"}, "ubicacion": {"lugar"}, "telefono": {"clinica"}, "correo": {"clinica"}, "doctores": {"clinica"},
	"precio": {"pagos"}, "pago": {"pagos"}, "seguro": {"pagos"}, "primera-visita": {"citas"}, "medicamento": nil,
}

// mostAgainstOwn bounds how much an intent speaks against answers about its own matter.
const mostAgainstOwn = 0.75

// given is how likely an answer is where the intent of a message is known, too: of an intent that has
// an answer of its own, the surer it is the less another one is asked for.
func given(f found, m meaning.Meaning) float64 {
	topics, own := topicsOf[m.Intent]
	if !own && !slices.Contains(settled, m.Intent) || m.Intent == "precio" && f.answer.Aspect == "costo" {
		return f.likely
	}
	against := m.Confidence
	if slices.Contains(topics, f.answer.Topic) {
		against = min(against, mostAgainstOwn)
	}
	yes, no := f.likely*(1-against), (1-f.likely)*against
	return min(f.likely, yes/max(yes+no, 1e-9))
}

// told gives what the clinic answers to a question, also to one that leaves out what it is about.
func (e *Embedded) told(q asked, slug string, b before, s *textData) (answer, bool) {
	if slices.Contains(settled, q.m.Intent) || e.names.bareFact(q.list) != "" || q.m.Intent == hoursTopic && (len(s.Exceptions) > 0 && e.names.namesDay(q, s) || namesNear(q.text, plain(q.list)) || q.found.answer.Open && slug == "" && e.names.onlyWeekday(q)) {
		return answer{}, false
	}
	if same, ok := e.treatments.sameOf(q, slug, b); ok {
		return same, true
	}
	one, likely := q.found.answer, q.found.likely
	if slug != b.service && b.service != "" && len(q.list) > 0 && q.list[0] == "y" && !e.library.onlyAspect(q.list) {
		// "¿Y se manchan?" is about the veneers of before, though stains are the business of another.
		if about := e.library.findOf(q.text, b.service, b.near); about.likely >= likelyEnough && about.likely > likely {
			return e.library.tell(q, about), true
		}
	}
	if one.Aspect == "costo" && one.Service == "" && (slug != "" || b.service != "" && e.followsUp(q.list, b)) {
		return answer{}, false // the price of a treatment is another question
	}
	fact := slices.Contains(facts, q.m.Intent) && q.m.Confidence >= sureness
	if slug == "" && !fact && e.followsUp(q.list, b) && (likely < likelySurely || e.library.onlyAspect(q.list)) {
		if about, ok := e.library.about(q.text, q.list, b); ok {
			return e.library.tell(q, about), true
		}
		if one.Service != b.service && e.library.onlyAspect(q.list) {
			return answer{}, false // about something else than was spoken of
		}
	}
	if q.m.Intent == "precio" && q.m.Confidence >= sureness && one.Aspect != "costo" && one.Topic != "pagos" {
		return answer{}, false // a price is answered by none that tells of something else
	}
	if likely < enoughIn(e.language) || e.library.ofPregnancy(one, q.list, b) {
		if there, ok := e.treatments.surelyThere(q); ok {
			return there, true
		}
		return e.library.eitherOf(q)
	}
	if _, has := e.clinic.Service(one.Service); one.Service != "" && !has {
		return e.treatments.offers(one.Service), true
	}
	said := e.treatments.affirmed(q, e.answers.service(e.answers.stems(q.text)), e.library.tell(q, q.found))
	if q.m.Intent == "cuidados" || q.m.Intent == "medicamento" {
		said.then = "cerrada"
	}
	return said, true
}

// alongFor is how long a pregnancy lasts by now: "estoy de 12 semanas".
var alongFor = regexp.MustCompile(`\b(?:meses|semanas|weeks)\b`)

// ofPregnancy says that an answer is about anaesthesia in a pregnancy, of which nobody has spoken.
func (l *library) ofPregnancy(a clinic.Answer, list []string, b before) bool {
	return a.Slug == "embarazo-anestesia" && b.topic != a.Topic && !l.lexicon.Means(list, "embarazo") && !alongFor.MatchString(plain(list))
}

// joinsOn is how a question begins that goes on with the one before.
var joinsOn = regexp.MustCompile(`^(?:y|e|pero|and|but|what about|how about|que tal)\b`)

// eitherOf gives the two likeliest answers, where they are about the same and one of them surely is
// what is asked for.
func (l *library) eitherOf(q asked) (answer, bool) {
	f := q.found
	if f.likely+f.nextLikely < likelySurely || f.answer.Topic != f.next.Topic || f.answer.Open || f.next.Open {
		return answer{}, false
	}
	said, next := l.tell(q, f), say(f.next, q.english)
	said.text += "\n\n" + l.opened(q, f.next, next.text)
	said.Sources = slices.Concat(said.Sources, next.Sources)
	return said, true
}

// tell puts what was found into words.
func (l *library) tell(q asked, f found) answer {
	said := say(f.answer, q.english)
	said.text = l.opened(q, f.answer, said.text)
	said.chosen = event.Chosen{Answer: f.answer.Slug, Likelihood: rounded(f.likely), NextAnswer: f.next.Slug, NextLikelihood: rounded(f.nextLikely)}
	return said
}

// say puts an answer of the clinic into words.
func say(a clinic.Answer, english bool) answer {
	said := answer{Name: a.Slug, Topic: a.Topic, Answered: !a.Open, Open: a.Open, Sources: []string{"answer/" + a.Slug}}
	said.text = textOf(a, english)
	inEnglish := english && a.English != ""
	if said.text == "" {
		said.text = "La clínica no me ha dado ese dato."
	}
	switch passesOn := strings.Contains(said.text, "{{phone") || strings.Contains(said.text, "{{email"); {
	case !a.Open || passesOn:
	case inEnglish:
		said.text += " You can ask at {{phonesEnglish}}."
	default:
		said.text += " {Te|Se} lo confirman en el {{phones}}."
	}
	return said
}

// textOf is the text of an answer for whoever writes in English, where it has one, or in Spanish.
func textOf(a clinic.Answer, english bool) string {
	if english && a.English != "" {
		return a.English
	}
	return a.Text
}

// care answers a question about treatments.
func (e *Embedded) care(q asked, one answer, slug string, s *textData) answer {
	if slug == "" {
		slug = one.Service
	}
	if section, ok := e.section(q, slug, s); ok {
		return section
	}
	if q.m.Intent == meaning.GoOn && !e.asksOfUs(q) {
		return answer{Name: unknownText, Topic: unknownTopic}
	}
	if one.Open && slug == "" {
		return one
	}
	if there, ok := e.treatments.thereIs(q, slug); ok {
		return there
	}
	return notTold(e.reader, q, one.Topic)
}

// notTold says that the clinic has not told it, or that another part of the body than the mouth is not its matter.
func notTold(r *meaning.Reader, q asked, topic string) answer {
	if r.Elsewhere(q.text) {
		return answer{Name: "otra-medicina", Topic: "servicios", Answered: true, Sources: []string{"clinic/services"}}
	}
	return answer{Name: "no-se", Topic: topic, Open: true}
}

// section quotes the section of a service or post that a question is about.
func (e *Embedded) section(q asked, slug string, s *textData) (answer, bool) {
	found, ok := e.passages.find(q.list, slug)
	if !ok {
		return answer{}, false
	}
	return e.quote(found, s), true
}

// quote says a whole section, and where it stands.
func (e *Embedded) quote(p passage, s *textData) answer {
	said := answer{Name: "seccion", Topic: "blog", Answered: true, Sources: []string{p.source()}, text: p.text, then: "seccion"}
	if p.service != "" {
		said.Topic = serviceTopic(p.service)
	}
	s.Title, s.Link = p.title, p.link(e.knowledge.SiteURL)
	return said
}

// otherwise is said where no intent fits and the clinic has no answer: a whole section, or that
// the clinic has not told it, or that it is another matter.
func (e *Embedded) otherwise(q asked, slug string, s *textData) answer {
	there, _ := e.treatments.thereIs(q, slug)
	foreign := q.m.Likeliest == meaning.Unknown && q.m.Confidence >= sureOffTopic || q.found.other == offTopic && q.found.otherLikely >= likelyEnough
	switch section, ok := e.section(q, slug, s); {
	case ok && (!foreign || slug != ""):
		return section
	case there.Name != "":
		return there
	case slug != "" || !foreign && e.asksOfUs(q):
		return notTold(e.reader, q, unknownTopic)
	}
	return answer{Name: unknownText, Topic: unknownTopic}
}

// asksOfUs says that a text is a question without a word that is strange here, or speaks for the most part of what questions
// speak of: of a name, a number, a crocodile or a slip of the keys nobody can say that the clinic has not told it.
func (e *Embedded) asksOfUs(q asked) bool {
	telling, spoken := e.library.lexicon.Telling(q.list), 0
	for _, w := range telling {
		if e.library.index.Speaks(w) {
			spoken++
		}
	}
	asks := strings.ContainsAny(q.text, "?¿") || asksSomething.MatchString(plain(q.list))
	return spoken > 0 && asks && !e.library.namesStranger(q.list, e.usual) || 2*spoken > len(telling)
}
