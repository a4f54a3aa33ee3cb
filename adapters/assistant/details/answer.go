package details

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"bitacora/adapters/assistant/words"
)

// plainText is a text as the expressions of this package see it: plain words, one space
// between them, clauses kept apart by a comma.
func plainText(text string) string {
	return strings.Join(strings.Fields(marks.Replace(words.Plain(text))), " ")
}

// marks are made once: to make them takes longer than to replace them.
var marks = strings.NewReplacer("¿", " ", "¡", " ", ";", ",", ".\n", ", ", "\n", ", ")

var (
	fillers = regexp.MustCompile(`^(?:ah|ay|uy|eh+|m+|bueno|pues|este|hola|ok|okey|creo que|la verdad|yo|gracias|entonces|buenas|oye|oiga|(?:mira|mire|fijese)(?: usted)?|a ver|digamos que|le repito|(?:muy )?buenas|por favor|por dios|disculp[ae]|perdon|con todo respeto|ya (?:te|le|se) (?:lo )?dije(?: que)?)[,.]* +`)
	yes     = regexp.MustCompile(`^(?:si+p?|claro(?: que si)?|dale|ok|okay|okey|oki|vale|correcto|de acuerdo|acepto|confirmo|confirmado|confirmar|confirmala|perfecto|por supuesto|esta bien|yes|yep|yeah|sure|listo|aja|asi es|exacto|exactamente|obvio|me parece(?: bien)?|como no|sin problema|no hay problema|adelante|agendala|reservala|ta bien|va|sale|seh|sep|hagale|procede|proceda|seguro|(?:i (?:do |fully )?)?(?:agree|accept|consent)|agreed|(?:that is|that s|thats|it is|its|sounds) (?:fine|ok|okay|good|great|right|correct|perfect)|absolutely|of course|no problem|go ahead|i do|estoy de acuerdo|autorizo|(?:les? |te |los )?doy (?:mi |el )?(?:permiso|autorizacion|consentimiento)|(?:estoy )?conforme|por mi (?:esta bien|si)|fine by me|you (?:can|may) use)(?:$|[ ,.!])`)
	no      = regexp.MustCompile(`^(?:no+|nop|nope|nel|negativo|nah|para nada|jamas|tampoco|(?:prefiero|mejor|ahora|ahorita|por ahora|por el momento|hoy) (?:que )?no|todavia no|aun no|incorrecto|ni loco|de ninguna manera|i (?:do not|don ?t|dont) (?:agree|accept|consent|want)|i d rather not|rather not|not (?:now|really|yet))(?:$|[ ,.!])`)
	// "Sí, claro que no" is a no.
	yesNo   = regexp.MustCompile(`^(?:si+,? )?(?:claro|si+|seguro|por supuesto|obvio|obviamente)(?:,? claro)? que no\b`)
	notNo   = regexp.MustCompile(`^no (?:se\b|lo se|estoy segur|recuerdo|me acuerdo|tengo idea|hay problema|importa|tengo (?:telefono|correo|email|celular|whatsapp)|me duele|entiendo|entendi|hay espacio|problem|worries|puedo (?:respirar|tragar|dormir|abrir))`)
	thumb   = regexp.MustCompile(`^(?:👍|👌|✅|🙏)`)
	thumbNo = regexp.MustCompile(`^(?:👎|❌)`)
	// A "si" without its accent is as often an "if".
	siWith = regexp.MustCompile(`^si+(?:$|[,.!]| (?:quiero|acepto|confirmo|por|claro|esta|estoy|me|dale|gracias|es[ae]?|el|la|las|los|senor|a|perfecto|correcto|autorizo|puede|pueden|adelante|si|ok|todo|de|para|pero|agend|reserv|cancel|anul|porfa|please|con|deseo|ya|soy))`)
)

