package assistant

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"bitacora/domain/clinic"
)

// priced is what a service costs, or each does, where the clinic tells it.
func (e *Embedded) priced(q asked, slug string, b before, s *textData) (answer, bool) {
	if q.m.Intent != "precio" || len(e.clinic.Prices) == 0 {
		return answer{}, false
	}
	look := asksForLook.MatchString(plain(q.list)) && e.clinic.Consultation != nil
	of := slug
	if look && slug == checkupCare {
		of = ""
	}
	s.priced = e.names.pricesIn(q.list, of)
	if look && of == "" && len(s.priced) == 0 {
		return answer{Name: "precio", Topic: "precios", Answered: true, Sources: []string{"clinic/prices"}}, true
	}
	if one := e.library.find(q.text, slug).answer; slug == "" && len(s.priced) == 0 && one.Aspect == "costo" && one.Service == "" && !e.followsUp(q.list, b) {
		return answer{}, false // of a look, or of no treatment
	}
	if slug == "" && len(s.priced) == 0 && e.followsUp(q.list, b) {
		slug = b.service
		s.priced = e.names.pricesIn(nil, slug)
	}
	if slug == "" && len(s.priced) == 0 {
		return answer{Name: "precios", Topic: "precios", Answered: true, Sources: []string{"clinic/prices"}}, true
	}
	if len(s.priced) == 0 {
		return answer{}, false
	}
	s.Service, _ = e.clinic.Service(slug)
	s.Look = look
	said := answer{Name: "precio-dicho", Topic: "precios", Answered: true, Sources: []string{"clinic/prices"}}
	if s.Service.Slug != "" {
		said.Sources = append(said.Sources, "service/"+slug)
	}
	return said, true
}

// checkupCare is the service that a checkup belongs to.
const checkupCare = "odontologia-general"

// pricesIn are the slugs of the prices that a text asks for: by the service that it names and by their
// own names, else by words of the same meaning, else those that belong to the service.
func (n *names) pricesIn(list []string, slug string) []string {
	var found, alike, near []string
	for _, one := range n.prices {
		switch {
		case one.name == slug || one.words.MatchString(plain(list)):
			found = append(found, one.name)
		case slices.ContainsFunc(one.own, func(w string) bool { return n.lexicon.Same(w, list) }):
			alike = append(alike, one.name)
		case slug != "" && n.answers.service(n.answers.stems(one.name)) == slug:
			near = append(near, one.name)
		}
	}
	for _, some := range [][]string{found, alike} {
		if len(some) > 0 {
			return some
		}
	}
	return near
}

// asksHours says whether an answer is about the hours of the week, or of a day that the clinic's
// exceptions make certain.
func (n *names) asksHours(q asked, one answer, s *textData) bool {
	if s.at.IsZero() {
		return false
	}
	return one.Name == hoursTopic || one.Name == "feriados" && len(s.Exceptions) > 0 && n.namesDay(q, s)
}

// Price is what the services cost that were asked about: "Endodoncia: desde $250"; empty if the clinic
// does not tell it.
func (s textData) Price() string {
	texts := make([]string, len(s.priced))
	for i, slug := range s.priced {
		title := strings.ToUpper(slug[:1]) + strings.ReplaceAll(slug[1:], "-", " ")
		if service, has := s.Clinic.Service(slug); has {
			title = service.Title
		}
		texts[i] = title + ": " + s.Prices[slug].String()
	}
	return strings.Join(texts, "; ")
}

// OneOf are the names of a list that were asked for, in words.
func (s textData) OneOf() string { return clinic.List(s.Listed) }

// DayReason says why the day that was asked about has other hours; empty for no reason.
func (s textData) DayReason() string {
	for _, e := range s.Exceptions {
		if e.Date == s.day.Format(time.DateOnly) {
			return e.Name
		}
	}
	return ""
}

// hoursOfUrgencies says when urgencies are seen, or that nobody has told whether they are.
const hoursOfUrgencies = "horario-urgencias"

// tellsFact makes an answer of the program one that is answered, or one that is not, by whether the
// clinic tells the fact that it is about.
func (a answer) tellsFact(c clinic.Clinic) answer {
	if a.Name == hoursOfUrgencies && !seesUrgencies(c) {
		a.Answered, a.Open = false, true
	}
	if a.Fact != "" && c.Says(a.Fact) != "" {
		a.Answered, a.Open, a.Sources = true, false, []string{"clinic/" + a.Fact}
	}
	return a
}

