package privacy

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
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
		street:   {"calle", "cll", "avenida", "avda", "av", "ave", "via", "carretera", "transversal", "vereda", "entrada", "km", "kilometro", "callejon", "autopista", "street", "avenue", "road", "lane", "drive"},
		building: {"edificio", "edif", "ph", "torre", "piso", "residencial", "urbanizacion", "urb", "barriada", "condominio", "conjunto", "sector", "bloque", "etapa", "fase", "multi", "multis", "multifamiliar", "multifamiliares", "residencias", "proyecto", "barrio", "modulo", "nivel", "altos", "villa", "villas", "brisas", "ciudad", "condado", "quintas", "colinas", "praderas", "jardines", "oficina", "building", "bldg", "floor", "tower"},
		house:    {"casa", "apto", "apartamento", "apt", "apartment", "depto", "dpto", "apart", "lote", "lot", "lt", "cuarto", "solar", "manzana", "mz", "mza", "manz", "duplex", "unit", "unidad", "suite", "townhouse", "finca", "parcela", "house"},
	} {
		for _, word := range words {
			addressParts[word] = p
		}
	}
}

var (
	addressWord = regexp.MustCompile(`s/n\b|no\.? ?\d[a-z0-9-]*|[a-z0-9\x{80}-\x{10ffff}][a-z0-9\x{80}-\x{10ffff}°-]*`)
	// residence says that an address follows at which somebody lives, or, in brackets, to which something is sent.
	residence = regexp.MustCompile(`\b(?:viv(?:o|imos|e|en|iendo)|resid(?:o|imos|e|en)|me mude|nos mudamos|(?:mi|nuestra|su) (?:direccion|dir|casa)|dir(?:eccion)?:|direccion(?: de [a-z]+)?|domicilio|direccion de(?: mi)? (?:casa|residencia)|i live|we live|address|residencia|(envi[a-z]+|mand[aeo][a-z]*|lleve[a-z]*|recog[a-z]+|recoj[a-z]+|busqu?[a-z]+me|deliver[a-z]*|ship))\b`)
	// unaddressed are words that stand in no address.
	unaddressed = []string{"y", "e", "o", "pero", "para", "porque", "que", "quiero", "necesito", "tengo", "mi", "con", "sin", "gracias", "tel", "cel", "telefono", "celular", "and", "but", "my", "i", "cerca", "se", "no", "hay", "me", "es", "queda", "quedan", "esta", "estan", "ced", "cedula", "soy", "vivo"}
	// linkWords stand between the parts of an address, or before it.
	linkWords = []string{"en", "la", "el", "los", "las", "de", "del", "a", "at", "in", "the", "queda", "esta", "es", "is", "actual", "por", "numero", "num", "factura"}
	// leading are those that end what stands before an address.
	leading = []string{"en", "a", "at", "in", "to", "es", "is"}
	// landmarks begin the way to a house.
	landmarks = []string{"al", "frente", "diagonal", "detras", "atras", "contiguo", "entrando"}
	// flat is the number of one, by itself.
	flat = regexp.MustCompile(`^\d{1,2}-?[a-z]$`)
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
	if digitsIn(f.text) == 0 && !bytes.Contains(f.text, []byte("sin num")) && !bytes.Contains(f.text, []byte("s/n")) {
		return
	}
	a := address{folded: f, original: text, words: addressWord.FindAllIndex(f.text, -1)}
	for i := 0; i < len(a.words); {
		if a.part(i) == 0 {
			i++
			continue
		}
		end := a.scan(i)
		begin, cued := a.afterCue(i)
		if !cued {
			begin = a.placeBefore(i)
		}
		span := f.text[a.words[begin][0]:a.words[end-1][1]]
		if (cued || a.houses > 0 && (a.parts > 1 || begin < i)) && (digitsIn(span) > 0 || a.numberless) && bytes.IndexByte(span, hidden) < 0 {
			end = a.district(end)
			if a.numberless || a.near(end, true) && slices.Contains(landmarks, a.word(end)) {
				for to := end + longestPart + placeWords; end < to && a.near(end, true) && !slices.Contains(unaddressed, a.word(end)); {
					end++ // the way there
				}
			}
			take(a.words[begin][0], a.words[end-1][1])
		}
		i = end
	}
}

// address reads the parts of one.
type address struct {
	folded        *folded
	original      string
	words         [][]int
	parts, houses int
	// numberless says that a house has no number, and that this is said.
	numberless bool
}

func (a *address) word(i int) string { return string(a.folded.text[a.words[i][0]:a.words[i][1]]) }

func (a *address) capital(i int) bool {
	return unicode.IsUpper(a.folded.firstRune(a.original, span{a.words[i][0], a.words[i][1]}))
}

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
	between := string(bytes.Trim(a.folded.text[a.words[i-1][1]:a.words[i][0]], " "))
	return between == "" || between == "." || between == "#" || between == ". #" || commas && (between == "," || between == "\n" || between == "-")
}

