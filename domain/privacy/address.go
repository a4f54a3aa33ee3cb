package privacy

import (
	"bytes"
	"regexp"
	"slices"
	"unicode"
)

// part is which part of an address a word begins.
type part int

const (
	street part = iota + 1
	building
	house
)

var addressParts = map[string]part{}

func init() {
	for p, words := range map[part][]string{
		street:   {"calle", "cll", "avenida", "avda", "av", "ave", "via", "carretera", "transversal", "vereda", "street", "avenue", "road"},
		building: {"edificio", "edif", "ph", "torre", "piso", "residencial", "urbanizacion", "urb", "barriada", "condominio", "conjunto", "sector", "bloque", "etapa", "building", "floor"},
		house:    {"casa", "apto", "apartamento", "apt", "apartment", "depto", "lote", "manzana", "duplex", "house"},
	} {
		for _, word := range words {
			addressParts[word] = p
		}
	}
}

var (
	addressWord = regexp.MustCompile(`[a-z0-9\x{80}-\x{10ffff}][a-z0-9\x{80}-\x{10ffff}°-]*`)
	// residence says that an address follows at which somebody lives.
	residence = regexp.MustCompile(`\b(?:viv(?:o|imos|e|en)|resid(?:o|imos|e|en)|me mude|nos mudamos|(?:mi|nuestra|su) (?:direccion|casa)|domicilio|direccion de(?: mi)? (?:casa|residencia)|i live|we live|(?:my|home) address|envi[a-z]+|mand[ae][a-z]*)\b`)
	// unaddressed are words that stand in no address.
	unaddressed = []string{"y", "e", "o", "pero", "para", "porque", "que", "quiero", "necesito", "tengo", "mi", "con", "sin", "gracias", "tel", "cel", "telefono", "celular", "and", "but", "my", "i", "cerca", "se", "no", "hay", "me", "es", "queda", "quedan", "esta"}
	// linkWords stand between the parts of an address, or before it.
	linkWords = []string{"en", "la", "el", "los", "las", "de", "del", "a", "at", "in", "the", "queda", "esta", "es", "is", "actual", "por", "numero", "num", "factura"}
	// directions stand behind the number of a street.
	directions = []string{"este", "oeste", "norte", "sur", "final", "bis"}
)

const (
	// longestPart is how many words name a street or a building, placeWords how many a district beside.
	longestPart = 4
	placeWords  = 3
)

// addresses finds where people live: what follows words that say so, and what names a house or a flat
// together with its street or building.
func (f *folded) addresses(text string, take func(i, j int)) {
	if digitsIn(f.text) == 0 {
		return
	}
	a := address{folded: f, words: addressWord.FindAllIndex(f.text, -1)}
	for i := 0; i < len(a.words); {
		if a.part(i) == 0 {
			i++
			continue
		}
		end := a.scan(i)
		begin, cued := a.afterCue(i)
		if !cued {
			begin = i
		}
		span := f.text[a.words[begin][0]:a.words[end-1][1]]
		if (cued || a.houses > 0 && a.parts > 1) && digitsIn(span) > 0 && bytes.IndexByte(span, hidden) < 0 {
			end = a.district(text, end)
			take(a.words[begin][0], a.words[end-1][1])
		}
		i = end
	}
}

// address reads the parts of one.
type address struct {
	*folded
	words         [][]int
	parts, houses int
}

func (a *address) word(i int) string { return string(a.text[a.words[i][0]:a.words[i][1]]) }

func (a *address) part(i int) part {
	if i >= len(a.words) {
		return 0
	}
	return addressParts[a.word(i)]
}

// near says that nothing but spaces, and commas where they may be, stand before a word.
func (a *address) near(i int, commas bool) bool {
	if i >= len(a.words) {
		return false
	}
	between := string(bytes.Trim(a.text[a.words[i-1][1]:a.words[i][0]], " "))
	return between == "" || between == "." || between == "#" || between == ". #" || commas && (between == "," || between == "\n" || between == "-")
}

