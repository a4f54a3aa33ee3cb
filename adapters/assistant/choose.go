package assistant

import (
	"cmp"
	"slices"
	"strings"

	"bitacora/adapters/assistant/details"
	"bitacora/adapters/assistant/meaning"
	"bitacora/domain/clinic"
)

// choose gives the answer to a question and sets the scene for its text: what is urgent and small
// talk first, then what the clinic answers, then what its facts say, then a whole section; and if
// there is nothing, that.
func (e *Embedded) choose(q asked, b before, s *textData) answer {
	stems := e.answers.stems(q.text)
	one, known := e.answers.find(q.m.Intent, stems)
	subject := e.answers.service(stems)
	slug := cmp.Or(one.Service, subject)
	if !e.library.onlyAspect(q.list) {
		subject = slug
	}
	s.Service, _ = e.clinic.Service(slug)
	if q.m.Urgent {
		return urgent(q.m, one, s)
	}
	if talk, ok := e.smallTalk(q, stems, slug); ok {
		return talk
	}
	if priced, ok := e.priced(q, slug, b, s); ok {
		return priced
	}
	if offer, ok := e.offered(q, slug, b, s); ok {
		return offer
	}
	if told, ok := e.told(q, subject, b, s); ok {
		return told
	}
	switch {
	case !known || q.m.Intent == meaning.Unknown && one.phrases == nil:
		return e.otherwise(q, slug, s)
	case slices.Contains(aboutCare, q.m.Intent) && one.phrases == nil:
		return e.care(q, one, slug, s)
	case one.Service != "" && s.Service.Slug == "":
		return answer{Name: "servicio-ausente", Topic: one.Topic, Open: true}
	case e.asksHours(q, one, s.at):
		one.Name = e.hoursText(q, s)
	case one.Name == "doctores" && e.further(q.list) > 1:
		return answer{Name: "no-se", Topic: one.Topic, Open: true}
	case one.Name == "precio" && slug == "":
		s.Service, _ = e.clinic.Service(b.service)
	}
	return one
}

// urgent is the answer to who needs help now.
func urgent(m meaning.Meaning, one answer, s *textData) answer {
	switch {
	case one.phrases != nil:
		s.Grave = m.Grave
	case m.Grave:
		one.Name = "urgencia-grave"
	default:
		one.Name = "urgencia"
	}
	return one
}

