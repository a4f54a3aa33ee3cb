package details

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Words of which a plain answer is made: nothing in them adds a wish, a doubt or a condition.
const (
	agreeing = `si+p?|claro(?: que si)?|dale(?: pues)?|ok(?:ay|ey|i|is)?|vale|correct[oa]|(?:estoy )?de acuerdo|acepto|perfect[oa]|por supuesto|(?:todo )?(?:esta |ta |va )?(?:muy )?(?:bien|perfecto|correcto)|` +
		`yes|yep|yeah|yup|sure|right|great|fine|i agree|i accept|i do|agreed|absolutely|of course|(?:that is|that s|thats|it is|its|it s|sounds) (?:fine|ok|okay|good|great|right|correct|perfect)|autorizo|go ahead|book it|do it|please do|confirm|listo|aja|asi (?:es|esta bien)|eso es|exact[oa](?:mente)?|obvio|(?:si )?me (?:parece|sirve|queda)(?: bien| perfecto)?|como no|` +
		noMatter + `|adelante|va|(?:va )?que va|sale(?: y vale)?|segur[oa]|de una(?: vez)?|genial|excelente|buenisimo|chevere|` +
		more + `|confirm(?:o|ado|ada|ar|a|e|ala|ela|alo|arla|amela|ame|eme|en|enla)|(?:agend|reserv|anot|apunt|apart)(?:ala|ela|ame|amela|eme|emela|arla|alo|elo|a|e)|hag(?:ale|ala|alo)|hazl[ao]|proced[ae]|(?:la |lo )?(?:quiero|deseo|acepto|confirmo|tomo)`
	// noMatter are the noes that are a yes, more what people of the regions say for one.
	noMatter = `no (?:hay|tengo|veo|le veo) (?:ningun |algun )?(?:problema|inconveniente|lio)|no me molesta|(?:ningun|sin(?: ningun)?) (?:problema|inconveniente|lio)|no (?:problem|worries)`
	more     = `obvi(?:o|amente)(?: que si)?|(?:seguro|por supuesto) que si|venga|orale|andale|si(?:mon|pi|po)|afirmativo|positivo|(?:estoy )?conforme|eso mismo|(?:asi )?quedamos(?: asi)?|(?:asi |esa )?queda(?: bien| perfecto| asi)?|asi lo dejamos|` +
		`(?:todo|los datos|todos los datos|esa|ese) (?:en orden|estan? (?:bien|correct[oa]s?)|correct[oa]s?|ok|bien)|(?:es|esta) correcto|correctisim[oa]|super|de lujo|cuente conmigo|faltaba mas|por mi (?:esta bien|si|encantad[oa])|` +
		`(?:confirm|reserv|agend)(?:o|en) (?:la|mi) (?:cita|hora|reserva)|proced[ae] con la reserva|(?:si )?que si|fine by me|that works|works(?: for me)?|all good|sure thing|perfect|lock it in|you (?:can|may)(?: use (?:them|it))?|` +
		`doy (?:mi )?(?:permiso|autorizacion|consentimiento)|(?:los |las )?autorizo|(?:pueden?|puedes) usarl[oa]s|usenl[oa]s`
	// agreed are those of them that need no other to be a yes.
	agreed = more + `|` + noMatter + `|bueno (?:pues|ya|esta bien|dale)|ya(?: pues| po| confirma)?|de una(?: vez)?|okis|genial|excelente|buenisimo|(?:la|lo) (?:quiero|deseo|tomo|acepto|confirmo)|quiero es[ae]|me (?:sirve|queda)(?: bien| perfecto)?|todo (?:esta )?(?:bien|perfecto|correcto)|eso es|segura|` +
		`(?:agend|reserv|confirm|anot|apunt|apart)(?:ala|ela|ame|amela|emela|eme|arla|enla|a|e)|please confirm|hazl[ao]|haga?la`
	polite    = `ah+|oye|oiga|(?:mira|mire|fijese)(?: usted)?|a ver|digamos que|por dios|disculp[ae]|con todo respeto|ya (?:te|le) (?:lo )?dije(?: que)?|eh+|m+|este|uy|por favor|porfa|porfis|xfa|gracias|muchas gracias|mil gracias|please|thanks|thank you|senor(?:a|ita)?|doctor(?:a)?|joven|mi amor|amig[oa]|entonces|pues|bueno|ya|asi|hola|con gusto|(?:que )?dios (?:la|lo|le|te|los) bendiga|nomas|mija?|mi reina|po|muy amable|por su ayuda|(?:la|los|lo) lei|leido|see you(?: then| there| tomorrow)?|(?:ahi|alla|alli) (?:estare|estaremos|nos vemos|llego|voy)|(?:alla )?nos vemos(?: ahi| alla)?|alla (?:estare|estaremos)`
	arranging = `(?:la|mi|esa|esta) (?:misma )?(?:cita|hora|reserva)|a esa hora|es[ae] mism[ao]|esa|es[ao]|est[ao]|ese (?:dia|horario)|la hora|cita|it`
	dayNames  = `lunes|martes|miercoles|jueves|viernes|sabados?|domingos?`
	hourWords = `una|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce`
	// aDay names a day, an hour or both once: whether they are those that were asked about has to
	// be seen from what is read of them.
	aDay   = `(?:(?:para )?(?:el )?(?:` + dayNames + `)(?: \d{1,2})?(?: de [a-z]+)?|(?:para )?el \d{1,2}(?: de [a-z]+)?|(?:para )?(?:hoy|manana|pasado manana|today|tomorrow))`
	anHour = `a las? (?:\d{1,2}|` + hourWords + `)(?::\d\d)?(?: ?(?:am|pm|a\.? ?m\.?|p\.? ?m\.?|de la manana|de la tarde))?`

	giving = `(?:cancel|anul|borr|elimin)(?:a|al[ao]|arl?[ao]?|e|el[ao]|en|enl[ao]|[ae]m(?:e|el[ao])|o)|quit(?:[ae]l[ao]|enl[ao]|arl[ao]|[ae]m(?:e|el[ao]))|cancel it|` +
		`(?:ya )?no (?:la|lo) (?:quiero|necesito|deseo|voy a (?:usar|necesitar))(?: mas| ya)?|ya no (?:quiero|necesito|deseo) (?:la|mi|esa|esta) (?:cita|hora|reserva)`
)

