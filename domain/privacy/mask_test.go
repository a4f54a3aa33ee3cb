package privacy

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"bitacora/domain/privacy/privacytest"
)

func TestMask(t *testing.T) {
	tests := map[string]struct{ text, want string }{
		"mobile":                    {"llámame al 6123-4567 porfa", "llámame al [teléfono] porfa"},
		"mobile with spaces":        {"6123 4567", "[teléfono]"},
		"country code":              {"es +507 6123-4567", "es [teléfono]"},
		"00 prefix":                 {"0050761234567", "[teléfono]"},
		"landline":                  {"(507) 264-1234.", "[teléfono]."},
		"foreign":                   {"+1 (305) 555-0134", "[teléfono]"},
		"e-mail":                    {"escribe a Ana.Pérez+x@correo.example.com, gracias", "escribe a [correo], gracias"},
		"identity":                  {"mi cédula 8-123-4567", "mi cédula [documento]"},
		"identity, foreign":         {"E-8-123456", "[documento]"},
		"short numbers":             {"tengo 32 años y 2 muelas, a las 10:30", "tengo 32 años y 2 muelas, a las 10:30"},
		"date":                      {"el 15/08/2026 a las 10:20", "el 15/08/2026 a las 10:20"},
		"date with dashes":          {"el 21-11-2026 o el 2026-11-22 10:30", "el 21-11-2026 o el 2026-11-22 10:30"},
		"card":                      {"4111 1111 1111 1111", "[teléfono]"},
		"price":                     {"cuesta 1,250.00?", "cuesta 1,250.00?"},
		"already masked":            {"[teléfono] y [correo]", "[teléfono] y [correo]"},
		"two":                       {"6123-4567 o 264-1234", "[teléfono] o [teléfono]"},
		"said":                      {"Es el seis uno dos tres, cuarenta y cinco sesenta y siete. ¡Gracias!", "Es el [teléfono]. ¡Gracias!"},
		"said address":              {"Mi correo: ana punto perez arroba gmail punto com", "Mi correo: [correo]"},
		"name":                      {"Hola, soy Ana Ruíz y me duele la 36", "Hola, soy [nombre] y me duele la 36"},
		"two names":                 {"para mis hijos Luis y Marta, el lunes", "para mis hijos [nombre] y [nombre], el lunes"},
		"beside a mask":             {"me llamo Ana Ruiz0000000", "me llamo [nombre][teléfono]"},
		"list, other digits":        {"٢ ٣٤ ٥ ٦ ٧٨", "٢ ٣٤ ٥ ٦ ٧٨"},
		"birth beside a document":   {"8-123-4567, 28.02.1970, 6123-4567", "[documento], [fecha], [teléfono]"},
		"no birth beside it":        {"8-123-4567, 28.02.2026, 6123-4567", "[documento], 28.02.2026, [teléfono]"},
		"glued policy":              {"mapfre poliza3012-88-41", "mapfre poliza[documento]"},
		"document before its word":  {"2-155-38 es mi cedula", "[documento] es mi cedula"},
		"years of a policy":         {"poliza 2025-2026 renovada", "poliza 2025-2026 renovada"},
		"house without a number":    {"vivo en calle 5, casa s/n, Pacora", "vivo en [dirección]"},
		"district before a house":   {"Vista Alegre, calle D, casa 6 es mi casa", "[dirección] es mi casa"},
		"street that is asked for":  {"mándeme la ubicación de la calle 50", "mándeme la ubicación de la calle 50"},
		"name before its cue":       {"buenas tamara le escribe", "buenas [nombre] le escribe"},
		"smaller form of a name":    {"hola es Ubaldita", "hola es [nombre]"},
		"name beside a telephone":   {"ana / 6123-4567", "[nombre] / [teléfono]"},
		"unknown name, explained":   {"soy ruterio, el del puente", "soy [nombre], el del puente"},
		"no name, though explained": {"soy fumador, el que fue ayer", "soy fumador, el que fue ayer"},
		"not UTF-8":                 {"a\xff 6123-4567 \xc3", "a\xff [teléfono] \xc3"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := Mask(tt.text, Known{})
			if got != tt.want {
				t.Errorf("Mask(%q) = %q, want %q", tt.text, got, tt.want)
			}
			if again := Mask(got, Known{}); again != got {
				t.Errorf("masking twice gave %q, then %q", got, again)
			}
		})
	}
}

