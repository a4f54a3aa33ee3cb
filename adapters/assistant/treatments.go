package assistant

import (
	"cmp"
	"slices"
	"strings"

	"bitacora/adapters/assistant/details"
	"bitacora/adapters/assistant/meaning"
	"bitacora/adapters/assistant/words"
	"bitacora/domain/chat"
	"bitacora/domain/clinic"
)

// treatments are those that the clinic has, with what it tells of them.
type treatments struct {
	clinic  clinic.Clinic
	answers *answers
	library *library
}

// bookable is the service that a text names, if an appointment for it can be made.
func (t treatments) bookable(stems []string) string {
	slug := t.answers.service(stems)
	if _, ok := t.clinic.Service(slug); !ok {
		return ""
	}
	return slug
}

// childrensCare and generalCare name the treatment of children, and a checkup.
const (
	childrensCare = "odontología pediátrica"
	generalCare   = "odontología general"
)

// meantService is the service that an appointment is asked for: the one that is named, a child's where the text
// names a checkup or nothing, or the one that it is about without naming it; empty where it is about none.
func (t treatments) meantService(text string, u chat.Understanding, said string, b before) string {
	named := u.Specialty
	general := t.bookable(t.answers.stems(generalCare))
	switch _, known := t.clinic.Service(b.service); {
	case named != "" && named != general:
		return named
	case details.ForChild(text):
		return cmp.Or(t.bookable(t.answers.stems(childrensCare)), named)
	case named != "":
		return named
	case known && details.SameThing(text):
		return b.service
	case details.ForCheckup(text):
		return general
	case u.AnySpecialty:
		return ""
	}
	return said
}

// careFor is the service that an answer to the question for one is about without naming it: that of the clinic's
// answer which it most likely asks for. Any says that the clinic is to find it out.
func (t treatments) careFor(text string) (service string, any bool) {
	if details.ForCheckup(text) {
		return "", true
	}
	one := t.library.find(text, "")
	if _, offered := t.clinic.Service(one.answer.Service); offered && one.likely >= likelyEnough {
		return one.answer.Service, false
	}
	return "", false
}

// offers says that the clinic has a service, or has not.
func (t treatments) offers(slug string) answer {
	if _, ok := t.clinic.Service(slug); !ok {
		return answer{Name: "servicio-ausente", Topic: "servicios", Open: true}
	}
	return answer{Name: "servicio", Topic: serviceTopic(slug), Answered: true, Sources: []string{"service/" + slug}}
}

// whatItIs says what a service is.
func (t treatments) whatItIs(slug string, english bool) answer {
	at := slices.IndexFunc(t.library.answers, func(a clinic.Answer) bool { return a.Service == slug && a.Aspect == "que-es" && !a.Open })
	if at < 0 {
		return t.offers(slug)
	}
	return say(t.library.answers[at], english)
}

// thereIs says of a service that is asked for, or wanted, that the clinic has it, where it has told
// no more.
func (t treatments) thereIs(q asked, slug string) (answer, bool) {
	_, has := t.clinic.Service(slug)
	text := plain(q.list)
	if !has || q.english || q.m.Intent != "servicio" && q.m.Intent != meaning.Unknown || !asksWhether.MatchString(text) && !wants.MatchString(text) {
		return answer{}, false
	}
	if t.beside(q.list) == 0 {
		return t.offers(slug), true
	}
	return answer{Name: "servicio-detalle", Topic: serviceTopic(slug), Open: true, Sources: []string{"service/" + slug}}, true
}

// surelyThere is what a service is, after a yes, where a question asks no more than whether there is one.
func (t treatments) surelyThere(q asked) (answer, bool) {
	slug := t.answers.service(t.answers.stems(q.text))
	if slug == "" || !beginsAsking.MatchString(plain(q.list)) || t.beside(q.list) > 0 {
		return answer{}, false
	}
	told := t.whatItIs(slug, q.english)
	return t.affirmed(q, slug, told), true
}

// affirmed is what the clinic tells of a service that somebody asks whether there is, after a yes.
func (t treatments) affirmed(q asked, slug string, said answer) answer {
	service, has := t.clinic.Service(slug)
	text := plain(q.list)
	told, _ := t.library.named(said.Name)
	if !has || said.Open || q.english || told.Service != slug || !asksWhether.MatchString(text) || saysHow.MatchString(text) || wants.MatchString(text) ||
		!beginsAsking.MatchString(text) || startsSurely.MatchString(words.Plain(said.text)) {
		return said
	}
	said.text = "Sí, ofrecemos " + strings.ToLower(service.Title) + ". " + said.text
	return said
}

// sameOf is what was told of another service before, about one that a text only names: "¿y el blanqueamiento?".
func (t treatments) sameOf(q asked, slug string, b before) (answer, bool) {
	last, known := t.library.named(b.answer)
	if !known || !b.latest || last.Aspect == "" || slug == "" || slug == last.Service || len(q.list) > longestFollowUp || !joinsOn.MatchString(plain(q.list)) || t.beside(q.list) > 0 {
		return answer{}, false
	}
	at := slices.IndexFunc(t.library.answers, func(a clinic.Answer) bool { return a.Service == slug && a.Aspect == last.Aspect })
	if at < 0 {
		return answer{}, false
	}
	return say(t.library.answers[at], q.english), true
}

// children says whether they are seen, where the clinic has told it or has a service for them.
func (t treatments) children(s *textData) (answer, bool) {
	one, known := t.answers.find("ninos", nil)
	service, has := t.clinic.Service(one.Service)
	if s.Service = service; !has && t.clinic.Children == nil {
		return answer{Name: "no-se", Topic: one.Topic, Open: true}, true
	}
	return one, known
}

// beside is how many telling words a text has beside those of services, of their doers, and of asking.
func (t treatments) beside(list []string) int {
	return len(slices.DeleteFunc(t.library.lexicon.Telling(list), func(w string) bool {
		return asking[w] || t.library.lexicon.Means([]string{w}, meanings["doctor"]) || specialist.MatchString(w) ||
			slices.ContainsFunc(t.answers.services, func(s named) bool { return s.phrases.Has(t.answers.stem(w)) })
	}))
}

// further is how many telling words a text has beside those for doctors and services.
func (t treatments) further(list []string) int {
	return len(slices.DeleteFunc(t.library.lexicon.Telling(list), func(w string) bool {
		return t.library.lexicon.Means([]string{w}, meanings["doctor"]) ||
			slices.ContainsFunc(t.answers.services, func(s named) bool { return s.phrases.Has(t.answers.stem(w)) })
	}))
}
