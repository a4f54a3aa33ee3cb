package assistant

import (
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"bitacora/adapters/assistant/retrieval"
	"bitacora/adapters/assistant/words"
	"bitacora/domain/clinic"
	"bitacora/domain/timex"
)

// names are the words by which visitors name what a clinic's file lists, and what other clinics have.
type names struct {
	// insurers, payments, doctors, days and prices, by slug, are those of the file.
	insurers, payments, doctors, days, prices []called
	// otherInsurers and otherPayments are well-known ones, otherCare is what no dental clinic offers.
	otherInsurers, otherPayments, otherCare *regexp.Regexp
	// holidays are days that the calendar of a country decides.
	holidays *regexp.Regexp
	// facts are the intents of the words by which a fact is asked for without more, besideFacts what may stand beside them.
	facts       map[string]string
	besideFacts map[string]bool
	// lexicon and answers decide which price a text asks for in other words.
	lexicon retrieval.Lexicon
	answers *answers
}

// called is a name, how it is found in plain words, and the words that are its own.
type called struct {
	name  string
	words *regexp.Regexp
	own   []string
}

func loadNames(files fs.FS, a retrieval.Analyzer, of *answers, c clinic.Clinic) (*names, error) {
	var known struct {
		Insurers, Payments, Care, Common, BesideFacts, Holidays []string
		Facts                                                   map[string][]string
	}
	if err := words.ReadJSON(files, "names.json", &known); err != nil {
		return nil, err
	}
	common := words.Set(strings.Join(known.Common, " "))
	// told lists a name, which is said whole or by each word that is its own.
	told := func(to *[]called, name string) {
		list := a.Language.Words(name)
		own := slices.DeleteFunc(a.Lexicon.Telling(list), func(w string) bool { return len(w) < 4 || common[w] || a.Language.Everyday(w) })
		*to = append(*to, called{name, anyOf(append(own, plain(list))), own})
	}
	n := &names{
		otherInsurers: anyOf(known.Insurers), otherPayments: anyOf(known.Payments), otherCare: anyOf(known.Care), holidays: anyOf(known.Holidays),
		lexicon: a.Lexicon, answers: of, facts: map[string]string{}, besideFacts: words.Set(strings.Join(known.BesideFacts, " ")),
	}
	for intent, list := range known.Facts {
		for _, w := range list {
			n.facts[w] = intent
		}
	}
	for _, name := range c.Insurers {
		told(&n.insurers, name)
	}
	for _, name := range c.Payment.Methods {
		told(&n.payments, name)
	}
	for _, d := range c.Doctors {
		told(&n.doctors, d.Name)
	}
	for _, e := range c.Exceptions {
		told(&n.days, e.Name)
	}
	for _, slug := range slices.Sorted(maps.Keys(c.Prices)) {
		told(&n.prices, slug)
	}
	return n, nil
}

// anyOf finds any of some phrases in plain words; an empty one is none.
func anyOf(phrases []string) *regexp.Regexp {
	quoted := make([]string, 0, len(phrases))
	for _, p := range phrases {
		if p != "" {
			quoted = append(quoted, regexp.QuoteMeta(p))
		}
	}
	if len(quoted) == 0 {
		return nothing
	}
	return regexp.MustCompile(`\b(?:` + strings.Join(quoted, "|") + `)\b`)
}

var nothing = regexp.MustCompile(`[^\s\S]`)

// in are the names of a list that a text in plain words says.
func in(list []called, text string) []string {
	var found []string
	for _, one := range list {
		if one.words.MatchString(text) && !slices.Contains(found, one.name) {
			found = append(found, one.name)
		}
	}
	return found
}

