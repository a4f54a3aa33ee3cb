package details

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"bitacora/adapters/assistant/words"
	"bitacora/domain/privacy"
	"bitacora/domain/timex"
)

// introductions are the words before a person's own name.
var introductions = regexp.MustCompile(`(?i)(?:^|[\s,.;:¡!])(?:(?:mi |el |su )?(?:nombre|apellido) (?:está|esta|quedó|quedo|salió|salio) (?:mal|equivocado|incorrecto)[\s,.;:]+(?:es|era|soy|me llamo)|(?:c[aá]mbi|correg|corr[ií]j|corrig|p[oó]n)[a-záé]* (?:el |mi |su )?nombre (?:a|por)|me (?:(?:ll|y)am(?:o|an)|dicen)|se llama|nombres? y apellidos?|this is|(?:mi |su |el )?nombre (?:correcto |completo |real |verdadero )?es|(?:mi |su |el )?nombre (?:correcto|completo|real|verdadero)|(?:el|la) paciente es|mi nombre|nombre completo|nombre|a nombre de|habla(?: con)?|le saluda|te saluda|te escribe|le escribe|pregunt(?:e|en|a) por|my (?:full )?name(?:['’]s| is)|i am|i'm|(?:[eé]l|ella|(?:la|el|mi) (?:ni[nñ][oa]|paciente|hij[oa]|beb[eé])) es|pero (?:mi nombre )?es|it'?s|it is|the name(?:'s| is)|(?:his|her|their|the) name is|(?:it'?s |put it |it )?under(?: the name(?: of)?)?|(?:muy )?atentamente|cordialmente|(?:best |kind )?regards|sincerely|soy yo(?: mism[oa])?|soy)[\s:,]+`)

// uncertain introductions are also said of what is no name: "soy paciente".
var uncertain = regexp.MustCompile(`(?i)(?:soy|under|i'm|i am|habla|nombre|por|this is|it'?s|it is|me dicen|es)[\s:,]+$`)

// Names that are not that of who writes: "no me llamo Ana", and, where nobody asked whose
// appointment it is, "soy el hermano de Ana".
var (
	denied   = regexp.MustCompile(`(?i)(?:no me llamo|mi nombre no es|no soy|soy de|somos de|vengo de)\s[^,.;:]*`)
	relation = regexp.MustCompile(`(?i)\bsoy\s+(?:el|la|un|una|su)\s+\p{L}+\s+de\s+[^,.;:]*|(?:te|le)\s+escribe\s+(?:el|la|su|un|una)\s+[^,.;:]*`)
)

// openers may stand before a bare name.
var openers = regexp.MustCompile(`(?i)^(?:(?:(?:primero|empecemos|empezamos|comencemos)\s+(?:(?:por|con)\s+)?(?:yo|m[ií]|conmigo)|yo(?:\s+(?:primero|mism[oa]))?|para\s+(?:mí|mi\s*,)|ya\s+(?:se|te|le)\s+(?:lo\s+)?dije(?:\s+que)?|(?:puede[sn]?|podr[ií]a[sn]?)\s+poner(?:l[ao]|me)?|(?:you\s+can\s+)?put(?:\s+it)?(?:\s+under)?|for|under|it'?d\s+be|(?:con|bajo)\s+el\s+nombre(?:\s+de)?|al\s+nombre\s+de|pon(?:ga|gan)?\s+a|empiezo\s+(?:yo|por\s+m[ií]|conmigo)|sí|si|claro|ok|okey|hola|bueno|dale|por supuesto|listo|perdón|perdon|disculpa|disculpe|es para|para|es|ser[ií]a|ser[aá]|va|de|a nombre de|(?:la|el|the)\s+(?:primer[oa]?|segund[oa]|tercer[oa]?|otr[oa]|mayor|menor|first|second|other)(?:\s+one)?\s+(?:es|se\s+llama|ser[ií]a|is)|con gusto|pues|este|mm+|eh+|ah|ajá|aja|mire|mira|sorry|yes|yeah|sure|okay|it'?s|the name(?:'s| is)|ponl[aeo]|pon|como|p[oó]ng[ao]l[aeo]|p[oó]ng[ao](?:me)?|an[oó]t[ae](?:l[aeo]|me)?|ap[uú]nt[ae](?:l[aeo]|me)?)[\s,.:]+|(?:mi|la|el|del|al)\s+(?:hija|hijo|esposo|esposa|mamá|mama|papá|papa|hermano|hermana|abuela|abuelo|señor|señora|sr|sra|srta|dr|dra|doctor|doctora|ing|lic|licdo|licda|licenciado|licenciada|profesor|profesora|novia|novio|niño|niña|nieto|nieta|suegra|suegro|tía|tío)\.?[\s,:]+)+`)

