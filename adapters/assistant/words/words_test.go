package words

import (
	"slices"
	"strings"
	"testing"
)

func language(t *testing.T) *Language {
	t.Helper()
	l, err := Read(strings.NewReader(`{
		"abbreviations": {"q": "que", "xfa": "por favor"},
		"everyday": ["cuando"],
		"concepts": {"boca": ["diente", "muelas"], "casa": ["muela"]}
	}`))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestPlain(t *testing.T) {
	for text, want := range map[string]string{
		"":                        "",
		"¿Cuánto CUESTA?":         "¿cuanto cuesta?",
		"Ñandú, pingüino":         "nandu, pinguino",
		"holaaaa":                 "hola",
		"llamar":                  "llamar",
		"cooperar":                "cooperar",
		"1000":                    "1000",
		"cafe\u0301":              "cafe",
		"D’Angelo":                "dangelo",
		"siiiiii, graciasssss!!!": "si, gracias!!!",
	} {
		if got := Plain(text); got != want {
			t.Errorf("Plain(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestWords(t *testing.T) {
	l := language(t)
	for text, want := range map[string]string{
		"":                           "",
		"¿q hora es?":                "que hora es",
		"una cita xfa":               "una cita por favor",
		"me llamo [NOMBRE]":          "me llamo",
		"mi número es [teléfono]...": "mi numero es",
		"[a b] 10:30":                "a b 10 30",
		"🦷":                          "",
	} {
		if got := strings.Join(l.Words(text), " "); got != want {
			t.Errorf("Words(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestStem(t *testing.T) {
	for _, forms := range [][]string{{"limpieza", "limpiezas"}, {"duele", "dueles"}, {"cita", "citas"}, {"implante", "implantes"}} {
		for _, form := range forms[1:] {
			if Stem(form) != Stem(forms[0]) {
				t.Errorf("%s and %s: %q and %q", forms[0], form, Stem(forms[0]), Stem(form))
			}
		}
	}
	if Stem("laser") == Stem("las") {
		t.Errorf("a short stem says too little: %q", Stem("laser"))
	}
	if Stem("s") != "s" {
		t.Errorf("a letter has the stem %q", Stem("s"))
	}
}

func TestConcepts(t *testing.T) {
	l := language(t)
	for word, want := range map[string]string{"dientes": "boca", "muela": "boca", "cita": ""} {
		if got := l.Concept(Stem(word)); got != want {
			t.Errorf("%s means %q, want %q", word, got, want)
		}
	}
	if !l.Everyday("cuando") || l.Everyday("cita") {
		t.Error("everyday words are not told apart")
	}
}

func TestReadRefuses(t *testing.T) {
	for _, text := range []string{"", `{"words": []}`, `{"everyday": "x"}`} {
		if _, err := Read(strings.NewReader(text)); err == nil {
			t.Errorf("%q was read", text)
		}
	}
}

func TestPhrases(t *testing.T) {
	l := language(t)
	p := NewPhrases(l, []string{"muela", "dolor de muela", "sangra + encia", "^para ya"})
	for text, want := range map[string]int{
		"":                              0,
		"la muela":                      1,
		"dolores de muelas":             3,
		"me sangran mucho las encías":   2,
		"las encías sangran":            2,
		"me sangra":                     0,
		"para ya":                       2,
		"es para ya":                    0,
		"la muela y un dolor de muelas": 3,
	} {
		stems := l.Words(text)
		for i, w := range stems {
			stems[i] = Stem(w)
		}
		if got := p.Longest(stems); got != want || p.In(stems) != (want > 0) {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
	if !p.Has(Stem("encias")) || p.Has("cita") {
		t.Error("stems of phrases are not told apart")
	}
}

func TestPhrasesCorrectAndBlank(t *testing.T) {
	l := language(t)
	p := NewPhrases(l, []string{"limpieza", "sin dolor", "uva"})
	for word, want := range map[string]string{"limpiesa": Stem("limpieza"), "limpeza": Stem("limpieza"), "uvas": "", "ortodoncia": ""} {
		if got, ok := Correct(word, slices.Values([]*Phrases{p})); got != want || ok != (want != "") {
			t.Errorf("Correct(%q) = %q, %v", word, got, ok)
		}
	}
	stems := []string{"estoy", Stem("sin"), Stem("dolor"), "hoy"}
	if !p.Blank(stems) || !slices.Equal(stems, []string{"estoy", "", "", "hoy"}) || p.Blank(stems) {
		t.Errorf("blanked: %q", stems)
	}
}
