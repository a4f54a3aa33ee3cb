package spelling

import "testing"

// FuzzSpelling: a plain text stays as it is, digits are digits, and a typing error is one from
// both sides.
func FuzzSpelling(f *testing.F) {
	f.Add("Ñandú", "ñandu")
	f.Add("cita", "ctia")
	f.Add("", "a")
	f.Add("I\u0307", "\xff\u0301")
	f.Fuzz(func(t *testing.T, a, b string) {
		if plain := Unaccented(a); Unaccented(plain) != plain {
			t.Errorf("%q: %q, then %q", a, plain, Unaccented(plain))
		}
		if d := Digits(a); Digits(d) != d {
			t.Errorf("%q: %q", a, d)
		}
		if OneEditApart(a, b) != OneEditApart(b, a) {
			t.Errorf("%q and %q are one edit apart from one side only", a, b)
		}
	})
}
