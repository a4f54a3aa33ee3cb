package privacy

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzMask: masking twice is masking once, and text stays text.
func FuzzMask(f *testing.F) {
	for _, text := range []string{
		"Soy Ana, 6123-4567 y ana@example.com", "8-123-4567", "el 2026-11-03 10", "(507) 6123.4567", "[correo]", "a@b.c@d.ef", "\xff6123456700", "Ana Ana", "AnaAna",
	} {
		f.Add(text, "Ana")
	}
	f.Add("x\xff", "\xff")
	f.Fuzz(func(t *testing.T, text, name string) {
		contacts := MaskContacts(text, "+507 200-0101", "citas@clinica.example")
		if again := MaskContacts(contacts, "+507 200-0101", "citas@clinica.example"); again != contacts {
			t.Errorf("%q was masked as %q, and then as %q", text, contacts, again)
		}
		named := MaskName(text, name)
		if again := MaskName(named, name); again != named && !strings.Contains(maskedName, name) {
			t.Errorf("%q without %q was %q, and then %q", text, name, named, again)
		}
		if utf8.ValidString(text) && !utf8.ValidString(contacts+named) {
			t.Errorf("%q became %q and %q", text, contacts, named)
		}
	})
}