var particles = []string{"de", "del", "la", "las", "los", "y", "da", "di", "van", "von"}

// noNames are words that begin or end no name.
var noNames = words.Set(`si no ok okey and is phone email hola buenas buenos gracias claro listo dale bueno pues quiero quisiera necesito para por porque cual cuales que quien
 como cuando donde cuanto cita mi mis mío tu su yo usted ustedes es soy ya pero con sin numero telefono cel celular correo email tel whatsapp
 el un una unos lunes martes miercoles jueves viernes sabado domingo manana hoy tarde noche paciente nuevo nueva alergico alergica diabetico diabetica
 hipertenso hipertensa asmatico asmatica epileptico epileptica portador portadora positivo positiva seropositivo seropositiva vih hiv sida
 embarazada interesado interesada doctor doctora dentista cliente estudiante jubilado jubilada mayor menor hombre mujer aqui ahi favor
 perfecto correcto bien mal nada nadie nunca tal vez seguro segura mismo misma acepto confirmo primera primero ninguno ninguna otra otro hay tengo tiene
 prefiero puedo puede dime dame ayuda precio horario direccion dolor urgente the a not from new patient here yes ready sure looking interested
 panameno panamena todo chido chevere extranjero turista ambos libre ocupado asegurado asegurada adulto en al este esta eso esa
 queria quise mejor mira mire oye sigamos sigo seguir continuemos continuar cambia cambiar corrige corregir espera espere espereme esperame tantito dejame dejeme fuera ehh eh mmm quiere quieren digamos fijese tan amable completo correcto digo supongo creo`)

// longestName is the number of words of the longest name.
const longestName = 7

// ReadName finds a person's own name, as it is to be written. A bare name counts only if
// a name was asked for. Usual says whether a plain word is one that visitors use for other
// things.
func ReadName(text string, asked bool, usual func(word string) bool) string {
	text = surname.ReplaceAllString(denied.ReplaceAllString(text, " "), "$1 $2")
	if m := inverted.FindStringSubmatch(strings.TrimSpace(text)); asked && m != nil && isFamilyName(m[1]) && privacy.GivenName(words.Plain(m[2]), false) {
		text = m[2] + m[3] + " " + m[1]
	}
	if asked {
		text = firstOfPair(text)
	} else {
		text = relation.ReplaceAllString(text, " ")
	}
	if at := ownBeside.FindStringIndex(text); at != nil && asked {
		// Who writes is not who comes.
		if other := ReadName(text[:at[0]], true, usual); other != "" {
			return other
		}
	}
	introduced := introductions.FindAllStringIndex(text, -1)
	for _, doubtful := range []bool{false, true} {
		for _, at := range introduced {
			if uncertain.MatchString(text[:at[1]]) != doubtful {
				continue
			}
			rest := strings.TrimSpace(text[at[1]:])
			if name := nameAt(openers.ReplaceAllString(rest, ""), !doubtful || asked, usual); name != "" {
				return name
			}
		}
	}
	if !asked {
		return ""
	}
	if strings.ContainsAny(text, "?¿") {
		return nameBefore(text, usual)
	}
	rest := openers.ReplaceAllString(politeEnd.ReplaceAllString(strings.TrimSpace(text), ""), "")
	if at := contactWord.FindStringIndex(rest); at != nil {
		rest = rest[:at[0]]
	}
	for clause := range strings.SplitSeq(rest, ",") {
		if clause = openers.ReplaceAllString(strings.TrimSpace(clause), ""); looksLikeName(clause) {
			rest = clause // "ay perdón, Ana Ruiz"
			break
		}
	}
	list := strings.Fields(cut(rest))
	for i, w := range list {
		plain := words.Plain(strings.Trim(w, "., "))
		if noNames[plain] && !titles[plain] && !dayInName(list, i) && !surnameAt(list, i) {
			return ""
		}
	}
	if len(list) == 1 && cut(rest) != rest && dayInName(list, 0) {
		return "" // "domingo 10 am"
	}
	name := nameAt(rest, looksLikeName(rest) || beginsWithFirstName(rest, list), usual)
	if one := strings.Fields(name); len(one) == 1 && !capitalOrKnown(rest) {
		return ""
	}
	return name
}

