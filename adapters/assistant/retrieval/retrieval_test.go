package retrieval

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"bitacora/adapters/assistant/words"
)

// toy are answers about two services, and lines that ask for them, for one that is no more, and for
// what nobody answers.
func toy(t *testing.T) (Analyzer, []Document, []Line) {
	t.Helper()
	language, err := words.Read(strings.NewReader(`{"abbreviations": {"xq": "porque"}, "everyday": ["perros"]}`))
	if err != nil {
		t.Fatal(err)
	}
	lexicon, err := ReadLexicon(fstest.MapFS{"asking.json": {Data: []byte(
		`{"synonyms": [["duele", "molesta", "dolor"], ["blanqueamiento", "aclarado"]], "filler": ["el", "la"]}`)}}, "asking.json")
	if err != nil {
		t.Fatal(err)
	}
	subject := func(stems []string) string {
		for word, of := range map[string]string{"limpieza": "limpieza", "blanqueamiento": "blanqueo", "aclarado": "blanqueo"} {
			if slices.Contains(stems, words.Stem(word)) {
				return of
			}
		}
		return ""
	}
	documents := []Document{
		{Name: "limpieza-dolor", Questions: []string{"¿La limpieza duele?"}, Text: "Solo sientes vibración.", Subject: "limpieza", Meaning: "duele"},
		{Name: "limpieza-duracion", Questions: []string{"¿Cuánto demora la limpieza?"}, Text: "Menos de una hora.", Subject: "limpieza"},
		{Name: "blanqueo-dolor", Questions: []string{"¿El blanqueamiento duele?"}, Text: "Queda sensible.", Subject: "blanqueo", Meaning: "duele"},
		{Name: "cafetera", Questions: []string{"¿Tienen cafetera en la sala?", "hay café para quien espera"}, Text: "Sí, hay café."},
	}
	var lines []Line
	for class, texts := range map[string][]string{
		"limpieza-dolor":    {"la limpieza duele mucho", "me va a molestar la limpieza", "es doloroso que me limpien", "se siente feo el aparatito"},
		"limpieza-duracion": {"cuánto tarda una limpieza", "la limpieza es rápida", "qué tiempo toma limpiarse", "en cuánto salgo de la limpieza"},
		"blanqueo-dolor":    {"el aclarado duele", "molesta el blanqueamiento", "queda doliendo después de aclarar", "arde el gel de los dientes"},
		"parqueo":           {"tienen parqueo", "dónde dejo el carro", "hay estacionamiento", "se puede parquear"},
		"fuera-de-tema":     {"quién ganó el partido", "cuéntame un chiste", "qué tiempo hace hoy", "receta de arroz"},
	} {
		for _, text := range texts {
			lines = append(lines, Line{text, class})
		}
	}
	slices.SortFunc(lines, func(a, b Line) int { return strings.Compare(a.Text, b.Text) })
	return Analyzer{language, lexicon, subject}, documents, lines
}

func every(int) bool { return true }

func TestAQuestionFindsWhatItAsksFor(t *testing.T) {
	a, documents, lines := toy(t)
	x := New(a, Learn(a, lines), documents, nil)
	for name, of := range map[string]struct{ text, subject, want string }{
		"a line":                           {"la limpieza duele mucho", "", "limpieza-dolor"},
		"a question of the document":       {"¿Cuánto demora la limpieza?", "", "limpieza-duracion"},
		"only lines have the words":        {"¿se siente feo?", "", "limpieza-dolor"},
		"a synonym":                        {"el aclarado molesta", "", "blanqueo-dolor"},
		"a typing error":                   {"cuánto tarda la limpiesa", "", "limpieza-duracion"},
		"a subject spoken of before":       {"¿y duele?", "blanqueo", "blanqueo-dolor"},
		"another subject, spoken of then":  {"¿y duele?", "limpieza", "limpieza-dolor"},
		"a subject named, not that before": {"¿la limpieza duele?", "blanqueo", "limpieza-dolor"},
		"one that nothing was learned of":  {"¿hay cafetera?", "", "cafetera"},
		"its question":                     {"hay café para quien espera", "", "cafetera"},
		"what answers nothing":             {"¿quién ganó el partido de hoy?", "", "fuera-de-tema"},
		"what has no document any more":    {"¿tienen estacionamiento?", "", "parqueo"},
	} {
		t.Run(name, func(t *testing.T) {
			r := x.Rank(of.text, of.subject, len(documents), every)
			got, likely := documents[r.Hits[0].Document].Name, r.Hits[0].Likely
			if r.OtherLikely > likely {
				got, likely = r.Other, r.OtherLikely
			}
			if got != of.want || likely < 0.5 || likely > 1 {
				t.Errorf("%s with %.2f, want %s; %+v", got, likely, of.want, r)
			}
		})
	}
}

func TestOnlyWhatFitsIsRanked(t *testing.T) {
	a, documents, lines := toy(t)
	x := New(a, Learn(a, lines), documents, nil)
	r := x.Rank("la limpieza duele", "", 9, func(d int) bool { return documents[d].Subject == "blanqueo" })
	if len(r.Hits) != 1 || documents[r.Hits[0].Document].Name != "blanqueo-dolor" {
		t.Errorf("%+v", r.Hits)
	}
	if r := x.Rank("la limpieza duele", "", 2, every); len(r.Hits) != 2 || r.Hits[0].Likely < r.Hits[1].Likely {
		t.Errorf("at most two, the likelier first: %+v", r.Hits)
	}
}

func TestAnIndexOfAPreviousOneIsTheSame(t *testing.T) {
	a, documents, lines := toy(t)
	c := Learn(a, lines)
	before := New(a, c, documents, nil)
	changed := slices.Clone(documents)
	changed[0].Questions = []string{"¿La profilaxis fastidia?"}
	changed[1].Text = "Cuarenta minutos."
	changed[2].Subject = ""
	for name, now := range map[string][]Document{
		"unchanged": documents, "edited": changed, "without the first": documents[1:], "nothing": nil,
		"a new one first": append([]Document{{Name: "otro", Questions: []string{"¿hay wifi?"}, Text: "Sí."}}, documents...),
	} {
		t.Run(name, func(t *testing.T) {
			if got, want := New(a, c, now, before), New(a, c, now, nil); !reflect.DeepEqual(got.items, want.items) || !reflect.DeepEqual(got.space, want.space) {
				t.Error("it differs from one that was made anew")
			}
		})
	}
}

func TestLikelihoodsAddUp(t *testing.T) {
	a, documents, lines := toy(t)
	x := New(a, Learn(a, lines), documents, nil)
	for _, text := range []string{"¿duele la limpieza?", "zzz", "", "¿hay parqueo?"} {
		sum := 0.0
		r := x.Rank(text, "", len(documents), every)
		for _, h := range r.Hits {
			sum += h.Likely
		}
		if sum += r.OtherLikely; sum <= 0.5 || sum > 1.000001 {
			t.Errorf("%q: %.3f", text, sum)
		}
	}
}