var (
	plainYes    = regexp.MustCompile(`^(?:(?:` + agreeing + `|` + polite + `|` + arranging + `) )+$`)
	timedYes    = regexp.MustCompile(`^(?:(?:` + agreeing + `|` + polite + `|` + arranging + `) )+(?:` + aDay + ` )?(?:` + anHour + ` )?(?:(?:` + agreeing + `|` + polite + `) )*$|^(?:(?:` + agreed + `) )+(?:` + aDay + ` )?(?:` + anHour + ` )?$`)
	plainCancel = regexp.MustCompile(`^(?:(?:si+|yes|yeah|sure|ok|okey|okay|claro(?: que si)?|dale|correcto|de acuerdo|esta bien|perfecto|listo|confirmo|mejor|cambie de (?:opinion|idea|planes)|quiero|quisiera|deseo|puedes|puede|pueden|` + polite + `) )*(?:` + giving + `)` +
		`(?: (?:` + giving + `|(?:la|mi|esa|esta) (?:cita|hora|reserva|consulta)|cita|es[ao]|est[ao]|de una(?: vez)?|si|ok|` + polite + `))* $`)
	wholeYes = regexp.MustCompile(`^(?:(?:` + polite + `) )*(?:` + agreed + `) (?:(?:` + agreeing + `|` + polite + `|` + arranging + `) )*$`)
	givesUp  = regexp.MustCompile(`\b(?:cancel|anul|borr|elimin)[a-z]*\b`)
	unspoken = regexp.MustCompile(`[^a-z0-9ñ: ]+`)
)

// spoken are the words of a text and nothing else, with a space behind each; empty for a question.
func spoken(text string) string {
	if strings.ContainsAny(text, "?¿") {
		return ""
	}
	return strings.Join(strings.Fields(unspoken.ReplaceAllString(plainText(text), " ")), " ") + " "
}

// PlainYes says that a text is a yes and nothing else. Timed says that a day or an hour may be
// named with it, for whoever reads them to compare.
func PlainYes(text string, timed bool) bool {
	words := spoken(text)
	if strings.ContainsAny(text, "?¿") || ReadAnswer(text) != 1 && !wholeYes.MatchString(words) {
		return false
	}
	return strings.TrimSpace(words) == "" || plainYes.MatchString(words) || timed && timedYes.MatchString(words)
}

// GivesUp says that a text speaks of giving an appointment up.
func GivesUp(text string) bool { return givesUp.MatchString(plainText(text)) }

// PlainCancel says that a text asks to give an appointment up and for nothing else: "cancélala",
// "sí, cancélala por favor", "ya no la quiero".
func PlainCancel(text string) bool { return plainCancel.MatchString(spoken(text)) }

const (
	relative = `(?:hij|hijit|espos|herman|hermanit|abuel|abuelit|ti|sobrin|sobrinit|prim|primit|niet|nietit|nietecit|suegr|cunad|novi|amig|amiguit|nin|ninit|nen|bebit|vecin|ahijad|companer|jef|patron|emplead|chic|bebecit|gemel|melliz|trilliz)[oa]s?|jefe|nenes?|marido|mujer|senora?|mama|mami|madre|papa|papi|padre|pareja|familiar(?:es)?|familia|bebes?|yerno|nuera|padrastro|madrastra|hijastr[oa]|compadre|comadre|conyuge|` +
		`husband|wife|sons?|daughters?|twins|triplets|boys?|girls?|kids?|child(?:ren)?|mother|mom|father|dad|brother|sister|friend|boyfriend|girlfriend|partner`
	offspring = `(?:nin|hij|hijit|niet|nietecit|sobrin|nen)[oae]|nene|son|daughter|boy|girl|kid`
	ages      = `(?:` + oneAge + `(?:, | y | and ))*`
	oneAge    = `(?:\d{1,2}|` + hourWords + `)`
	wanting   = `quiero|queremos|quisiera|quisieramos|queria|necesito|necesitamos|ocupo|ocupamos|deseo|deseamos|desearia|busco|buscamos|me gustaria|nos gustaria`
	looked    = `vean|vieran|atiendan|atendieran|revis(?:en|aran)|chequ(?:een|earan)|examin(?:en|aran)`
	anyone    = `otra persona|otras personas|alguien (?:mas|de la familia)|un tercero|un paciente|otro paciente|ella|someone else|another person|her|him`
)