// next is somebody else, behind the one whose turn it is: "Ana Ruiz y la otra Luz Ruiz".
var next = regexp.MustCompile(`(?i),?\s+(?:y|and)\s+(?:la|el|the)\s+(?:segund[oa]|otr[oa]|menor|second|other)\b.*$`)

// surname is what stands between a first name and a surname that are told by those words.
var surname = regexp.MustCompile(`(?i)(\bnombres?(?:(?::| es) *\p{L}| +(?-i:\p{Lu}))[\p{L} ]*?)[.,;]*\s+(?:y\s+)?(?:(?:mi|el)\s+)?apellidos?:?\s+(?:es\s+)?(\p{L})`)

// inverted is a family name before a comma, and the first names behind it: "Vega, Ana María".
var inverted = regexp.MustCompile(`^([\p{L}'-]+(?: [\p{L}'-]+)?), ([\p{L}'-]+)((?: [\p{L}'-]+)?)\.?$`)

func isFamilyName(text string) bool {
	first, _, _ := strings.Cut(words.Plain(text), " ")
	return !noNames[first] && !privacy.GivenName(first, false) && (privacy.Name(first) || startsUpper(text))
}

// ownBeside is how who writes tells their own name beside that of somebody else.
var ownBeside = regexp.MustCompile(`(?i)[\s,.;]+(?:y |and |pero )?(?:yo soy|i am|i'm|soy (?:el|la|su) (?:pap[aá]|mam[aá]|padre|madre|abuel[oa]|t[ií][oa]|hij[oa]|espos[oa]|herman[oa]|acudiente|tutora?|acompañante))\b`)

// nameBefore is a name that stands before a question: "Ana Ruiz. ¿Hay estacionamiento?"
func nameBefore(text string, usual func(word string) bool) string {
	for clause := range strings.FieldsFuncSeq(text[:strings.IndexAny(text, "?¿")], func(r rune) bool { return strings.ContainsRune(".,;!\n", r) }) {
		clause = openers.ReplaceAllString(strings.TrimSpace(clause), "")
		if first, _, _ := strings.Cut(clause, " "); looksLikeName(clause) && !usual(words.Plain(first)) || BareName(clause, usual) != "" {
			return ReadName(clause, true, usual)
		}
	}
	return ""
}

// BareName is a name that a text consists of, where none need be: two words at least, and a first name
// that is common, or that visitors use for nothing else; empty where it is none.
func BareName(text string, usual func(word string) bool) string {
	text = strings.TrimSpace(openers.ReplaceAllString(politeEnd.ReplaceAllString(strings.TrimSpace(next.ReplaceAllString(text, "")), ""), ""))
	list := strings.Fields(text)
	if len(list) < 2 || cut(text) != text {
		return ""
	}
	first := words.Plain(strings.Trim(list[0], ".'’-"))
	known := privacy.GivenName(first, true)
	if noNames[first] || titles[first] || !known && (usual(first) || !looksLikeName(text)) {
		return ""
	}
	if !looksLikeName(text) && !beginsWithFirstName(text, list) || !known && slices.ContainsFunc(list[1:], func(w string) bool {
		plain := words.Plain(w)
		return usual(plain) && !privacy.Name(plain) && !slices.Contains(particles, plain)
	}) {
		return ""
	}
	if name := ReadName(text, true, usual); len(strings.Fields(name)) == len(list) {
		return name
	}
	return ""
}

