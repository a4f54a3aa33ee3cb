package details

import "testing"

func TestPlainYes(t *testing.T) {
	for _, text := range []string{
		"sí", "Si", "si por favor", "sí, confirmo", "Sí, confirmo la cita", "claro que sí", "dale", "dale pues", "ok", "ok perfecto", "vale, gracias", "correcto", "👍", "✅", "sí 😊", "está bien", "esta bien, gracias",
		"perfecto", "listo, agéndala", "sí, resérvala por favor", "de acuerdo", "así es", "sí, esa", "sí quiero", "no hay problema", "bueno, sí", "yes", "yes please", "Sí!!", "sí, quiero la cita", "me parece bien", "SI SEÑOR",
		"de una", "okis", "excelente, agéndame", "sí señorita, está bien así", "perfecto, nos vemos", "la quiero", "me sirve", "todo bien, confírmala", "genial", "gracias, resérvala", "sí, Dios la bendiga",
	} {
		if !PlainYes(text, false) {
			t.Errorf("%q is no plain yes", text)
		}
	}
	for _, text := range []string{
		"", "no", "bueno", "bueno, no sé", "sí claro que no", "claro que no", "mmm", "gracias", "sí?", "¿sí?", "sí, pero a las 10", "sí pero para el martes", "ok pero con ortodoncia", "sí, a nombre de Luis", "sí, mejor otro día",
		"sí, ¿cuánto cuesta?", "está bien caro", "sí, cancélala", "sí y otra para mi esposo", "sí, para mi hijo", "perfecto, ¿a qué hora era?", "sí, el martes a las 10", "creo que sí", "supongo que sí", "sí, si me dan descuento", "si puedo salir del trabajo",
		"sí, pero no", "sí no", "ok no", "sí, limpieza no", "claro, cuando sea", "sí, pero 6123-4567", "va a llover", "dale otro día", "sí, sin anestesia", "seguro que no puedo", "sí, déjalo así",
		"por favor", "nos vemos", "la", "me sirve de poco", "no me sirve", "excelente pregunta", "la quiero pero el viernes", "agéndame otra", "de una vez por todas no", "no está bien", "así", "la quiero mañana",
	} {
		if PlainYes(text, false) {
			t.Errorf("%q is a plain yes", text)
		}
	}
	for text, want := range map[string]bool{
		"sí, el martes a las 10": true, "sí, a las 10": true, "ok, el lunes 30 a las 9:00 am": true, "sí, para el martes": true, "confirmo el lunes 30 de noviembre a las 9 de la mañana, gracias": true,
		"sí, el martes o el jueves": false, "sí, a las 10 o a las 11": false, "sí, pero a las 10": false, "sí, a las 9, no, a las 10": false, "sí, después de las 10": false,
	} {
		if got := PlainYes(text, true); got != want {
			t.Errorf("%q, with a time: %v", text, got)
		}
	}
}

func TestPlainCancel(t *testing.T) {
	for _, text := range []string{
		"cancélala", "Cancelala!", "anúlala", "bórrala", "elimínala", "quítala", "ya no la quiero", "sí, cancélala", "si, cancela la cita por favor", "cancelar", "cancela", "quiero cancelarla", "cancela mi cita", "ya no quiero la cita",
		"no la quiero", "mejor cancélala", "cancélala de una vez", "ok, anúlala gracias", "sí, ya no la quiero", "cancelo", "dale, cancélala", "anúlame eso", "cancélame la cita", "bórramela", "cancélemela por favor",
	} {
		if !PlainCancel(text) {
			t.Errorf("%q is no plain cancelling", text)
		}
	}
	for _, text := range []string{
		"no", "no la canceles", "no, no la quiero cancelar", "¿cancélala?", "¿puedo cancelar?", "cancela la limpieza y ponme ortodoncia", "cancela y agenda otra", "no cancelar", "sí", "no la quiero perder", "ya no la quiero a las 10", "cancélala si llueve",
		"cancela la de mi esposo", "no quiero cancelar",
	} {
		if PlainCancel(text) {
			t.Errorf("%q is a plain cancelling", text)
		}
	}
}