var (
	forOther   = regexp.MustCompile(`\b(?:para|pa|a|for|de|con) (?:(?:mi|mis|el|la|los|las|un|una|nuestr[oa]|su|my|our|a) (?:otr[oa] |menor )?(?:` + relative + `)|` + anyone + `)\b`)
	inNameOf   = regexp.MustCompile(`\ba nombre de (?:mi |otr[oa] )(?:` + relative + `|persona)\b`)
	isRelative = regexp.MustCompile(`^(?:` + relative + `)$`)
	theirs     = regexp.MustCompile(`\b(?:mi|mis|my) (?:` + relative + `)(?: tambien)? (?:tambien|quiere|necesita|quisiera|ocupa|quieren|necesitan|desea|needs|wants)\b`)
	// intention keeps "a mi hijo le duele" from being whom an appointment is for.
	intention = regexp.MustCompile(`\b(?:para|pa|for|cita|turno|espacio|cupo|agend[a-z]*|reserv[a-z]*|appointment|tambien|quiere|necesita|quisiera|ocupa|quieren|necesitan|desea|needs|wants)\b`)
	whose     = regexp.MustCompile(`\b(?:de|con|a) (?:mi|mis|el|la|su|un|una|my|nuestr[oa]) `)
	another   = regexp.MustCompile(`\b(?:(?:otra|una segunda|segunda|una nueva|nueva|dos|tres|varias|un par de) (?:citas?|consultas?|reservas?)|^(?:y |si |pero |entonces |ok )*(?:otr[oa]|another(?: one)?|one more) (?:para|el|la|los|las|a las?|ese|esa|este|esta|en|for|on|at)\b|(?:^|\b(?:y|ahora|falta) )(?:ahora )?(?:la|el|the) (?:del?|of) (?:otr[oa]|mi|la|el)\b|\bahora (?:la|el|una|uno|otr[oa]) (?:de|para)\b|\b(?:ahora|falta|sigue|queda) (?:la|el) (?:otr[oa]|segund[oa])(?: (?:` + relative + `|persona|paciente))?$|otro (?:turno|cupo|espacio)|citas? (?:mas$|mas para|adicional(?:es)?|extra|nueva)|otr[oa] (?:mas )?para (?:mi|el|la)\b|agend(?:a|e)me otra\b|tambien (?:un|otr)a (?:cita )?para\b|yo tambien (?:quiero|necesito|quisiera|deseo|ocupo)|una (?:cita )?mas para|(?:another|second|one more|two) appointments?)`)
	several   = regexp.MustCompile(`\b(?:mi (?:` + relative + `) y (?:para )?(?:yo|mi)|my (?:` + relative + `) and (?:for )?(?:me|myself|i)|somos (?:dos|tres|cuatro|[2-9])|mis (?:dos|tres|cuatro|[2-9]) (?:` + relative + `)|para (?:(?:los |las )?(?:dos|tres|cuatro|2|3|4)(?: personas?| pacientes?)?$|(?:dos|tres|cuatro|2|3|4|varias) (?:personas|pacientes|ninos|hijos)|ambos|mi y (?:para )?(?:mi|otra)|mis hij[oa]s|toda la familia|mi familia)|(?:dos|tres|2|3) (?:citas|cupos|turnos)|(?:para|pa|llevar a|traer a|for|bring) (?:mis |los |las |unos |unas |my |our |the )?(?:(?:dos|tres|[23]|two|three|both) (?:` + offspring + `)s|(?:gemel|melliz|trilliz)[oa]s|twins|triplets|(?:` + offspring + `)s (?:de |aged )?` + oneAge + `(?:,| y| and) ` + oneAge + `))\b`)
	newTalk   = regexp.MustCompile(`^(?:(?:quiero|abre|abrir|empezar|empieza|iniciar|inicia|comenzar|si|una|la|por favor|porfa) )*(?:(?:nueva conversacion|conversacion nueva|otra conversacion|nuevo chat|chat nuevo|otro chat|new conversation|new chat)|(?:empezar|empecemos|comenzar) (?:de nuevo|desde cero|otra vez))(?: (?:por favor|porfa|gracias))* $`)
	chooses   = regexp.MustCompile(`\b(?:mejor|en realidad|me confundi|me equivoque|prefiero|quiero|quisiera|deseo|necesito|que sea|seria|sea|cambi[a-z]*|en vez|en lugar|es (?:para|de)|era (?:para|de)|es que es|pero (?:con|de|para)|^(?:no,? )?(?:para|con|una?|de)|no,|perdon|digo|ponla|ponle|ponme|agend[a-z]*|make it|change)\b`)
	inquires  = regexp.MustCompile(`[?¿]|\b(?:duele[n]?|cuesta|cuanto|cuantos|que (?:es|incluye|tan)|como (?:es|funciona)|sirve para|hacen|tienen|ofrecen|saber|informacion|precio|dudas?)\b`)
	unwanted  = regexp.MustCompile(`(?i)\b(?:qu[eé]|tengo|con|me dan?|muchos) nervios\b|\b(?:en vez de|en lugar de|instead of|y no|(?:ya )?no quiero|ya no)\s+[^,.;]*`)
	moves     = regexp.MustCompile(`\b(?:cambi|muev|mov|pas|corr|reprogram|reagend|pospon|adelant|aplaz)(?:[ae][rn]?|[ae]r?me|enme|emos|ando|iendo)l[ao]\b|\bmejor (?:que sea|para|con) |\b(?:me|nos|se|la|lo) (?:l[ao] )?(?:puedes?|pueden|podrias?|podemos|podria) (?:cambi|mov|pas|corr|adelant|aplaz)[a-z]+\b|\b(?:(?:me|nos) la|la) (?:cambi|muev|mov|pas|corr|adelant|aplaz)[a-z]+ (?:para|al?|un|el)\b|\b(?:cambi|muev|mov|pas|corr|reprogram|reagend|pospon|adelant|aplaz)[a-z]{0,4} (?:la|mi|esa|esta) (?:cita|hora)\b`)
	// replaces is an appointment given up for another: "cancélala y ponme una el viernes".
	replaces = regexp.MustCompile(`\b(?:cancel|anul|borr|elimin|quit)[a-z]* .*\by (?:me )?(?:pon|agend|hac|haz|hag|dame|sac|reserv|busc|quiero|mejor)[a-z]*|\b(?:me )?equivo(?:que|cado|cada) (?:de|en|con) (?:el |la )?(?:dia|hora|fecha)\b`)
	// otherwise is another treatment for the appointment that there is: "mejor ortodoncia".
	otherwise      = regexp.MustCompile(`^(?:no,? |perdon,? |ay,? |ah,? )*(?:mejor(?: una?| de)?|era(?: para| de| una?)?) [a-z]+(?: [a-z]+){0,2}$`)
	agrees         = regexp.MustCompile(`\b(?:acepto|autorizo|(?:doy|tienen|tienes) (?:mi )?permiso|estoy de acuerdo|(?:us|guard)[ae]n? mis datos|pueden?s? usar(?:los| mis datos)|(?:mejor|ahora|entonces|bueno|pensandolo bien|siempre) si|cambie de (?:idea|opinion|parecer),? .*\b(?:si|acepto|quiero|agend[a-z]+)|si,? (?:quiero|agend[a-z]+|reserv[a-z]+)|i (?:do |now )?(?:agree|accept|consent)|(?:you have|i give (?:you )?)(?:my )?(?:permission|consent)|changed my mind,? .*\b(?:yes|agree|accept|ok))\b`)
	refuses        = regexp.MustCompile(`\b(?:do not|dont|cannot|cant|not) (?:agree|accept|consent)|\bno (?:les? |lo |los |te |estoy |doy |tienen |pueden? )*(?:acepto|autorizo|de acuerdo|permiso|us|guard|quiero)`)
	goesOn         = regexp.MustCompile(`^(?:(?:ok|okey|okay|listo|lista|ya|si+|dale|claro|quiero|podemos|vamos a|hay que|` + polite + `) )*(?:sigamos|seguimos|seguir|sigue|siga|continuemos|continuamos|continuar|continua|continue|retomemos|retomar|go on|continue|lets go on)(?: (?:con (?:la|mi|esa) (?:cita|reserva)|with (?:it|the appointment)|adelante|` + polite + `))* $`)
	forAppointment = regexp.MustCompile(`\b(?:` + wanting + `|dame|deme) (?:[a-z]+ ){0,3}(?:citas?|turnos?|cupos?|chequeos?|revision(?:es)?|valoracion|evaluacion|check ?-?up)\b|` +
		`\b(?:` + wanting + `) (?:llevar|traer|que (?:me |le |nos )?(?:` + looked + `)) (?:al? |lo|la)|\b(?:` + wanting + `) (?:llev|tra)(?:ar|er)l[oa]s?\b|\b(?:` + wanting + `) que (?:me |le |nos |se )?(?:la |lo |las |los )?(?:` + looked + `|arregl(?:en|aran)|limpi(?:en|aran)|saquen|sacaran|quit(?:en|aran)|cur(?:en|aran)|tap(?:en|aran)|calcen|calzaran|pongan|pusieran|hagan|hicieran)\b|` +
		`^(?:(?:hola|buen[oa]s?(?: dias?| tardes?| noches?)?|por favor|an?|una?),? )*(?:(?:cita|turno|consulta|appointment) (?:para|de|con|el|la|por|please|for|with|on)|(?:check ?-?up|cleaning|exam|revision|limpieza|chequeo|valoracion|evaluacion|control) (?:para|pa|for) (?:mi|mis|nuestr[oa]s?|my|our))\b|(?:^|, |favor |buenas |hola )una cit(?:a|ica|ita)\b|` +
		`\b(?:ayud|d[aeo]|reserv|sac|ped|pid|consegu|agend|apart|regal|tom)[a-z]* (?:(?:con|a|una|un|otra|la|me|nos|le|mi|su) ){0,2}(?:cit(?:a|ica|ita)s?|turnos?|cupos?)\b|\b(?:reserv|sac|ped|pid|agend|apart)[a-z]* (?:una )?hora\b|\blo de (?:una|la|mi) cita\b|` +
		`\b(?:` + wanting + `) (?:un|una) (?:dentista|odontolog[oa]|doctora?|ortodoncista)\b|\b(?:can|could|may) i see (?:someone|somebody|a dentist|the dentist|a doctor)\b`)
	atTime = regexp.MustCompile(`\b(?:una cita|turno|cupo|campo|se puede (?:ir|pasar|el|hoy|manana|para|a las?)|puedo (?:ir|pasar|llegar)|(?:can|could|may) (?:i|we|you|my [a-z0-9 ]+) (?:come|see|be seen|fit|get|have|stop by)|(?:me|nos|lo|la|le|los|las|les) (?:puede[ns]?|podrian?|podras?|podes) (?:atender|ver|recibir|revisar|chequear)|(?:puede[ns]?|podrian?|podras?|podes) (?:atender|ver|recibir|revisar|chequear)(?:me|nos|l[oa]s?)|(?:could|can|would) (?:someone|somebody|anyone|anybody|the (?:dentist|doctor)|you|they) (?:please )?(?:see|check|look at|fix|examine|treat|fit|squeeze))\b`)
	// opening asks for no time of one's own: "¿puedo ir el lunes o está cerrado?"
	opening = regexp.MustCompile(`\b(?:cerrad[oa]s?|abiert[oa]s?|abren?|cierran?|open|closed)\b`)
	// facts are what a question about an appointment may be about beside having one.
	facts   = regexp.MustCompile(`\b(?:duele[n]?|cuestan?|valen?|cuanto|cuantos|que (?:es|incluye|tan)|como (?:es|funciona)|sirve para|saber|informacion|precio|dudas?|dura|tarda|demora|requisitos?|llevar)\b`)
	forThat = regexp.MustCompile(`\b(?:para|de|con|por) (?:eso|esto|aquello|es[ea] (?:tratamiento|servicio)|lo mismo)\b|\b(?:hacer|poner|sacar)mel[oa]\b`)
	age     = regexp.MustCompile(`\b(?:de|tiene[n]?|cumplio|cumple|cumplir) (?:solo |apenas |los )?` + ages + `(\d{1,2}|` + hourWords + `) (anos|anitos|meses)\b|\b(?:(?:` + offspring + `)s?|(?:gemel|melliz|trilliz)[oa]s|twins|triplets|children) ?(?:,? (?:de|tienen?|que tienen?|is|are|they are|s?he is|s?he.?s|who are|aged) |\()` + ages + `(\d{1,2})\b|\b(\d{1,2})[ -](years?|yrs?|months?)[ -]olds?\b|\b(?:bebes?|bebit[oa]|toddler|baby)\b`)
	// arranges asks for an appointment, wants only with a time: "quisiera una limpieza el jueves".
	arranges = regexp.MustCompile(`\b(?:(?:` + wanting + `|dame|deme|me das?|me hace falta|hola|buenas) (?:[a-z]+ ){0,3}(?:cita|turno|cupo|consulta|espacio)|agend[a-z]*|reserv[a-z]*|apart[ae][a-z]*|cuando puedo ir|book)\b`)
	wants    = regexp.MustCompile(`\b(?:` + wanting + `|me hace falta|me interesa|hazme|hacerme|ponerme|i (?:want|need))\b`)
	requests = regexp.MustCompile(`\b(?:(?:puede|podria|pudiera) ser|(?:se |la |lo |me la )?(?:puede[ns]?|podria[ns]?|podemos) (?:cambiar|poner|pasar|dejar)[a-z]*|can (?:we|i|you) (?:change|make))\b`)
)

