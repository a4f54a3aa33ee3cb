package details

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"bitacora/adapters/assistant/words"
	"bitacora/domain/timex"
)

// introductions are the words before a person's own name.
var introductions = regexp.MustCompile(`(?i)(?:^|[\s,.;:¡!])(?:(?:mi |el |su )?(?:nombre|apellido) (?:está|esta|quedó|quedo|salió|salio) (?:mal|equivocado|incorrecto)[\s,.;:]+(?:es|era|soy|me llamo)|(?:c[aá]mbi|correg|corr[ií]j|corrig|p[oó]n)[a-záé]* (?:el |mi |su )?nombre (?:a|por)|me (?:(?:ll|y)am(?:o|an)|dicen)|se llama|nombres? y apellidos?|this is|(?:mi |su |el )?nombre (?:correcto |completo |real |verdadero )?es|(?:mi |su |el )?nombre (?:correcto|completo|real|verdadero)|(?:el|la) paciente es|mi nombre|nombre completo|nombre|a nombre de|habla|le saluda|te saluda|te escribe|le escribe|pregunt(?:e|en|a) por|my name is|i am|i'm|soy yo|soy)[\s:,]+`)

// uncertain introductions are also said of what is no name: "soy paciente".
var uncertain = regexp.MustCompile(`(?i)(?:soy|i'm|i am|habla|nombre|por|this is)[\s:,]+$`)

// Names that are not that of who writes: "no me llamo Ana", and, where nobody asked whose
// appointment it is, "soy el hermano de Ana".
var (
	denied   = regexp.MustCompile(`(?i)(?:no me llamo|mi nombre no es|no soy)\s[^,.;:]*`)
	relation = regexp.MustCompile(`(?i)\bsoy\s+(?:el|la|un|una|su)\s+\p{L}+\s+de\s+[^,.;:]*|(?:te|le)\s+escribe\s+(?:el|la|su|un|una)\s+[^,.;:]*`)
)

// openers may stand before a bare name.
var openers = regexp.MustCompile(`(?i)^(?:(?:sí|si|claro|ok|okey|hola|bueno|dale|por supuesto|listo|perdón|perdon|disculpa|disculpe|es para|para|es|ser[ií]a|ser[aá]|va|de|a nombre de|con gusto|ponl[aeo]|pon|como|p[oó]ng[ao]l[aeo]|an[oó]t[ae](?:l[aeo]|me)?|ap[uú]nt[ae](?:l[aeo]|me)?)[\s,.:]+|(?:mi|la|el|del|al)\s+(?:hija|hijo|esposo|esposa|mamá|mama|papá|papa|hermano|hermana|abuela|abuelo|señor|señora|sr|sra|srta|dr|dra|doctor|doctora|ing|lic|licdo|licda|licenciado|licenciada|profesor|profesora|novia|novio|niño|niña|nieto|nieta|suegra|suegro|tía|tío)\.?[\s,:]+)+`)

var particles = []string{"de", "del", "la", "las", "los", "y", "da", "di", "van", "von"}

// noNames are words that begin or end no name.
var noNames = words.Set(`si no ok okey and is phone email hola buenas buenos gracias claro listo dale bueno pues quiero quisiera necesito para por porque cual cuales que quien
 como cuando donde cuanto cita mi mis mío tu su yo usted ustedes es soy ya pero con sin numero telefono cel celular correo email tel whatsapp
 el un una unos lunes martes miercoles jueves viernes sabado domingo manana hoy tarde noche paciente nuevo nueva alergico alergica diabetico diabetica
 hipertenso embarazada interesado interesada doctor doctora dentista cliente estudiante jubilado jubilada mayor menor hombre mujer aqui ahi favor
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
	text = denied.ReplaceAllString(text, " ")
	if !asked {
		text = relation.ReplaceAllString(text, " ")
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
	if !asked || strings.ContainsAny(text, "?¿") {
		return ""
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
		if noNames[plain] && !titles[plain] && !dayInName(list, i) {
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
	return startsUpper(first) || firstNames[words.Plain(strings.Trim(first, ".,"))]
}

// politeEnd is what is said behind a name.
var politeEnd = regexp.MustCompile(`(?i)[\s,.]+(?:por favor|porfa|porfis|please|(?:muchas |mil )?gracias|ser[ií]a|as[ií] se llama|si (?:es|fuera) tan amable)[\s,.!]*$`)

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
			rest := strings.Join(fields[i+1:], " ")
			if !capitalOrKnown(rest) {
				return ""
			}
			return nameAt(rest, looksLikeName(rest), usual)
		}
	}
	return ""
}

// beginsWithFirstName says that a text is a common first name with a few words behind it, "luis corona".
func beginsWithFirstName(text string, list []string) bool {
	return 2 <= len(list) && len(list) <= 4 && cut(text) == text && firstNames[words.Plain(list[0])]
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
		particle := slices.Contains(particles, plain)
		if plain == "y" && (i+1 == len(list) || !startsUpper(list[i+1])) {
			return finish(name) // "Ana Pérez y rápido"
		}
		switch {
		case particle && len(name) == 0, !particle && noNames[plain] && len(plain) > 1 && !dayInName(list, i):
			return finish(name)
		case particle, sure:
		case !shouting && startsUpper(bare) && (len(name) > 0 || !usual(plain)):
		case utf8.RuneCountInString(bare) == 1 && len(name) > 0:
		case usual(plain) && !firstNames[plain]:
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
	if slices.Contains(particles, strings.ToLower(bare)) {
		return strings.ToLower(bare)
	}
	if utf8.RuneCountInString(bare) == 1 && strings.HasSuffix(raw, ".") {
		return strings.ToUpper(bare) + "."
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

// firstNames are common names that are also common words of visitors, or likely to be
// written in small letters.
var firstNames = words.Set(`domingo abril mayo ana maria jose juan carlos luis pedro miguel jorge ricardo roberto eduardo fernando antonio manuel francisco rafael david
 daniel gabriel samuel oscar hector julio cesar mario victor andres alberto alejandro diego sergio ivan pablo angel rosa carmen marta martha elena laura
 gloria sofia lucia isabel julia sandra patricia monica karla katherine yaneth yadira dayana mireya itzel nilka gladys xiomara edilma vielka maritza
 milagros esperanza paz rocio luz sol estela mercedes dolores consuelo socorro guadalupe belen ruben omar ernesto felix hugo ramon raul tomas cristian
 kevin bryan john sarah michael perez gonzalez rodriguez gomez diaz ruiz torres castillo moreno rios vega blades arias batista de leon santos cruz
 marin ortega quintero pinzon delgado morales ramos flores reyes herrera medina campos leon mora rojas blanco silva castro vargas guerra`)
