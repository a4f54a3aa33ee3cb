package assistant

import (
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"bitacora/adapters/assistant/retrieval"
	"bitacora/adapters/assistant/words"
	"bitacora/adapters/engines/enginestest"
	"bitacora/domain/clinic"
	"bitacora/domain/spelling"
)

// What the program carries is what its files teach: npm run gen:assistant writes it anew.
func TestWhatWasLearnedIsUpToDate(t *testing.T) {
	enginestest.Long(t)
	inputs, err := hashInputs(ownData())
	if err != nil {
		t.Fatal(err)
	}
	own, err := ownLearned()
	if err != nil {
		t.Fatal(err)
	}
	again, err := learn(ownData(), inputs)
	if err != nil {
		t.Fatal(err)
	}
	fresh, err := encodeLearned(again)
	if err != nil {
		t.Fatal(err)
	}
	if again, err = readLearned(fresh); err != nil || !reflect.DeepEqual(own, again) {
		t.Errorf("learned.bin is not what the files teach (%v): run npm run gen:assistant", err)
	}
	if len(learnedFile) > 12<<20 {
		t.Errorf("learned.bin has %d bytes", len(learnedFile))
	}
}

func TestOnlyFilesThatTeachSomethingElseAreLearnedAnew(t *testing.T) {
	own, err := ownLearned()
	if err != nil {
		t.Fatal(err)
	}
	for name, of := range map[string]struct {
		file string
		same bool
	}{"a text": {"texts.tmpl", true}, "a sentence": {"sentences/gracias.txt", false}, "a question": {"questions/lugar.txt", false}} {
		t.Run(name, func(t *testing.T) {
			text, err := fs.ReadFile(ownData(), of.file)
			if err != nil {
				t.Fatal(err)
			}
			files := overlay{fstest.MapFS{of.file: {Data: append(text, "\n# \n"...)}}, ownData()}
			inputs, err := hashInputs(files)
			if err != nil || (inputs == own.Inputs) != of.same {
				t.Errorf("learned anew: %v %v", inputs != own.Inputs, err)
			}
		})
	}
}

func TestLinesAskForAnswersThatAreThere(t *testing.T) {
	_, answers, err := readAnalyzer(ownData(), clinic.Default())
	if err != nil {
		t.Fatal(err)
	}
	var lines []retrieval.Line
	for _, language := range words.Codes {
		some, err := readLines(ownData(), answers, language)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, some...)
	}
	there := []string{untold, offTopic}
	for _, a := range clinic.DefaultContent().Answers {
		there = append(there, a.Slug)
	}
	for _, l := range lines {
		if !slices.Contains(there, l.Class) && !strings.HasPrefix(l.Class, intentMark) {
			t.Errorf("%s: nothing is named %s", l.Text, l.Class)
		}
	}
}

// What judges the assistant is nothing that it learned from.
func TestNoLineIsASentenceOfTheJudges(t *testing.T) {
	folded := func(text string) string {
		return strings.Join(strings.FieldsFunc(spelling.Unaccented(text), func(r rune) bool { return strings.ContainsRune(" ¿?¡!.,;:", r) }), " ")
	}
	judged := map[string]string{}
	for _, set := range []string{"frozen", "fresh"} {
		text, err := os.ReadFile(filepath.Join("testdata", set, "sentences.txt"))
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			for turn := range strings.SplitSeq(line, " // ") {
				judged[folded(turn)] = set
			}
		}
	}
	var names []string
	for _, folder := range []string{"questions", "questions/en"} {
		some, err := fs.Glob(ownData(), folder+"/*.txt")
		if err != nil || len(some) == 0 {
			t.Fatal(folder, err)
		}
		names = append(names, some...)
	}
	same := 0
	for _, name := range names {
		text, err := fs.ReadFile(ownData(), name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			// Three words may well be written twice: "horario?".
			if line := folded(strings.TrimSpace(line)); judged[line] != "" && len(strings.Fields(line)) > 4 {
				t.Logf("%s: %q stands in the %s set", name, line, judged[line])
				same++
			}
		}
	}
	if same > 0 {
		t.Errorf("%d lines are judged sentences", same)
	}
}

// An answer that the clinic adds is found by its few questions; one that it takes away is said no
// more, whatever lines ask for it; one that it edits is found by them still.
func TestTheClinicsAnswersOfNowAreFound(t *testing.T) {
	a := newTestAssistant(t)
	k := ownKnowledge(clinic.Default())
	k.Answers = append(slices.Clone(k.Answers), clinic.Answer{
		Slug: "cafetera", Topic: "clinica", Questions: []string{"¿Tienen cafetera en la sala?", "ofrecen café mientras uno espera"}, Text: "Sí, en la sala hay café.",
	})
	k.Answers = slices.DeleteFunc(k.Answers, func(one clinic.Answer) bool { return one.Slug == "wifi" })
	for i := range k.Answers {
		if k.Answers[i].Slug == "mascotas" {
			k.Answers[i].Text, k.Answers[i].Open = "Los perros pequeños entran.", false
			k.Answers[i].Questions = []string{"¿Y los animalitos?"}
		}
	}
	now, err := a.Knowing(k)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"¿tienen cafetera?": "answer/cafetera", "¿ofrecen café mientras espero?": "answer/cafetera",
		"puedo llevar a mi perrito?": "answer/mascotas", "¿y los animalitos?": "answer/mascotas", "¿duele la limpieza?": "answer/limpieza-dolor",
	} {
		if got := ask(t, now, text, saturday); !slices.Contains(got.Sources, want) {
			t.Errorf("%s: %v %s", text, got.Sources, got.Text)
		}
	}
	for _, text := range []string{"¿tienen wifi?", "cuál es la clave del wifi"} {
		if got := ask(t, now, text, saturday); got.Answered {
			t.Errorf("%s: %v %s", text, got.Sources, got.Text)
		}
	}
	if got := ask(t, a, "¿tienen wifi?", saturday); !slices.Contains(got.Sources, "answer/wifi") {
		t.Errorf("before: %v", got.Sources)
	}
}