// ForOther says that a text names somebody else as the one an appointment is for.
func ForOther(text string) bool {
	t := plainText(text)
	if theirs.MatchString(t) {
		return true
	}
	for _, found := range forOther.FindAllString(t, -1) {
		if !whose.MatchString(found+" ") || strings.HasPrefix(found, "a ") && intention.MatchString(t) {
			return true
		}
	}
	return false
}

// InNameOfOther says that a text asks to put an appointment in the name of somebody else whose
// name it need not tell.
func InNameOfOther(text string) bool { return inNameOf.MatchString(plainText(text)) }

// Another says that a text asks for an appointment beside one that there is.
func Another(text string) bool {
	t := plainText(text)
	return another.MatchString(t) || several.MatchString(t) || ForOther(text) && strings.Contains(t, "tambien")
}

// Several says that a text asks for the appointments of more than one person.
func Several(text string) bool { return several.MatchString(plainText(text)) }

// NewConversation says that a text asks to begin another conversation.
func NewConversation(text string) bool { return newTalk.MatchString(spoken(text)) }

// Moves says that a text asks to change the appointment that is spoken of: "pásala al jueves".
func Moves(text string) bool {
	t := plainText(text)
	return (moves.MatchString(t) || replaces.MatchString(t) || otherwise.MatchString(t)) && !strings.HasPrefix(t, "no la ")
}