func TestPublicContactsStay(t *testing.T) {
	known := Known{Public: []string{"+507 200-0101", "citas@clinica.example", "Dra. Ana Ruiz", "911", "", "Calle 12, casa 34"}}
	for text, want := range map[string]string{
		"Llámanos al +507 200-0101 o a Citas@clinica.example.":    "Llámanos al +507 200-0101 o a Citas@clinica.example.",
		"Al +5072000101, y yo al 6123-4567":                       "Al +5072000101, y yo al [teléfono]",
		"Estamos en Calle 12, casa 34. Vivo en calle 12, casa 35": "Estamos en Calle 12, casa 34. Vivo en [dirección]",
		"al 200 0101":                        "al 200 0101",
		"citas@otra.example":                 "[correo]",
		"mis-citas@clinica.example":          "[correo]",
		"es el 305-200-0101":                 "es el [teléfono]",
		"es el 6911-4567":                    "es el [teléfono]",
		"para la dra. ana ruiz, de Ana Ruiz": "para la dra. ana ruiz, de [nombre]",
	} {
		if got := Mask(text, known); got != want {
			t.Errorf("Mask(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestKnownNames(t *testing.T) {
	for _, tt := range []struct{ text, name, want string }{
		{"Sería limpieza para Ana Ruiz, el lunes", "Ana Ruiz", "Sería limpieza para [nombre], el lunes"},
		{"listo ana, el lunes", "Ana Ruiz", "listo [nombre], el lunes"},
		{"la señora RUIZ", "Ana Ruiz", "la señora [nombre]"},
		{"Solo el Sol", "Sol", "Solo el [nombre]"},
		{"Sol, el sol me molesta", "Sol Vega", "[nombre], el sol me molesta"},
		{"Ana Ana y Ánana", "Ana", "[nombre] y Ánana"},
		{"Hola", "", "Hola"},
		{"R. (Ruiz)", "R.", "[nombre]. (Ruiz)"},
		{"una cita de limpieza", "Limpieza Dental", "una cita de limpieza"},
		{"Oyuki quiere, oyuki Xol también", "Oyuki Xol", "[nombre] quiere, [nombre] también"},
		{"¿Está Ольга?", "Ольга", "¿Está [nombre]?"},
		{"soy maría josé ñáñez-o'higgins", "María José Ñáñez-O'Higgins", "soy [nombre]"},
		{"O’Higgins, la de siempre", "María José Ñáñez-O'Higgins", "[nombre], la de siempre"},
		{"María de la Cruz y de la otra", "María de la Cruz", "[nombre] y de la otra"},
	} {
		known := Known{Names: []string{tt.name}}
		got := Mask(tt.text, known)
		if got != tt.want || Mask(got, known) != got {
			t.Errorf("Mask(%q) of %q = %q, want %q", tt.text, tt.name, got, tt.want)
		}
	}
}

// TestClinicsOwnTextsStay: what the clinic says to everybody holds nothing personal.
func TestClinicsOwnTextsStay(t *testing.T) {
	authors := regexp.MustCompile(`(?m)"name": .*|^slug: .*`)
	for _, pattern := range []string{"../clinic/content/*/*.md", "../clinic/content/*.json", "../chat/*.tmpl"} {
		paths, err := filepath.Glob(pattern)
		if err != nil || len(paths) == 0 {
			t.Fatalf("%s: %v", pattern, err)
		}
		for _, path := range paths {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(authors.ReplaceAllString(string(data), "")) {
				if got := Mask(line, Known{}); got != line {
					t.Errorf("%s: %s", path, got)
				}
			}
		}
	}
}

// TestMaskingTwiceChangesNothing draws texts out of pieces of the corpus, of masks and of anything.
func TestMaskingTwiceChangesNothing(t *testing.T) {
	pieces := slices.Clone(masks)
	for _, s := range privacytest.Corpus(t) {
		pieces = append(pieces, s.Text)
		pieces = append(pieces, strings.Fields(s.Text)...)
	}
	piece := rapid.OneOf(rapid.SampledFrom(pieces), rapid.String(), rapid.StringMatching(`[0-9 .,\-]{1,12}`))
	known := Known{Names: []string{"Ana Ruiz", "Correo"}, Contacts: []string{"+50761234567", "ana@gmail.com"}, Public: []string{"+507 200-0101"}}
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(piece, 1, 8).Draw(t, "pieces"), rapid.SampledFrom([]string{" ", "", ", ", "\n"}).Draw(t, "between"))
		got := Mask(text, known)
		if again := Mask(got, known); again != got {
			t.Fatalf("%q is masked as %q, that as %q", text, got, again)
		}
		if rest := withoutMasks.Split(got, -1); !inOrder(text, rest) {
			t.Fatalf("%q is masked as %q, which changes the rest", text, got)
		}
	})
}

