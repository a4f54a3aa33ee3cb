package spelling

import "testing"

func TestOneEditApart(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{"limpieza", "limpiesa", true}, {"limpieza", "limpeza", true}, {"limpieza", "limpiezza", true},
		{"limpieza", "lipmieza", true}, {"limpieza", "limpieza", false}, {"limpieza", "limpesa", false},
		{"ab", "ba", true}, {"", "a", true}, {"", "", false}, {"abc", "a", false},
	} {
		if OneEditApart(tt.a, tt.b) != tt.want || OneEditApart(tt.b, tt.a) != tt.want {
			t.Errorf("%q and %q: want %v", tt.a, tt.b, tt.want)
		}
	}
}

func TestUnaccented(t *testing.T) {
	for text, want := range map[string]string{
		"Ñandú, ÁÉÍÓÚ Ü": "nandu, aeiou u", "città": "citta", "I’m don't": "im dont",
		"ma\u0301s man\u0303ana": "mas manana", "d´ocho": "d´ocho", "": "",
	} {
		if got := Unaccented(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestDigits(t *testing.T) {
	for text, want := range map[string]string{"+507 6123-4567": "50761234567", "tel. (6) ٣": "6", "": ""} {
		if got := Digits(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestSound(t *testing.T) {
	for a, b := range map[string]string{"blankeamiento": "blanqueamiento", "kariyas": "carillas", "rehavilitasion": "rehabilitacion", "hortodonsia": "ortodoncia"} {
		if Sound(a) != Sound(b) {
			t.Errorf("%s sounds unlike %s", a, b)
		}
	}
	if Sound("corona") == Sound("carona") || Sound("cita") == Sound("kita") {
		t.Error("what sounds differently is taken for the same")
	}
}