var (
	acknowledged = regexp.MustCompile(`^(?:(?:ah|bueno|muy|todo|ya),? )?(?:ok|okay|okey|oki|vale|listo|perfecto|entendido|entiendo|excelente|genial|bien|buenisimo|chevere|esta bien|de acuerdo)(?:,? (?:ok|listo|perfecto|entendido|bien))?[.! ]*$`)
	pleased      = regexp.MustCompile(`^[👍👌🙏❤♥💕💖💙💚💜🧡💛😊🙂😀😃😄😁😍🥰😘🤗👏🎉✅🙌💪😉☺ ]+$`)
	// decoration is what makes variants of an emoji: colours, joints and styles.
	decoration = regexp.MustCompile(`[\x{1F3FB}-\x{1F3FF}\x{200D}\x{FE0E}\x{FE0F}]`)
)

// Acknowledges says that a text takes note of what was said and asks for nothing more.
func Acknowledges(text string) bool {
	t := plainText(text)
	return acknowledged.MatchString(t) || pleased.MatchString(decoration.ReplaceAllString(t, ""))
}

// courteous is how who writes says how they are and asks back.
var courteous = regexp.MustCompile(`^(?:(?:hola|buen[oa]s?(?: dias?| tardes?| noches?)?|gracias|(?:yo )?(?:estoy )?(?:muy |todo |super )?(?:bieny?|excelente|genial|tranquil[oa])(?: gracias)?(?: a dios)?)[,.!? ]+)*(?:y (?:a )?(?:tu|ti|usted|uste|ud|vos)|y como estas?(?: tu| usted)?|a ti|(?:como|que tal) (?:te |le )?(?:vas?|andas?|estas?)(?: (?:tu|usted|vos))?|como te encuentras)[.!? ]*$`)

// AsksBack says that a text only returns the courtesy: "bien, ¿y tú?".
func AsksBack(text string) bool { return courteous.MatchString(plainText(text)) }

// OnlyEmoji says that a text is made of symbols alone.
func OnlyEmoji(text string) bool {
	symbols := false
	for _, r := range text {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return false
		}
		symbols = symbols || unicode.Is(unicode.So, r)
	}
	return symbols
}

// ReadAnswer tells a yes (1) from a no (-1); 0 is neither. Behind other words the last ones may answer:
// "ando apurada, claro".
func ReadAnswer(text string) int {
	if withholds.MatchString(plainText(text)) && !strings.ContainsAny(text, "?¿") {
		return -1
	}
	if answer := readAnswer(text); answer != 0 || strings.ContainsAny(text, "?¿") || notNo.MatchString(plainText(text)) {
		return answer
	}
	clauses := strings.Split(text, ",")
	last := clauses[len(clauses)-1]
	switch answer := readAnswer(last); {
	case len(clauses) == 1, len(strings.Fields(last)) > shortAnswer:
	case answer == -1:
		return -1
	case strings.Contains(plainText(last), "me parece"): // so it is, and not agreed to
	case answer == 1 && plainYes.MatchString(spoken(last)) && !slices.ContainsFunc(clauses, func(c string) bool { return readAnswer(c) == -1 }):
		return 1
	}
	return 0
}

// withholds is a no to what may be done with somebody's data, wherever it stands.
var withholds = regexp.MustCompile(`\bno (?:les? |te |lo |los )?(?:acepto|autorizo|doy (?:mis|los|permiso)|(?:quiero|deseo|pienso|voy a) (?:dar|dejar|compartir|que (?:guard|us)[a-z]+))(?:l[eo]s)?\b`)

// shortAnswer is the number of words of the longest answer that is read behind others.
const shortAnswer = 4

// noBother is a yes that begins as a no: "no tengo problema".
var noBother = regexp.MustCompile(`^(?:` + noMatter + `)[., ]*$|^(?:` + noMatter + `)[,.]? (?:acepto|adelante|dale|claro|si|go ahead)\b`)