// scan reads an address from its first part on, and gives the word behind it.
func (a *address) scan(i int) (end int) {
	a.parts, a.houses = 0, 0
	for {
		end = a.value(i)
		next := end
		for next < end+placeWords && a.near(next, true) && a.part(next) == 0 && !slices.Contains(unaddressed, a.word(next)) {
			next++
		}
		if a.part(next) == 0 || !a.near(next, true) {
			return end
		}
		i = next
	}
}

// value reads one part: its number, or the words of its name.
func (a *address) value(i int) (end int) {
	kind := a.part(i)
	for end = i + 1; end <= i+longestPart && a.near(end, false) && a.part(end) == 0 && !slices.Contains(unaddressed, a.word(end)); end++ {
		if digitsIn([]byte(a.word(end))) == 0 {
			continue
		}
		end++
		if a.near(end, false) && slices.Contains(directions, a.word(end)) {
			end++
		}
		a.houses += map[bool]int{true: 1}[kind == house]
		break
	}
	if end > i+1 {
		a.parts++
	}
	return end
}

// afterCue gives the first word of an address whose first part is the i-th, where somebody lives there.
func (a *address) afterCue(i int) (begin int, ok bool) {
	from := max(0, a.words[i][0]-cueReach)
	cues := residence.FindAllIndex(a.text[from:a.words[i][0]], -1)
	if cues == nil {
		return 0, false
	}
	behind := from + cues[len(cues)-1][1]
	if bytes.ContainsAny(a.text[behind:a.words[i][0]], ".;?!") {
		return 0, false
	}
	begin = i
	for begin > 0 && a.words[begin-1][0] >= behind {
		begin--
	}
	for begin < i && slices.Contains(linkWords, a.word(begin)) {
		begin++
	}
	for k := begin; k < i; k++ {
		if slices.Contains(unaddressed, a.word(k)) {
			return 0, false
		}
	}
	return begin, i-begin <= longestPart
}

// district takes in the name of a district that stands behind an address.
func (a *address) district(text string, end int) int {
	to := end
	for to < end+placeWords && a.near(to, to == end) {
		small := slices.Contains(linkWords, a.word(to)) && to > end
		if !small && (!unicode.IsUpper(a.firstRune(text, span{a.words[to][0], a.words[to][1]})) || slices.Contains(unaddressed, a.word(to))) {
			break
		}
		to++
	}
	if to > end && slices.Contains(linkWords, a.word(to-1)) {
		to--
	}
	return to
}

const (
	birthDate = `(?:\d{1,2}\s?[-./ ]\s?\d{1,2}\s?[-./ ]\s?(?:\d{4}|\d{2})|\d{4}[-./ ]\d{1,2}[-./ ]\d{1,2}|` +
		`\d{1,2}(?:ro|o|st|nd|rd|th)?(?: de |[-/ ])` + monthNames + `(?:(?: de| del|,|[-/ ])? ?'?(?:(?:19|20)?\d\d))?|` +
		monthNames + ` \d{1,2}(?:st|nd|rd|th)?(?:,? (?:19|20)\d\d)?)\b`
	birthWord = `(?:nac(?:i|io|ida|ido|imiento)|(?:f(?:echa|ec)?\.? ?(?:de )?)?nac\.?|cumple(?:anos)?|cumplo(?: anos)?|birth(?:day|date)?|born|dob|d\.o\.b\.?)`
)

// births are the dates on which somebody was born, before or behind a word that says so.
var births = []*regexp.Regexp{
	regexp.MustCompile(`\b` + birthWord + `[\s:.,=]*(?:(?:es|fue|era|el|la|dia|on|is|was|de|mi|su|hij[oa]|espos[oa])[\s:]+)*(` + birthDate + `)`),
	regexp.MustCompile(`(?:^|[^\d/.-])(` + birthDate + `),? (?:es |fue |is |\()?(?:mi |su |la |my )?(?:fecha de nac|dia de nac|nacimiento|cumple|birth|date of birth)`),
}

func (f *folded) births(take func(i, j int)) {
	if digitsIn(f.text) < 2 {
		return
	}
	for _, pattern := range births {
		for _, at := range pattern.FindAllSubmatchIndex(f.text, -1) {
			take(at[2], at[3])
		}
	}
}
