package main

import (
	"slices"
	"strings"
	"testing"
	"time"

	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/assistant"
	"bitacora/cmd/bitacora/settings"
	"bitacora/domain/clinic"
	"bitacora/domain/event"
)

// askedOf is how visitors ask for each fact that a clinic may tell.
var askedOf = map[string]string{
	"directions":    "¿qué ruta tomo para llegar?",
	"landmarks":     "dame un punto de referencia para llegar",
	"transit":       "¿qué estación del metro me queda cerca?",
	"parking":       "hay donde estacionar?",
	"accessibility": "mi mamá usa silla de ruedas, ¿hay acceso?",
	"whatsapp":      "tienen whatsapp?",
	"exceptions":    "¿abren los feriados?",
	"payment":       "puedo pagar con tarjeta?",
	"insurers":      "¿con qué aseguradoras trabajan?",
	"consultation":  "cuánto cuesta la consulta",
	"prices":        "cuánto cuesta la ortodoncia",
	"doctors":       "qué doctores hay",
	"doctorDays":    "¿qué días atiende la ortodoncista?",
	"languages":     "¿hablan inglés?",
	"sedation":      "hacen sedación?",
	"children":      "¿desde qué edad atienden niños?",
	"bookingUrl":    "where can I book online?",
}

var (
	// partly are facts of which an answer says what was asked for.
	partly = map[string]string{"prices": "Ortodoncia: desde $1,200"}
	// instead is what is said without a fact, where it is not that the question can be passed on.
	instead = map[string]string{"doctors": "ortodoncista con formación en odontología láser", "prices": "No tengo precios publicados", "bookingUrl": "You can book right here in the chat"}
)

// toldElsewhere is a clinic in another zone that tells everything.
func toldElsewhere(t *testing.T) clinic.Clinic {
	t.Helper()
	file := strings.NewReplacer("America/Panama", "Europe/Madrid", `"911"`, `"112"`, "citas.istmo-dental.example", "citas.istmo-dental.test").Replace(string(clinic.Example()))
	c, err := clinic.Load(strings.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// chatOf is a chat with a clinic, at nine in the morning of Monday 2026-12-21 there.
func chatOf(t *testing.T, c clinic.Clinic) *memoryStage {
	t.Helper()
	service, err := assistant.StandaloneChat(&app.App{Config: settings.Config{ReplyTimeout: time.Minute, StoreTimeout: time.Minute}, Clinic: c}, assistant.NewMemory())
	if err != nil {
		t.Fatal(err)
	}
	r := &memoryStage{service: service, at: time.Date(2026, 12, 21, 9, 0, 0, 0, c.Zone)}
	service.Now = func() time.Time { return r.at }
	return r
}

// asks gives the reply to the only message of a conversation.
func (r *memoryStage) asks(t *testing.T, session, text string) *event.AssistantReplied {
	t.Helper()
	if _, _, err := r.say(session, text); err != nil {
		t.Fatal(err)
	}
	events, err := r.stream(session)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range slices.Backward(events) {
		if said, ok := e.Payload.(*event.AssistantReplied); ok {
			return said
		}
	}
	t.Fatalf("%s: no reply", text)
	return nil
}

func TestEveryFactIsAnsweredWhereItIsTold(t *testing.T) {
	c := toldElsewhere(t)
	if untold := c.Untold(); len(untold) > 0 {
		t.Fatalf("the example does not tell %v", untold)
	}
	r := chatOf(t, c)
	for _, f := range clinic.Default().Untold() {
		question, want := askedOf[f.Key], c.From(r.at).Says(f.Key)
		if question == "" {
			t.Errorf("nobody asks for %s", f.Key)
			continue
		}
		if part, ok := partly[f.Key]; ok {
			want = part
		}
		said := r.asks(t, "told-"+f.Key, question)
		if !strings.Contains(said.Text.Text, want) || !said.Answered {
			t.Errorf("%s: %s\nwanted %s\ngot    %s", f.Key, question, want, said.Text.Text)
		}
	}
}

func TestNoFactIsMadeUp(t *testing.T) {
	r := chatOf(t, clinic.Default())
	for _, f := range clinic.Default().Untold() {
		said := r.asks(t, "untold-"+f.Key, askedOf[f.Key])
		if other, ok := instead[f.Key]; ok {
			if !strings.Contains(said.Text.Text, other) {
				t.Errorf("%s: %s", f.Key, said.Text.Text)
			}
			continue
		}
		if said.Answered || !strings.Contains(said.Text.Text, "pase tu pregunta al equipo") {
			t.Errorf("%s is not said to be unknown: %s", f.Key, said.Text.Text)
		}
	}
}

func TestExceptionsAreKnownToTheChat(t *testing.T) {
	r := chatOf(t, toldElsewhere(t))
	for question, want := range map[string]string{
		"¿abren el 24 de diciembre?":                "Sí, el jueves (Nochebuena) abrimos de 8:00 a. m. a 12:00 p. m.",
		"¿abren el viernes?":                        "No, el viernes (Navidad) estamos cerrados. Abrimos el sábado a las 8:00 a. m.",
		"¿a qué hora abren mañana?":                 "Mañana martes abrimos de 8:00 a. m. a 6:00 p. m.",
		"¿abren el lunes?":                          "Sí, hoy lunes abrimos de 8:00 a. m. a 6:00 p. m.",
		"¿abren en carnaval?":                       "del sábado 6 al martes 9 de febrero (Carnaval), cerrado",
		"cuánto cuesta una endodoncia":              "Endodoncia: de $250 a $450 (según el diente).",
		"qué precios tienen":                        "limpieza dental, de $50 a $75",
		"¿cuánto cuesta un implante?":               "El precio de implantes dentales no lo tengo, porque depende de lo que se encuentre en la evaluación",
		"quién hace la ortodoncia":                  "Dra. Marta Quirós, ortodoncista (lunes y jueves)",
		"do you have parking?":                      "We are at Calle D",
		"do you speak english? I need to know that": "Spanish, English and Portuguese",
	} {
		if said := r.asks(t, question, question); !strings.Contains(said.Text.Text, want) {
			t.Errorf("%s\nwanted %s\ngot    %s", question, want, said.Text.Text)
		}
	}
	offered := r.asks(t, "christmas", "quiero una cita de endodoncia para el 25 de diciembre")
	if !strings.Contains(offered.Text.Text, "El viernes 25 de diciembre") {
		t.Errorf("Christmas: %s", offered.Text.Text)
	}
	late := r.asks(t, "late", "quiero una cita de limpieza el 24 de diciembre a las 4 de la tarde")
	if !strings.Contains(late.Text.Text, "El jueves a las 4:00 p. m. no atendemos") {
		t.Errorf("after closing on Christmas Eve: %s", late.Text.Text)
	}
	braces := r.asks(t, "braces", "quiero una cita de ortodoncia")
	for _, day := range []string{"martes", "miércoles", "viernes", "sábado"} {
		if strings.Contains(braces.Text.Text, day) {
			t.Errorf("on a day without the orthodontist: %s", braces.Text.Text)
		}
	}
}