func readAnswer(text string) int {
	t := plainText(text)
	if noBother.MatchString(t) {
		return 1
	}
	if thumb.MatchString(t) {
		return 1
	}
	if thumbNo.MatchString(t) {
		return -1
	}
	for range 2 {
		switch {
		case notNo.MatchString(t):
			if strings.HasPrefix(t, "no hay problema") || strings.HasPrefix(t, "no problem") {
				return 1
			}
			return 0
		case no.MatchString(t), yesNo.MatchString(t):
			return -1
		case strings.HasPrefix(t, "si") && yes.MatchString(t):
			accented := strings.HasPrefix(strings.ToLower(strings.TrimLeft(text, " ¡")), "sí")
			if accented || siWith.MatchString(t) || len(strings.Fields(t)) <= 2 {
				return 1
			}
			return 0
		case yes.MatchString(t):
			return 1
		}
		t = fillers.ReplaceAllString(t, "")
	}
	return 0
}

var ordinals = []struct {
	form  *regexp.Regexp
	place int
}{
	{regexp.MustCompile(`\b(?:ultim[oa]|last)\b`), -1},
	{regexp.MustCompile(`\b(?:primer[oa]?|first)\b`), 1},
	{regexp.MustCompile(`\b(?:segund[oa]|second)\b`), 2},
	{regexp.MustCompile(`\b(?:tercer[oa]?|third)\b`), 3},
	{regexp.MustCompile(`\b(?:cuart[oa]|fourth)\b`), 4},
	{regexp.MustCompile(`\b(?:quint[oa]|fifth)\b`), 5},
}

var (
	option  = regexp.MustCompile(`(?:\b(?:opcion|numero|nro|alternativa|option)\.? *|#|^(?:la|el)? *|\b(?:prefiero|quiero|escojo|elijo|tomo|seria|dame) (?:la|el) *)(\d{1,2})(?:[.)]|\b)(?: *(?:por favor|porfa|esta bien|gracias|please|si))?\.?$`)
	counted = regexp.MustCompile(`^(?:la |el )?(?:opcion |numero )?(uno|una|dos|tres|cuatro|cinco|seis)(?: por favor| porfa)?$`)
	clock   = regexp.MustCompile(`\b(?:a las?|am|pm|a ?m|p ?m|hora|mediodia)\b|:`)
)

var (
	// refusedOffer is an offer that is named because it does not suit: "la primera no, la segunda".
	refusedOffer = regexp.MustCompile(`\b(?:la |el )?(?:primer[oa]?|segund[oa]|tercer[oa]?|cuart[oa]|quint[oa]|ultim[oa]) no\b(?: puedo| me (?:sirve|queda|conviene))?,?|\b(?:menos|excepto|salvo|no (?:quiero|puedo)) (?:la|el) (?:primer[oa]?|segund[oa]|tercer[oa]?|cuart[oa]|quint[oa]|ultim[oa])\b`)
	// leastOffer leaves the choice to the clinic, or wants the earliest: which it is, the last
	// question tells.
	leastOffer = regexp.MustCompile(`^(?:la |el )?(?:mas (?:temprana?o?|cercan[oa]|proxim[oa]|pront[oa])|cualquiera(?: de (?:esas|las tres|ellas))?|que sea|que (?:tu )?quieras|que (?:usted )?quiera)(?: (?:esta bien|por favor|porfa|me sirve|me da igual))?[.!]?$`)
)

var counting = map[string]int{"uno": 1, "una": 1, "dos": 2, "tres": 3, "cuatro": 4, "cinco": 5, "seis": 6, "siete": 7, "ocho": 8, "nueve": 9, "diez": 10, "once": 11, "doce": 12}

