package details

import (
	"testing"

	"bitacora/adapters/phones"
)

var panama = phones.Plan{Country: "PA"}

func TestReadAnswer(t *testing.T) {
	tests := map[string]int{
		"sí": 1, "si": 1, "Si, por favor": 1, "claro que sí": 1, "dale": 1, "ok": 1, "acepto": 1, "SI ACEPTO": 1, "de acuerdo": 1, "yes": 1, "👍": 1, "bueno, sí": 1, "no hay problema": 1, "confirmo": 1, "esta bien": 1,
		"no": -1, "No, gracias": -1, "nop": -1, "todavía no": -1, "mejor no": -1, "no, es 6123-4568": -1, "👎": -1, "ah no": -1,
		"no sé": 0, "hola": 0, "si tienen espacio el lunes me avisa": 0, "cuánto cuesta": 0, "no tengo correo": 0, "noviembre": 0, "nunca he ido": 0,
	}
	for text, want := range tests {
		if got := ReadAnswer(text); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}

func TestAcknowledges(t *testing.T) {
	for text, want := range map[string]bool{
		"ok": true, "Ok.": true, "listo!": true, "está bien": true, "muy bien": true, "👍": true, "👍🏽": true, "❤️": true, "🙏🙏": true,
		"sí": false, "no": false, "ok, quiero una cita": false, "👎": false, "😡": false, "👍 gracias": false, "bien caro": false, "": false,
	} {
		if got := Acknowledges(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestAsksBack(t *testing.T) {
	for text, want := range map[string]bool{
		"bien y tu?": true, "Bien, ¿y usted?": true, "y tú": true, "muy bien gracias, y tú?": true, "genial y tu": true, "como vas tu": true, "bieny a ti?": true,
		"¿y tú cuánto cobras?": false, "bien": false, "¿y ustedes abren hoy?": false, "¿cómo van las citas?": false, "": false,
	} {
		if got := AsksBack(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestOnlyIntroduces(t *testing.T) {
	usual := func(string) bool { return false }
	for text, want := range map[string]bool{
		"me llamo Marta Ruiz": true, "Hola, me llamo Marta": true, "mi nombre es Ana de León": true, "Muy bien. Mi nombre es Luis Mora": true, "soy Marta Ruiz, mucho gusto": true, "me llaman Pepe": true,
		"me llamo Marta y quiero una cita": false, "soy Marta Ruiz, me duele una muela": false, "¿cómo te llamas?": false, "Marta Ruiz": false, "me llamo Ana, 6612-3456": false, "": false,
	} {
		if got := OnlyIntroduces(text, usual); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestOnlyEmoji(t *testing.T) {
	for text, want := range map[string]bool{
		"😡": true, "👎👎": true, "🦷 😢": true, "": false, "...": false, "😡 caro": false, "1": false,
	} {
		if got := OnlyEmoji(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestReadChoice(t *testing.T) {
	tests := map[string]int{
		"1": 1, "la 2": 2, "la primera": 1, "el segundo por favor": 2, "la última": -1, "opción 3": 3, "#2": 2, "prefiero la 2": 2, "dos": 2, "the first one": 1, "la tercera": 3,
		"4": 0, "a las 2": 0, "2pm": 0, "primera hora": 0, "el lunes": 0, "hola": 0, "a la 1": 0,
		"la primera no, la segunda": 2, "menos la primera, la tercera": 3, "la primera no": 0, "cualquiera": 1, "la más temprana": 1, "la más próxima por favor": 1, "cualquiera menos el martes": 0,
	}
	for text, want := range tests {
		if got := ReadChoice(text, 3); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
	if got := ReadChoice("1", 0); got != 0 {
		t.Errorf("a choice among none: %d", got)
	}
}

func TestNoNameIsMadeOfIdleWords(t *testing.T) {
	for text, want := range map[string]string{"na todo chido": "", "todo chévere": "", "todo bien": "", "ana chong": "Ana Chong"} {
		if got := ReadName(text, true, func(string) bool { return false }); got != want {
			t.Errorf("%q: name %q, want %q", text, got, want)
		}
	}
}

func TestANameThatIsNotTheirs(t *testing.T) {
	for text, want := range map[string][2]string{ // where a name was asked for, and where not
		"no me llamo Ana, me llamo Eva Ríos": {"Eva Ríos", "Eva Ríos"}, "soy el hermano de Ana": {"Ana", ""}, "te escribe la mamá de Luis Mora": {"Luis Mora", ""}, "mi nombre está mal, es Ana Luisa Ruiz": {"Ana Luisa Ruiz", "Ana Luisa Ruiz"},
		"no soy Ana": {}, "soy portador de VIH": {}, "soy vih positiva": {}, "soy hipertensa": {}, "¿a nombre de quién está?": {}, "soy Ana Ruiz": {"Ana Ruiz", "Ana Ruiz"}, "soy María del Carmen": {"María del Carmen", "María del Carmen"},
	} {
		for i, asked := range []bool{true, false} {
			if got := ReadName(text, asked, func(string) bool { return false }); got != want[i] {
				t.Errorf("%q, asked %v: name %q, want %q", text, asked, got, want[i])
			}
		}
	}
}

func TestTurnsOfADialogue(t *testing.T) {
	tests := []struct {
		what string
		says func(string) bool
		yes  []string
		no   []string
	}{
		{"other times", WantsOtherTimes, []string{"¿hay otra hora?", "ninguna", "no me sirve ninguno", "más opciones", "otro día"}, []string{"la primera", "sí", "a las 10"}},
		{"correction", Corrects, []string{"no, es 6123-4568", "ay no, es para mi mamá, Elvia Ruiz", "perdón, es ana@x.com", "me equivoqué", "corrijo"}, []string{"6123-4568", "sí", "no"}},
		{"any care", AnyCare, []string{"no sé", "la que sea", "una revisión", "cualquiera"}, []string{"ortodoncia", "limpieza"}},
		{"any time", AnyTime, []string{"cuando sea", "lo antes posible", "cualquier día"}, []string{"el lunes", "mañana"}},
		{"stop", Stops, []string{"olvídalo", "déjalo", "déjelo así, gracias", "olvídelo", "mejor no", "ya no quiero", "no quiero seguir", "stop"}, []string{"no", "quiero una cita", "ninguna", "no quiero ir el lunes"}},
	}
	for _, tt := range tests {
		for _, text := range tt.yes {
			if !tt.says(text) {
				t.Errorf("%q is no %s", text, tt.what)
			}
		}
		for _, text := range tt.no {
			if tt.says(text) {
				t.Errorf("%q is %s", text, tt.what)
			}
		}
	}
}

func FuzzDetails(f *testing.F) {
	for _, text := range []string{"", "6123 4567", "ana@example.com", "el 31 de febrero a las 25:99", "soy", "\xff", "a las", "entre y"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c := ReadContact(text, true, panama)
		ReadName(c.Rest, true, func(string) bool { return false })
		ReadAnswer(text)
		ReadChoice(text, 3)
	})
}
