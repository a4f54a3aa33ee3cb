package assistant

import (
	"io/fs"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"bitacora/adapters/assistant/meaning"
	"bitacora/adapters/assistant/words"
	"bitacora/domain/chat"
	"bitacora/domain/clinic"
)

// Lines for English change nothing of how Spanish is read, nor the other way round.
func TestLinesOfOneLanguageTeachTheOtherNothing(t *testing.T) {
	few := func(further fstest.MapFS) fs.FS {
		files := fstest.MapFS{
			"sentences/horario.txt": {Data: []byte("a qué hora abren\ncuál es el horario\n")}, "sentences/precio.txt": {Data: []byte("cuánto cuesta\nqué precio tiene\n")},
			"sentences/en/horario.txt": {Data: []byte("when do you open\nyour hours\n")}, "sentences/en/precio.txt": {Data: []byte("how much is it\nthe price\n")},
			"questions/lugar.txt": {Data: []byte("## acceso\nhay rampa en la entrada\n")}, "questions/en/lugar.txt": {Data: []byte("## acceso\nis there a ramp\n")},
		}
		for name, file := range further {
			files[name] = &fstest.MapFile{Data: append(slices.Clone(files[name].Data), file.Data...)}
		}
		for _, name := range []string{"words.json", "asking.json", "specialties.json", "answers.json"} {
			data, err := fs.ReadFile(ownData(), name)
			if err != nil {
				t.Fatal(err)
			}
			files[name] = &fstest.MapFile{Data: data}
		}
		return files
	}
	taught := func(files fs.FS, language words.Code) lessons {
		t.Helper()
		l, err := learnLessons(files, language)
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	english := few(fstest.MapFS{"sentences/en/precio.txt": {Data: []byte("a qué precio la hora\n")}, "questions/en/lugar.txt": {Data: []byte("hay rampa\n")}})
	spanish := few(fstest.MapFS{"sentences/precio.txt": {Data: []byte("dime el costo por favor\n")}, "questions/lugar.txt": {Data: []byte("se puede entrar con andadera\n")}})
	for name, tt := range map[string]struct {
		files    fs.FS
		language words.Code
		same     bool
	}{
		"Spanish after English lines": {english, words.Spanish, true}, "English after English lines": {english, words.English, false},
		"English after Spanish lines": {spanish, words.English, true}, "Spanish after Spanish lines": {spanish, words.Spanish, false},
	} {
		if same := reflect.DeepEqual(taught(tt.files, tt.language), taught(few(nil), tt.language)); same != tt.same {
			t.Errorf("%s: same %v", name, same)
		}
	}
}

func TestRepliesFollowTheLanguageOfTheVisitor(t *testing.T) {
	a := newTestAssistant(t)
	english, spanish := chat.Line{Text: "We are at Plaza Regency. Here is the map: https://maps.example"}, chat.Line{Text: "Estamos en Plaza Regency."}
	for _, tt := range []struct {
		text    string
		pressed bool
		asked   chat.Step
		before  []chat.Line
		want    bool
	}{
		{text: "how much is a crown", want: true},
		{text: "¿cuánto cuesta una corona?"},
		{text: "¿hacen whitening o cleaning?"},
		{text: "braces?", want: true},
		{text: "ok thanks"},
		{text: "ok thanks", before: []chat.Line{english}, want: true},
		{text: "6612-3344", before: []chat.Line{english}, want: true},
		{text: "6612-3344", before: []chat.Line{spanish}},
		{text: "gracias por todo, muy amable", before: []chat.Line{english}},
		{text: "Sí", pressed: true, before: []chat.Line{english}, want: true},
		{text: "Lo antes posible", pressed: true, before: []chat.Line{english}, want: true},
		{text: "Lo antes posible", pressed: true, before: []chat.Line{spanish}},
		{text: "Will Day", asked: chat.StepName, before: []chat.Line{spanish}},
		{text: "María del Sol", asked: chat.StepName, before: []chat.Line{english}, want: true},
	} {
		u, err := a.Understand(t.Context(), chat.Question{Text: tt.text, Pressed: tt.pressed, Asked: tt.asked, History: tt.before, At: saturday})
		if err != nil || u.English != tt.want {
			t.Errorf("%s after %v: English %v, %v", tt.text, tt.before, u.English, err)
		}
	}
}

func TestEnglishQuestionsGetTheirAnswers(t *testing.T) {
	a := withPosts(t)
	answers := clinic.DefaultContent().Answers
	for text, slug := range map[string]string{
		"is it painful to get a root canal?":              "endodoncia-dolor",
		"how many months do I need to wear braces for":    "ortodoncia-duracion",
		"can I smoke after they pull my tooth":            "extraccion-fumar",
		"im pregnant can i get my teeth cleaned":          "embarazo-dentista",
		"do you have discounts for seniors?":              "descuentos",
		"what is a veneer":                                "carillas-que-son",
		"Do I have to replace the tooth that I'm missing": "diente-perdido-sin-reponer",
		"my kid is afraid of dentists":                    "ninos-miedo",
		"how long do implants last":                       "implante-cuanto-dura",
	} {
		reply := talk(t, a, text)
		want, _ := clinic.AnswerOf(answers, slug)
		// A yes or a no before it is said only to who asks for one.
		english := strings.TrimPrefix(a.embedded.clinic.Fill(want.Of(a.embedded.clinic).English), "Yes, ")
		if english == "" || !strings.Contains(reply.Text, english[1:]) {
			t.Errorf("%s: %v %s", text, reply.Sources, reply.Text)
		}
	}
}

// Every text that can be said has one for whoever writes in English, and none of them is Spanish.
func TestEveryTextIsThereInEnglish(t *testing.T) {
	e := newTestAssistant(t).embedded
	for _, one := range e.texts.templates.Templates() {
		name, english := strings.CutSuffix(one.Name(), "-en")
		if parts := []string{"texts.tmpl", "ahora", "despues", "llamar"}; english || slices.Contains(parts, name) {
			continue
		}
		s := e.scene(asked{english: true}, saturday)
		s.day = saturday
		s.Service = e.clinic.Services[0]
		text, err := e.texts.render(name, s)
		if list := e.reader.Language.Words(text); err != nil || text != "" && words.LanguageOf(list[:min(len(list), opensWith)]) != words.English {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
}

func TestMeaningIsReadInEnglish(t *testing.T) {
	e := newTestAssistant(t).embedded.in[words.English]
	for text, want := range map[string]string{
		"I want to cancel tomorrow's appointment": "cancelar", "are you a robot": "identidad", "what's the weather like in Boston": meaning.Unknown,
		"my molar is killing me": meaning.Urgent, "could I please talk to a human being": "persona",
	} {
		if m := e.read(text); m.Intent != want {
			t.Errorf("%s: %+v", text, m)
		}
	}
}
