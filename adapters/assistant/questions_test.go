package assistant

import (
	"strings"
	"testing"

	"bitacora/domain/chat"
)

// TestEveryQuestionOfAMessageIsAnswered: with marks or without, of one treatment, asked formally, or in a list.
func TestEveryQuestionOfAMessageIsAnswered(t *testing.T) {
	a := newTestAssistant(t)
	const price, hours, address, payment = "No tengo precios publicados", "8:00 a. m. a 7:00 p. m.", "Plaza Regency", "formas de pago"
	for text, want := range map[string][]string{
		"cuánto cuesta la limpieza, cuánto dura y si duele":                      {price, "30 minutos", "vibración"},
		"cuanto valen los frenos y si duelen":                                    {price, "presión o molestia"},
		"el conducto duele y se hace en una sola cita o en varias":               {"anestesia", "una visita o en varias"},
		"horario direccion y telefono":                                           {hours, address, "200-0101"},
		"Tenga la bondad de informarme el horario, y también si aceptan tarjeta": {hours, payment},
		"¿Abren los sábados y dónde quedan? Quisiera saber si aceptan tarjeta":   {"9:00 a. m. a 3:00 p. m.", address, payment},
	} {
		reply := ask(t, a, text, saturday).Text
		for _, part := range want {
			if !strings.Contains(reply, part) {
				t.Errorf("%q is answered without %q: %s", text, part, reply)
			}
		}
	}
}

// TestABookingLeavesNoQuestionUnanswered: the appointment is gone on with, and what is asked beside it is answered.
func TestABookingLeavesNoQuestionUnanswered(t *testing.T) {
	a := newTestAssistant(t)
	for text, want := range map[string][]string{
		"quiero cita para el martes, ¿aceptan tarjeta y hay parqueo?":                {"formas de pago", "estacionamiento"},
		"necesito una limpieza el jueves, hasta q hora atienden?":                    {"7:00 p. m."},
		"agéndame el lunes a las 10 y dime si tienen dónde estacionar":               {"estacionamiento"},
		"quiero sacarle cita a mi hijo el viernes y cuánto sale la limpieza":         {"No tengo precios publicados"},
		"I'd like to book a cleaning for Friday, where are you and when do you open": {"Plaza Regency", "8:00 a.m."},
	} {
		q := chat.Question{Text: text, At: saturday}
		u, err := a.Understand(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		if u.Intent != chat.IntentBook || !u.Asks {
			t.Errorf("%q: %s, asks %t", text, u.Intent, u.Asks)
		}
		q.Understood = u
		reply, err := a.Reply(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range want {
			if !strings.Contains(reply.Text, part) {
				t.Errorf("%q is answered without %q: %s", text, part, reply.Text)
			}
		}
	}
}