// ContactName is the name that a text tells beside a telephone number or an address, whose place in
// the rest of it is empty: "jueves 3 pm, Ana Ruiz 6123-4567".
func ContactName(rest string, usual func(word string) bool) string {
	for _, clause := range besideContact.Split(rest, -1) {
		clause = contactWord.ReplaceAllString(clause, "")
		if name := BareName(clause, usual); name != "" {
			return name
		}
		if m := nameInClause.FindStringSubmatch(clause); m != nil {
			first, _, _ := strings.Cut(words.Plain(m[1]+m[2]), " ")
			if privacy.GivenName(first, false) || !usual(first) && !noNames[first] {
				return ReadName(m[1]+m[2], true, usual)
			}
		}
	}
	return ""
}

// besideContact parts what stands beside a number or an address, whose place is wide.
var besideContact = regexp.MustCompile(`[.,;:!¡\n()]|\s{2,}`)

// nameInClause is a name with capitals at the end of a clause, or before what is said of its bearer: "jueves 10am Ana
// Ruiz", "Ana Ruiz por acá".
var nameInClause = regexp.MustCompile(`((?:\p{Lu}[\p{L}'’-]+\s+){1,4}\p{Lu}[\p{L}'’-]+)\s*$|^\s*((?:\p{Lu}[\p{L}'’-]+\s+){1,4}\p{Lu}[\p{L}'’-]+)\s+(?:quiere|necesita|por ac[aá]|por aqu[ií]|aqu[ií]|ac[aá]|here|wants|needs|el|para|lunes|martes|mi[eé]rcoles|jueves|viernes|s[aá]bado|ma[nñ]ana|\d\S*)(?:\s|$)`)

// Without is a text without a name that was read in it, so that "Luz Implante" asks for no implant.
func Without(text, name string) string {
	parts := strings.Fields(name)
	if len(parts) == 0 {
		return text
	}
	fields := wordAt.FindAllStringIndex(text, -1)
	for i := range fields {
		if j := i + len(parts); j <= len(fields) && sameWords(text, fields[i:j], parts) {
			return text[:fields[i][0]] + " " + text[fields[j-1][1]:]
		}
	}
	return text
}

// wordAt is a word, with the dot of an initial.
var wordAt = regexp.MustCompile(`[\p{L}'’\-.]+`)

func sameWords(text string, at [][]int, parts []string) bool {
	for i, part := range parts {
		if bare := strings.Trim(text[at[i][0]:at[i][1]], ".'’-"); words.Plain(bare) != words.Plain(strings.Trim(part, ".'’-")) {
			return false
		}
	}
	return true
}

// capitalOrKnown says that a text begins as a name does: with a capital, or with a common name.
func capitalOrKnown(text string) bool {
	first, _, _ := strings.Cut(text, " ")
	return startsUpper(first) || privacy.GivenName(words.Plain(strings.Trim(first, ".,")), false)
}

// politeEnd is what is said behind a name.
var politeEnd = regexp.MustCompile(`(?i)[\s,.]+(?:por favor|porfa|porfis|please|(?:muchas |mil )?gracias|thanks|thank you|para servirles?|xfa|xfis|pls|(?:ja|je|ji)(?:ja|je|ji)+|es mi nombre(?: completo)?|(?:ese|este) es mi nombre|me llamo|is my name|here|(?:es )?la paciente|el paciente|a (?:la|sus?|tu) [oó]rden(?:es)?|mucho gusto|ser[ií]a|as[ií] se llama|si (?:es|fuera) tan amable)[\s,.!]*$`)

// correcting is what is said before a name that replaces another.
var correcting = regexp.MustCompile(`(?i)^(?:(?:no|ay|perd[oó]n|disculp[ae]|me equivoqu[eé]|me confund[ií]|corrijo|correcci[oó]n|quise decir|en realidad|mejor)[\s,.:]+)+`)

