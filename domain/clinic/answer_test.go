package clinic

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// withAnswers is a directory of content with one file of answers.
func withAnswers(t *testing.T, text string) fstest.MapFS {
	t.Helper()
	c := DefaultContent()
	c.Answers = nil
	files := c.Files()
	dir := fstest.MapFS{"answers/limpieza.md": {Data: []byte(text)}}
	for name, text := range files {
		dir[name] = &fstest.MapFile{Data: text}
	}
	return dir
}

func TestAnAnswerIsReadFromItsSection(t *testing.T) {
	c, err := ReadContent(withAnswers(t, "## limpieza-duele\r\nservice: limpieza-dental\r\naspect: dolor\r\n\r\n- ¿Duele?\r\n- me dolerá\r\n\r\nNo debería.\r\nLlama al {{phones}}.\r\n\r\nEnglish: No.\r\n\n## wifi\nopen: true\n\n- hay wifi\n"), Content{})
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Answers) != 2 {
		t.Fatalf("%+v", c.Answers)
	}
	a := c.Answers[0]
	if a.Slug != "limpieza-duele" || a.Topic != "limpieza" || a.Service != "limpieza-dental" || a.Aspect != "dolor" || a.Open ||
		strings.Join(a.Questions, "|") != "¿Duele?|me dolerá" || a.Text != "No debería. Llama al {{phones}}." || a.English != "No." {
		t.Errorf("%+v", a)
	}
	if b := c.Answers[1]; !b.Open || b.Text != "" || b.Slug != "wifi" {
		t.Errorf("%+v", b)
	}
}

func TestMistakesInAnswersAreReportedWithTheirPlace(t *testing.T) {
	for name, tt := range map[string]struct{ text, want string }{
		"before the first":  {"hola\n", "answers/limpieza.md:1: stands before the first answer"},
		"no question":       {"## a\n\nTexto.\n", `answers/limpieza.md:3: "Texto." is neither`},
		"nothing at all":    {"## a\n", "answers/limpieza.md:1: slug: has no question"},
		"no answer":         {"## a\n- ¿x?\n", "answers/limpieza.md:1: text: is empty"},
		"slug":              {"## A b\n- ¿x?\nSí.\n", `answers/limpieza.md:1: slug: "A b"`},
		"field":             {"## a\nprice: 3\n- ¿x?\nSí.\n", "answers/limpieza.md:2: price: is no field"},
		"aspect":            {"## a\naspect: color\n- ¿x?\nSí.\n", `answers/limpieza.md:2: aspect: "color" is none of`},
		"open":              {"## a\nopen: sí\n- ¿x?\nSí.\n", `answers/limpieza.md:2: open: "sí" is neither`},
		"service":           {"## a\nservice: tatuajes\n- ¿x?\nSí.\n", `answers/limpieza.md:2: a: service: there is no service "tatuajes"`},
		"twice":             {"## a\n- ¿x?\nSí.\n\n## a\n- ¿y?\nSí.\n", `answers/limpieza.md:5: slug: "a" is there twice`},
		"asked twice":       {"## a\n- ¿Duele MUCHO?\nSí.\n\n## b\n- duele, mucho\nSí.\n", `answers/limpieza.md:6: "duele, mucho" is asked at a already`},
		"a phone":           {"## a\n- ¿x?\nLlama al 200-0101.\n", `answers/limpieza.md:3: text: "200-0101" stands there as it is`},
		"an hour":           {"## a\n- ¿x?\nA las 8:00.\n", `answers/limpieza.md:3: text: "8:00" stands there`},
		"a link in English": {"## a\n- ¿x?\nSí.\nEnglish: See https://x.example\n", `answers/limpieza.md:4: english: "https:" stands there`},
		"an unknown fact":   {"## a\n- ¿x?\nLlama al {{fax}}.\n", "answers/limpieza.md:3: text: {{fax}} is no fact"},
		"a misspelt fact":   {"## a\n- ¿x?\nLlama al {{phons}}.\n", "answers/limpieza.md:3: text: {{phons}} is no fact of the clinic; did you mean {{phones}}?"},
		"may not be told":   {"## a\n- ¿x?\n\n{{parking}}\n", "answers/limpieza.md:4: text: {{parking}} may not be told"},
		"after ||":          {"## a\n- ¿x?\n{{parking}}\n|| {{transit}}\n", "answers/limpieza.md:3: text: {{transit}} may not be told"},
		"never said":        {"## a\n- ¿x?\nSí.\n|| No.\n", "answers/limpieza.md:3: text: names no fact before ||"},
		"nothing after ||":  {"## a\n- ¿x?\n{{parking}}\n||\n", "answers/limpieza.md:3: text: is empty"},
		"three":             {"## a\n- ¿x?\n{{parking}} || a || b\n", "answers/limpieza.md:3: text: has || twice"},
		"English pair":      {"## a\n- ¿x?\nSí.\nEnglish: Yes.\n|| No.\n", "answers/limpieza.md:4: english: names no fact before ||"},
		"after English":     {"## a\n- ¿x?\nSí.\nEnglish: Yes.\nMás.\n", "answers/limpieza.md:5: stands after the English answer"},
		"too long":          {"## a\n- ¿x?\n" + strings.Repeat("la ", 300) + "\n", "answers/limpieza.md:3: text: has"},
	} {
		_, err := ReadContent(withAnswers(t, tt.text), Content{})
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %q is not reported in: %v", name, tt.want, err)
		}
	}
}

func TestContentWithoutAnswersIsWhole(t *testing.T) {
	if _, err := ReadContent(withAnswers(t, ""), Content{}); err != nil {
		t.Error(err)
	}
}

// longestAnswer is what fits into a chat bubble without scrolling, in runes.
const longestAnswer = 520

// price is an amount of money.
var price = regexp.MustCompile(`\$|B/\.|\d+ (?:dólares|balboas)`)

func TestOwnAnswersAreShortAndAskedInSeveralVoices(t *testing.T) {
	all := DefaultContent().Answers
	if len(all) < 150 || len(all) > 300 {
		t.Errorf("%d answers", len(all))
	}
	example, err := Load(bytes.NewReader(Example()))
	if err != nil {
		t.Fatal(err)
	}
	told := slices.Clone(all)
	for i, a := range all {
		all[i], told[i] = a.Of(Default()), a.Of(example)
	}
	for _, a := range told {
		if n := len([]rune(example.Fill(a.Text))); n > longestAnswer {
			t.Errorf("%s has %d characters where everything is told", a.Slug, n)
		}
	}
	for _, a := range all {
		text := Default().Fill(a.Text)
		if n := len([]rune(text)); n > longestAnswer {
			t.Errorf("%s has %d characters", a.Slug, n)
		}
		if n := len(a.Questions); n < 4 || n > 16 {
			t.Errorf("%s has %d questions", a.Slug, n)
		}
		if price.MatchString(text + strings.Join(a.Questions, " ")) {
			t.Errorf("%s names a price: %s", a.Slug, text)
		}
		if !a.Open && text != "" && !strings.ContainsAny(text[len(text)-1:], ".?!»") && !strings.HasSuffix(text, Default().MapURL()) {
			t.Errorf("%s does not end: %s", a.Slug, text)
		}
	}
}
