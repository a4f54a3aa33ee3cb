package privacy

import (
	"regexp"
)

// What stands between the parts of an identity number where a word says that it is one.
const (
	docGap  = `(?:\s?[-./,_~]\s?|\s{1,2}|\s?,?\s(?:guion|raya)\s)`
	docKind = `(?:av|pi|nt)`

	documentWord = `(?:[cs]edulas?|cedla|cedual|cdula|cip|c\.i\.p|ced|identidad|identificacion|dni|dui|nit|nie|rut|curp|ssn|documento|id|ruc|[ps]asaporte?|pasaprte|psaporte|pass?port|carnets?|carne|credencial|licencia|licen[cs]e|seg(?:uro)? social|social security|poli[zs]as?|certificado|certificate|cert|afiliad[oa]|afiliacion|afil|asegurad[oa]|seguro|insurance|policy|member(?:ship)?|subscriber|ficha|matricula|cliente|socio|miembro|expediente|contrato|pass|group|grupo|c\.?c|c\.i|ss)`
	// documentLink stands between the word and the number: a kind, a country, an insurer, whose it is.
	documentLink = `(?:de [a-z]{3,}(?: [a-z]{3,})? (?:es|num(?:ero)?|nro)|numero|numer|num|nro|no|n\.|n\s|es|son|era|seria|la|el|los|de|del|mi[ao]?|tu|su|al|y|(?:hij|espos|abuel|herman|prim|ti|suegr|nin|niet|sobrin|senor)[oa]?|mam[ai]|pap[ai]|madre|padre|marido|mujer|bebe|nen[ea]|pareja|` +
		`personal|identidad|residen(?:te|cia)|permanente|temporal|juvenil|[a-z]{3,}(?:[aei]n[oa]?|ense)|espanola?|frances[a]?|ingles[a]?|chin[oa]|argentin[oa]|guatemaltec[oa]|us|juridic[oa]|natural|number|is|my|our|his|her|ciudadania|esta|actual|conducir|` +
		`poliza|certificado|afiliad[oa]|afiliacion|asegurad[oa]|titular|dependiente|colectiv[oa]|grupal|individual|familiar|dental|plan|grupo|group|social|caja|seguros?|salud|vida|dice|medic(?:[oa]|al)|id|numb|` +
		`assa|mapfre|pali[gc]|sura|vivir|optima|ancon|acerta|internacional|css|pan american(?: life)?|bupa|cigna|aetna|humana|delta|blue cross|fedpa|mercantil|banesco|general(?:i)?|nacional|conase|worldwide|best doctors|triple s|axa|allianz)`
)