// CorrectedName finds the name that is said instead of another where none was asked for: "perdón, es
// Ana Ruiz". It must look like one.
func CorrectedName(text string, usual func(word string) bool) string {
	if !correcting.MatchString(text) && !Corrects(text) {
		return ""
	}
	rest := openers.ReplaceAllString(correcting.ReplaceAllString(politeEnd.ReplaceAllString(strings.TrimSpace(text), ""), ""), "")
	list := strings.Fields(cut(rest))
	if len(list) < 2 || cut(rest) != rest || !looksLikeName(rest) && !capitalOrKnown(rest) {
		return ""
	}
	return ReadName(rest, true, usual)
}

// contactWord announces a phone or an address behind a name.
var contactWord = regexp.MustCompile(`(?i)[\s,;.]+(?:y\s+)?(?:mi\s+|el\s+|su\s+)?(?:m[ií]o|n[uú]mero|tel|tel[eé]fono|cel|celu|celular|whatsapp|wsp|correo|e-?mail|mail)\b.*$`)

// titles may stand before a name and are none of it.
var titles = words.Set(`dr dra doctor doctora ing ingeniero ingeniera lic licdo licda licenciado licenciada sr sra srta senor senora senorita don dona prof profesor profesora arq mr mrs ms`)

// dayInName says that the name of a day is one of somebody: "Domingo" wherever it stands, the others
// behind a name and with a capital.
func dayInName(list []string, i int) bool {
	plain := words.Plain(strings.Trim(list[i], ".,"))
	return plain == "domingo" || i > 0 && timex.NamesWeekday(plain) && startsUpper(list[i]) && startsUpper(list[0]) && list[i] != strings.ToUpper(list[i])
}

// surnameAt says that a word, which is none of a name elsewhere, is a surname here: every word has a
// capital, and the first is one of a name, "Felipe Mañana".
func surnameAt(list []string, i int) bool {
	return i > 0 && !noNames[words.Plain(strings.Trim(list[0], ".,"))] && looksLikeName(strings.Join(list, " "))
}

// ownName is what comes before the name of who writes.
var ownName = regexp.MustCompile(`(?i)\b(?:soy|me llamo|mi nombre|my name|i am|i'm)\b`)

// Introduces says that who writes tells their own name.
func Introduces(text string) bool { return ownName.MatchString(text) }

// onlyName is a text that says a name, which is "·" in it, and asks for nothing.
var onlyName = regexp.MustCompile(`^(?:(?:hola|buen[oa]s?(?: dias?| tardes?| noches?)?|muy bien|bien|gracias|que tal|jaja\w*|eh+|ah|oh|pues|ok)[,.! ]+)*(?:yo )?(?:me (?:ll|y)am(?:o|an)|me dicen|mi nombre(?: completo)?(?: es)?|soy|my name is|i am|i'm)[ :]+·[.! ]*(?:,? ?(?:mucho gusto|un gusto|encantad[oa]|gracias|y (?:tu|usted|vos)))?[.! ]*$`)

// OnlyIntroduces says that who writes tells their name and asks for nothing.
func OnlyIntroduces(text string, usual func(word string) bool) bool {
	name := ReadName(text, false, usual)
	return name != "" && onlyName.MatchString(strings.Replace(plainText(text), words.Plain(name), "·", 1))
}

// NameOfOther finds the name of the relative for whom an appointment is: "para mi hijo Luis
// Mora"; empty if only the relation is told.
func NameOfOther(text string, usual func(word string) bool) string {
	fields := strings.Fields(text)
	for i, w := range slices.Backward(fields) {
		if isRelative.MatchString(words.Plain(strings.Trim(w, ".,;:"))) && !strings.ContainsAny(w, ".;:") {
			rest := openers.ReplaceAllString(afterRelative.ReplaceAllString(strings.Join(fields[i+1:], " "), ""), "")
			if !capitalOrKnown(rest) {
				return ""
			}
			return nameAt(rest, looksLikeName(rest), usual)
		}
	}
	return ""
}

