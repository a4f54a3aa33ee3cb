package assistant

import (
	"regexp"
	"slices"
	"strings"

	"bitacora/adapters/assistant/meaning"
	"bitacora/adapters/assistant/words"
	"bitacora/domain/clinic"
)

// What is asked about what the clinic offers, in plain words.
var (
	// asksForAll: which services there are.
	asksForAll = regexp.MustCompile(`^(?:hola |buenas |y |oye )*(?:que|cuales) (?:mas |cosas |otras cosas |otra cosa |tipo de cosas |servicios |tratamientos )?(?:es lo que |son las cosas que |son los (?:servicios|tratamientos) que )?(?:hacen|ofrecen|manejan|realizan|tratan)(?: (?:ustedes|ahi|alli|alla|aca|aqui|en la clinica|en el consultorio|mas))*$|^(?:y )?a que se dedican(?: (?:ustedes|ahi|alli|alla|aca))?$`)
	// asksWhether: does the clinic do it?
	asksWhether = regexp.MustCompile(`\b(?:hacen|ponen|colocan|tienen|ofrecen|realizan|sacan|quitan|calzan|curan|trabajan con|manejan|se hacen|arreglan|reparan|operan)\b|\b(?:pueden|podrian) (?:poner|hacer|colocar|sacar|arreglar)`)
	// wants: somebody wants to have it done.
	wants = regexp.MustCompile(`\b(?:quiero|quisiera|me interesa|necesito|me gustaria)\b`)
	// asksWhat: what is it, in general?
	asksWhat = regexp.MustCompile(`\b(?:explica(?:me|n|s|r|rme|melo)?|expliqueme|expliquenme|explicarme|me (?:hablas|hablan|habla|cuentas|cuentan|cuenta|dan info|das info|dan informacion|das informacion)|hablame|hableme|cuentame|cuenteme|(?:informacion|info|detalles) (?:de|del|sobre|acerca de)|(?:que|q) es (?:eso de|lo de|esa vaina de)|para que (?:sirve|sirven|es|son)|saber (?:de|del|sobre|mas de|mas sobre))\b`)
	// asksWho: who does it?
	asksWho = regexp.MustCompile(`\b(?:quien|quienes)\b.*\b(?:hace|hacen|pone|ponen|coloca|saca|sacan|trata|atiende|realiza|ve|opera|encarga|es el|es la)|\b(?:que|cual) (?:doctor|doctora|dentista|especialista)\b|\b(?:es|son) (?:un |una )?especialistas?\b|^(?:y )?(?:quien|quienes)(?: (?:la|lo|las|los))? (?:hace|hacen|pone|ponen|saca|sacan|trata|realiza|coloca)`)
	// asksForChildren: are children seen?
	asksForChildren = regexp.MustCompile(`\b(?:ven|atienden|aceptan|reciben|tratan|revisan)(?: ustedes)? (?:a )?(?:mi |mis |los |las |un |una )?(\w+)(?: pequenos| pequenitos| chiquitos| ahi| alli| tambien)*$`)
	// saysHow are words of a question about a service that ask for more than that it is there.
	saysHow = regexp.MustCompile(`\b(?:como|cuanto|cuanta|cuantos|cuantas|cuando|duele|duelen|por que|cada|mejor|diferencia|riesgos?|gratis|gratuita|descuento|promocion|promociones|marca|garantia|edad)\b`)
)

// offered answers questions about which services there are, whether there is one, what it is, and
// who does it.
func (e *Embedded) offered(q asked, slug string, b before, s *textData) (answer, bool) {
	text := plain(q.list)
	if slices.Contains(settled, q.m.Intent) || q.english {
		return answer{}, false
	}
	if m := asksForChildren.FindStringSubmatch(text); m != nil && !asksWho.MatchString(text) && len(q.list) <= fewWords+2 && !saysHow.MatchString(text) && !e.names.namesDay(q, s) &&
		e.library.lexicon.Means([]string{words.Undiminished(m[1])}, "nino") {
		return e.children(s)
	}
	if slices.Contains(facts, q.m.Intent) {
		return answer{}, false
	}
	if asksForAll.MatchString(text) {
		return answer{Name: "servicios", Topic: "servicios", Answered: true, Sources: []string{"clinic/services"}}, true
	}
	of := slug
	if of == "" && (len(q.list) <= fewWords || asksWho.MatchString(text) && len(q.list) <= 2*fewWords) {
		of = b.service
	}
	if of == "" && asksWho.MatchString(text) && e.library.lexicon.Means(q.list, "nino") {
		of = e.answers.service(e.answers.stems(childrensCare))
	}
	who := asksWho.MatchString(text) || b.topic == "doctores" && slug != "" && joinsOn.MatchString(text) // "¿y los implantes?"
	if of != "" && len(e.clinic.Team) > 0 && (who || asksForSpecialist(text, e.clinic.Team)) && e.beside(q.list) == 0 {
		s.Service, _ = e.clinic.Service(of)
		return answer{Name: "doctores", Topic: "doctores", Answered: true, Sources: []string{"clinic/team", "service/" + of}}, true
	}
	if slug == "" || saysHow.MatchString(text) {
		return answer{}, false
	}
	if asksWhat.MatchString(text) && e.beside(q.list) == 0 {
		return e.whatItIs(slug, q.english), true
	}
	return answer{}, false
}

