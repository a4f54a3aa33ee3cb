package assistant

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"bitacora/adapters/archive/archivetest"
	"bitacora/domain/chat"
	"bitacora/domain/clinic"
)

// Saturday morning in Panama.
var saturday = time.Date(2026, 11, 21, 15, 0, 0, 0, time.UTC)

// embeddedDefault knows the default clinic. It is made once: nothing changes it.
var embeddedDefault = sync.OnceValues(func() (*Embedded, error) { return NewEmbedded(clinic.Default()) })

func newTestAssistant(t testing.TB) *Assistant {
	t.Helper()
	e, err := embeddedDefault()
	if err != nil {
		t.Fatal(err)
	}
	return &Assistant{embedded: e, log: slog.New(slog.DiscardHandler), meanings: &knownMeanings{}}
}

func ask(t testing.TB, a *Assistant, text string, at time.Time) chat.Reply {
	t.Helper()
	reply, err := a.Reply(context.Background(), chat.Question{Text: text, At: at})
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return reply
}

func TestHoursDependOnTheMoment(t *testing.T) {
	a := newTestAssistant(t)
	panama := clinic.Default().Zone
	at := func(day, hour, minute int) time.Time { return time.Date(2026, 11, day, hour, minute, 0, 0, panama) }
	tests := map[string]struct {
		ask  string
		at   time.Time
		want string
	}{
		"open now":                  {"¿están abiertos ahora?", at(20, 18, 59), "Sí, ahora estamos abiertos, hasta las 7:00 p. m."},
		"closed at seven":           {"estan abiertos ahora", at(20, 19, 0), "En este momento estamos cerrados; abrimos mañana sábado a las 9:00 a. m."},
		"today before opening":      {"abren hoy?", at(21, 7, 0), "Sí, hoy sábado abrimos de 9:00 a. m. a 3:00 p. m."},
		"today while open":          {"abren hoy?", at(21, 10, 0), "Ahora mismo estamos abiertos."},
		"today after closing":       {"abren hoy?", at(21, 15, 0), "Por hoy ya cerramos; abrimos de nuevo el lunes a las 8:00 a. m."},
		"on a Sunday":               {"abren hoy", at(22, 12, 0), "No, hoy domingo estamos cerrados. Abrimos mañana lunes a las 8:00 a. m."},
		"tomorrow is a Sunday":      {"y mañana abren?", at(21, 12, 0), "No, mañana domingo estamos cerrados. Abrimos el lunes a las 8:00 a. m."},
		"Sundays":                   {"abren los domingos", at(18, 12, 0), "No, el domingo estamos cerrados. Abrimos el lunes a las 8:00 a. m."},
		"Saturdays":                 {"¿Abren el sábado?", at(18, 12, 0), "Sí, el sábado abrimos de 9:00 a. m. a 3:00 p. m."},
		"in the morning":            {"a que hora abren en la mañana", at(18, 12, 0), "Nuestro horario es: lunes a viernes"},
		"several days":              {"abren sabado y domingo", at(18, 12, 0), "Nuestro horario es: lunes a viernes"},
		"late on Friday, UTC is on": {"abren hoy", at(20, 23, 30), "hoy viernes"},
		"moment unknown":            {"abren hoy", time.Time{}, "Nuestro horario es: lunes a viernes"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := ask(t, a, tt.ask, tt.at); !strings.Contains(got.Text, tt.want) {
				t.Errorf("%q\n got %q\nwant %q", tt.ask, got.Text, tt.want)
			}
		})
	}
}

