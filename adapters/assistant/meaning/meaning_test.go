package meaning

import (
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"bitacora/adapters/assistant/words"
)

var data = os.DirFS("../data")

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
