package danger

import (
	"slices"
	"strings"
	"testing"

	"bitacora/domain/spelling"
)

// FuzzRead: danger is told in the order in which it is answered, with its language, and is
// found whatever the accents, the case and the space around the text.
func FuzzRead(f *testing.F) {
	for _, text := range []string{"me quiero morir", "me quiero morir y no puedo respirar", "No puedo respirar", "I want to kill myself", "me tragué un frasco de pastillas", "me duele una muela", "", "\xff", "...;!", "´`’"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		found := Read(text)
		if found.Found() != (found.Language != "") {
			t.Errorf("%q: %+v", text, found)
		}
		last := -1
		for _, k := range found.Kinds {
			at := slices.Index(Kinds, k)
			if at <= last {
				t.Errorf("%q: %v", text, found.Kinds)
			}
			last = at
		}
		for _, other := range []string{spelling.Unaccented(text), "\n " + text + " \t", strings.ToLower(text)} {
			if again := Read(other); !slices.Equal(again.Kinds, found.Kinds) {
				t.Errorf("%q: %v, but %q: %v", text, found.Kinds, other, again.Kinds)
			}
		}
	})
}
