package privacy

import (
	"regexp"
)

// What stands between the parts of an identity number where a word says that it is one.
const (
	docGap  = `(?:\s?[-./,_]\s?|\s{1,2}|\s?,?\s(?:guion|raya)\s)`
	docKind = `(?:av|pi|nt)`
)

var (
	// documentCue says that the number of a document follows.
	documentCue = regexp.MustCompile(`(?:\b|_)(?:[cs]edula|cedla|cedual|cdula|cip|ced|identidad|identificacion|dni|dui|nit|nie|rut|curp|ssn|documento|id|ruc|pasaporte|pasaport|passport|carnet?|seguro social|social security|polizas?|certificado|afiliad[oa]|afiliacion|asegurad[oa]|seguro|insurance|policy|member(?:ship)?|ficha)\b` +
		`[\s:#.,;=°º]*(?:(?:numero|num|nro|no|es|son|era|la|el|de|del|mi|hij[oa]|espos[oa]|personal|identidad|residente|permanente|venezolan[oa]|colombian[oa]|panamen[oa]|extranjer[oa]|costarricense|american[oa]|espanol[a]?|frances[a]?|italian[oa]|chin[oa]|cuban[oa]|mexican[oa]|dominican[oa]|peruan[oa]|ecuatorian[oa]|argentin[oa]|brasilen[oa]|nicaraguense|salvadoren[oa]|hondureno|guatemaltec[oa]|canadiense|aleman[a]?|juridic[oa]|natural|number|is|my|ciudadania|esta|seguro|salud|vida|medic[oa]|id|numb|assa|mapfre|palig|sura|vivir|optima|ancon|internacional|css|pan american|bupa|cigna|blue cross|fedpa|mercantil)[\s:#.,;=°º]+)*`)
	// identity is that of Panama: province or kind, book, entry.
	identity = regexp.MustCompile(`^(?:pe|e|n|\d{1,2}(?:` + docGap + `?` + docKind + `)?)` + docGap + `?\d{1,4}` + docGap + `\d{1,6}(?:` + docGap + `?\d{1,6}){0,1}`)
	// lettered is a passport, a foreign identity number or one of few letters and many digits.
	lettered = regexp.MustCompile(`^(?:[a-z]{1,3}[\s.-]?|[a-z]{4}-)?\d(?:[.-]?\d){4,17}[a-z]?\b`)
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
		regexp.MustCompile(`\b\d{4,9}\s?-\s?\d{1,3}\s?-\s?\d{4,7}\b`),
		regexp.MustCompile(`\b[1-9], ?[1-9]\d{2}, ?\d{4}\b`),
	}
)

// fewestOfDocument is how many digits a document's number has at least.
const fewestOfDocument = 5

func (f *folded) documents(take func(i, j int)) {
	for _, cue := range documentCue.FindAllIndex(f.text, -1) {
		if n := f.documentAt(cue[1]); n > 0 {
			take(cue[1], cue[1]+n)
		}
	}
	for _, pattern := range unsaid {
		for _, at := range pattern.FindAllSubmatchIndex(f.text, -1) {
			i, j := at[len(at)-2], at[len(at)-1]
			if f.alone(i, j) && !f.isDate(i, j) {
				take(i, j)
			}
		}
	}
}

// documentAt is the length of the number that begins at a place; 0 if there is none.
func (f *folded) documentAt(i int) int {
	rest := f.text[i:]
	n := 0
	for _, pattern := range []*regexp.Regexp{identity, lettered} {
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
