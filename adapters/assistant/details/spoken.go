package details

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"bitacora/adapters/assistant/words"
	"bitacora/adapters/phones"
)

// digitWords are the digits that a number word stands for where a telephone number is said aloud.
var digitWords = func() map[string]string {
	all := map[string]string{"cero": "0", "una": "1"}
	for i, w := range strings.Fields("uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis diecisiete dieciocho diecinueve " +
		"veinte veintiuno veintidos veintitres veinticuatro veinticinco veintiseis veintisiete veintiocho veintinueve") {
		all[w] = strconv.Itoa(i + 1)
	}
	for i, w := range strings.Fields("treinta cuarenta cincuenta sesenta setenta ochenta noventa") {
		all[w] = strconv.Itoa(10 * (i + 3))
	}
	return all
}()

// fewestSaid is how many words a number that is said aloud has at least.
const fewestSaid = 3

// inFigures writes telephone numbers that are said aloud in figures: "seis uno dos tres, cuarenta y
// cinco, sesenta y siete" is 61234567. What does not come to a number stays as it is.
func inFigures(text string, plan phones.Plan) string {
	fields := strings.Fields(text)
	var out []string
	for i := 0; i < len(fields); {
		digits, said, to := digitsAt(fields, i)
		if _, ok := plan.Parse(digits); said >= fewestSaid && ok {
			out, i = append(out, digits), to
			continue
		}
		out = append(out, fields[i])
		i++
	}
	if len(out) == len(fields) {
		return text
	}
	return strings.Join(out, " ")
}

// digitsAt reads the digits that are said from a word on, and counts the words among them.
func digitsAt(fields []string, i int) (digits string, said, to int) {
	var b strings.Builder
	tens := false // an "y" and a unit may follow
	for to = i; i < len(fields); i++ {
		word := words.Plain(strings.Trim(fields[i], ".,;:-"))
		number, ok := digitWords[word]
		switch {
		case ok && tens && len(number) == 1 && i > 0 && words.Plain(fields[i-1]) == "y":
			so := b.String()
			b.Reset()
			b.WriteString(so[:len(so)-1] + number)
		case ok:
			b.WriteString(number)
		case word == "y" && tens && i+1 < len(fields):
			continue
		case word != "" && strings.IndexFunc(word, func(r rune) bool { return !unicode.IsDigit(r) }) < 0:
			b.WriteString(word)
		default:
			return b.String(), said, to
		}
		if ok {
			said++
		}
		tens = len(number) == 2 && number[1] == '0' && number != "10" && number != "20"
		to = i + 1
	}
	return b.String(), said, to
}

var (
	at = regexp.MustCompile(`(?i)\s*(?:\(arroba\)|[\[(]at[\])]|\barr?o[bv]a\b|\s@\s|@\s|\s@)\s*`)
	// dot is that of a domain, said or typed with blanks or as a comma where the domain has none yet.
	dot      = regexp.MustCompile(`(?i)(@[\p{L}\d.-]+?)\s+(?:punto|dot)\s+([\p{L}\d-]+)`)
	typedDot = regexp.MustCompile(`(?i)(@[\p{L}\d-]+)(?:\s+[.,]\s*|\.\s+|,)(com|net|org|edu|gob|info|es|pa|co)\b`)
	figures  = regexp.MustCompile(`(?i)([\p{L}]+)\s+(\d+@)`)
	joined   = regexp.MustCompile(`(?i)([\p{L}\d]+)\s+(punto|dot|gui[oó]n bajo|underscore|gui[oó]n|raya)\s+([\p{L}\d._\-]*@)`)
	together = regexp.MustCompile(`(?i)\b(?:todo|va|todo va) (?:pegado|junto|seguido)s?\b|\bsin espacios?\b`)
	noMail   = words.Set(`es mi el la correo email mail e-mail electronico y o a al seria este punto dot bajo guion raya underscore`)
)

// spokenMarks are the marks of an address as they are said.
var spokenMarks = map[string]string{"punto": ".", "dot": ".", "guion bajo": "_", "underscore": "_", "guion": "-", "raya": "_"}

// asAddress writes e-mail addresses that are said aloud, or typed with blanks, as addresses: "luis
// punto herrera arroba gmail punto com".
func asAddress(text string) string {
	text = at.ReplaceAllString(text, "@")
	if !strings.Contains(text, "@") {
		return text
	}
	text = typedDot.ReplaceAllString(dot.ReplaceAllString(dot.ReplaceAllString(text, "$1.$2"), "$1.$2"), "$1.$2")
	text = figures.ReplaceAllStringFunc(text, func(found string) string {
		if m := figures.FindStringSubmatch(found); !noMail[words.Plain(m[1])] {
			return m[1] + m[2] // "ana punto perez 90 arroba"
		}
		return found
	})
	for before := ""; before != text; {
		before = text
		text = joined.ReplaceAllStringFunc(text, func(found string) string {
			m := joined.FindStringSubmatch(found)
			return m[1] + spokenMarks[words.Plain(m[2])] + m[3]
		})
	}
	if together.MatchString(text) {
		text = pulledTogether(together.ReplaceAllString(text, " "))
	}
	return text
}

// pulledTogether takes the words right before an address into it.
func pulledTogether(text string) string {
	fields := strings.Fields(text)
	i := slices.IndexFunc(fields, func(w string) bool { return strings.Contains(w, "@") })
	if i < 0 {
		return text
	}
	from := i
	for from > 0 && !noMail[words.Plain(strings.Trim(fields[from-1], ":,"))] && !strings.ContainsAny(fields[from-1], ":,;") {
		from--
	}
	return strings.Join(slices.Concat(fields[:from], []string{strings.Join(fields[from:i+1], "")}, fields[i+1:]), " ")
}