// What is asked about a fact, in plain words.
var (
	// asksPrice: what does it cost?
	asksPrice = regexp.MustCompile(`\b(?:precios?|costos?|costes?|valor|valores|tarifas?|tarifario|aranceles?|honorarios|importe|cotiz\w+|car[oa]s?|expensive|cuestan?|costaria|costarian|costar|cobran?|cobrais|cobraria|cobrarian|cobras)\b|\b(?:desde )?cuanto (?:me |te |nos |le )?(?:sale|salen|saldria|saldrian|va a salir|es|seria|son|piden|arrancan|clavan|toca|vale|valen|valdria|hay que pagar|se paga|pago|pagaria|empieza|(?:por|x) (?:un|una|la|el|los|las))\b|\bque (?:sale|vale)\b|\bde cuanto (?:estamos|estariamos|hablamos|seria|es)\b|\ba (?:cuanto|como|que precio) (?:esta|estan|teneis|tienen|tenes|sale|salen|es|dejan|el|la|los|las)\b|\bcuant[oa]s? (?:plata|dinero|lana|varo|guita|pasta|lucas)\b|\bhow much\b|\b(?:prices?|pricing|costs?|fees?|charges?|quote)\b`)
	// face is what else than dear "cara" stands for.
	face = regexp.MustCompile(`\b(?:la|mi|su|tu|media|toda la|de|en|una) cara\b`)
	// namesPrice: in a word, and so without the treatment of before.
	namesPrice = regexp.MustCompile(`\b(?:precios?|costos?|costes?|price|cost|cuesta|vale|sale)\b`)
	// surelyPrice: in a word that stands for nothing else, whatever time is told beside it.
	surelyPrice = regexp.MustCompile(`\b(?:precios?|costos?|costes?|cuestan?|cobran?|cobrais|tarifas?|aranceles?|how much|prices?|costs?|fees?|charges?)\b`)
	// asksPriceList: all prices.
	asksPriceList = regexp.MustCompile(`\b(?:tarifario|lista de precios|listado de precios|tarifas|aranceles|price list)\b`)
	// asksHowLong: time rather than money.
	asksHowLong = regexp.MustCompile(`\b(?:cada cuanto|tiempo|dura|duran|duracion|demora|demoran|tarda|tardan|anos|semanas|dias|horas|sesiones|visitas|how long)\b`)
	// asksOtherMoney: about money, and no price.
	asksOtherMoney = regexp.MustCompile(`\b(?:cuotas?|meses|plazos?|financ\w+|credito|descuentos?|promo\w*|ofertas?|multas?|recargo|cancel\w+|adelanto|por escrito|por que|discount\w*|instal\w+|why|estacion\w+|parqueo|parking)\b`)
	// isFree: does a first look cost anything?
	isFree = regexp.MustCompile(`\b(?:cobran?|cobrais|cobrarian?|fee|charge|gratis|gratuit[ao]s?|sin costo|se paga|hay que pagar|pagar|free)\b`)
	// asksForLook: a first visit, in the place of a treatment.
	asksForLook = regexp.MustCompile(`\b(?:consultas?|primera (?:visita|cita|vez)|evaluacion|valoracion|revision|chequeo|diagnostico|reconocimiento|exploracion|(?:mirar|ver|revisar|examinar|evaluar)(?:me|la|lo|le|nos)|presupuesto|checked(?: out)?|evaluen|mirada|que me (?:vea|vean|mire|miren|revise|revisen)|checkup|check up|consultation|first (?:visit|appointment)|examination)\b`)
	// asksOpening: when is it open?
	asksOpening = regexp.MustCompile(`\b(?:horarios?|abren|abre|abris|atendeis|trabajais|cerrais|estais|work (?:on )?(?:the )?(?:weekends?|saturdays?|sundays?)|abriran|abierto|abiertos|abierta|atienden|atiende|atenderan|atencion|laboran|trabajan|cierran|cierra|cerrado|cerrados|(?:are|is|will|do|what time) .*(?:open|opened|closed?))\b`)
	// namesDays: any day of the week of that name.
	namesDays = regexp.MustCompile(`\blos (?:lunes|martes|miercoles|jueves|viernes|sabados?|domingos?)\b`)
	// asksHoursInEnglish: «whats ur schedule».
	asksHoursInEnglish = regexp.MustCompile(`\b(?:your|ur|clinic) (?:schedule|hours|opening hours|opening times|timings?)|\bwhat are the (?:opening )?hours\b|\b(?:opening|business|office|working) hours\b|\bwhat time do (?:you|u|ya) (?:guys )?(?:open|close)\b`)
	// asksPhone: which number is to be called?
	asksPhone = regexp.MustCompile(`\b(?:a |al )?(?:que|cual) (?:numero|telefono|fono) (?:hay que |se |puedo |debo |tengo que |os |los |les |le |te )*(?:llam\w+|marc\w+|contact\w+|escrib\w+)|\b(?:un|el|su|vuestro|algun|tu) (?:numero (?:de telefono|para llamar\w*)|telefono (?:fijo|de contacto|para llamar\w*))\b|\b(?:what|which) number (?:do|can|should) i (?:call|dial|ring)\b`)
	// nearDays are days from now, where they are no morning.
	nearDays = regexp.MustCompile(`\b(?:hoy|manana|today|tomorrow)\b`)
	// asksTeam: who works here?
	asksTeam = regexp.MustCompile(`\b(?:que|cual(?:es)?|quien(?:es)?) (?:son |es )?(?:el |los |las |sus |su )?(?:doctor\w*|dentistas?|especialistas?|profesionales|odontolog\w+|equipo|personal)\b(?: \w+)? ?(?:trabajan|atienden|integran?|conforman?|componen?|tienen|hay|forman|laboran|$)`)
	// namesClock: a time of day.
	namesClock = regexp.MustCompile(`\ba las? (?:\d{1,2}|una|dos|tres|cuatro|cinco|seis|siete|ocho)\b|\b\d{1,2} ?(?:am|pm)\b`)
	// comes: may one come then?
	comes = regexp.MustCompile(`\b(?:puedo|se puede|podria) (?:ir|pasar|acercarme)\b|\bhay (?:alguien|atencion|servicio|consulta)\b|\best(?:an|ais)\b`)
	// arranges: an appointment rather than a fact.
	arranges = regexp.MustCompile(`\b(?:citas?|turnos?|hora para|reserv\w+|agend\w+|apart\w+|cupos?|espacios?|disponib\w+|quiero|quisiera|necesito|appointments?|book|slots?|anything|something|available|see (?:me|us|my \w+))\b`)
	// wantsToKnow is no wish for an appointment.
	wantsToKnow = regexp.MustCompile(`\b(?:(?:quiero|quisiera|queria|necesito|deseo|desearia|me gustaria) )?(?:saber|consultar(?:les?)?|preguntar(?:les?)?) si\b|\b(?:quiero|quisiera|queria|necesito|deseo|desearia) saber\b`)
	// ofDoctors: the days of somebody, and not of the clinic.
	ofDoctors = regexp.MustCompile(`\b(?:dr|dra|doctor|doctora|doctores|dentista|especialista|cirujan[oa]|\w+doncistas?|\w+ologos?|\w+ologas?|odontopediatra|higienista)\b`)
	// pays: a means of payment is spoken of.
	pays = regexp.MustCompile(`\b(?:pag\w+|acept\w+|admit\w+|recib\w+|tom[ae]n|cog[ei]\w*|cobran|abon\w+|deposit\w+|pay\w*|accept\w*|take)\b`)
	// insures: an insurance is spoken of.
	insures = regexp.MustCompile(`\b(?:acept\w+|admit\w+|recib\w+|tom[ae]n|cog[ei]\w*|agarran|trabaj\w+|atiend\w+|atend\w+|conveni\w+|cubr\w+|cobertura|afiliad\w+|asegurad\w+|poliza|seguros?|aseguradoras?|tengo|tiene|sirve|valen?|accept\w*|take|cover\w*|insurance)\b`)
	// insuresNothing: somebody has no insurance.
	insuresNothing = regexp.MustCompile(`\b(?:no tengo|no tenemos|no cuento con|sin|no uso|ningun) (?:ningun |ninguna |un |una )?(?:seguro|poliza|aseguradora|prevision|obra social|prepaga|mutua|mutualista|isapre|eps)\b|\bparticular(?:es)?\b|\b(?:no|without|dont have(?: any)?) insurance\b`)
	// asksOtherPaper: about an insurance, and not whether it is taken.
	asksOtherPaper = regexp.MustCompile(`\b(?:facturas?|recibo|reembolso|comprobante|informe|certificado|constancia|reimburse\w*|receipt)\b`)
	// namesDate: a day of the year.
	namesDate = regexp.MustCompile(`\bel (?:dia )?\d{1,2}\b|\b\d{1,2} (?:de )?(?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|setiembre|octubre|noviembre|diciembre)\b|\b(?:january|february|march|april|may|june|july|august|september|october|november|december) \d{1,2}|\b\d{1,2}(?:st|nd|rd|th)?(?: of)? (?:january|february|march|april|may|june|july|august|september|october|november|december)\b|\b(?:navidad|nochebuena|noche buena|nochevieja|ano nuevo|christmas)\b|` + namesClock.String() + `|\bmediodia\b|\balmuerzo\b|\bjornada continua\b`)
)

