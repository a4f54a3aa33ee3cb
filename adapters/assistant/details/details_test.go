package details

import (
	"testing"
	"time"

	"bitacora/domain/clinic"
)

// at is Saturday, 21 November 2026, 10:00 in Panama.
var at = time.Date(2026, 11, 21, 10, 0, 0, 0, clinic.Default().Zone)

var now = Moment{At: at, Ahead: 45}

func day(month time.Month, d int) time.Time {
	return time.Date(2026, month, d, 0, 0, 0, 0, at.Location())
}

func on(month time.Month, d int) clinic.Wish {
	return clinic.Wish{First: day(month, d), Last: day(month, d)}
}

func exactly(w clinic.Wish, hour, minute int) clinic.Wish {
	w.Earliest, w.Exact = hour*60+minute, true
	return w
}

func within(w clinic.Wish, earliest, latest int) clinic.Wish {
	w.Earliest, w.Latest = earliest*60, latest*60
	return w
}

func TestReadWish(t *testing.T) {
	nov := time.November
	var any clinic.Wish
	tests := map[string]clinic.Wish{
		"hola":                           any,
		"hoy":                            on(nov, 21),
		"mañana":                         on(nov, 22),
		"mañana en la tarde":             within(on(nov, 22), 12, 19),
		"mañana en la mañana":            within(on(nov, 22), 0, 12),
		"en la mañana":                   within(any, 0, 12),
		"por la mañana mejor":            within(any, 0, 12),
		"pasado mañana":                  on(nov, 23),
		"el sábado":                      on(nov, 28),
		"este sabado":                    on(nov, 21),
		"EL LUNES A LAS 10":              exactly(on(nov, 23), 10, 0),
		"el lunes a las 3":               exactly(on(nov, 23), 15, 0),
		"el martes a las 5 y media":      exactly(on(nov, 24), 17, 30),
		"miércoles 10:30":                exactly(on(nov, 25), 10, 30),
		"jueves 3pm":                     exactly(on(nov, 26), 15, 0),
		"viernes a las 4 de la tarde":    exactly(on(nov, 27), 16, 0),
		"el viernes al mediodía":         exactly(on(nov, 27), 12, 0),
		"a las 10 de la mañana":          exactly(any, 10, 0),
		"a la una":                       exactly(any, 13, 0),
		"cuarto para las 5":              exactly(any, 16, 45),
		"después de las 4":               {Earliest: 16 * 60},
		"antes de las 11":                {Latest: 11 * 60},
		"entre las 2 y las 4":            within(any, 14, 16),
		"de 9 a 11 am el lunes":          within(on(nov, 23), 9, 11),
		"lunes o martes":                 {First: day(nov, 23), Last: day(nov, 24)},
		"la próxima semana":              {First: day(nov, 23), Last: day(nov, 29)},
		"el jueves de la próxima semana": on(nov, 26),
		"esta semana":                    {First: day(nov, 21), Last: day(nov, 22)},
		"el fin de semana":               {First: day(nov, 21), Last: day(nov, 22)},
		"en dos semanas":                 on(time.December, 5),
		"el 15 de diciembre":             on(time.December, 15),
		"15/12/2026 a las 10:30":         exactly(on(time.December, 15), 10, 30),
		"15/12":                          on(time.December, 15),
		"2026-12-15":                     on(time.December, 15),
		"el 30":                          on(nov, 30),
		"el 5 en la tarde":               within(on(time.December, 5), 12, 19),
		"nací el 12-05-1990":             any,
		"tomorrow at 3pm":                exactly(on(nov, 22), 15, 0),
		"monday":                         on(nov, 23),
		"temprano el lunes":              within(on(nov, 23), 0, 10),
	}
	for text, want := range tests {
		if got, doubt := ReadWish(text, now); got != want || doubt != nil {
			t.Errorf("%q: %+v, doubt %+v, want %+v", text, got, doubt, want)
		}
	}
	for text, want := range map[string]clinic.Wish{"10": exactly(any, 10, 0), "las 3": exactly(any, 15, 0), "4 y media": exactly(any, 16, 30), "10:30": exactly(any, 10, 30)} {
		if got, _ := ReadWish(text, Moment{At: at, Ahead: 45, Bare: true}); got != want {
			t.Errorf("bare %q: %+v, want %+v", text, got, want)
		}
	}
}

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
		"no soy Ana": {}, "¿a nombre de quién está?": {}, "soy Ana Ruiz": {"Ana Ruiz", "Ana Ruiz"}, "soy María del Carmen": {"María del Carmen", "María del Carmen"},
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
		{"correction", Corrects, []string{"no, es 6123-4568", "perdón, es ana@x.com", "me equivoqué", "corrijo"}, []string{"6123-4568", "sí", "no"}},
		{"any care", AnyCare, []string{"no sé", "la que sea", "una revisión", "cualquiera"}, []string{"ortodoncia", "limpieza"}},
		{"any time", AnyTime, []string{"cuando sea", "lo antes posible", "cualquier día"}, []string{"el lunes", "mañana"}},
		{"stop", Stops, []string{"olvídalo", "déjalo", "mejor no", "ya no quiero", "no quiero seguir", "stop"}, []string{"no", "quiero una cita", "ninguna", "no quiero ir el lunes"}},
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
		c := ReadContact(text, true)
		ReadName(c.Rest, true, func(string) bool { return false })
		ReadAnswer(text)
		ReadChoice(text, 3)
		if w, _ := ReadWish(text, Moment{At: at, Ahead: 45, Bare: true}); w.Earliest < 0 || w.Earliest >= 24*60 || w.Latest < 0 || w.Last.Before(w.First) {
			t.Errorf("%q: %+v", text, w)
		}
	})
}