// ReadChoice tells which of so many offers is picked by its place: 1 is the first, -1 the
// last, 0 none.
func ReadChoice(text string, offers int) int {
	if offers == 0 {
		return 0
	}
	t := refusedOffer.ReplaceAllString(plainText(text), " ")
	t = strings.Trim(strings.TrimSpace(t), ", ")
	if clock.MatchString(t) {
		return 0
	}
	if leastOffer.MatchString(t) {
		return 1
	}
	if m := option.FindStringSubmatch(t); m != nil {
		if n, _ := strconv.Atoi(m[1]); 1 <= n && n <= offers {
			return n
		}
		return 0
	}
	if m := counted.FindStringSubmatch(t); m != nil && counting[m[1]] <= offers {
		return counting[m[1]]
	}
	if strings.Contains(t, "primera hora") || strings.Contains(t, "ultima hora") || strings.Contains(t, "primera vez") || strings.Contains(t, "primera cita") {
		return 0
	}
	for _, o := range ordinals {
		if o.place <= offers && o.form.MatchString(t) && len(strings.Fields(t)) <= 8 {
			return o.place
		}
	}
	return 0
}

var (
	otherTimes = regexp.MustCompile(`\b(?:otr[oa]s? (?:horas?|dias?|fechas?|horarios?|opcion(?:es)?|espacios?|momentos?|alternativas?)|ningun[oa]?\b|no me (?:sirven?|convienen?|quedan? bien|queda|funcionan?|va)|mas (?:opciones|horas|horarios|alternativas)|no puedo (?:a )?(?:es[ao]s?|ningun)|algo mas (?:tarde|temprano)|mas (?:tarde|temprano)|hay otr[oa]|tienes? otr[oa]|que mas (?:tien|hay|ten|ofrec)[a-z]*|other (?:times?|options?|days?)|none of|not th(?:ose|ese|at one)|neither|something (?:later|earlier|else)|(?:any|anything|nothing) (?:later|earlier|else))`)
	correction = regexp.MustCompile(`^(?:(?:ay|ah|uy|oh|espera|espere),? )?no,? (?:es|era|mi|el|la|son|me llamo|soy|mejor|quise|dije|perdon|a las?)\b|\b(?:corrijo|correccion|corregir|corrige|perdon|disculpa|me equivoque|equivocad[oa]|quise decir|queria decir|en realidad|esta mal|es incorrecto|no es ese|no es esa|actually|i meant|sorry)\b`)
	anyCare    = regexp.MustCompile(`\b(?:no (?:lo )?se\b|no sabria\b|ni idea\b|lo que (?:me )?(?:diga|recomiende)n? (?:el|la|un)|no estoy segur[oa]|la que sea|lo que sea|el que sea|cualquiera|cualquier (?:cosa|tratamiento|servicio|especialidad)|da igual|me da lo mismo|no importa|usted(?:es)? dig|tu dime|lo que (?:me )?recomiend|revision|chequeo|valoracion|evaluacion|diagnostico|checkup|check up|consulta general|i dont know|not sure|no tengo (?:idea|claro))`)
	anyTime    = regexp.MustCompile(`\b(?:cuando (?:sea|se pued[ae]|quier[ae][ns]?|pued[ae][ns]?|haya|hay|teng[ao][ns]?|(?:tu|usted|ustedes) (?:dig|quier|pued)[a-z]+|dig[ao][ns]?)|lo antes (?:posible|que)|lo mas (?:pronto|rapido|cercano)|cuanto antes|no tengo preferencia|(?:el|los) dias? que (?:pued|quier|teng|hay|sea)[a-z]*|(?:el|la) primer[oa]? (?:espacio|cupo|hueco|campo|dia|fecha)(?: libre| disponible)? que|^cualquiera(?: (?:me sirve|esta bien|es buen[oa]))?\b|cualquier (?:dia|hora|horario|momento|fecha)|a cualquier hora|me da igual|da lo mismo|el que sea|la que sea|el mas proximo|la mas proxima|lo primero que|as soon as possible|asap|any ?time|whenever|(?:whatever|whichever) (?:is )?(?:soonest|earliest|works|you have)|(?:the )?(?:soonest|earliest)(?: possible| available| you have)?$|no importa (?:la hora|el dia|cuando))`)
	stop       = regexp.MustCompile(`\b(?:olvid[ae]l[oa]|olvid[ae](?:te|se)|dej[ae](?:lo|la|r|rlo|rla)? (?:asi|eso|ya)|dej[ae]l[oa]|dejemoslo|mejor no\b|ya no (?:quiero (?:nada|agendar|seguir|sacar)|deseo|gracias)|no quiero (?:seguir|continuar|agendar|la cita ya|nada)|no deseo (?:continuar|agendar|seguir)|lo (?:pienso|pensare)|^(?:no,? )?mejor (?:despues|luego)$|despues (?:lo hago|te aviso|aviso|la hago)|otro dia la (?:saco|hago)|detente|detengase|par[ae] ya|never ?mind|forget it|stop)\b|^(?:salir|stop|basta|nada|parar|ya no|ya no quiero|no quiero)[.!]?$`)
)

