package assistant

import (
	"regexp"
	"slices"
	"strings"

	"bitacora/adapters/assistant/words"
)

// offers are the verbs of what a clinic does.
const offers = `hacen|ponen|colocan|tienen|ofrecen|realizan|sacan|quitan|calzan|curan|trabajan con|cuentan (?:ustedes )?con|disponen (?:ustedes )?de|brindan|manejan|se hacen|arreglan|reparan`

// What is asked about what the clinic offers, in plain words.
var (
	// asksForAll: which services there are.
	asksForAll = regexp.MustCompile(`^(?:hola |buenas |y |oye )*(?:que|cuales) (?:mas |cosas |otras cosas |otra cosa |tipo de cosas |servicios |tratamientos )?(?:es lo que |son las cosas que |son los (?:servicios|tratamientos) que )?(?:hacen|ofrecen|manejan|realizan|tratan)(?: (?:ustedes|ahi|alli|alla|aca|aqui|en la clinica|en el consultorio|mas))*$|^(?:y )?a que se dedican(?: (?:ustedes|ahi|alli|alla|aca))?$`)
	// asksWhether: does the clinic do it?
	asksWhether = regexp.MustCompile(`\b(?:` + offers + `|operan)\b|\b(?:pueden|podrian) (?:poner|hacer|colocar|sacar|arreglar)`)
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
		return e.treatments.children(s)
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
	if of != "" && len(e.clinic.Team) > 0 && (who || asksForSpecialist(text, e.clinic.Team)) && e.treatments.beside(q.list) == 0 {
		s.Service, _ = e.clinic.Service(of)
		return answer{Name: "doctores", Topic: "doctores", Answered: true, Sources: []string{"clinic/team", "service/" + of}}, true
	}
	if slug == "" || saysHow.MatchString(text) {
		return answer{}, false
	}
	_, has := e.clinic.Service(slug)
	if named := has && len(q.list) <= 2 && !asksWhether.MatchString(text); (named || asksWhat.MatchString(text)) && e.treatments.beside(q.list) == 0 {
		return e.treatments.whatItIs(slug, q.english), true
	}
	return answer{}, false
}

var (
	// beginsAsking is how a question begins whether something is done.
	beginsAsking = regexp.MustCompile(`^(?:hola |buenas |y |si |ustedes |aqui |ahi |alli |alla )*(?:` + offers + `)\b`)
	// startsSurely is how an answer begins that says yes or no, or what depends, by itself.
	startsSurely = regexp.MustCompile(`^(?:si|no|depende|claro|hay|ambos|todos?)\b`)
)

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

// asking are words by which a service is asked for, and not what of it.
var asking = words.Set("ve ven explicas explica explicame explican explicar explicarme expliqueme sirve sirven hablame hableme hablas hablan cuentas cuentan cuentame cuenteme detalles quien hace hacen pone ponen coloca colocan saca sacan sacar quitan trata tratan realiza atiende opera encarga especialista especialistas algun alguna persona doctor doctora dentista adultos porfavor please acerca vaina dan das info frenillos oral bucal dientes diente muela muelas calzan poner arreglar me")
