package details

import "testing"

func TestAgrees(t *testing.T) {
	for text, want := range map[string]bool{
		"bueno está bien, sí acepto": true, "cambié de idea, quiero la cita": true, "usen mis datos": true, "mejor sí, agéndame": true,
		"no acepto": false, "ya no quiero": false, "¿y si acepto?": false, "sí": false, "no les doy permiso": false,
	} {
		if Agrees(text) != want {
			t.Errorf("%s: %t", text, !want)
		}
	}
}

func TestGoesOn(t *testing.T) {
	for text, want := range map[string]bool{
		"listo, sigamos": true, "ok, continuemos con la cita": true, "seguir con la cita": true,
		"sigamos el jueves": false, "listo": false, "Sigfrido Ruiz": false,
	} {
		if GoesOn(text) != want {
			t.Errorf("%s: %t", text, !want)
		}
	}
}

func TestShift(t *testing.T) {
	for text, want := range map[string]int{"algo más tarde": 1, "¿no hay más temprano?": -1, "something later": 1, "por la tarde": 0} {
		if got := Shift(text); got != want {
			t.Errorf("%s: %d, want %d", text, got, want)
		}
	}
}

func TestForChild(t *testing.T) {
	for text, want := range map[string]bool{
		"cita para mi hija de 6 años": true, "get my daughter (5) checked": true, "mi bebé tiene 18 meses": true, "mi hijo de 15 años": false, "hace 6 años": false,
		"para dos niñas de 4 y 6 años": true, "mis gemelos de 5": true, "my twins, they are 5": true, "my kids aged 4 and 6": true, "mis gemelos": false, "mis hijos de 15 y 17 años": false,
	} {
		if ForChild(text) != want {
			t.Errorf("%s: %t", text, !want)
		}
	}
}

func TestWhatAsksForAnAppointment(t *testing.T) {
	for _, tt := range []struct {
		text  string
		timed bool
		want  bool
	}{
		{"necesito cita para mi hija", false, true},
		{"por favor una cita", false, true},
		{"¿tienen cupo el jueves?", true, true},
		{"¿cuánto cuesta una cita?", false, false},
		{"¿atienden los sábados?", true, false},
	} {
		if got := AsksForAppointment(tt.text, tt.timed); got != tt.want {
			t.Errorf("%s: %t", tt.text, got)
		}
	}
	for _, tt := range []struct {
		text  string
		timed bool
		want  bool
	}{
		{"quisiera una limpieza", true, true},
		{"agéndame una limpieza", false, true},
		{"quisiera una limpieza", false, false},
		{"quiero saber cuánto cuesta la limpieza", true, false},
	} {
		if got := WantsCare(tt.text, tt.timed); got != tt.want {
			t.Errorf("%s, %t: %t", tt.text, tt.timed, got)
		}
	}
}

func TestAnAnswerMayStandBehindOtherWords(t *testing.T) {
	for text, want := range map[string]int{
		"ando apurada, claro": 1, "ya te dije, claro que sí": 1, "ahorita no": -1, "le cuento que trabajo mucho, no gracias": -1,
		"eso no lo acepto": -1, "paso, no doy mis datos, por fa": -1,
		"estoy nerviosa, si es tan amable": 0, "mis datos son privados, no, me parece": 0, "¿me duele, sí?": 0, "no sé, claro": 0,
		"eres muy amable, me parece": 0,
	} {
		if got := ReadAnswer(text); got != want {
			t.Errorf("%s: %d, want %d", text, got, want)
		}
	}
}

func TestNamesAmongOtherWords(t *testing.T) {
	unusual := func(string) bool { return false }
	for text, want := range map[string]string{
		"Ana Pérez por favor": "Ana Pérez", "sería John Smith": "John Smith", "caramba, Ashley Williams sería": "Ashley Williams",
		"mi nombre completo es Abel Quijano": "Abel Quijano", "Ana Pérez y rápido": "Ana Pérez", "listo, sigamos": "",
	} {
		if got := ReadName(text, true, unusual); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]string{
		"perdón, es John Smith": "John Smith", "no, Rubén Darío Cano": "Rubén Darío Cano", "perdón, mejor mañana": "", "Rubén Darío Cano": "",
	} {
		if got := CorrectedName(text, unusual); got != want {
			t.Errorf("%s corrects to %q, want %q", text, got, want)
		}
	}
}