// Replaces says that a text gives an appointment up to have another in its place, or that its
// day or hour is wrong.
func Replaces(text string) bool {
	return replaces.MatchString(plainText(text)) && !strings.ContainsAny(text, "?¿")
}

// GoesOn says that a text asks to go on with what was being arranged and for nothing else.
func GoesOn(text string) bool { return goesOn.MatchString(spoken(text)) }

// Agrees says that a text gives a consent in so many words, also after it was refused.
func Agrees(text string) bool {
	t := plainText(text)
	return agrees.MatchString(t) && !refuses.MatchString(t) && !strings.ContainsAny(text, "?¿")
}

// wantsDone is a treatment that somebody wants to have: "necesito un empaste", "tengo que sacarme las cordales", "I need my teeth cleaned".
var wantsDone = regexp.MustCompile(`\b(?:` + wanting + `|me hace falta|(?:ya )?(?:me|le|nos) toca|tengo que|tenemos que|debo|quiere|quieren|necesita|necesitan|(?:i|we|he|she) (?:need|want|needs|wants)|(?:need|needs|looking) (?:to get|my|a|an)|looking to get) ` +
	`(?:(?:hacer|poner|sacar|limpiar|arreglar|blanquear|quitar|cambiar|curar|tapar|reponer|enderezar|alinear|realizar|extraer)(?:me|se|le|les|nos|mel[oa])?\b|(?:ya )?(?:una?|otra|mi|mis|el|la|unos|unas|un|my|an?|braces|limpieza|control|brackets|carillas|implantes)\b)`)