// intent is what a text surely asks for by what it names, where it may name a service; empty where it
// names nothing of the kind.
func (n *names) intent(text string, list []string, service string) string {
	said, short := face.ReplaceAllString(plain(list), "rostro"), len(list) <= fewWords
	asks := short || question.MatchString(text)
	written := said
	day := func() bool {
		return timex.NamesWeekday(text) || namesNear(text, written) || namesDate.MatchString(written) || n.holidays.MatchString(written)
	}
	if strings.Contains(text, "$") {
		said += " precio"
	}
	if intent := n.bareFact(list); intent != "" {
		return intent
	}
	fact := service != "" || len(in(n.prices, said)) > 0
	switch {
	case asksOtherPaper.MatchString(said):
		return ""
	case (short || insures.MatchString(said)) && (len(in(n.insurers, said)) > 0 || n.otherInsurers.MatchString(said)), insuresNothing.MatchString(said):
		return "seguro"
	case asksOtherMoney.MatchString(said):
		return ""
	case !fact && (short || asks && pays.MatchString(said)) && !asksForLook.MatchString(said) && (len(in(n.payments, said)) > 0 || n.otherPayments.MatchString(said)):
		return "pago"
	case asksPrice.MatchString(said) && (surelyPrice.MatchString(said) || !asksHowLong.MatchString(said)) && (fact || len(list) <= fewWords || namesPrice.MatchString(said) && len(list) < longestFollowUp || asksForLook.MatchString(said)),
		asksPriceList.MatchString(said), asksForLook.MatchString(said) && isFree.MatchString(said) && !fact:
		return "precio"
	case asksPhone.MatchString(said) && !strings.ContainsAny(text, "0123456789"):
		return "telefono"
	case service == "" && asksTeam.MatchString(said):
		return "doctores"
	case asksHoursInEnglish.MatchString(said):
		return hoursTopic
	case asks && !ofDoctors.MatchString(said) && !arranges.MatchString(wantsToKnow.ReplaceAllString(said, "")) &&
		(service == "" && (asksOpening.MatchString(said) && day() || namesDays.MatchString(said) && (len(list) <= fewWords+1 || comes.MatchString(said))) || len(in(n.days, said)) > 0):
		return hoursTopic
	}
	return ""
}