func TestAnswersHoldTheFacts(t *testing.T) {
	a, c := newTestAssistant(t), clinic.Default()
	phone := string(c.Phones[0])
	tests := map[string]struct {
		want     []string
		answered bool
		source   string
	}{
		"dónde quedan":                      {[]string{"Vía España, Edificio Plaza Regency, piso 9", c.MapURL()}, true, "clinic/address"},
		"teléfono":                          {[]string{phone, string(c.Phones[1])}, true, "clinic/phones"},
		"su correo?":                        {[]string{c.Email}, true, "clinic/email"},
		"quiero una cita":                   {[]string{"por aquí o llamando", phone}, true, "clinic/booking"},
		"¿cuánto cuesta un implante?":       {[]string{"No tengo precios publicados", phone}, false, "clinic/phones"},
		"aceptan mi seguro?":                {[]string{"aseguradoras", phone}, false, "answer/seguros"},
		"hacen ortodoncia?":                 {[]string{"ortodoncia", "brackets"}, true, "answer/ortodoncia-que-es"},
		"qué servicios tienen":              {[]string{"muelas del juicio", "diseño de sonrisa"}, true, "answer/servicios-lista"},
		"no puedo respirar y estoy inflado": {[]string{"911", phone}, true, "clinic/phones"},
		"me duele una muela":                {[]string{phone, "911"}, true, "clinic/phones"},
		"cuéntame un cuento":                {[]string{phone, c.Email}, false, ""},
		"cuánto sale una limpieza y a qué hora abren los sábados": {[]string{"No tengo precios publicados", "sábado abrimos"}, false, "clinic/hours"},
		"Hola. ¿A qué hora cierran? ¿Dónde quedan?":               {[]string{"Nuestro horario es", "piso 9"}, true, "clinic/address"},
		"eres un robot?": {[]string{"un programa y no una persona"}, true, ""},
	}
	for text, tt := range tests {
		t.Run(text, func(t *testing.T) {
			got := ask(t, a, text, saturday)
			for _, want := range tt.want {
				if !strings.Contains(got.Text, want) {
					t.Errorf("%q is missing in %q", want, got.Text)
				}
			}
			if got.Answered != tt.answered || (tt.source != "" && !slices.Contains(got.Sources, tt.source)) {
				t.Errorf("answered %v from %v", got.Answered, got.Sources)
			}
			if got.Provider != "embedded" || got.Model != embeddedModel {
				t.Errorf("answered by %s %s", got.Provider, got.Model)
			}
		})
	}
}

func TestGraveSymptomsComeFirst(t *testing.T) {
	a := newTestAssistant(t)
	for _, text := range []string{
		"cuánto cuesta una cita? no puedo respirar bien",
		"hola, tengo la cara hinchada y fiebre desde ayer, abren hoy?",
		"me sacaron la muela y no para de sangrar",
		"NO PUEDO TRAGAR",
	} {
		if got := ask(t, a, text, saturday); !strings.HasPrefix(got.Text, "Lo que describes puede ser una emergencia") {
			t.Errorf("%q: %s", text, got.Text)
		}
	}
}

func TestServiceThatTheClinicDoesNotHave(t *testing.T) {
	c := clinic.Default()
	c.Services = c.Services[1:]
	a, err := New(Spec{Provider: "embedded"}, c)
	if err != nil {
		t.Fatal(err)
	}
	if got := ask(t, a, "hacen ortodoncia?", saturday); got.Answered || strings.Contains(got.Text, "Sí") {
		t.Errorf("reply = %+v", got)
	}
}

// A clinic that keeps a service of the default's, and describes it in its own words, gives nothing away.
func TestAVisitIsFreeWhereTheClinicSaysSo(t *testing.T) {
	given := clinic.Default()
	own := given
	own.Services = slices.Clone(given.Services)
	i := slices.IndexFunc(own.Services, func(s clinic.Service) bool { return s.Slug == "diseno-sonrisa" })
	own.Services[i] = clinic.Service{Slug: "diseno-sonrisa", Title: "Diseño de sonrisa", Description: "Carillas y blanqueamiento, planificados con fotografías."}
	for _, c := range []struct {
		clinic clinic.Clinic
		free   bool
	}{{given, true}, {own, false}} {
		a, err := newTestAssistant(t).Knowing(Knowledge{Clinic: c.clinic})
		if err != nil {
			t.Fatal(err)
		}
		for _, question := range []string{"¿cuánto cuesta el diseño de sonrisa?", "¿cuánto cuesta?", "¿la primera consulta de diseño de sonrisa es gratis?"} {
			if got := ask(t, a, question, saturday); !c.free && strings.Contains(got.Text, "gratuita") || c.free && question != "¿cuánto cuesta?" && !strings.Contains(got.Text, "gratuita") {
				t.Errorf("%s, where it is free %v: %s", question, c.free, got.Text)
			}
		}
	}
}

func TestVisitorsOfChatsAlwaysGetAReply(t *testing.T) {
	a := newTestAssistant(t)
	for _, file := range archivetest.Files(t, "../..") {
		for _, c := range file.Chats {
			for _, m := range c.Messages {
				if m.Role != "user" {
					continue
				}
				reply := ask(t, a, m.Text, saturday)
				if reply.Text == "" || reply.Topic == "" {
					t.Errorf("%s: %q: %+v", c.ID, m.Text, reply)
				}
			}
		}
	}
}

func TestOddTexts(t *testing.T) {
	a := newTestAssistant(t)
	for _, text := range []string{"", " ", "?", "\x00", "🦷🦷", "{{.Name}}", "ñ", strings.Repeat("abren ", 170), strings.Repeat("xyzzyx ", 140)} {
		if got := ask(t, a, text, saturday); got.Text == "" {
			t.Errorf("%q: no reply", text)
		}
	}
}