// TestAListEndsInNoNumber: what is masked at once is masked in one go, however long a list is; else
// each pass would mask the end of what the one before left.
func TestAListEndsInNoNumber(t *testing.T) {
	for _, piece := range []string{"1 ", "1, ", "1 y ", "1,", "12 ", "2 0 0-", "8-1-", "uno dos "} {
		if text := strings.Repeat(piece, 300); Mask(text, Known{}) != text {
			t.Errorf("%q over and over is masked as %.60q", piece, Mask(text, Known{}))
		}
	}
}

var withoutMasks = regexp.MustCompile(`\[(?:teléfono|correo|documento|nombre|dirección|fecha)\]`)

// inOrder says that parts stand in a text one after the other.
func inOrder(text string, parts []string) bool {
	for _, part := range parts {
		_, behind, ok := strings.Cut(text, part)
		if !ok {
			return false
		}
		text = behind
	}
	return true
}

func FuzzMask(f *testing.F) {
	for _, s := range privacytest.Corpus(f) {
		f.Add(s.Text, "Ana Ruiz")
	}
	for _, odd := range [][2]string{{"x\xff", "\xff"}, {"\xff6123456700", "Ana"}, {"0 !   \x00", " "}, {"Ana Ana", "Ana"}, {"a@b.c@d.ef", ""}} {
		f.Add(odd[0], odd[1])
	}
	f.Fuzz(func(t *testing.T, text, name string) {
		known := Known{Names: []string{name}, Contacts: []string{"+50761234567", name + "@gmail.com"}, Public: []string{"+507 200-0101", "citas@clinica.example"}}
		got := Mask(text, known)
		if again := Mask(got, known); again != got {
			t.Errorf("%q is masked as %q, that as %q", text, got, again)
		}
		if !inOrder(text, withoutMasks.Split(got, -1)) {
			t.Errorf("%q is masked as %q, which changes the rest", text, got)
		}
	})
}

// BenchmarkMask compares a message of each kind with the least that any masking does: one look at
// each byte.
func BenchmarkMask(b *testing.B) {
	for name, text := range map[string]string{
		"nothing": "quiero una cita de ortodoncia para el martes en la tarde, por favor",
		"dates":   "el 15/08/2026 a las 10:20, cuesta 1,250.00 y tengo 32 años",
		"contact": "me llamo Ana Ruiz, mi cel es 6123-4567 y mi correo ana@gmail.com",
		"long":    strings.Repeat("me duele mucho la muela y no puedo dormir desde ayer ", 30),
		"digits":  strings.Repeat("6 1 2 y 3, ", 180),
		"said":    strings.Repeat("seis punto arroba ", 110),
		"mails":   strings.Repeat("a.b@", 500),
		"names":   strings.Repeat("ana y ", 330),
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				Mask(text, Known{})
			}
		})
		b.Run(name+"/control", func(b *testing.B) {
			for b.Loop() {
				strings.ContainsAny(text, "@0123456789")
			}
		})
	}
}