var (
	waits   = regexp.MustCompile(`^(?:(?:por favor|porfa|ok|hola|ya|(?:ya|ahorita) (?:le|te) (?:digo|confirmo|aviso)),? )*(?:esper[ae](?:me|te|n)?(?: que (?:pregunto|reviso|veo|busco|confirmo)[a-z ]*)?|(?:ya|ahorita) (?:le|te) (?:digo|confirmo)|aguant[ae](?:me)?|(?:dame|deme|denme|permiteme|permitame|necesito)? ?(?:un|unos) (?:momentos?|momentito|segundos?|segundito|ratos?|ratito|minutos?|minutito)|ya (?:vuelvo|regreso|vengo)|ahorita (?:vuelvo|regreso|vengo)|(?:dejame|dejeme) (?:ver|revisar|pensar|preguntar|consultar)[a-z ]*|wait|one moment|hold on)(?:,? (?:(?:dejame|dejeme) (?:ver|revisar|pensar|preguntar|consultar)[a-z ]*|por favor|porfa|un (?:momento|momentito|segundo|rato|ratito|minuto)|ya (?:vuelvo|regreso)|gracias|tantito))*[.! ]*$`)
	rejects = regexp.MustCompile(`^(?:no,? |perdon,? |ay,? )*(?:(?:eso |asi )?(?:esta|quedo) mal|no es (?:asi|eso|correcto|lo que pedi)|me equivoque|es[ea] no|eso no|asi no|hay un error)[.! ]*$`)
	// wrong is a detail that is to be changed and is not told yet.
	wrong = regexp.MustCompile(`^(?:(?:no|si|pero|mejor|quiero|quisiera|hay que|puedes|puede|necesito|por favor),? )*(?:(?:cambi|corrig|correg|modific|arregl)[a-z]* )?(?:(?:el|la|mi|de|otr[oa]|solo|es|ese|esa) )*(?:(nombre|apellido|persona)|(telefono|numero|celular|contacto|correo|email|cel)|(dia|fecha)|(hora|horario)|(tratamiento|servicio|especialidad))` +
		`(?: (?:no|esta mal|esta equivocad[oa]|es incorrect[oa]|quedo mal|no es (?:es[ea]|correct[oa])|es otr[oa]|no me (?:sirve|queda|conviene)(?: bien)?|por favor|porfa|de la cita))*[.! ]*$|^(?:esta mal|es incorrecto|corrige|cambia) (?:el|la|mi) (?:(nombre|apellido)|(telefono|numero|correo|contacto)|(dia|fecha)|(hora)|(tratamiento|servicio))[.! ]*$`)
	toSomebody = regexp.MustCompile(`^(?:(?:ponla|ponlo|pon|hazla|cambiala|pasala|mejor|que sea|la cita|es|va|si|pero),? )*a nombre de (?:mi |otra )[a-z]+[.! ]*$`)
	declines   = regexp.MustCompile(`^(?:no|nada)[, ]+(?:(?:muchas )?gracias|eso es todo|eso seria todo|asi esta bien)\b|^eso es todo\b`)
	somebody   = regexp.MustCompile(`^(?:si |no )?(?:la cita )?(?:es |seria )?(?:para (?:mi|ella|el|otra persona|ambos|un familiar|una amig[oa]|un amigo|mis? [a-z]+)\b|mi$)|^es para (?:[a-z]+ ?){1,4}$`)
)