// hesitates is what keeps a wish from being one for an appointment.
var hesitates = regexp.MustCompile(`[?¿]|\b(?:pero|miedo|recomiend[a-z]*|conviene|aconsej[a-z]*|seguro|sera|opciones|alternativas?|financi[a-z]*|cuotas|presupuesto|cotiza[a-z]*|barat[oa]s?|but|afraid|scared|worth|should|embarazad[a-z]*|diabet[a-z]*|alergi[a-z]*|factura|receta|constancia|certificado|ayuda|help|opinion|quote|garantia|descuento|reembolso)\b`)

// WantsDone says that a text asks to have a treatment, and for nothing to be told about it.
func WantsDone(text string) bool {
	if hesitates.MatchString(text) || hesitates.MatchString(plainText(text)) {
		return false
	}
	return slices.ContainsFunc(strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(",.;\n", r) }), func(clause string) bool {
		t := plainText(clause)
		return wantsDone.MatchString(t) && !facts.MatchString(t) && len(strings.Fields(t)) <= longestWhen
	})
}

// WantsCare says that a text that names a treatment asks for an appointment for it, and does not only
// ask about it. Timed says that it names a day or an hour, too.
func WantsCare(text string, timed bool) bool {
	t := plainText(text)
	return (arranges.MatchString(t) || timed && wants.MatchString(t)) && !facts.MatchString(t)
}

// painless tells that nothing hurts, and asks for nothing.
var painless = regexp.MustCompile(`\b(?:no (?:me |le |nos )?duelen?|(?:it )?(?:does not|doesnt) hurt)\b`)

// ofAppointment is said of one that there is: "antes de mi cita".
var ofAppointment = regexp.MustCompile(`\bde (?:mi|la|esa|esta) (?:cit(?:a|ica|ita)|turno)\b`)

// AsksForAppointment says that a text asks for an appointment by that word, and for nothing to be told.
// Timed says that it names a day or an hour, too.
func AsksForAppointment(text string, timed bool) bool {
	t := ofAppointment.ReplaceAllString(painless.ReplaceAllString(plainText(text), " "), " ")
	return forAppointment.MatchString(t) && !facts.MatchString(forAppointment.ReplaceAllString(t, " ")) || timed && atTime.MatchString(t) && !facts.MatchString(t) && !opening.MatchString(t)
}

// tells are the words of a text that tells what was, or asks, rather than when somebody would like to come.
var tells = regexp.MustCompile(`[?¿]|^(?:y|and) |\b(?:(?:me|le|nos|se) (?:hic|pus|sac|coloc|quit|extraj|duel|cay|parti|quebr|sal)[a-z]*|tuve|desde|hace|siento|atienden?|trabajan?|horarios?|saber|dudas?|my|hurts?)\b`)

// longestWhen is the number of words of the longest text that only tells when somebody would like to come.
const longestWhen = 14

// OnlyWhen says that a text which names a time tells when somebody would like to come, and for what, and nothing else.
func OnlyWhen(text string) bool {
	t := plainText(text)
	return len(strings.Fields(t)) <= longestWhen && !tells.MatchString(text) && !tells.MatchString(t) && !facts.MatchString(t) && !opening.MatchString(t)
}

var givesAppointmentUp = regexp.MustCompile(`\b(?:d(?:ar|a|ame|ale|arle|eme|enme|en|enle|arme) de baja|(?:cancel|anul)[a-z]* (?:por favor |porfa )?(?:(?:la|mi|el|ese|esa|este|esta|su|my|the) )?(?:cita|turno|hora|reserva|consulta|appointment))\b`)

// GivesAppointmentUp says that a text asks to give an appointment up, and does not ask what that costs.
func GivesAppointmentUp(text string) bool {
	t := plainText(text)
	return givesAppointmentUp.MatchString(t) && !strings.ContainsAny(text, "?¿") && !facts.MatchString(t) && !strings.Contains(t, "si cancel")
}