// afterRelative is what may stand between a relative and the name.
var afterRelative = regexp.MustCompile(`(?i)^(?:[,.:]? ?(?:(?:que )?se llama|llamad[oa]|don|doña|dona|el|la|es|named|called|his name is|her name is) )+`)

// beginsWithFirstName says that a text is a common first name with a few words behind it, "luis corona".
func beginsWithFirstName(text string, list []string) bool {
	own := 0
	for _, w := range list {
		if !slices.Contains(particles, words.Plain(w)) {
			own++
		}
	}
	return 2 <= own && own <= 4 && cut(text) == text && privacy.GivenName(words.Plain(list[0]), false)
}

// looksLikeName says that a text is a few words that all begin with a capital.
func looksLikeName(text string) bool {
	list := strings.Fields(cut(text))
	return len(list) > 1 && text != strings.ToUpper(text) && !slices.ContainsFunc(list, func(w string) bool {
		return !startsUpper(w) && !slices.Contains(particles, words.Plain(w))
	})
}

// cut ends a text where a name must end.
func cut(text string) string {
	end := strings.IndexFunc(text, func(r rune) bool {
		return strings.ContainsRune(",;:!?¿¡()\n\"", r) || unicode.IsDigit(r)
	})
	if end < 0 {
		return text
	}
	return text[:end]
}

// nameAt reads a name from the beginning of a text. Where it is not sure that a name
// comes, words that visitors use for other things are none.
func nameAt(text string, sure bool, usual func(string) bool) string {
	var name []string
	shouting := text == strings.ToUpper(text)
	list := strings.Fields(cut(text))
	for i, w := range list {
		bare := strings.Trim(w, ".'’-")
		plain := words.Plain(bare)
		if bare == "" || !isNameWord(bare) || len(name) == longestName {
			break
		}
		if len(name) == 0 && titles[plain] && i+1 < len(list) {
			continue
		}
		particle := slices.Contains(particles, plain) && w != "y." && w != "Y."
		if plain == "y" && !strings.HasSuffix(w, ".") && (i+1 == len(list) || !startsUpper(list[i+1])) {
			return finish(name) // "Ana Pérez y rápido"
		}
		switch {
		case particle && len(name) == 0, !particle && noNames[plain] && len(plain) > 1 && !dayInName(list, i) && !(sure && surnameAt(list, i)):
			return finish(name)
		case particle, sure:
		case !shouting && startsUpper(bare) && (len(name) > 0 || !usual(plain)):
		case utf8.RuneCountInString(bare) == 1 && len(name) > 0:
		case usual(plain) && !privacy.Name(plain):
			return finish(name)
		}
		name = append(name, nameForm(w, bare))
		if strings.HasSuffix(w, ".") && utf8.RuneCountInString(bare) > 1 {
			break
		}
	}
	return finish(name)
}

// finish drops particles that a name cannot end with.
func finish(name []string) string {
	for len(name) > 0 && slices.Contains(particles, strings.ToLower(name[len(name)-1])) {
		name = name[:len(name)-1]
	}
	return strings.Join(name, " ")
}

func isNameWord(word string) bool {
	return strings.IndexFunc(word, func(r rune) bool { return !unicode.IsLetter(r) && !strings.ContainsRune("'’-.", r) }) < 0
}

func startsUpper(word string) bool {
	r, _ := utf8.DecodeRuneInString(word)
	return unicode.IsUpper(r)
}

// nameForm puts a word of a name into the form in which it is written. Mixed case stays.
func nameForm(raw, bare string) string {
	if utf8.RuneCountInString(bare) == 1 && strings.HasSuffix(raw, ".") {
		return strings.ToUpper(bare) + "."
	}
	if slices.Contains(particles, strings.ToLower(bare)) {
		return strings.ToLower(bare)
	}
	if bare != strings.ToLower(bare) && bare != strings.ToUpper(bare) {
		return bare
	}
	var b strings.Builder
	up := true
	for _, r := range strings.ToLower(bare) {
		if up {
			r = unicode.ToUpper(r)
		}
		b.WriteRune(r)
		up = strings.ContainsRune("-'’", r)
	}
	return b.String()
}