// scan reads an address from its first part on, and gives the word behind it.
func (a *address) scan(i int) (end int) {
	a.parts, a.houses, a.numberless = 0, 0, false
	for {
		end = a.value(i)
		next := end
		if to := a.knownPlace(next); to > next {
			next = to
		}
		if next == end && a.near(next, false) && a.word(next) == "con" && a.part(next+1) == street {
			next++ // a corner
		}
		for next < end+placeWords && a.near(next, true) && a.part(next) == 0 && !slices.Contains(unaddressed, a.word(next)) {
			next++
		}
		if a.part(next) == 0 || !a.near(next, true) {
			if a.near(end, true) && a.near(end+1, false) && slices.Contains([]string{"numero", "num", "nro"}, a.word(end)) && len(a.word(end+1)) <= longestPart {
				end += 2
			}
			if a.near(end, true) && flat.MatchString(a.word(end)) {
				a.houses++
				end++
			}
			return end
		}
		i = next
	}
}

// value reads one part: its number, or the words of its name.
func (a *address) value(i int) (end int) {
	kind := a.part(i)
	if n := a.unnumbered(i + 1); n > 0 {
		a.numberless = true
		a.parts, a.houses = a.parts+1, a.houses+1
		return i + 1 + n
	}
	for end = i + 1; end <= i+longestPart && a.near(end, false) && a.part(end) == 0 && !slices.Contains(unaddressed, a.word(end)); end++ {
		if digitsIn([]byte(a.word(end))) == 0 && (kind != house || len(a.word(end)) > 1 || a.near(end+1, false) && digitsIn([]byte(a.word(end+1))) > 0) {
			continue
		}
		end++
		if a.near(end, false) && (slices.Contains(directions, a.word(end)) || kind == house && len(a.word(end)) == 1 && !slices.Contains(unaddressed, a.word(end)) && a.word(end) != "a") {
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

// unnumbered is how many words say, from the i-th one on, that a house has no number.
func (a *address) unnumbered(i int) int {
	switch {
	case a.near(i, false) && a.word(i) == "s/n":
		return 1
	case a.near(i, false) && a.near(i+1, false) && a.word(i) == "sin" && strings.HasPrefix(a.word(i+1), "num"):
		return 2
	}
	return 0
}

// afterCue gives the first word of an address whose first part is the i-th, where somebody lives there.
func (a *address) afterCue(i int) (begin int, ok bool) {
	from := max(0, a.words[i][0]-cueReach)
	cues := residence.FindAllSubmatchIndex(a.folded.text[from:a.words[i][0]], -1)
	if cues == nil {
		return 0, false
	}
	cue := cues[len(cues)-1]
	behind := from + cue[1]
	if bytes.ContainsAny(a.folded.text[behind:a.words[i][0]], ".;?!") {
		return 0, false
	}
	begin = i
	for begin > 0 && a.words[begin-1][0] >= behind && !slices.Contains(leading, a.word(begin-1)) {
		begin--
	}
	if cue[2] >= 0 && (begin == 0 || !slices.Contains([]string{"a", "to"}, a.word(begin-1))) {
		return 0, false
	}
	for begin < i && slices.Contains(linkWords, a.word(begin)) && !a.capital(begin) && !slices.Contains([]string{"la", "las", "los"}, a.word(begin)) {
		begin++
	}
	for k := begin; k < i; k++ {
		if slices.Contains(unaddressed, a.word(k)) {
			return 0, false
		}
	}
	return begin, i-begin <= longestPart
}

// knownPlace gives the word behind a district or a housing estate of the list, over "en" and "de"; or the
// same word where there is none.
func (a *address) knownPlace(i int) int {
	first := i
	for first < i+2 && a.near(first, first == i) && slices.Contains(linkWords, a.word(first)) {
		first++
	}
	if !a.near(first, first == i) {
		return i
	}
	phrase, to := "", i
	for k := first; k < first+longestPart && k < len(a.words) && (k == first || a.near(k, false)); k++ {
		phrase = strings.TrimSpace(phrase + " " + a.word(k))
		if vocabulary.districts[phrase] {
			to = k + 1
		}
	}
	return to
}

// placeBefore is where the name of a place begins that stands before the first part of an address: one
// of the list, or words with capitals.
func (a *address) placeBefore(i int) (begin int) {
	begin = i
	comma := i > 0 && a.folded.text[a.words[i-1][1]] == ','
	for k := i - 1; k >= 0 && k >= i-1-longestPart && a.near(k+1, true); k-- {
		place, _, _ := strings.Cut(string(a.folded.text[a.words[k][0]:a.words[i-1][1]]), ",")
		switch {
		case vocabulary.districts[place]:
			begin = k
		case slices.Contains(unaddressed, a.word(k)), slices.Contains(leading, a.word(k)):
			return begin
		case a.capital(k) && vocabulary.words[a.word(k)]&everyday == 0 && comma:
			begin = k
		}
	}
	return begin
}

// district takes in the name of a district that stands behind an address.
func (a *address) district(end int) int {
	for k := end; k < end+longestPart && (k == end || k < len(a.words) && a.near(k-1, true) && !slices.Contains(unaddressed, a.word(k-1))); k++ {
		if known := a.knownPlace(k); known > k {
			end, k = known, known-1
		}
	}
	to := end
	for to < end+longestPart && a.near(to, to == end) {
		small := slices.Contains(linkWords, a.word(to)) && to > end
		if !small && (!a.capital(to) || slices.Contains(unaddressed, a.word(to))) {
			break
		}
		to++
	}
	return to
}