var (
	// freeTime is time that can be had, by words that are said of nothing else; someTime may as well be
	// when the clinic is open.
	freeTime  = `(?:cupos?|campos?|campito|espacios?|espacito|turnos?|huecos?|disponibilidad|disponibles?|libres?|citas?|slots?|openings?|availab\w+|appointments?|(?:free|open) times?)`
	someTime  = `(?:horas?|horarios?|dias?|times?|days?|hours?)`
	asksFree  = regexp.MustCompile(`\b(?:hay|habra|habria|tienen?|tienes|tenes|teneis|tendran?|tendrian?|tendrias|queda(?:n|ria|rian)?|dan|cuentan con|manejan|(?:do you )?have|is there|are there|any|got)\b[^.]*\b` + freeTime + `\b|\b(?:que|cuales?|cuando|which|what|when)\b[^.]*\b` + someTime + `\b[^.]*\b` + freeTime + `\b|\b` + freeTime + `\b[^.]*\b(?:hay|tienen?|tienes|tenes|queda(?:n)?)\b|\bque ` + someTime + ` (?:te |les |le )?quedan?\b`)
	asksWhich = regexp.MustCompile(`\b(?:que|cuales|which|what)\b(?: [a-z]+)? ` + someTime + `\b[^.]*\b(?:hay|tienen?|tienes|tenes|queda(?:n)?|do you have|are there|puedo|podria)\b`)
)

// asked is a clause that is a question.
var asked = regexp.MustCompile(`¿[^?]*\??|[^,.;!?¿\n]*\?`)

// Stated is a text without its questions: "el jueves, ¿duele?" states a day.
func Stated(text string) string { return asked.ReplaceAllString(text, " ") }

// AsksFreeTimes says that a text asks, in one of its clauses, which times can be had for an appointment. Cared
// says that it names a treatment, so that the times are not those at which the clinic is open, timed that it
// names a day or an hour.
func AsksFreeTimes(text string, cared, timed bool) bool {
	return slices.ContainsFunc(append(clauses.FindAllString(joints.ReplaceAllString(text, ", "), -1), text), func(clause string) bool {
		t := plainText(clause)
		asks := strings.ContainsAny(clause, "?¿") || beginsToAsk.MatchString(t) || asksToSee.MatchString(t)
		t = asksToSee.ReplaceAllString(t, " ")
		earliest := (cared || timed) && asksEarliest.MatchString(t) // "qué es lo más temprano que tienen" asks for no fact
		return asks && (earliest || !facts.MatchString(t) && (asksFree.MatchString(t) || cared && (asksWhich.MatchString(t) || asksWhen.MatchString(t)) ||
			timed && asksAnything.MatchString(t) || asksNext.MatchString(t)))
	})
}

var (
	// clauses are what a text asks or says one after the other, each with its question mark.
	clauses = regexp.MustCompile(`[^.;:!?¡,\n]+\??`)
	joints  = regexp.MustCompile(`\s+(?:y|and|pero|but)\s+`)
	// asksAnything and asksEarliest ask for times only beside a day, an hour or a treatment: "¿tienen algo el viernes?".
	asksAnything = regexp.MustCompile(`\b(?:hay|habra|habria|tienen?|tienes|tenes|tendran?|tendrian?|tendrias|(?:les )?queda|have|got|is there) (?:[a-z]+ ){0,2}(?:algo|anything|something|chance|lugar)\b|\b(?:hay|tienen|tienes|tenes)$|` +
		`\b(?:se puede|se podra|se podria|puede ser|podria ser|(?:es|seria) posible)(?: ?\?|$| (?:a las?|para|el|la|hoy|manana|pasado|es[et]e|est[ae]|por la|en la)\b)`)
	asksEarliest = regexp.MustCompile(`\bmas (?:temprano|pronto|cercan[oa]|proxim[oa]|rapido) (?:que |de lo que )?(?:me |nos )?(?:tien|teng|hay|haya|pued|dan|ofrec)[a-z]*|\b(?:soonest|earliest|first available|next available)\b`)
	// asksNext and asksWhen ask for the first time that can be had, asksToSee to be shown times.
	asksNext    = regexp.MustCompile(`\b(?:proxim[oa]|primer[oa]?) (?:hora|cita|fecha|espacio|turno|cupo|hueco|dia) (?:disponible|libre)\b|\bnext (?:available|open|free)\b|\bearliest (?:you|i|we|available|appointment|slot|time)\b|\b(?:cuando|cual) (?:es|seria|sera) lo mas (?:pronto|temprano|cercano)\b|\b(?:hay|tienen?|tienes|tenes|teneis|queda) hora\b|\btimes? (?:is|are|do you have) (?:free|open|available)\b|\bcuando (?:hay|habra|habria|tienen|tendrian?) (?:cita|turno|hora)\b`)
	asksWhen    = regexp.MustCompile(`\bcuando (?:me )?(?:hay|habra|habria|tienen|tendrian?|podria|podrian) (?:una?|lugar)\b`)
	asksToSee   = regexp.MustCompile(`\b(?:dime|digame|diganme|muestr[ae](?:me|nme)?|mostrar(?:me)?|ensen[ae]me|(?:quiero|quisiera|puedo|podria|necesito) (?:ver|saber|conocer)|me (?:dices|dice|das|da|pasas|pasa)|show me|tell me)\b`)
	beginsToAsk = regexp.MustCompile(`^(?:(?:hola|buen[oa]s?(?: dias?| tardes?| noches?)?|oye|disculp[ae]|hello|hi|y|and),? )*(?:hay|tienen?|tienes|tenes|queda(?:n)?|que|cuales?|cuando|do you|is there|are there|any|what|which|when)\b`)
)

