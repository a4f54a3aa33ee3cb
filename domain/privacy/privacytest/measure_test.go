package privacytest

import (
	"strings"
	"testing"
)

// failing notes that a test would have failed.
type failing struct {
	testing.TB
	failed bool
}

func (f *failing) Helper()               {}
func (f *failing) Logf(string, ...any)   {}
func (f *failing) Error(...any)          { f.failed = true }
func (f *failing) Errorf(string, ...any) { f.failed = true }

// TestTheMeasureFindsWhatIsWrong is the control of every test that measures a door.
func TestTheMeasureFindsWhatIsWrong(t *testing.T) {
	samples := Corpus(t)
	perfect := func(s Sample) string {
		var b strings.Builder
		last := 0
		for _, p := range s.Personal {
			b.WriteString(s.Text[last:p.From] + "[nombre]")
			last = p.To
		}
		return b.String() + s.Text[last:]
	}
	for name, door := range map[string]struct {
		open  func(i int, s Sample) string
		fails bool
	}{
		"masks all":          {func(_ int, s Sample) string { return perfect(s) }, false},
		"masks nothing":      {func(_ int, s Sample) string { return s.Text }, true},
		"masks everything":   {func(int, Sample) string { return "[nombre]" }, true},
		"says other things":  {func(_ int, s Sample) string { return "¡Hola! " + perfect(s) }, true},
		"says nothing":       {func(int, Sample) string { return "" }, true},
		"leaks each tenth":   {func(i int, s Sample) string { return map[bool]string{true: s.Text, false: perfect(s)}[i%10 == 0] }, true},
		"loses one sentence": {func(i int, s Sample) string { return map[bool]string{true: "", false: perfect(s)}[i == 7] }, true},
	} {
		out := make([]string, len(samples))
		for i, s := range samples {
			out[i] = door.open(i, s)
		}
		f := &failing{TB: t}
		if MustMask(f, samples, out); f.failed != door.fails {
			t.Errorf("a door that %s fails: %v", name, f.failed)
		}
	}
	for text, fails := range map[string]bool{"de nadie": false, "de nadie, soy Yamileth Sucre": true, "": true} {
		f := &failing{TB: t}
		if MustTellNothing(f, samples, text); f.failed != fails {
			t.Errorf("%q fails: %v", text, f.failed)
		}
	}
}