// listed is what the clinic's file lists, where a question asks for a name that is in the list or not.
func (e *Embedded) listed(q asked, s *textData) (answer, bool) {
	said, intent := plain(q.list), q.m.Intent
	if !slices.Contains(facts, intent) && q.found.likely >= likelyEnough {
		intent = e.library.factOf(q.found)
	}
	one, known := e.answers.find(intent, nil)
	if doctors := in(e.names.doctors, said); len(doctors) > 0 && asksOfDoctor.MatchString(said) && !slices.Contains(limits, intent) {
		s.Listed = doctors
		return answer{Name: "doctor", Topic: "doctores", Answered: true, Sources: []string{"clinic/doctors"}}, true
	}
	switch {
	case !known:
	case intent == "seguro" && len(e.clinic.Insurers) > 0:
		s.Uninsured = insuresNothing.MatchString(said)
		s.Listed = in(e.names.insurers, said)
		s.Unlisted = len(s.Listed) == 0 && (e.names.otherInsurers.MatchString(said) || e.library.namesStranger(q.list, e.usual))
		return one, s.Uninsured || s.Unlisted || len(s.Listed) > 0
	case intent == "pago" && len(e.clinic.Payment.Methods) > 0:
		s.Listed = in(e.names.payments, said)
		s.Unlisted = len(s.Listed) == 0 && e.names.otherPayments.MatchString(said)
		return one, s.Unlisted || len(s.Listed) > 0
	}
	return answer{}, false
}

// namesStranger says that a text has a word that nobody has asked for: a name.
func (l *library) namesStranger(list []string, usual func(string) bool) bool {
	return slices.ContainsFunc(l.lexicon.Telling(list), func(w string) bool {
		return len(w) > 2 && !l.index.Speaks(w) && !usual(w) && !l.language.Everyday(w)
	})
}

// asksOfDoctor: is somebody there, and when?
var asksOfDoctor = regexp.MustCompile(`\b(?:dr|dra|doctora?|atiende|trabaja|trabajando|viene|esta|dias|horario|hace|doctor)\b`)

// Named are those of the team who were asked for, with their days where they are known.
func (s textData) Named() string {
	var named []string
	for _, d := range s.Doctors {
		if slices.Contains(s.Listed, d.Name) {
			named = append(named, d.WithDays())
		}
	}
	return strings.Join(named, "; ")
}

// absent says of what no dental clinic offers that it is not offered.
func (e *Embedded) absent(q asked, slug string) (answer, bool) {
	said := plain(q.list)
	if slices.Contains(settled, q.m.Intent) {
		return answer{}, false
	}
	does := performs.FindStringSubmatch(said)
	if ofAnimals.MatchString(said) && treats.MatchString(said) {
		return e.treatments.offers(""), true
	}
	if e.names.otherCare.MatchString(said) && asksForCare.MatchString(said) && !ofMouth.MatchString(said) || slug == "" && does != nil && e.library.namesStranger(strings.Fields(does[1]), e.usual) {
		return e.treatments.offers(""), true
	}
	return answer{}, false
}

// ofMouth: a treatment that a dental clinic may offer after all.
var ofMouth = regexp.MustCompile(`\b(?:dental|dentales|dientes?|muelas?|boca|encias?|limpieza|odont\w+|tooth|teeth)\b`)

// ofAnimals and treats: is a pet a patient here? Whether it may come along is another question.
var (
	ofAnimals = regexp.MustCompile(`\b(?:a|para|de|mi|mis|un|una|your|my|to|for) (?:el |la |los |las |mi |mis )?(?:perr|gat|mascota|cachorr|conej)\w*\b|\b(?:dogs?|cats?|pupp(?:y|ies)) (?:clean|teeth|tooth)`)
	treats    = regexp.MustCompile(`\b(?:hacen|limpian|atienden|tratan|vacunan|operan|sacan|curan|revisan|le huele|le duele|clean|treat)\b`)
)

// ofOtherMedicine: an appointment with a doctor who is no dentist.
var ofOtherMedicine = regexp.MustCompile(`\b(?:con|para|de|with|see) (?:(?:el|la|un|una|algun|a|an|the) )?(?:(?:cardi|ginec|dermat|oftalm|psic|neur|ur|traumat|otorrinolaring|gastroenter|endocrin|reumat|onc)(?:olog[oa]s?|ologia|ologist)|pediatra|psiquiatra|ortopeda|nutricionista|optometrista|veterinari[oa]|medico general|psychologist|pediatrician|gynecologist|eye doctor|vet)\b`)

// performs: is a treatment done, and which?
var performs = regexp.MustCompile(`^(?:hola |buenas |y |ustedes |aqui |ahi |alli |alla |tambien )*(?:hacen|realizan|practican|aplican|ponen|colocan)(?: ustedes| ahi| alli| aqui| tambien)* (\w+(?: \w+)?)$`)

// asksForCare: is it done, sold or given here?
var asksForCare = regexp.MustCompile(asksWhether.String() + "|" + wants.String() + "|" + asksPrice.String() +
	`|\b(?:venden|vacunan|cortan|depilan|tatuan|dan|aplican|practican|inyectan|do you|can you|can i get)\b`)
