package privacy

import (
	"testing"

	"bitacora/domain/privacy/privacytest"
)

// TestMaskKnown: what became known after a text was masked goes from it, and nothing else.
func TestMaskKnown(t *testing.T) {
	known := Known{
		Names:    []string{"Ana Ruiz"},
		Contacts: []string{"+50761234567", "ana.ruiz@gmail.com"},
		Public:   []string{"+507 200-0101", "Dra. Ana Ruiz"},
	}
	for text, want := range map[string]string{
		"Gracias, Ana. Al +507 200-0101 cuando quiera": "Gracias, [nombre]. Al +507 200-0101 cuando quiera",
		"GRACIAS, ANA":                                       "GRACIAS, [nombre]",
		"aquí ana rúiz otra vez":                             "aquí [nombre] otra vez",
		"con la Dra. Ana Ruiz, de Ana":                       "con la Dra. Ana Ruiz, de [nombre]",
		"empieza con 6123 y luego 4567":                      "empieza con [teléfono] y luego [teléfono]",
		"empieza con sesenta y uno veintitrés, y luego 4567": "empieza con [teléfono], y luego [teléfono]",
		"6 1 2 3 . 4 5 6 7":                                  "[teléfono]",
		"terminado en 4567":                                  "terminado en [teléfono]",
		"1 2 3 4 5 6 7 y vivo en santa ana":                  "1 2 3 4 5 6 7 y vivo en santa ana",
		"cuesta 1,234.56 y el 45678 o 3-4567":                "cuesta 1,234.56 y el 45678 o 3-4567",
		"ANA.RUIZ@gmail.com":                                 "[correo]",
		"de otra@gmail.com y el 6900-1111":                   "de otra@gmail.com y el 6900-1111",
		"[nombre] dijo que sí":                               "[nombre] dijo que sí",
	} {
		got := MaskKnown(text, known)
		if got != want || MaskKnown(got, known) != got {
			t.Errorf("MaskKnown(%q) = %q, want %q", text, got, want)
		}
	}
	if got := MaskKnown("en el 2026", Known{Contacts: []string{"+50769992026"}}); got != "en el 2026" {
		t.Errorf("a year is masked as %q", got)
	}
}

// TestKnownNamesLeaveOrdinaryWords: names that are words as well mask few lines in which nobody is named.
func TestKnownNamesLeaveOrdinaryWords(t *testing.T) {
	lines, falsely := 0, 0
	for _, name := range []string{
		"Rosa Blanco", "Luz Castillo", "Paz Sol", "Ana Ruiz", "Domingo Cruz", "Luis Mora", "Soledad Prado", "Ángel Rey", "Mercedes Luna", "Victoria Campos",
		"Santiago Rivera", "David Colón", "Dolores Fuertes", "Consuelo Calle", "Perla Corona", "Blanca Nieves", "Socorro Vida", "Abril Mayo",
	} {
		known := Known{Names: []string{name}, Contacts: []string{"+50761234567"}}
		for _, s := range privacytest.Corpus(t) {
			if len(s.Personal) > 0 {
				continue
			}
			lines++
			if got := MaskKnown(s.Text, known); got != s.Text {
				falsely++
				t.Logf("%s: %q: %q", name, s.Text, got)
			}
		}
	}
	t.Logf("%d of %d lines falsely masked", falsely, lines)
	if falsely*1000 > lines {
		t.Error("want one in a thousand")
	}
}