// Waits says that somebody asks for a moment.
func Waits(text string) bool { return waits.MatchString(plainText(text)) }

// Rejects says that a text calls what was asked about wrong: "está mal", "esa no".
func Rejects(text string) bool { return rejects.MatchString(plainText(text)) }

// Detail is what an appointment is arranged with.
type Detail int

// The details of an appointment.
const (
	NoDetail Detail = iota
	NameDetail
	ContactDetail
	DayDetail
	HourDetail
	CareDetail
)

// Wrong is the detail that a text asks to change without saying to what: "la hora", "mi nombre
// está mal", "a nombre de mi esposo".
func Wrong(text string) Detail {
	t := plainText(text)
	if toSomebody.MatchString(t) {
		return NameDetail
	}
	m := wrong.FindStringSubmatch(t)
	for i := 1; i < len(m); i++ {
		if m[i] != "" {
			return Detail((i-1)%5 + 1)
		}
	}
	return NoDetail
}

// Declines says that somebody who was asked for something wants nothing more.
func Declines(text string) bool { return declines.MatchString(plainText(text)) }

// ForSomebody says that a text tells whom an appointment is for: "para mí", "es para mi tía".
func ForSomebody(text string) bool { return somebody.MatchString(plainText(text)) }

// WantsOtherTimes says that none of the offered times suits.
func WantsOtherTimes(text string) bool { return otherTimes.MatchString(plainText(text)) }

// otherHour asks for another hour of an appointment that there is, and not how long the clinic is open.
var otherHour = regexp.MustCompile(`\b(?:algo|un poco|una hora|unas horas|puede ser|podria ser|seria posible|hay) mas (?:tarde|temprano)\b|\b(?:anything|something|a bit|a little|an hour) (?:later|earlier)\b|\bmas (?:tarde|temprano) (?:ese|el) (?:mismo )?dia\b`)

// WantsOtherHour says that a text asks for a later or an earlier hour than that of the appointment.
func WantsOtherHour(text string) bool { return otherHour.MatchString(plainText(text)) }

var shifts = regexp.MustCompile(`\bmas (tarde|tardecito|temprano|tempranito)\b|\b(later|earlier)\b`)

// Shift is 1 where a later hour is asked for, -1 for an earlier one, 0 for neither.
func Shift(text string) int {
	m := shifts.FindStringSubmatch(plainText(text))
	switch {
	case m == nil:
		return 0
	case strings.HasPrefix(m[1], "tard"), m[2] == "later":
		return 1
	}
	return -1
}

// Corrects says that a detail is given again because the first one was wrong.
func Corrects(text string) bool { return correction.MatchString(plainText(text)) }

var firstOne = regexp.MustCompile(`^(?:la|el|lo) primer[oa](?: (?:que (?:haya|hay|tengan?|salga)|disponible|libre|posible))?(?: por favor| porfa)?[.! ]*$`)

// FirstOne says that the first that can be had is wanted: "la primera".
func FirstOne(text string) bool { return firstOne.MatchString(plainText(text)) }

// AnyCare says that it is left to the clinic what an appointment is for.
func AnyCare(text string) bool { return anyCare.MatchString(plainText(text)) }

// AnyTime says that every time suits.
func AnyTime(text string) bool { return anyTime.MatchString(plainText(text)) }

var changedMind = regexp.MustCompile(`\bcambi(?:e|o|amos) de (?:opinion|idea|parecer|planes)\b`)

// ChangesMind says that something is no longer wanted as it was: with nothing else, that it is not
// wanted at all.
func ChangesMind(text string) bool { return changedMind.MatchString(plainText(text)) }

// Stops says that what is being arranged is to be left.
func Stops(text string) bool { return stop.MatchString(plainText(text)) }
