package assistant

import (
	"slices"
	"strings"
	"testing"

	"bitacora/domain/chat"
	"bitacora/domain/clinic"
)

// talk asks one question after the other in one conversation, and gives the last reply.
func talk(t *testing.T, a *Assistant, texts ...string) chat.Reply {
	t.Helper()
	var history []chat.Line
	var reply chat.Reply
	for _, text := range texts {
		q := chat.Question{Text: text, At: saturday, History: history}
		u, err := a.Understand(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		q.Understood = u
		if reply, err = a.Reply(t.Context(), q); err != nil {
			t.Fatal(err)
		}
		history = append(history, chat.Line{FromVisitor: true, Text: text}, chat.Line{Text: reply.Text, Topic: reply.Topic, Sources: reply.Sources})
	}
	return reply
}

func TestTheClinicsAnswersAnswer(t *testing.T) {
	a := withPosts(t)
	for text, slug := range map[string]string{
		"¿duele ponerse un implante dental?":                 "implante-dolor",
		"a q edad llevo a mi bebe al dentista x primera vez": "ninos-primera-edad",
		"CUANTO TIEMPO DURA LA ORTODONCIA":                   "ortodoncia-duracion",
		"me sacaron una muela, ¿cuándo puedo fumar?":         "extraccion-fumar",
		"embarasada puedo aserme una limpiesa":               "embarazo-dentista",
	} {
		reply := talk(t, a, text)
		if slug != "" && !slices.Contains(reply.Sources, "answer/"+slug) {
			t.Errorf("%s: %v %s", text, reply.Sources, reply.Text)
		}
	}
}

func TestWhatTheClinicHasNotToldIsNotKnown(t *testing.T) {
	a := withPosts(t)
	for _, text := range []string{
		"¿tienen wifi?", "¿hacen sedación?", "qué marca de implantes usan", "¿dan garantía?", "aceptan yappy", "trabajan con assa?",
		"¿hay estacionamiento?", "¿abren en carnaval?", "cuánto cuesta un implante", "¿el periodoncista hace grabados en los dientes de oro?",
	} {
		reply := talk(t, a, text)
		if reply.Answered || !reply.Open && !strings.Contains(text, "implante") {
			t.Errorf("%s: answered %v, open %v: %s", text, reply.Answered, reply.Open, reply.Text)
		}
		if !strings.Contains(reply.Text, string(clinic.Default().Phones[0])) {
			t.Errorf("%s: nobody to ask in: %s", text, reply.Text)
		}
	}
	for _, text := range []string{"cuéntame un chiste", "quién ganó el partido", "dame una receta de arroz"} {
		if reply := talk(t, a, text); reply.Open || reply.Answered {
			t.Errorf("%s: %+v", text, reply)
		}
	}
}

func TestAQuestionGoesOnFromTheOneBefore(t *testing.T) {
	a := withPosts(t)
	for name, tt := range map[string]struct {
		said []string
		want string
	}{
		"pain":     {[]string{"¿qué es un implante?", "¿y duele?"}, "answer/implante-dolor"},
		"how long": {[]string{"hacen ortodoncia", "y cuánto dura"}, "answer/ortodoncia-duracion"},
		"age":      {[]string{"¿atienden niños?", "¿a qué edad?"}, "answer/ninos-primera-edad"},
		"a question that others are asked in the same words": {[]string{"hacen carillas", "¿cuánto duran?"}, "answer/carillas-duracion"},
		"how often":                       {[]string{"¿qué es la limpieza?", "¿cada cuánto?"}, "answer/limpieza-frecuencia"},
		"what is surely asked of another": {[]string{"¿qué es un implante?", "¿cómo es el proceso?"}, "answer/implante-proceso"},
		"two steps back":                  {[]string{"¿qué es una endodoncia?", "gracias", "y duele?"}, "answer/endodoncia-dolor"},
		"another subject":                 {[]string{"¿duele la endodoncia?", "¿y cada cuánto es la limpieza?"}, "answer/limpieza-frecuencia"},
		"another fact":                    {[]string{"¿duele la endodoncia?", "¿y dónde quedan?"}, "clinic/address"},
	} {
		reply := talk(t, a, tt.said...)
		if !slices.Contains(reply.Sources, tt.want) {
			t.Errorf("%s: %v %s", name, reply.Sources, reply.Text)
		}
	}
	price := talk(t, a, "hacen carillas", "¿y cuánto cuestan?")
	if !strings.Contains(price.Text, "en carillas dentales dependen") {
		t.Errorf("price: %s", price.Text)
	}
	if reply := talk(t, a, "me duele mucho una muela", "¿y duele?"); reply.Topic != "urgencia" {
		t.Errorf("pain of somebody in pain: %+v", reply)
	}
}

func TestSeveralQuestionsAreAnsweredInTurn(t *testing.T) {
	a := withPosts(t)
	for text, want := range map[string][]string{
		"¿Cuánto dura una limpieza? ¿Duele?":                    {"answer/limpieza-duracion", "answer/limpieza-dolor"},
		"¿dónde quedan y a qué hora abren los lunes?":           {"clinic/address", "clinic/hours"},
		"¿duele la limpieza y cada cuánto hay que hacérsela?":   {"answer/limpieza-dolor", "answer/limpieza-frecuencia"},
		"¿tienen estacionamiento? ¿y desde qué edad ven niños?": {"answer/estacionamiento", "answer/ninos-desde"},
	} {
		reply := talk(t, a, text)
		at := 0
		for _, source := range want {
			i := slices.Index(reply.Sources[at:], source)
			if i < 0 {
				t.Errorf("%s: %v: %s", text, reply.Sources, reply.Text)
				break
			}
			at += i
		}
	}
}

func TestMovesOfTheDialogue(t *testing.T) {
	a := withPosts(t)
	answer := talk(t, a, "¿duele la endodoncia?").Text
	for _, text := range []string{"¿cómo?", "repite por favor", "no entendí, ¿me lo repites?"} {
		if reply := talk(t, a, "¿duele la endodoncia?", text); !strings.Contains(reply.Text, answer) {
			t.Errorf("%s: %s", text, reply.Text)
		}
	}
	for _, text := range []string{"explícame mejor", "no entiendo"} {
		reply := talk(t, a, "¿duele la endodoncia?", text)
		if !strings.Contains(reply.Text, site+"/services/endodoncia") || !strings.Contains(reply.Text, "la pulpa") {
			t.Errorf("%s: %s", text, reply.Text)
		}
	}
	if reply := talk(t, a, "¿duele la endodoncia?", "eso no fue lo que pregunté"); !reply.Open || !strings.Contains(reply.Text, "otras palabras") {
		t.Errorf("%+v", reply)
	}
	if reply := talk(t, a, "no entiendo"); strings.Contains(reply.Text, "/services/") {
		t.Errorf("nothing was said before: %s", reply.Text)
	}
}

// What something costs is not answered by what else is told of it.
func TestAPriceIsAnsweredByNothingElse(t *testing.T) {
	a := withPosts(t)
	for _, text := range []string{"cuánto cuesta reparar una prótesis floja", "cuánto cobran por reponer el retenedor"} {
		if reply := talk(t, a, text); reply.Topic != "precios" {
			t.Errorf("%s: %v %s", text, reply.Sources, reply.Text)
		}
	}
	if reply := talk(t, a, "¿la primera consulta de diseño de sonrisa cuesta algo?"); !strings.Contains(reply.Text, "gratuita") {
		t.Errorf("%v %s", reply.Sources, reply.Text)
	}
}

func TestWhoWritesInEnglishIsAnsweredSo(t *testing.T) {
	a := withPosts(t)
	for text, want := range map[string]string{
		"what are your opening hours?": "Monday to Friday, 8:00 a.m. to 7:00 p.m.", "where are you located?": "We are at",
		"can you give me your phone number": "You can call us at", "my tooth hurts a lot, what should I do": "Please call us now",
		"where can I book an appointment online": "book", "do you have parking?": "We are at",
		"¿a qué hora abren?": "Nuestro horario", "hello, dónde quedan": "Estamos en",
	} {
		if reply := talk(t, a, text); !strings.Contains(reply.Text, want) {
			t.Errorf("%s: %s", text, reply.Text)
		}
	}
}

// A section is quoted as it stands, whole, with its link.
func TestSectionsAreQuotedWhole(t *testing.T) {
	a := withPosts(t)
	e := a.embedded
	for _, p := range e.passages.all {
		var s textData
		said := e.quote(p, &s)
		if said.text != p.text || !strings.HasPrefix(s.Link, site) || strings.Contains(said.text, "**") || strings.Contains(said.text, "](") {
			t.Errorf("%s %s: %s", p.source(), p.heading, said.text)
		}
	}
	reply := talk(t, a, "¿La técnica, paso a paso?")
	if !slices.Contains(reply.Sources, "post/cepillarse-bien-guia-practica") || !strings.Contains(reply.Text, "Sujeta el cepillo como un lápiz.") || !strings.Contains(reply.Text, site+"/blog/") {
		t.Errorf("%v: %s", reply.Sources, reply.Text)
	}
}

func TestAShortQuestionGoesOnWithTheSubject(t *testing.T) {
	a := newTestAssistant(t)
	for name, of := range map[string]struct {
		before, text, want string
	}{
		"no complaint":            {"¿qué incluye la limpieza dental?", "¿y molesta?", "limpieza-dolor"},
		"no thanks":               {"¿la limpieza dental duele?", "¿y se demoran mucho?", "limpieza-duracion"},
		"no urgency":              {"¿cuánto tardan los brackets?", "¿y un implante?", "implante-duracion"},
		"without a question mark": {"cuanto duran los brackets", "pero duelen mucho o q", "ortodoncia-dolor"},
		"an urgency that is one":  {"¿qué incluye la limpieza dental?", "¿y si me duele mucho la muela?", ""},
	} {
		t.Run(name, func(t *testing.T) {
			reply := talk(t, a, of.before, of.text)
			urgent, told := reply.Topic == "urgencia", slices.Contains(reply.Sources, "answer/"+of.want)
			if urgent != (of.want == "") || told == urgent {
				t.Errorf("%s %+v %v: %s", reply.Topic, reply.Chosen, reply.Sources, reply.Text)
			}
		})
	}
}