// smallTalk answers what asks for nothing.
func (e *Embedded) smallTalk(q asked, stems []string, slug string) (answer, bool) {
	nothing := q.m.Intent == meaning.Unknown
	switch {
	case (nothing || q.m.Intent == meaning.GoOn) && onlyContact(q.text):
		return answer{Name: "datos", Topic: "contacto", Answered: true, Sources: []string{"clinic/booking"}}, true
	case details.Acknowledges(q.text):
		return answer{Name: "enterado", Topic: unknownTopic, Answered: true}, true
	case details.OnlyEmoji(q.text):
		return answer{Name: "emoji", Topic: unknownTopic, Answered: true}, true
	case nothing && slug == "" && details.ReadAnswer(q.text) != 0 && len(stems) <= 3:
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

// topicsOf are the topics of answers that are about an intent's own matter.
var topicsOf = map[string][]string{
	"horario": {"horario"}, "ubicacion": {"lugar"}, "telefono": {"clinica"}, "correo": {"clinica"},
	"precio": {"pagos"}, "pago": {"pagos"}, "seguro": {"pagos"},
}

// How likely an answer must be: as a rule; where the intent has an answer of its own; where that
// intent is sure; and where the message seems to be about another matter.
const (
	likelyEnough  = 0.30
	likelyRather  = 0.50
	likelySurely  = 0.75
	likelyForeign = 0.60
)

// leastLikely is how likely an answer must be one to a question of a meaning.
func leastLikely(m meaning.Meaning, a clinic.Answer) float64 {
	topics, fact := topicsOf[m.Intent]
	switch {
	case slices.Contains(settled, m.Intent):
		return 2
	case m.Intent == "precio" && (a.Aspect == "costo" || slices.Contains(topics, a.Topic)),
		fact && m.Confidence < sureness && slices.Contains(topics, a.Topic):
		return likelyEnough
	case m.Intent == "precio", fact && m.Confidence >= sureness && !slices.Contains(topics, a.Topic):
		return likelySurely
	case fact, m.Intent == "medicamento":
		return likelyRather
	case m.Likeliest == meaning.Unknown && m.Confidence >= sureness:
		return likelyForeign
	}
	return likelyEnough
}

// told gives what the clinic answers to a question, also to one that leaves out what it is about.
func (e *Embedded) told(q asked, slug string, b before, s *textData) (answer, bool) {
	one, likely := e.library.find(q.text, slug)
	if slug != b.service && b.service != "" && len(q.list) > 0 && q.list[0] == "y" {
		// "¿Y se manchan?" is about the veneers of before, though stains are the business of another.
		if about, fits := e.library.findOf(q.text, b.service, b.near); fits >= likelyRather && fits > likely {
			return e.say(about, q.english), true
		}
	}
	if likely < likelySurely && (e.bare(q.text, slug) || e.asksOnlyWhether(q, slug)) && !slices.Contains(settled, q.m.Intent) && topicsOf[q.m.Intent] == nil {
		return e.offers(slug), true
	}
	if one.Aspect == "costo" && one.Service == "" && (slug != "" || b.service != "" && e.followsUp(q.list, b)) {
		return answer{}, false // the price of a treatment is another question
	}
	follows := slug == "" && e.followsUp(q.list, b)
	if follows && (likely < likelyForeign || e.library.onlyAspect(q.list)) && !slices.Contains(settled, q.m.Intent) {
		if _, fact := topicsOf[q.m.Intent]; !fact || q.m.Confidence < sureness {
			if about, ok := e.library.about(q.text, q.list, b); ok {
				return e.say(about, q.english), true
			}
		}
	}
	if follows && one.Service != b.service && e.library.onlyAspect(q.list) {
		return answer{}, false // about something else than was spoken of
	}
	if likely < leastLikely(q.m, one) || q.m.Intent == "horario" && (likely < likelySurely || len(e.clinic.Exceptions) > 0) && namesDay(q, s.at) {
		return answer{}, false
	}
	said := e.affirmed(q, e.answers.service(e.answers.stems(q.text)), e.say(one, q.english))
	if q.m.Intent == "cuidados" || q.m.Intent == "medicamento" {
		said.then = "cerrada"
	}
	return said, true
}

// say puts an answer of the clinic into words.
func (e *Embedded) say(a clinic.Answer, english bool) answer {
	said := answer{Name: a.Slug, Topic: a.Topic, Answered: !a.Open, Open: a.Open, Sources: []string{"answer/" + a.Slug}}
	text := a.Text
	if english && a.English != "" {
		text = a.English
	} else if a.Open {
		if text == "" {
			text = "La clínica no me ha dado ese dato."
		}
		if !strings.Contains(text, "{{phone") && !strings.Contains(text, "{{email") {
			text += " {Te|Se} lo confirman en el {{phones}}."
		}
	}
	said.text = text
	return said
}

// care answers a question about treatments.
func (e *Embedded) care(q asked, one answer, slug string, s *textData) answer {
	if slug == "" {
		slug = one.Service
	}
	if section, ok := e.section(q, slug, s); ok {
		return section
	}
	if one.Open && slug == "" {
		return one
	}
	if there, ok := e.thereIs(q, slug); ok {
		return there
	}
	return answer{Name: "no-se", Topic: one.Topic, Open: true}
}

// offers says that the clinic has a service, or has not.
func (e *Embedded) offers(slug string) answer {
	if _, ok := e.clinic.Service(slug); !ok {
		return answer{Name: "servicio-ausente", Topic: "servicios", Open: true}
	}
	return answer{Name: "servicio", Topic: serviceTopic(slug), Answered: true, Sources: []string{"service/" + slug}}
}

// bare says that a text, or the question that it ends with, says hardly more than the name of a
// service, and asks nothing of it.
func (e *Embedded) bare(text, slug string) bool {
	list := e.reader.Language.Words(text[max(0, strings.LastIndex(text, "¿")):])
	if slug == "" || slices.ContainsFunc(list, func(w string) bool { return askingWords[w] }) {
		return false
	}
	service := e.answers.services[slices.IndexFunc(e.answers.services, func(s named) bool { return s.slug == slug })]
	return !slices.ContainsFunc(e.library.lexicon.Telling(list), func(w string) bool { return !service.phrases.Has(e.answers.stem(w)) })
}

// further is how many telling words a text has beside those for doctors and services.
func (e *Embedded) further(list []string) int {
	return len(slices.DeleteFunc(e.library.lexicon.Telling(list), func(w string) bool {
		return e.library.lexicon.Means([]string{w}, meanings["doctor"]) ||
			slices.ContainsFunc(e.answers.services, func(s named) bool { return s.phrases.Has(e.answers.stem(w)) })
	}))
}

// askingWords are those by which something of a service is asked.
var askingWords = wordSet("que como cual cuales cuando cuanto cuanta cuantos cuantas por porque donde quien what how when why")

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
	there, _ := e.thereIs(q, slug)
	foreign := q.m.Likeliest == meaning.Unknown && q.m.Confidence >= sureOffTopic
	switch section, ok := e.section(q, slug, s); {
	case ok && (!foreign || slug != ""):
		return section
	case there.Name != "":
		return there
	case slug != "" || !foreign && len(e.library.lexicon.Telling(q.list)) > 0:
		return answer{Name: "no-se", Topic: unknownTopic, Open: true}
	}
	return answer{Name: unknownText, Topic: unknownTopic}
}
