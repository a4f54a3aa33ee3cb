package details

import (
	"slices"
	"testing"
)

// spokenOf are words that visitors use for other things than names.
func spokenOf(word string) bool {
	return slices.Contains([]string{"implante", "puente", "corona", "casas", "hora", "manana", "bueno", "segura", "limpieza", "lunes", "jueves", "quiero", "una", "tarde", "dental", "favor", "gracias"}, word)
}

func TestANameIsRatherANameWhereItWasAskedFor(t *testing.T) {
	for text, want := range map[string]string{
		"Luz Implante": "Luz Implante", "luz implante": "Luz Implante", "Tito Puente": "Tito Puente", "perdón, Tito Puente": "Tito Puente", "disculpa, es Luis Corona": "Luis Corona",
		"Felipe Mañana": "Felipe Mañana", "Salvador Segura": "Salvador Segura", "Jesús Bueno Calle": "Jesús Bueno Calle", "maría de los ángeles del río": "María de los Ángeles del Río",
		"Amparo Casas. Una pregunta, ¿hay estacionamiento?": "Amparo Casas", "¿para qué quieren mi nombre?": "", "yoselin y. pitti": "Yoselin Y. Pitti",
		"Nombre: Yamileth. Apellido: Cedeño": "Yamileth Cedeño", "pues Aurelio Fuentes, para servirle": "Aurelio Fuentes", "sorry, it's John Price": "John Price",
		"ella es Guadalupe Ceballos, mi abuela": "Guadalupe Ceballos", "Valentina Ortega, yo soy el papá, Julio Ortega": "Valentina Ortega",
		"Él se llama Mateo Aguirre y yo soy Carolina Vergara": "Mateo Aguirre", "hola, yo soy Julio Ortega": "Julio Ortega", "mañana": "", "bueno": "",
	} {
		if got := ReadName(text, true, spokenOf); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if got := NameOfOther("la cita es para mi papá, don Eusebio Núñez", spokenOf); got != "Eusebio Núñez" {
		t.Errorf("for another: %q", got)
	}
}

func TestANameBesideANumber(t *testing.T) {
	for text, want := range map[string]string{
		"limpieza, jueves 3 pm, Rogelio Batista 6788 1204": "Rogelio Batista", "ana pérez, 6123-4567, limpieza el lunes": "Ana Pérez", "limpieza el lunes, 6123-4567": "",
		"Limpieza Dental 6123-4567": "", "Una limpieza, gracias 6123-4567": "",
	} {
		if got := ContactName(ReadContact(text, false, panama).Rest, spokenOf); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]string{"Marisol Tuñón": "Marisol Tuñón", "ok, la primera es Ana Ruiz": "Ana Ruiz", "la primera es Ana Ruiz y la segunda Luz Ruiz": "Ana Ruiz", "la primera es mejor": "", "Limpieza Dental": "", "luz verde": "", "el lunes": "", "sí gracias": ""} {
		if got := BareName(text, spokenOf); got != want {
			t.Errorf("%q alone: %q, want %q", text, got, want)
		}
	}
}

func TestWhatIsSaidOfSomethingSpokenOf(t *testing.T) {
	for text, want := range map[string][2]bool{ // the same treatment, the same day
		"esa misma": {true, false}, "la de siempre": {true, false}, "agéndame eso": {true, false}, "una cita para eso": {true, false}, "the same one please": {true, false},
		"ese mismo día": {false, true}, "the same day": {false, true}, "a la misma hora": {false, false}, "con la misma doctora": {false, false}, "quiero ese día": {false, true},
		"quiero lo mismo ese mismo día": {true, true}, "eso no": {false, false},
	} {
		if got := [2]bool{SameThing(text), SameDay(text)}; got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
	for text, want := range map[string]bool{
		"can we do Monday at 3 instead?": true, "¿y si mejor el lunes?": true, "¿podríamos moverla al lunes?": true, "¿puede ser el lunes a las 3?": true, "how about Monday?": true,
		"¿abren el lunes?": false, "¿puedo ir el lunes o está cerrado?": false, "¿puede ser, cuánto cuesta el lunes?": false, "nos vemos el lunes": false,
	} {
		if got := WantsInstead(text); got != want {
			t.Errorf("%q: instead %t", text, got)
		}
	}
}

func TestWhatIsAskedOfTheAgenda(t *testing.T) {
	for text, want := range map[string][2]bool{ // alone, and with a treatment
		"¿hay campo mañana?": {true, true}, "¿tenés turno mañana a la tarde?": {true, true}, "¿qué horas tienen el viernes?": {false, true}, "¿qué días tienen libre?": {true, true},
		"do you have any openings on Thursday?": {true, true}, "¿a qué hora abren el viernes?": {false, false}, "¿tienen estacionamiento?": {false, false},
		"¿cuánto cuesta y hay campo mañana?": {true, true}, "¿cuál es la próxima hora disponible?": {true, true}, "dime qué horas tienes libres": {true, true}, "¿qué es lo más temprano que tienen?": {false, true},
		"quiero una cita mañana": {false, false}, "¿cuánto cuesta la cita?": {false, false},
	} {
		if got := [2]bool{AsksFreeTimes(text, false, false), AsksFreeTimes(text, true, false)}; got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
	for text, want := range map[string]bool{"¿tienen algo el viernes?": true, "¿tienen algo para el dolor?": true, "¿abren el viernes?": false,
		"mañana en la tarde se puede?": true, "¿puede ser el viernes a las 3?": true, "¿se puede pagar el viernes?": false} {
		if got := AsksFreeTimes(text, false, true); got != want {
			t.Errorf("%q beside a day: %t", text, got)
		}
	}
	for text, want := range map[string]string{"el jueves a las 3, ¿duele?": "el jueves a las 3,  ", "¿abren el jueves?": " ", "el jueves": "el jueves"} {
		if got := Stated(text); got != want {
			t.Errorf("%q states %q, want %q", text, got, want)
		}
	}
}

func TestWhoAsksToBeCalled(t *testing.T) {
	for text, want := range map[string]bool{
		"mejor llámenme": true, "márquenme por favor": true, "prefiero que me llamen": true, "¿me pueden llamar?": true, "please call me back": true,
		"me llamo Ana": false, "escríbeme un poema": false, "yo los llamo": false, "no me llamen": false,
	} {
		if got := CallMe(text); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
}

func TestWhatAnAppointmentIsAskedForWith(t *testing.T) {
	for text, want := range map[string]bool{
		"se me cayó una calza, no me duele, quisiera que me la arreglen": true, "¿duele que me la saquen?": false,
		"cita para odontología general": true, "quiero llevar a mi hija al dentista, tiene 5 años": true, "necesito un chequeo general": true, "mi esposo y yo necesitamos una cita": true,
		"quería que me vieran la dentadura": true, "a checkup for my twins": true, "limpieza para mi hija": true, "¿qué incluye la limpieza para mi hija?": false,
		"¿qué incluye un chequeo?": false, "la cita fue larga": false,
	} {
		if got := AsksForAppointment(text, false); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
	for text, want := range map[string]bool{
		"mi niño de 8 nunca ha ido": true, "for my 5 year old daughter": true, "mi bebé": true, "my 40 year old brother": false, "my daughter, she's 8": true, "my son, he is 15": false, "mi hija de 18 años": false, "20 meses no, de 20 años": false, "de 20 meses": true,
	} {
		if got := ForChild(text); got != want {
			t.Errorf("%q is for a child: %t", text, got)
		}
	}
	for text, want := range map[string]bool{"somos tres": true, "mi esposo y yo queremos limpieza": true, "y ahora la del otro": false, "para mí": false,
		"cita para dos niñas": true, "quiero llevar a mis gemelos": true, "para mis niñas de 4 y 6": true, "para mi esposo y para mí": true, "for my wife and me": true, "para mi esposo": false, "an appointment for my two kids": true, "¿atienden a mis niñas?": false, "para mi niña de 4": false} {
		if got := Several(text); got != want {
			t.Errorf("%q is several: %t", text, got)
		}
	}
	for text, want := range map[string]bool{"pásamela al jueves": true, "cámbiala": true, "correrla una hora": true, "tomo pastilla para la presión": false} {
		if got := Moves(text); got != want {
			t.Errorf("%q moves an appointment: %t", text, got)
		}
	}
	for text, want := range map[string]bool{"¿y otra para el lunes?": true, "y ahora la del otro": true, "ahora la otra niña": true, "falta el segundo": true, "y la otra": false, "otra vez": false, "otra pregunta": false} {
		if got := Another(text); got != want {
			t.Errorf("%q is another: %t", text, got)
		}
	}
	for text, want := range map[string]int{"I agree": 1, "sure, I agree": 1, "that's fine": 1, "I don't agree": -1, "not now": -1, "no problem": 1} {
		if got := ReadAnswer(text); got != want {
			t.Errorf("%q answers %d, want %d", text, got, want)
		}
	}
}

func TestHowPeopleAgree(t *testing.T) {
	for text, want := range map[string]bool{
		"sí, mañana a las 10": true, "ya, confirma nomás": true, "no tengo problema": true, "órale, va": true, "quedamos así": true, "afirmativo": true, "bueno pues": true, "bueno": false, "sí, ahí estaré": true,
		"perfect, thank you": true, "lock it in": true, "anótame": true, "no tengo tiempo": false, "sí, pero a otra hora": false, "no": false, "bueno, no": false, "obvio que no": false, "¿ya?": false, "ya no": false,
	} {
		if got := PlainYes(text, true); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
	for text, want := range map[string]int{"no veo inconveniente": 1, "doy mi autorización": 1, "conforme": 1, "no tengo problema pero no": 0, "no doy mi autorización": -1} {
		if got := ReadAnswer(text); got != want && want != 0 || got == 1 && want == 0 {
			t.Errorf("%q: %d", text, got)
		}
	}
}

func TestTheNameAmongOtherWords(t *testing.T) {
	for text, want := range map[string]string{
		"Vega, Ana": "Ana Vega", "hola, Ana Vega": "Ana Vega", "Ana Vega es mi nombre": "Ana Vega", "primero yo, Rafael Tejeda": "Rafael Tejeda", "puede poner Dayana Ríos": "Dayana Ríos", "under Daniel Wood": "Daniel Wood",
		"Nombre Kevin apellido Stanziola": "Kevin Stanziola", "my name's Ann Lee": "Ann Lee", "gracias de antemano. Atentamente, Ana Vega": "Ana Vega", "para mi hijo Luis Mora": "Luis Mora", "Ana Vega jaja": "Ana Vega",
		"Emma and Noah Baker": "Emma Baker", "Ana Ruiz y Luis Gil": "Ana Ruiz", "José Ortega y Gasset": "José Ortega y Gasset",
	} {
		if got := ReadName(text, true, spokenOf); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]string{"cita jueves 10am Ana Vega 6612-3344": "Ana Vega", "Ana Vega 6612-3344 limpieza sábado": "Ana Vega", "mi tel 6612-3344 Ana Vega jueves 3pm": "Ana Vega", "Ana Vega por acá, limpieza, 6612-3344": "Ana Vega", "Cita De Limpieza 6612-3344": ""} {
		if got := ContactName(ReadContact(text, false, panama).Rest, spokenOf); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestWhatIsAskedForByItsWords(t *testing.T) {
	for text, want := range map[string]bool{"necesito un empaste": true, "tengo que sacarme las cordales": true, "I need my teeth cleaned": true, "es para mi mamá, ella tiene 70 años y anda sin dientes, quiere arreglarse la prótesis": true, "quiero ponerme brackets pero me da miedo": false, "¿necesito un empaste?": false, "quiero saber de implantes": false} {
		if got := WantsDone(text); got != want {
			t.Errorf("%q is to be done: %t", text, got)
		}
	}
	for text, want := range map[string]bool{"no hay algo más temprano ese día?": true, "¿atienden más tarde los viernes?": false} {
		if got := WantsOtherHour(text); got != want {
			t.Errorf("%q: another hour %t", text, got)
		}
	}
	for text, want := range map[string]bool{"dame de baja el turno": true, "cancela mi cita": true, "¿si cancelo la cita me cobran?": false} {
		if got := GivesAppointmentUp(text); got != want {
			t.Errorf("%q: given up %t", text, got)
		}
	}
	for text, want := range map[string]bool{"mi nene de 4": true, "cumplió dos añitos": true, "mi hijo de 14": false} {
		if got := ForChild(text); got != want {
			t.Errorf("%q: a child %t", text, got)
		}
	}
}