func TestComplaintsAndCallbacksAreUnderstood(t *testing.T) {
	e, err := NewEmbedded(clinic.Default())
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string][2]bool{
		"tengo una queja": {true, false},
		"me cobraron de más y quiero poner un reclamo": {true, false},
		"me atendieron muy mal ayer":                   {true, false},
		"quiero hablar con una persona":                {false, true},
		"¿me pueden llamar?":                           {false, true},
		"llámenme al 6123-4567":                        {false, true},
		"I want to talk to a human":                    {false, true},
		"¿a qué número puedo llamar?":                  {false, false},
		"quiero una cita con la doctora":               {false, false},
		"¿cuánto cuesta una limpieza?":                 {false, false},
		"voy a llamar mañana":                          {false, false},
	} {
		u, err := e.Understand(t.Context(), chat.Question{Text: text, At: time.Now()})
		if err != nil || [2]bool{u.Complaint, u.Callback} != want {
			t.Errorf("%s: complaint %v, callback %v, want %v; %v", text, u.Complaint, u.Callback, want, err)
		}
	}
}

func TestUrgencyKnowsTheHour(t *testing.T) {
	c := clinic.Default()
	c.Exceptions = []clinic.Exception{{Date: "2026-11-23"}}
	a, err := New(Spec{Provider: "embedded"}, c)
	if err != nil {
		t.Fatal(err)
	}
	at := func(day, hour int) time.Time { return time.Date(2026, 11, day, hour, 0, 0, 0, c.Zone) }
	for _, text := range []string{
		"me duele muchísimo una muela", "se me salió un diente de un golpe", "tengo fiebre y la cara hinchada por la muela",
		"¿qué antibiótico tomo para la muela?", "me sacaron una muela ayer, ¿qué cuidados debo tener?",
	} {
		for name, tt := range map[string]struct {
			at     time.Time
			closed string
		}{
			"open":     {at(20, 10), ""},
			"night":    {at(20, 22), "abre mañana sábado a las 9:00 a. m."},
			"Sunday":   {at(22, 11), "abre el martes a las 8:00 a. m."},
			"a closed": {at(23, 11), "abre mañana martes a las 8:00 a. m."},
		} {
			reply := ask(t, a, text, tt.at).Text
			if tt.closed != "" && (strings.Contains(reply, "llámanos ahora") || !strings.Contains(reply, tt.closed) ||
				!strings.Contains(reply, "cuarto de urgencias") || !strings.Contains(reply, "911")) {
				t.Errorf("%s, %s: %s", text, name, reply)
			}
			if tt.closed == "" && strings.Contains(reply, "cerrada") {
				t.Errorf("%s, %s: %s", text, name, reply)
			}
		}
	}
}

func TestAKnockedOutToothGetsFirstAid(t *testing.T) {
	a := newTestAssistant(t)
	for _, text := range []string{
		"se me salió un diente", "se me salió el diente de un golpe, ¿qué hago?", "mi hijo se cayó y se le salió un diente", "me tumbaron un diente jugando fútbol",
		"tengo el diente en la mano, se me salió completo", "se me cayó un diente por un golpe", "le volaron un diente a mi hija de un codazo",
		"perdí un diente en un accidente hace diez minutos", "my son knocked out a tooth", "I knocked my front tooth out", "avulsión de un diente",
		"se le arrancó un diente con la bicicleta", "el diente se me salió entero con la raíz",
	} {
		reply := ask(t, a, text, saturday)
		parts := []string{"corona", "leche", "primera hora", "enjuágalo"}
		if strings.Contains(text, "tooth") {
			parts = []string{"crown", "milk", "first hour", "rinse it"}
		}
		for _, part := range parts {
			if !strings.Contains(reply.Text, part) {
				t.Errorf("%s: %q is not in: %s", text, part, reply.Text)
			}
		}
		if strings.Contains(reply.Text, "http") || reply.Topic != "urgencia" {
			t.Errorf("%s: %+v", text, reply)
		}
	}
	closed := ask(t, a, "se me salió un diente", saturday.Add(12*time.Hour)).Text
	if !strings.Contains(closed, "ve ya a un cuarto de urgencias") || strings.Contains(closed, "no puedes esperar") {
		t.Errorf("while the clinic is closed: %s", closed)
	}
	for _, text := range []string{"me duele un diente", "¿cuánto cuesta reponer un diente?", "quiero un implante, me falta un diente", "se me partió un diente"} {
		if reply := ask(t, a, text, saturday); strings.Contains(reply.Text, "primera hora") {
			t.Errorf("%s: %s", text, reply.Text)
		}
	}
}
