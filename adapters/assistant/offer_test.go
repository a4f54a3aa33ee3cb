package assistant

import (
	"slices"
	"strings"
	"testing"

	"bitacora/domain/clinic"
)

// TestAClinicSaysNothingOfWhatItDoesNotTell: neither that it is so, nor that it is not.
func TestAClinicSaysNothingOfWhatItDoesNotTell(t *testing.T) {
	c := clinic.Default()
	c.Services = []clinic.Service{{Slug: "consulta", Title: "Consulta odontológica", Description: "Una conversación."}}
	least, err := newTestAssistant(t).Knowing(Knowledge{Clinic: c})
	if err != nil {
		t.Fatal(err)
	}
	c.Children = &clinic.Children{FromMonths: 24}
	forChildren, err := newTestAssistant(t).Knowing(Knowledge{Clinic: c})
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		of        *Assistant
		ask, says string
		open      bool
	}{
		"urgencies":            {least, "¿cuál es el horario de urgencias?", "Si la clínica atiende urgencias, no me lo han dicho", true},
		"urgencies, told":      {newTestAssistant(t), "¿cuál es el horario de urgencias?", "tendemos urgencias dentales en nuestro horario", false},
		"children":             {least, "atienden niñitos", "no me ha dado ese dato", true},
		"children, told":       {forChildren, "atienden niñitos", "Atendemos a niñas y niños desde los 2 años.", false},
		"a budget":             {least, "¿cuánto cuesta?", "de lo que se encuentre en la evaluación. Para una orientación", true},
		"a budget, told":       {newTestAssistant(t), "¿cuánto cuesta la ortodoncia?", "y antes de empezar se entrega un presupuesto.", true},
		"without a speciality": {least, "¿qué hacen ahí?", "Ofrecemos consulta odontológica. ¿Sobre cuál", false},
	} {
		if reply := talk(t, tt.of, tt.ask); !strings.Contains(reply.Text, tt.says) || reply.Open != tt.open {
			t.Errorf("%s: %t, %s", name, reply.Open, reply.Text)
		}
	}
}

func TestWhatTheClinicOffersIsAnsweredAsSuch(t *testing.T) {
	a := withPosts(t)
	for text, want := range map[string]string{
		"hacen coronas":                      "Sí, ofrecemos rehabilitación oral",
		"ustedes sacan cordales?":            "Sí, ofrecemos muelas del juicio",
		"¿colocan carillas de porcelana?":    "Sí, ofrecemos carillas dentales. ",
		"hacen cirugía de maxilar":           "Sí, ofrecemos cirugía maxilofacial",
		"atienden niñitos":                   "Sí, atendemos a niñas y niños",
		"ven pelaos ahi?":                    "Sí, atendemos a niñas y niños",
		"me explicas lo de las carillas":     "lámina",
		"para qué sirve un endodoncista":     "la pulpa",
		"hablame de la limpieza":             "sarro",
		"¿qué hacen ahí?":                    "Nuestras especialidades son",
		"que cosas ofrecen":                  "Nuestras especialidades son",
		"¿tienen periodoncista?":             "En nuestro equipo hay",
		"¿quién trata las encías?":           "En nuestro equipo hay",
		"¿qué doctor hace los brackets?":     "En nuestro equipo hay",
		"blankeamiento":                      "blanqueamiento",
		"rehavilitacion oral":                "coronas, puentes, prótesis",
		"a que numero los llamo":             "200-0101",
		"¿desde qué edad ven niños?":         "primer diente",
		"how do i get an appointment for my": "book",
	} {
		if reply := talk(t, a, text); !strings.Contains(reply.Text, want) {
			t.Errorf("%s: %s", text, reply.Text)
		}
	}
	if reply := talk(t, a, "¿hacen ortodoncia?", "¿quién la hace?"); !strings.Contains(reply.Text, "ortodoncista") {
		t.Errorf("who does it: %s", reply.Text)
	}
	if reply := talk(t, a, "¿hacen implantes de zirconio negro?"); !reply.Open || !strings.Contains(reply.Text, "Ofrecemos implantes") {
		t.Errorf("a detail that nobody has told: %+v", reply)
	}
}

func TestARejectionThatSaysWhatWasMeantIsAnswered(t *testing.T) {
	a := withPosts(t)
	for name, tt := range map[string]struct {
		said []string
		want string
	}{
		"a day":      {[]string{"¿a qué hora abren hoy?", "no pregunté eso, pregunté por el sábado"}, "clinic/hours"},
		"an aspect":  {[]string{"¿qué es la endodoncia?", "no era eso, quiero saber si duele"}, "answer/endodoncia-dolor"},
		"the phone":  {[]string{"¿dónde quedan?", "no me diste eso, eso no fue lo que pregunté, el teléfono"}, "clinic/phones"},
		"not before": {[]string{"eso no es lo que pregunté, quiero saber dónde quedan"}, "clinic/address"},
	} {
		if reply := talk(t, a, tt.said...); !slices.Contains(reply.Sources, tt.want) {
			t.Errorf("%s: %v %s", name, reply.Sources, reply.Text)
		}
	}
}

// What is said again is the reply just before, though an answer was given earlier.
func TestTheLastReplyIsSaidAgain(t *testing.T) {
	a := withPosts(t)
	for _, text := range []string{"perdón, ¿cómo era?", "repíteme eso", "disculpa, ¿cómo?", "no leí bien, ¿dónde era?", "no entendí, otra vez"} {
		if reply := talk(t, a, "¿duele la endodoncia?", "¿dónde quedan?", text); !strings.Contains(reply.Text, "Plaza Regency") {
			t.Errorf("%s: %s", text, reply.Text)
		}
	}
}
