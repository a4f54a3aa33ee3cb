package danger

import (
	"slices"
	"strings"
	"testing"
)

// examples are the dangerous sentences, or the ordinary ones.
func examples(t *testing.T, dangerous bool) (some []Example) {
	t.Helper()
	all, err := Examples()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range all {
		if (e.Kind != "") == dangerous {
			some = append(some, e)
		}
	}
	return some
}

func TestEveryDangerIsFound(t *testing.T) {
	dangerous := examples(t, true)
	if len(dangerous) < 150 {
		t.Fatalf("%d sentences", len(dangerous))
	}
	for _, e := range dangerous {
		if got := Read(e.Text); !got.Found() || got.Kinds[0] != e.Kind {
			t.Errorf("%q: %v, want %s", e.Text, got.Kinds, e.Kind)
		}
	}
}

func TestOrdinarySentencesAreNoDanger(t *testing.T) {
	ordinary := examples(t, false)
	if len(ordinary) < 300 {
		t.Fatalf("%d sentences", len(ordinary))
	}
	alarms := 0
	for _, e := range ordinary {
		if got := Read(e.Text); got.Found() {
			alarms++
			t.Logf("%q: %v", e.Text, got)
		}
	}
	if alarms*300 > len(ordinary) {
		t.Errorf("%d false alarms in %d ordinary sentences", alarms, len(ordinary))
	}
}

func TestBodyComesBeforeMindAndBothAreTold(t *testing.T) {
	for text, want := range map[string][]Kind{
		"me tomé 30 pastillas porque me quiero morir":      {Poisoning, Crisis},
		"mi hermana se mató y yo también me quiero matar":  {Crisis},
		"mi hijo tiene ideas suicidas":                     {CrisisClose},
		"me duele el pecho y no puedo respirar":            {Breathing, Heart},
		"me muero de dolor de muela. Me tomé 20 pastillas": {Poisoning},
		"quiero una cita": nil,
		"":                nil,
		strings.Repeat("quiero una cita de ortodoncia. ", 2000):     nil,
		strings.Repeat("ay, ", 9000) + "me quiero morir, de verdad": {Crisis},
	} {
		if got := Read(text); !slices.Equal(got.Kinds, want) {
			t.Errorf("%.60q: %v, want %v", text, got.Kinds, want)
		}
	}
	if got := Read("I want to die, kiero morirme").Language; got != "es" {
		t.Errorf("both languages: answered in %s", got)
	}
}

func TestWordsAreComparedByTheirSound(t *testing.T) {
	for key, written := range map[string][]string{
		"kiero":      {"quiero", "kiero", "qiero", "quieroo"},
		"suisidarme": {"suicidarme", "suisidarme", "zuicidarme"},
		"bida":       {"vida", "bida", "vidaaa"},
		"desmayo":    {"desmayo", "desmallo"},
		"aogo":       {"ahogo", "aogo", "ahoggo"},
	} {
		for _, w := range written {
			if got := phoneticKey(w); got != key {
				t.Errorf("%s is heard as %s, want %s", w, got, key)
			}
		}
	}
}

func TestTokens(t *testing.T) {
	l := &language{}
	for text, want := range map[string][]string{
		"Qué... VIDA": {"ke", "bida"}, "qué… vida": {"ke", "bida"}, "que. vida": {"ke", stop, "bida"},
		"don´t": {"dont"}, "don`t": {"dont"}, "don’t": {"dont"},
	} {
		if got := l.tokens(text); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestMistakesInADataFileAreReported(t *testing.T) {
	for name, text := range map[string]string{
		"no section":        "quiero morir",
		"unknown section":   "[panic]",
		"open bracket":      "[crisis]\n(quiero morir",
		"closed bracket":    "[crisis]\nquiero) morir",
		"choices in line":   "[crisis]\nquiero|deseo morir",
		"unknown list":      "[crisis]\n@quiero morir",
		"nothing":           "[crisis]\nmorir +  + vivir",
		"mistake in a list": "[crisis]\n@quiero = quiero | @deseo",
	} {
		if _, err := readLanguage("xx", strings.NewReader(text)); err == nil {
			t.Errorf("%s was read", name)
		}
	}
}

func BenchmarkRead(b *testing.B) {
	for name, text := range map[string]string{
		"short": "quiero una cita de ortodoncia para el martes en la tarde, por favor",
		"long":  strings.Repeat("me siento mal y no puedo ir porque mi hijo ", 24),
		"flood": strings.Repeat("me se no la mi ", 4200),
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				Read(text)
			}
		})
	}
}
