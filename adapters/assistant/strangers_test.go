package assistant

import (
	"strings"
	"testing"

	"bitacora/domain/chat"
	"bitacora/domain/clinic"
)

// understand is what a message means after a question of the dialogue.
func understand(t *testing.T, a *Assistant, q chat.Question) chat.Understanding {
	t.Helper()
	q.At = saturday
	u, err := a.Understand(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// expectReplies asks each text, whose reply is to contain the other.
func expectReplies(t *testing.T, a *Assistant, replies map[string]string) {
	t.Helper()
	for text, want := range replies {
		if reply := ask(t, a, text, saturday).Text; !strings.Contains(reply, want) {
			t.Errorf("%q: %s", text, reply)
		}
	}
}

func TestANameGivenAnewIsOnlyAName(t *testing.T) {
	a := newTestAssistant(t)
	for _, tt := range []struct {
		q    chat.Question
		want string
	}{
		{chat.Question{Text: "Delia Vergara", Asked: chat.StepContact, Name: "Delia"}, "Delia Vergara"},
		{chat.Question{Text: "Emma and Noah Baker", Asked: chat.StepName}, "Emma Baker"},
		{chat.Question{Text: "José Ortega y Gasset", Asked: chat.StepName}, "José Ortega y Gasset"},
		{chat.Question{Text: "Marta Gil", Asked: chat.StepContact, Name: "Ana"}, ""},
	} {
		if u := understand(t, a, tt.q); u.Name != tt.want || u.Urgent || tt.want != "" && u.Intent != chat.IntentNone {
			t.Errorf("%q: name %q, urgent %t, intent %q", tt.q.Text, u.Name, u.Urgent, u.Intent)
		}
	}
}

func TestWhatStrangersWantToBeDone(t *testing.T) {
	a := newTestAssistant(t)
	for text, want := range map[string]struct {
		intent    chat.Intent
		specialty string
	}{
		"a checkup for my twins, they are 5":                                             {chat.IntentBook, "odontologia-pediatrica"},
		"yo quería que me vieran la dentadura":                                           {chat.IntentBook, "protesis-dental"},
		"yo tomo pastilla para la presión, ¿me pueden sacar una muela así?":              {chat.IntentAsk, "cirugia-maxilofacial"},
		"quisiera consultar si disponen de atención para pacientes con mal de Alzheimer": {chat.IntentAsk, ""},
		"can someone see me today? my filling came out":                                  {chat.IntentBook, "odontologia-general"},
	} {
		if u := understand(t, a, chat.Question{Text: text}); u.Intent != want.intent || u.Specialty != want.specialty {
			t.Errorf("%q: intent %q, specialty %q", text, u.Intent, u.Specialty)
		}
	}
	if u := understand(t, a, chat.Question{Text: "lo más pronto que tengas", Asked: chat.StepOffer}); u.Intent != chat.IntentNone || !u.AnyTime {
		t.Errorf("the offer is not taken: %q %t", u.Intent, u.AnyTime)
	}
}

func TestEachQuestionBesideThanksAndInAListIsAnswered(t *testing.T) {
	a := newTestAssistant(t)
	for text, want := range map[string][]string{
		"perfecto gracias, y cuánto demora la limpieza?":                  {"30 minutos"},
		"¡muchas gracias! otra pregunta, ¿cada cuánto cambio el cepillo?": {"tres meses"},
		"cuánto cuesta la limpieza, cuánto dura y si duele":               {"30 minutos", "vibración"},
		"cuánto cuesta, cuánto dura y duele la limpieza?":                 {"en limpieza dental", "30 minutos", "vibración"},
		"thanks! and how often should I change my toothbrush?":            {"three months"},
		"gracias por todo": {"Con mucho gusto"},
	} {
		reply, err := a.Reply(t.Context(), chat.Question{Text: text, At: saturday, Understood: understand(t, a, chat.Question{Text: text})})
		if err != nil {
			t.Fatal(err)
		}
		said := reply.Text
		for _, part := range want {
			if !strings.Contains(said, part) {
				t.Errorf("%q lacks %q: %s", text, part, said)
			}
		}
	}
}

// TestWhatIsBrokenOrLooseIsUrgent also where nothing is said of pain, and not where somebody asks in general.
func TestWhatIsBrokenOrLooseIsUrgent(t *testing.T) {
	a := newTestAssistant(t)
	for text, want := range map[string]bool{
		"el puente se despegó otra vez y mañana viajo":          true,
		"mi retenedor se partió, perdón, el alambre se zafó":    true,
		"se le astilló el diente de adelante jugando":           true,
		"tengo la muela hinchada, ¿cuándo es ya para hospital?": true,
		"¿cuánto dura un puente?":                               false,
		"¿trabajan en algún hospital?":                          false,
		"¿hacen dentaduras completas?":                          false,
	} {
		if u := understand(t, a, chat.Question{Text: text}); u.Urgent != want {
			t.Errorf("%q: urgent %t", text, u.Urgent)
		}
	}
}

// TestWhatIsNotTheClinicsMatterIsDeclined: another doctor, a pet.
func TestWhatIsNotTheClinicsMatterIsDeclined(t *testing.T) {
	a := newTestAssistant(t)
	for text, want := range map[string]string{
		"quisiera una cita con un cardiólogo para mi papá":          "Somos una clínica dental",
		"¿le hacen limpieza dental a los gatos?":                    "no aparece en nuestra lista",
		"¿puedo entrar con mi perro?":                               "no me lo han dicho",
		"¿tienen una máquina de café en la sala de espera?":         "no me lo han dicho",
		"mi cardiólogo me dio permiso, quiero una cita de limpieza": "",
	} {
		u := understand(t, a, chat.Question{Text: text})
		if want == "" {
			if u.Intent != chat.IntentBook {
				t.Errorf("%q: %s", text, u.Intent)
			}
			continue
		}
		reply, err := a.Reply(t.Context(), chat.Question{Text: text, At: saturday, Understood: u})
		if err != nil || u.Intent != chat.IntentAsk && u.Intent != chat.IntentNone || !strings.Contains(reply.Text, want) {
			t.Errorf("%q: %s, %v, %s", text, u.Intent, err, reply.Text)
		}
	}
}

// TestFormalWordsAreUnderstood and no treatment that is named is answered by a list of all treatments.
func TestFormalWordsAreUnderstood(t *testing.T) {
	a := newTestAssistant(t)
	for text, want := range map[string]string{
		"¿Con qué periodicidad aconsejan realizarse la profilaxis?": "limpieza-frecuencia",
		"¿Podría informarme qué profesionales integran su equipo?":  "equipo",
	} {
		if r := ask(t, a, text, saturday); r.Chosen.Answer != want {
			t.Errorf("%q: chose %+v, want %q: %s", text, r.Chosen, want, r.Text)
		}
	}
	if r := ask(t, a, "Una vez concluido el tratamiento de conductos, ¿resulta indispensable una corona?", saturday); strings.Contains(r.Text, "Nuestras especialidades") {
		t.Errorf("a list of all: %s", r.Text)
	}
}

// TestCourtesyHidesNoQuestion: what is begged for is asked, and a wish for an appointment stays one.
func TestCourtesyHidesNoQuestion(t *testing.T) {
	a := newTestAssistant(t)
	const hours = "Nuestro horario es"
	expectReplies(t, a, map[string]string{
		"quisiera conocer el horario de atención al público, si es tan amable":                    hours,
		"me gustaría saber el horario, si no es molestia":                                         hours,
		"le ruego me informe del horario de apertura":                                             hours,
		"solicito información sobre el horario":                                                   hours,
		"agradecería me indicara si la extracción de terceros molares requiere anestesia general": "anestesia local",
		"quisiera que me indicaran, por favor, si cuentan con servicio de ortodoncia":             "Sí, ofrecemos ortodoncia",
		"muy buenas tardes, deseo información acerca de los implantes":                            "titanio",
		"favor informar si cuentan con periodoncista":                                             "periodoncista",
		"los implantes":                   "titanio",
		"¿lo que escribo lo lee alguien?": "cada persona con su propia cuenta",
	})
	for text, want := range map[string]chat.Intent{
		"quisiera consultar con el doctor":                          chat.IntentBook,
		"por este medio solicito una cita para evaluación":          chat.IntentBook,
		"no oigo bien por teléfono, ¿puedo sacar la cita por aquí?": chat.IntentBook,
		"quiero cancelar la cita, por favor":                        chat.IntentCancel,
		"podría confirmarme la cita del lunes":                      chat.IntentMyAppointment,
	} {
		if u := understand(t, a, chat.Question{Text: text}); u.Intent != want {
			t.Errorf("%q: %s", text, u.Intent)
		}
	}
	if u := understand(t, a, chat.Question{Text: "Quisiera saber el horario. También quiero una cita para el lunes."}); u.Intent != chat.IntentBook || !u.Asks {
		t.Errorf("a question before a wish: %s, asks %t", u.Intent, u.Asks)
	}
}

// TestWhoComesLateKeepsTheAppointment, who has an illness neither asks for an insurance nor orders anything, who asks about people
// calls nobody, and who waits for an answer does not complain.
func TestWhoComesLateKeepsTheAppointment(t *testing.T) {
	a := newTestAssistant(t)
	for text, want := range map[string]string{
		"voy a llegar 15 minutos tarde a mi cita":   "llama cuanto antes",
		"tengo vih, ¿me atienden?":                  "No tengo una respuesta segura",
		"¿atienden personas con VIH?":               "La clínica no me ha dado ese dato",
		"soy hipertensa y me van a sacar una muela": "con precauciones",
		"¿les ponen anestesia a los niños?":         "La clínica no me ha dado ese dato",
		"quedo atenta a su llamada":                 "Con mucho gusto",
		"¿puedo llegar antes a mi cita?":            "minutos antes",
	} {
		u := understand(t, a, chat.Question{Text: text})
		reply, err := a.Reply(t.Context(), chat.Question{Text: text, At: saturday, Understood: u})
		if err != nil || u.Intent == chat.IntentCancel || u.Callback || u.Name != "" || !strings.Contains(reply.Text, want) {
			t.Errorf("%q: %s, callback %t, %v: %s", text, u.Intent, u.Callback, err, reply.Text)
		}
	}
	if u := understand(t, a, chat.Question{Text: "antes de mi cita, ¿puedo comer?"}); u.Intent == chat.IntentBook {
		t.Errorf("who asks about an appointment wants another one: %s", u.Intent)
	}
	if u := understand(t, a, chat.Question{Text: "voy a llegar tarde, ¿me la pueden pasar para mañana?"}); u.Intent != chat.IntentReschedule {
		t.Errorf("who comes late and wants another day: %s", u.Intent)
	}
}

// TestAFaceIsNotDear: what "cara" stands for is read from the words before it.
func TestAFaceIsNotDear(t *testing.T) {
	a := newTestAssistant(t)
	for text, priced := range map[string]bool{
		"me sacaron la cordal ayer y tengo la cara como un globo": false,
		"¿es muy cara la limpieza?":                               true,
	} {
		if reply := ask(t, a, text, saturday).Text; strings.Contains(reply, "precios publicados") != priced {
			t.Errorf("%q: %s", text, reply)
		}
	}
}

// TestADayOfTheWeekIsOfTheClinic, where nobody is named whose day it is.
func TestADayOfTheWeekIsOfTheClinic(t *testing.T) {
	a := newTestAssistant(t)
	for text, own := range map[string]bool{
		"¿atienden los sábados?":                true,
		"¿la ortodoncista atiende los sábados?": false,
	} {
		if reply := ask(t, a, text, saturday).Text; strings.Contains(reply, "especialista") == own {
			t.Errorf("%q: %s", text, reply)
		}
	}
}

// TestQuestionsAboutDataAreAnsweredFromTheNotice: who reads it, and for how long it is kept.
func TestQuestionsAboutDataAreAnsweredFromTheNotice(t *testing.T) {
	a := newTestAssistant(t)
	expectReplies(t, a, map[string]string{
		"¿comparten mis datos con otras empresas?": "cada persona con su propia cuenta",
		"¿cuánto tiempo guardan mis datos?":        "mientras sirva para atenderte",
		"do you share my data with anybody?":       "an account of their own",
		"¿qué hacen con mis datos personales?":     "gestionar tu cita",
		"tienen baño para pacientes":               "No tengo una respuesta segura",
	})
}

// TestTomorrowIsADay and no morning: its hours are told, with a yes or a no where the question asks for one.
func TestTomorrowIsADay(t *testing.T) {
	a := newTestAssistant(t)
	for text, want := range map[string]string{
		"a que hora abren mañana":                "Mañana domingo estamos cerrados",
		"abren mañana?":                          "No, mañana domingo estamos cerrados",
		"hasta que hora abren hoy":               "Hoy sábado abrimos",
		"are you open tomorrow?":                 "No, we are closed tomorrow",
		"abren en la mañana o solo en la tarde?": "Nuestro horario es",
	} {
		if reply := ask(t, a, text, saturday).Text; !strings.HasPrefix(reply, want) {
			t.Errorf("%q: %s", text, reply)
		}
	}
}

// TestWhoTreatsIsNamed as the site names them, also at a clinic whose file names nobody.
func TestWhoTreatsIsNamed(t *testing.T) {
	content := clinic.DefaultContent()
	a, err := newTestAssistant(t).Knowing(Knowledge{Clinic: clinic.Default(), Profiles: content.Profiles, Answers: content.Answers})
	if err != nil {
		t.Fatal(err)
	}
	expectReplies(t, a, map[string]string{
		"quien hace la ortodoncia":          "De ortodoncia se encarga: Dra. Irina Solanilla, ortodoncista.",
		"atiende la doctora Solanilla?":     "Dra. Irina Solanilla, ortodoncista",
		"que doctores trabajan con ustedes": "Dr. Fermín Arauz",
	})
	if u := understand(t, a, chat.Question{Text: "soy Irina Pérez y quiero una cita de limpieza"}); u.Intent != chat.IntentBook || u.Name != "Irina Pérez" {
		t.Errorf("who is called like a doctor: %s, %q", u.Intent, u.Name)
	}
}
