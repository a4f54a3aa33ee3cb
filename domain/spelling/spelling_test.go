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