var (
	// documentCue says that the number of a document follows.
	documentCue = regexp.MustCompile(`(?:\b|_)` + documentWord + `(?:\b[\s:#.,;=°º-]*(?:` + documentLink + `[\s:#.,;=°º]+)*|)`)
	// documentBehind is a number before the word that says that it is one.
	documentBehind = regexp.MustCompile(`(?:^|[^a-z\d./-])((?:[a-z]{1,2}-?)?\d{1,6}(?:` + docGap + `(?:` + docKind + docGap + `)?\d{1,6}){1,3}|[a-z]{0,3}[ -]?\d{5,12})[ ,]+(?:(?:esa|ese|este|esta|ahi) )?(?:es|is|seria|de) (?:` + documentLink + ` )*` + documentWord + `\b`)
	// identity is that of Panama: province or kind, book, entry.
	identity = regexp.MustCompile(`^(?:pe|e|n|\d{1,2}(?:` + docGap + `?` + docKind + `)?)` + docGap + `?\d{1,4}` + docGap + `\d{1,6}(?:` + docGap + `?\d{1,6}){0,1}`)
	// lettered is a passport, a foreign identity number or one of few letters and many digits.
	lettered = regexp.MustCompile(`^(?:[a-z]{1,3}[\s.-]?|[a-z]{4}-)?\d(?:[.-]?\d){4,17}[a-z]?\b`)
	// coded is the number of a policy or a passport, of letters and digits in any order; grouped one whose digits are spaced.
	coded   = regexp.MustCompile(`^(?:[a-z]{1,4}\s?[-./]\s?|[a-z]{1,2} )?[a-z]{0,4}\d+[a-z]{0,2}(?:\s?(?:[-/_]\s?|\.)(?:[a-z]{1,3}\b|[a-z]{0,2}\d+[a-z]?))*\b`)
	grouped = regexp.MustCompile(`^(?:[a-z]{0,4}[- ]?\d{3,5}(?: \d{3,5}){1,3}|[a-z]{1,3}[-/ ]?\d+(?: \d{2,6})+|[a-z]\d[a-z\d]{5,9})\b`)
	// gluedCode follows a word without a space; yearSpan is no number, but when something is valid.
	gluedCode = regexp.MustCompile(`^[a-z]{1,3}-?\d{4}`)
	yearSpan  = regexp.MustCompile(`^20\d\d\s?[-/]\s?20\d\d\b`)
	// spoken goes on where the digits are told one by one or in pairs.
	checkDigits = regexp.MustCompile(`^,?\s?d\.?v\.?:?\s?\d{1,2}\b`)
	spoken      = regexp.MustCompile(`^` + docGap + `\d{1,4}\b`)

	// unsaid are the documents that are known by their shape.
	unsaid = []*regexp.Regexp{
		regexp.MustCompile(`\b(?:pe|e|n)\s?-\s?\d{1,4}\s?-\s?\d{3,6}\b`),
		regexp.MustCompile(`\b\d{1,2}\s?-?\s?` + docKind + `\s?-\s?\d{1,4}\s?-\s?\d{1,6}\b`),
		regexp.MustCompile(`\b(?:1[0-3]|[1-9])(?:\s?[-_]\s?\d{1,4}\s?[-_]\s?|[./]\d{2,4}[./])\d{3,6}\b`),
		regexp.MustCompile(`(?:^|[^\d+ ] )((?:1[0-3]|[1-9]) \d{3} \d{4})\b`),
		regexp.MustCompile(`\b(?:1[0-3]|[1-9])-\d{3,4}-\d{2}\b`),
		regexp.MustCompile(`\b[1-9], ?[1-9]\d{2}, ?\d{4}\b`),
	}
)

// fewestOfDocument is how many digits a document's number has at least.
const fewestOfDocument = 5

func (f *folded) documents(take func(i, j int)) {
	for _, cue := range documentCue.FindAllIndex(f.text, -1) {
		end := cue[1]
		if yearSpan.Match(f.text[end:]) || end < len(f.text) && isLetter(f.text[end]) && isLetter(f.text[end-1]) && !gluedCode.Match(f.text[end:]) {
			continue
		}
		if n := f.documentAt(end); n > 0 {
			take(end, end+n)
		}
	}
	for _, at := range documentBehind.FindAllSubmatchIndex(f.text, -1) {
		if digitsIn(f.text[at[2]:at[3]]) >= fewestOfDocument && !f.isDate(at[2], at[3]) {
			take(at[2], at[3])
		}
	}
	for _, pattern := range unsaid {
		for _, at := range pattern.FindAllSubmatchIndex(f.text, -1) {
			i, j := at[len(at)-2], at[len(at)-1]
			if f.alone(i, j) && !f.isDate(i, j) {
				take(i, j+len(checkDigits.Find(f.text[j:])))
			}
		}
	}
}

// documentAt is the length of the number that begins at a place; 0 if there is none.
func (f *folded) documentAt(i int) int {
	rest := f.text[i:]
	n := 0
	for _, pattern := range []*regexp.Regexp{identity, lettered, coded, grouped} {
		if at := pattern.FindIndex(rest); at != nil && digitsIn(rest[:at[1]]) >= fewestOfDocument {
			n = max(n, at[1])
		}
	}
	if n == 0 {
		if at := identity.FindIndex(rest); at != nil {
			n = at[1]
		}
	}
	for n > 0 && digitsIn(rest[:n]) < 9 {
		next := spoken.FindIndex(rest[n:])
		if next == nil || digitsIn(rest[:n]) >= 7 && digitsIn(rest[n:n+next[1]]) > 1 {
			break
		}
		n += next[1]
	}
	if digitsIn(rest[:n]) < fewestOfDocument {
		return 0
	}
	if at := checkDigits.FindIndex(rest[n:]); at != nil {
		n += at[1]
	}
	return n
}

func digitsIn(text []byte) (n int) {
	for _, b := range text {
		if isDigit(b) {
			n++
		}
	}
	return n
}