var callMe = regexp.MustCompile(`\b(?:ll?am[ae](?:n?me|nos|nme)|llamenme|llameme|marqu?(?:en|e|a)me|(?:contact|comuniqu)(?:[ae]n?me|ense conmigo|ese conmigo)|que (?:alguien )?(?:me|nos) (?:llam|marqu|contact|escrib)[ae]n?|(?:me|nos) (?:pueden?|podrian?|puedes|podrias) (?:llamar|marcar|contactar)|(?:pueden?|podrian?|puedes|podrias) (?:llamar|marcar|contactar)(?:me|nos)|(?:call|phone|ring|text|contact) me(?: back)?|give me a (?:call|ring))\b`)

// CallMe says that somebody asks to be called.
func CallMe(text string) bool {
	t := plainText(text)
	return callMe.MatchString(t) && !strings.Contains(t, "no me llam")
}

// checkup is a visit whose treatment the clinic finds out.
var checkup = regexp.MustCompile(`\b(?:(?:que |a )?(?:me|le|nos|lo|la|los|las) (?:la |lo |las |los )?(?:(?:revis|cheque|examin|evalu|valor)(?:en|e|a|ar)|vean)|(?:revis|cheque|examin|evalu|valor)ar(?:me|le|nos|l[oa]s?)|(?:revis|cheque)(?:ada|adita|o|ito)|revision(?:cita)?|consulta|chequeo|valoracion|evaluacion|check ?-?up|exam|consultation|see (?:a|the) dentist|look at my teeth)\b`)

// ForCheckup says that an appointment is wanted to have the teeth looked at.
func ForCheckup(text string) bool { return checkup.MatchString(plainText(text)) }

var (
	// sameThing is what was spoken of or chosen before, where no day, hour or person follows.
	sameThing = regexp.MustCompile(`\b(?:(?:es[oae]|l[oa]|el) mism[oa]|de siempre|the (?:same|usual)(?: (?:one|thing|treatment))?|` +
		`(?:` + wanting + `|(?:agend|reserv|apart|anot|apunt|program)[a-z]*|i want|book(?: me)?) (?:para |con )?(?:es[oae]|that(?: one)?))\b`)
	sameOther = regexp.MustCompile(`\b(?:es[oae]|l[oa]|el|the) (?:mism[oa]|same) (?:dia|hora|horario|fecha|semana|doctora?|dentista|persona|numero|telefono|correo|nombre|que|day|time|hour|date|doctor|number)\b|\b(?:es[ea]|that) (?:dia|hora|horario|fecha|semana|day|time)\b`)
)

// SameThing says that a text is about the treatment that was spoken of, by no more than "esa misma", "la de siempre".
func SameThing(text string) bool {
	return forThat.MatchString(plainText(text)) || sameThing.MatchString(sameOther.ReplaceAllString(plainText(text), " "))
}

var sameDay = regexp.MustCompile(`\b(?:mismo|ese) dia\b|\b(?:same|that) day\b`)

// SameDay says that a text names the day that was spoken of.
func SameDay(text string) bool { return sameDay.MatchString(plainText(text)) }

// instead asks for another time than the one that was agreed on.
var instead = regexp.MustCompile(`\b(?:instead|rather|mejor|en (?:vez|lugar) de|(?:puede|podria|pudiera) ser|(?:what|how) about|(?:can|could|may) (?:we|i|you) (?:do|make|have|move|change|switch)|(?:podemos|podriamos|se puede|puedo|podria|seria posible|(?:y )?si) (?:l[oa] |me l[oa] )?(?:hace[rm][a-z]*|deja[rm][a-z]*|pasa[rm][a-z]*|move[rm][a-z]*|pone[rm][a-z]*|cambi[a-z]*|corre[rm][a-z]*))\b|^(?:(?:y|e|pero|oye|ok|perdon|disculp[ae]),? )*(?:y )?(?:que tal|(?:y )?si (?:es |fuera |voy |vamos |mejor )?(?:el|a las?|hoy|manana))\b`)

// WantsInstead says that a text which names a time asks for it in the place of one that was agreed on.
func WantsInstead(text string) bool {
	t := plainText(text)
	return instead.MatchString(t) && !facts.MatchString(t) && !opening.MatchString(t)
}

// ForChild says that whom a text is about is a child, by the age.
func ForChild(text string) bool {
	m := age.FindStringSubmatch(plainText(text))
	if m == nil {
		return false
	}
	years, err := strconv.Atoi(m[1] + m[3] + m[4])
	if err != nil {
		years = counting[m[1]]
	}
	return m[2] == "meses" || strings.HasPrefix(m[5], "month") || years <= eldestChild
}

// eldestChild is the age, in years, up to which somebody is treated as a child.
const eldestChild = 12

// Wanted is a text without what it says is not wanted: "ortodoncia en vez de limpieza".
func Wanted(text string) string { return unwanted.ReplaceAllString(text, " ") }

// Chooses says that a text that names a treatment wants it, and does not only ask about it.
func Chooses(text string) bool {
	t := plainText(text)
	return requests.MatchString(t) || chooses.MatchString(t) && !inquires.MatchString(text) && !inquires.MatchString(t)
}
