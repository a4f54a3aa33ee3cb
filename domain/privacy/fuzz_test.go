package privacy

import (
	"errors"
	"strings"
	"testing"
)

// FuzzParseIdentifier: whatever somebody types is refused, or is one value in its one form, which
// stands in the same text within a message, too.
func FuzzParseIdentifier(f *testing.F) {
	for _, text := range []string{"6123-4567", "+507 6123 4567", "ana arroba gmail punto com", "ana@gmail", "8-123-4567", "pasaporte AB-0123", "@", "\x00(a)gmail", "ruc 1-2-3 dv 12"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		id, err := ParseIdentifier(text)
		if err != nil {
			if !errors.Is(err, ErrNoIdentifier) || id != (Identifier{}) {
				t.Errorf("%q: %v, %v", text, id, err)
			}
			return
		}
		if id.Value == "" || strings.ContainsAny(id.Value, " \n,()[]") || id.Value != strings.ToLower(id.Value) {
			t.Errorf("%q is %q", text, id)
		}
		if again, err := ParseIdentifier(text); again != id || err != nil {
			t.Errorf("%q is %q, and %q", text, id, again)
		}
	})
}