// children says whether they are seen, where the clinic has told it or has a service for them.
func (e *Embedded) children(s *textData) (answer, bool) {
	one, known := e.answers.find("ninos", nil)
	service, has := e.clinic.Service(one.Service)
	if s.Service = service; !has && e.clinic.Children == nil {
		return answer{Name: "no-se", Topic: one.Topic, Open: true}, true
	}
	return one, known
}

// affirmed is what the clinic tells of a service that somebody asks whether there is, after a yes.
func (e *Embedded) affirmed(q asked, slug string, said answer) answer {
	service, has := e.clinic.Service(slug)
	text := plain(q.list)
	told, _ := e.library.named(said.Name)
	if !has || said.Open || q.english || told.Service != slug || !asksWhether.MatchString(text) || saysHow.MatchString(text) || wants.MatchString(text) ||
		!beginsAsking.MatchString(text) || startsSurely.MatchString(words.Plain(said.text)) {
		return said
	}
	said.text = "Sí, ofrecemos " + strings.ToLower(service.Title) + ". " + said.text
	return said
}

// surelyThere is what a service is, after a yes, where a question asks no more than whether there is one.
func surelyThere(e *Embedded, q asked) (answer, bool) {
	slug := e.answers.service(e.answers.stems(q.text))
	if slug == "" || !beginsAsking.MatchString(plain(q.list)) || e.beside(q.list) > 0 {
		return answer{}, false
	}
	told := e.whatItIs(slug, q.english)
	return e.affirmed(q, slug, told), true
}

var (
	// beginsAsking is how a question begins whether something is done.
	beginsAsking = regexp.MustCompile(`^(?:hola |buenas |y |ustedes |aqui |ahi |alli |alla )*(?:hacen|ponen|colocan|tienen|ofrecen|realizan|trabajan con|manejan|se hacen|sacan|quitan|calzan|curan|arreglan|reparan)\b`)
	// startsSurely is how an answer begins that says yes or no, or what depends, by itself.
	startsSurely = regexp.MustCompile(`^(?:si|no|depende|claro|hay|ambos|todos?)\b`)
)

// whatItIs says what a service is.
func (e *Embedded) whatItIs(slug string, english bool) answer {
	at := slices.IndexFunc(e.library.answers, func(a clinic.Answer) bool { return a.Service == slug && a.Aspect == "que-es" && !a.Open })
	if at < 0 {
		return offers(e.clinic, slug)
	}
	return say(e.library.answers[at], english)
}

// asksForSpecialist says that a text asks whether somebody of a team is there.
func asksForSpecialist(text string, of []string) bool {
	if !specialistThere.MatchString(text) {
		return false
	}
	team := strings.Fields(words.Plain(strings.NewReplacer(",", " ", ";", " ").Replace(strings.Join(of, " "))))
	return slices.ContainsFunc(strings.Fields(text), func(w string) bool {
		return specialist.MatchString(w) && slices.ContainsFunc(team, func(t string) bool { return words.Stem(t) == words.Stem(w) })
	})
}

var (
	specialistThere = regexp.MustCompile(`\b(?:tienen|tiene|hay|cuentan con|cuenta con|trabaja|trabajan|existe|ofrecen)\b|^\w+(?: tienen)?$`)
	specialist      = regexp.MustCompile(`^(?:\w+doncistas?|\w+logos?|\w+logas?|rehabilitador\w*|cirujan[oa]s?)$`)
)

// beside is how many telling words a text has beside those of services, of their doers, and of asking.
func (e *Embedded) beside(list []string) int {
	return len(slices.DeleteFunc(e.library.lexicon.Telling(list), func(w string) bool {
		return asking[w] || e.library.lexicon.Means([]string{w}, meanings["doctor"]) || specialist.MatchString(w) ||
			slices.ContainsFunc(e.answers.services, func(s named) bool { return s.phrases.Has(e.answers.stem(w)) })
	}))
}

// asking are words by which a service is asked for, and not what of it.
var asking = words.Set("ve ven explicas explica explicame explican explicar explicarme expliqueme sirve sirven hablame hableme hablas hablan cuentas cuentan cuentame cuenteme detalles quien hace hacen pone ponen coloca colocan saca sacan sacar quitan trata tratan realiza atiende opera encarga especialista especialistas algun alguna persona doctor doctora dentista adultos porfavor please acerca vaina dan das info frenillos oral bucal dientes diente muela muelas calzan poner arreglar me")

// thereIs says of a service that is asked for, or wanted, that the clinic has it, where it has told
// no more.
func (e *Embedded) thereIs(q asked, slug string) (answer, bool) {
	_, has := e.clinic.Service(slug)
	text := plain(q.list)
	if !has || q.english || q.m.Intent != "servicio" && q.m.Intent != meaning.Unknown || !asksWhether.MatchString(text) && !wants.MatchString(text) {
		return answer{}, false
	}
	if e.beside(q.list) == 0 {
		return offers(e.clinic, slug), true
	}
	return answer{Name: "servicio-detalle", Topic: serviceTopic(slug), Open: true, Sources: []string{"service/" + slug}}, true
}