func TestForSomebodyElse(t *testing.T) {
	for text, want := range map[string][2]bool{ // for somebody else, another appointment
		"ahora quiero otra cita para mi esposo": {true, true}, "quiero una cita para mi hijo": {true, false}, "es para mi mamá": {true, false}, "para mi hija también": {true, true},
		"mi esposo también quiere una cita": {true, true}, "agéndale a mi hermana": {true, false}, "una segunda cita": {false, true}, "otra cita": {false, true}, "quiero otra cita de limpieza": {false, true},
		"una cita para otra persona": {true, false}, "para mi amiga": {true, false}, "¿y para mi papá?": {true, false}, "another appointment for my wife": {true, true}, "dos citas": {false, true}, "para mí y mi esposo": {false, true},
		"otro turno para mi suegra": {true, true}, "cita para dos personas": {false, true}, "sácale una cita a mi abuela": {true, false},
		"para mí": {}, "quiero una cita": {}, "a mi hijo le duele": {}, "otra hora": {}, "la cita de mi hijo se puede mover?": {}, "cancela la cita de mi esposo": {}, "el martes": {}, "voy con mi mamá": {}, "mi hija no puede ir": {},
		"para la limpieza": {}, "para el martes": {}, "una cita más temprano": {},
	} {
		if got := [2]bool{ForOther(text), Another(text)}; got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

func TestAnAppointmentIsReplacedRatherThanGivenUp(t *testing.T) {
	for text, want := range map[string]bool{
		"quiero cancelar y hacer otra": true, "cancélala y ponme una el viernes": true, "anula esa y agéndame otra": true, "me equivoqué de día, era el viernes": true, "me equivoqué con la hora": true,
		"cancélala": false, "cancélala y gracias": false, "¿puedo cancelar y hacer otra?": false, "me equivoqué": false, "ponme una el viernes": false,
	} {
		if got := Replaces(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestTheDetailThatIsWrong(t *testing.T) {
	for text, want := range map[string]Detail{
		"el nombre": NameDetail, "mi nombre está mal": NameDetail, "está mal el nombre": NameDetail, "cambia el nombre": NameDetail, "a nombre de mi esposo": NameDetail, "ponla a nombre de mi hermano": NameDetail,
		"el teléfono": ContactDetail, "mi correo no es correcto": ContactDetail, "quiero cambiar el número": ContactDetail, "el día": DayDetail, "otro día": DayDetail, "mejor otra fecha": DayDetail,
		"la hora": HourDetail, "cambia la hora": HourDetail, "no, la hora": HourDetail, "el tratamiento": CareDetail, "otro servicio por favor": CareDetail,
		"": NoDetail, "la primera": NoDetail, "a nombre de Luis Mora": NoDetail, "a nombre de mi hija Lucía Ruiz": NoDetail, "la hora está bien": NoDetail, "el día 24": NoDetail, "¿cuál es el teléfono?": NoDetail, "mi nombre está mal, es Ana": NoDetail,
	} {
		if got := Wrong(text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

func TestSomebodyAsksForAMoment(t *testing.T) {
	for text, want := range map[string]bool{
		"espera": true, "un momento por favor": true, "dame un segundo": true, "ya vuelvo": true, "espérame tantito": true, "déjame ver": true, "hold on": true,
		"espera, quiero ortodoncia": false, "estoy en la sala de espera": false, "¿cuánto es la espera?": false, "me dejaron esperando": false, "a última hora": false,
	} {
		if got := Waits(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestWhatWasAskedAboutIsWrong(t *testing.T) {
	for text, want := range map[string]bool{
		"está mal": true, "eso está mal": true, "esa no": true, "me equivoqué": true, "no es así": true, "no, así no": true,
		"está mal mi nombre": false, "me equivoqué de día": false, "esa": false, "me fue mal": false,
	} {
		if got := Rejects(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestNewConversation(t *testing.T) {
	for text, want := range map[string]bool{
		"nueva conversación": true, "Nueva conversación": true, "quiero una nueva conversación": true, "empezar de nuevo": true, "otro chat por favor": true,
		"conversación": false, "quiero una cita nueva": false, "nueva conversación con el doctor": false, "otra vez": false,
	} {
		if got := NewConversation(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestATreatmentIsChosenOrOnlyAskedAbout(t *testing.T) {
	for text, want := range map[string]bool{
		"mejor que sea para ortodoncia": true, "no, es para limpieza": true, "quiero ortodoncia en vez de limpieza": true, "prefiero ortodoncia": true, "cámbiala a ortodoncia": true, "sí, pero con ortodoncia": true, "para ortodoncia": true,
		"¿puede ser ortodoncia?": true, "¿se puede cambiar a ortodoncia?": true, "perdón, ortodoncia": true, "una limpieza": true,
		"¿y la ortodoncia duele?": false, "y la ortodoncia duele": false, "¿cuánto cuesta la ortodoncia?": false, "quiero saber de la ortodoncia": false, "¿para qué sirve la ortodoncia?": false, "mi hijo usa ortodoncia": false, "¿es mejor la ortodoncia?": false,
	} {
		if got := Chooses(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestTheNameIsThatOfWhoComes(t *testing.T) {
	usual := func(w string) bool { return w == "mañana" || w == "manana" || w == "limpieza" }
	for text, want := range map[string]string{
		"es para mi hijo Luis Mora": "Luis Mora", "soy Ana Ruiz, es para mi hijo Luis Mora": "Luis Mora", "para mi hijo": "", "para mi mamá, Rosa Vega": "Rosa Vega", "quiero una cita para mi hijo mañana": "", "para mi hija ana lucia": "Ana Lucia",
	} {
		if got := NameOfOther(text, usual); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
