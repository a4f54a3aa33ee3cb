package meaning

import (
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"bitacora/adapters/assistant/words"
	"bitacora/adapters/engines/enginestest"
)

var data = os.DirFS("../data")

// reader learns once for all tests.
var reader = sync.OnceValue(learn)

func learn() *Reader {
	learned, err := Learn(data, words.Spanish)
	if err != nil {
		panic(err)
	}
	danger, err := LearnDanger(data)
	if err != nil {
		panic(err)
	}
	r, err := New(data, learned, danger)
	if err != nil {
		panic(err)
	}
	return r
}

func TestUrgency(t *testing.T) {
	tests := map[string]struct{ urgent, grave bool }{
		"me duele una muela":                                 {true, false},
		"no me duele pero tengo la cara hinchada":            {true, false},
		"ya no me duele":                                     {false, false},
		"no puedo respirar":                                  {true, true},
		"cuánto cuesta una limpieza? no puedo respirar bien": {true, true},
		"me duele la espalda":                                {false, false},
		"me duele la muela y la cabeza":                      {true, false},
		"mi perro se partió un diente":                       {false, false},
		"¿duele la endodoncia?":                              {false, false},
		"me dule mucho la mueal":                             {true, false},
		// What a treatment is like, and the same told of oneself.
		"¿Duele mucho cuando ponen el implante?":           {false, false},
		"¿el raspado de encías sangra mucho?":              {false, false},
		"me da miedo que me duela la limpieza":             {false, false},
		"¿la extracción duele mucho? me la hicieron ayer":  {true, false},
		"la endodoncia me duele mucho":                     {true, false},
		"el implante me sangra mucho, ¿qué hago?":          {true, true},
		"¿es normal que sangre mucho el implante de ayer?": {true, true},
		"¿por qué sangra mucho la extracción?":             {true, true},
		// What is long past, and what lasts or came after.
		"en 2019 se me partió un diente y quiero ponerle corona":       {false, false},
		"de chiquita me partí un diente, ¿eso se arregla?":             {false, false},
		"hace años me pusieron una corona y hoy se me cayó":            {true, false},
		"hace un año me rompí la muela y ahora tengo la cara hinchada": {true, false},
		"mi niño de 8 años se partió un diente hace media hora":        {true, false},
		"hace años me duele la muela":                                  {true, false},
		"cuando me cepillo me sale sangre y tengo fiebre":              {true, false},
		// What is not meant, and what is.
		"me mata el tráfico, ¿abren los sábados?":             {false, false},
		"me desmayo cuando veo agujas":                        {false, false},
		"la muela me está matando":                            {true, false},
		"me desmayé del dolor de muela":                       {true, true},
		"me sale sangre de las encías al lavarme los dientes": {false, false},
		"cuando me cepillo me sale mucha sangre y no para":    {true, true},
		"me cepillo y me duele muchísimo una muela":           {true, false},
		"necesito un abogado":                                 {false, false},
		"bien":                                                {false, false},
		"nada":                                                {false, false},
		"la tres":                                             {false, false},
		"":                                                    {false, false},
	}
	r := reader()
	for text, want := range tests {
		if m := r.Read(text); m.Urgent != want.urgent || m.Grave != want.grave {
			t.Errorf("%q: %+v, want %+v", text, m, want)
		}
	}
}

func TestAnInsultIsNoQuestionAboutTheAssistant(t *testing.T) {
	r := reader()
	for text, want := range map[string]string{
		"eres una porquería de bot": Abuse, "qué basura de asistente": Abuse, "ASCO DE ROBOT": Abuse,
		"¿eres un bot?": "identidad", "¿hablo con un robot?": "identidad",
	} {
		if got := r.Read(text).Intent; got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

func TestLearningIsTheSameEveryTime(t *testing.T) {
	enginestest.Long(t)
	a, b := reader(), learn()
	for _, text := range []string{"quiero una cita", "cuánto cuesta", "xyz", "me duele"} {
		if x, y := a.Read(text), b.Read(text); x != y {
			t.Errorf("%q: %+v and %+v", text, x, y)
		}
	}
}

func TestEveryIntentHasEnoughSentences(t *testing.T) {
	all, err := ReadSentences(data, nil, words.Spanish)
	if err != nil {
		t.Fatal(err)
	}
	lines := map[string]int{}
	for _, s := range all {
		lines[s.Intent]++
	}
	if len(lines) < 25 {
		t.Errorf("%d intents", len(lines))
	}
	for intent, n := range lines {
		if n < 80 {
			t.Errorf("%s: %d sentences", intent, n)
		}
	}
}

func TestExpand(t *testing.T) {
	tests := map[string][]string{
		"hola":                   {"hola"},
		"(a|b) c":                {"a c", "b c"},
		"x (a|) y":               {"x a y", "x y"},
		"(a|b) (c|d)":            {"a c", "b c", "a d", "b d"},
		"sin cierre (a|b":        {"sin cierre a", "sin cierre b"},
		"un paréntesis (normal)": {"un paréntesis (normal)"},
	}
	for line, want := range tests {
		if got := Expand(line); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
	many := Expand("(a|b|c|d|e|f) (1|2|3|4|5|6|7) (x|y|z)")
	for _, choice := range strings.Fields("a b c d e f 1 2 3 4 5 6 7 x y z") {
		if !slices.ContainsFunc(many, func(s string) bool { return slices.Contains(strings.Fields(s), choice) }) {
			t.Errorf("%s is in none of %q", choice, many)
		}
	}
	if len(many) != mostExpanded {
		t.Errorf("%d sentences", len(many))
	}
}

func TestBrokenFilesAreReported(t *testing.T) {
	words, err := fs.ReadFile(data, "words.json")
	if err != nil {
		t.Fatal(err)
	}
	for name, files := range map[string]fstest.MapFS{
		"nothing":      {},
		"broken words": {"words.json": {Data: []byte("{")}},
		"no signs":     {"words.json": {Data: words}},
	} {
		if _, err := New(files, Learned{}, nil); err == nil {
			t.Errorf("%s was accepted", name)
		}
	}
}