// namesNear says that a text, and its plain words, name today, tomorrow or the day after.
func namesNear(text, said string) bool {
	if !nearDays.MatchString(said) {
		return false
	}
	_, ok := timex.Day(text, time.Unix(0, 0))
	return ok
}

// bareFact is the intent of a text that is hardly more than the word for a fact: "su dirección, por favor".
func (n *names) bareFact(list []string) string {
	intent := ""
	for _, w := range list {
		of, is := n.facts[w]
		switch {
		case is && (intent == "" || intent == of):
			intent = of
		case is || !n.besideFacts[w]:
			return ""
		}
	}
	return intent
}

// day is the day that a text names, by its date or by the name of an exception; several says that the
// exception lasts longer.
func (n *names) day(q asked, exceptions []clinic.Exception, at time.Time) (day time.Time, several, ok bool) {
	if called := in(n.days, plain(q.list)); len(called) > 0 && !strings.ContainsAny(q.text, "0123456789") {
		for _, e := range exceptions {
			if first, err := time.ParseInLocation(time.DateOnly, e.Date, at.Location()); err == nil && e.Name == called[0] {
				if ok {
					return day, true, true
				}
				day, ok = first, true
			}
		}
	}
	if !ok {
		day, ok = timex.Day(q.text, at)
	}
	return day, false, ok
}

// hoursText chooses between the hours of the moment, of a day and of the week.
func (n *names) hoursText(q asked, s *textData) string {
	now := asksAboutNow(q.list) && !namesClock.MatchString(plain(q.list))
	day, several, ok := n.day(q, s.Exceptions, s.at)
	if ok {
		s.day = day
	}
	switch {
	case several:
		return "feriados"
	case ok && !(s.DayIsToday() && now):
		return "horario-dia"
	case !ok && len(s.Exceptions) > 0 && n.holidays.MatchString(plain(q.list)):
		return "feriados"
	case now:
		return "horario-ahora"
	}
	return "horario"
}

// onlyWeekday says that a question about opening names a day of the week, and neither a holiday nor somebody whose days
// they are.
func (n *names) onlyWeekday(q asked) bool {
	said := plain(q.list)
	return timex.NamesWeekday(q.text) && !ofDoctors.MatchString(said) && !n.holidays.MatchString(said)
}

// namesDay says whether a question is about one day, or this moment.
func (n *names) namesDay(q asked, s *textData) bool {
	_, _, day := n.day(q, s.Exceptions, s.at)
	return day || asksAboutNow(q.list)
}
