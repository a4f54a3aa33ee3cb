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
		"cuánto cuesta la limpieza, cuánto dura y si duele":                               {price, "30 minutos", "vibración"},
		"cuanto valen los frenos y si duelen":                                             {price, "presión o molestia"},
		"el conducto duele y se hace en una sola cita o en varias":                        {"anestesia", "una visita o en varias"},
		"1. ¿Hacen carillas? 2. ¿Cuánto cuestan?":                                         {"Sí, ofrecemos carillas", price},
		"horario direccion y telefono":                                                    {hours, address, "200-0101"},
		"Tenga la bondad de informarme el horario, y también si aceptan tarjeta":          {hours, payment},
		"¿Abren los sábados y dónde quedan? Quisiera saber si aceptan tarjeta":            {"9:00 a. m. a 3:00 p. m.", address, payment},
		"buenas donde quedan que horario tienen cuanto cuesta la limpieza":                {address, hours, price},
		"¿Hasta qué hora atienden? También quisiera saber dónde están":                    {hours, address},
		"¿Hacen carillas? ¿Y abren los domingos?":                                         {"carillas", "domingo"},
		"¿Quién pone los frenillos y si abren los sábados?":                               {"ortodoncista", "9:00 a. m. a 3:00 p. m."},
		"hola quería saber dónde quedan y si tienen parqueo y a qué hora cierran":         {address, "estacionamiento", hours},
		"tengo dos dudas: si hacen implantes y si se puede pagar en cuotas":               {"titanio", "cuotas"},
		"mi hermana me dijo que son buenísimos, por eso escribo, a qué hora abren mañana": {"Mañana domingo estamos cerrados"},
	} {
		reply := ask(t, a, text, saturday).Text
		for _, part := range want {
			if !strings.Contains(reply, part) {
				t.Errorf("%q is answered without %q: %s", text, part, reply)
			}
		}
	}
}

// TestWhatIsComparedOrToldIsNoQuestion: each is read with the question it belongs to.
func TestWhatIsComparedOrToldIsNoQuestion(t *testing.T) {
	a := newTestAssistant(t)
	for text, other := range map[string]string{
		"qué diferencia hay entre brackets y alineadores y cuál sale más barato":                      "22 horas",
		"me hicieron una endodoncia la semana pasada y todavía siento presión al morder, ¿es normal?": "no me ha dado",
	} {
		if reply := ask(t, a, text, saturday).Text; strings.Contains(reply, other) {
			t.Errorf("%q: %s", text, reply)
		}
	}
}

// TestACancellationLeavesNoQuestionUnanswered: what is asked beside it is answered, too.
func TestACancellationLeavesNoQuestionUnanswered(t *testing.T) {
	a := newTestAssistant(t)
	for _, text := range []string{"quiero cancelar mi cita, ¿hasta qué hora atienden?", "¿dónde están? y cancélame la cita"} {
		u, err := a.Understand(t.Context(), chat.Question{Text: text, At: saturday})
		if err != nil || u.Intent != chat.IntentCancel || !u.Asks {
			t.Errorf("%q: %s, asks %t, %v", text, u.Intent, u.Asks, err)
		}
	}
	if u := understand(t, a, chat.Question{Text: "quiero cancelar mi cita"}); u.Asks {
		t.Error("a cancellation alone asks something")
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
		"quiero una cita para limpieza y saber cuanto cuesta":                        {"en limpieza dental dependen"},
		"necesito cita el lunes y tambien saber si aceptan seguro":                   {"aseguradoras"},
		"¿Dónde están? ¿Qué horario tienen? ¿Cómo saco una cita?":                    {"Plaza Regency", "7:00 p. m."},
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

// TestAQuestionIsDividedWhereAnotherBegins, and not within its own words; what two answers begin with is said once.
func TestAQuestionIsDividedWhereAnotherBegins(t *testing.T) {
	a := newTestAssistant(t)
	for text, without := range map[string]string{
		"what time do you close today":                   "appointment",
		"que seguros aceptan, assa?":                     "formas de pago",
		"donde quedan que horario tienen aceptan seguro": "no aparece",
	} {
		if reply := ask(t, a, text, saturday).Text; strings.Contains(reply, without) {
			t.Errorf("%q: %s", text, reply)
		}
	}
	reply := ask(t, a, "tienen parqueo y es accesible para silla de ruedas?", saturday).Text
	if !strings.Contains(reply, "estacionamiento") || !strings.Contains(reply, "silla de ruedas") || strings.Count(reply, "Estamos en") != 1 {
		t.Errorf("the address is said twice: %s", reply)
	}
}
