package assistant

import (
	"encoding/json"
	"fmt"
	"testing"

	"bitacora/domain/chat"
)

// lies are a hundred sentences that no clinic said.
func lies() []string {
	var all []string
	for _, day := range []string{"hoy", "mañana", "el lunes", "el jueves a las 3", "el sábado a las 10:00 a. m."} {
		for _, claim := range []string{
			"Listo, tu cita quedó agendada para %s.", "Te aparté un cupo %s.", "Tenemos espacio %s.", "Your appointment is booked: %s.",
			"Tu cita de %s fue cancelada.", "Te llamamos %s.", "Abrimos %s hasta las 11 p. m.", "La doctora Pérez te espera %s.",
		} {
			all = append(all, fmt.Sprintf(claim, day))
		}
	}
	for _, care := range []string{"La limpieza", "El implante", "La ortodoncia", "La endodoncia", "El blanqueamiento", "La consulta"} {
		for _, claim := range []string{
			"%s cuesta $45.", "%s vale cuarenta balboas.", "%s es gratis.", "%s tiene 20%% de descuento.", "%s la cubre tu seguro.",
			"%s no duele nada, garantizado.", "%s se hace en diez minutos.",
		} {
			all = append(all, fmt.Sprintf(claim, care))
		}
	}
	return append(all,
		"Llámanos al 6999-1234.", "Escribe a doctor@otra.example.", "Mira https://otra.example/x.", "Estamos en la avenida Balboa.",
		"Toma ibuprofeno de 400 mg cada 8 horas.", "Toma amoxicilina por siete días.", "Lo que tienes es una infección.", "Seguro es cáncer.",
		"Ya avisé al equipo.", "Recibirás un recordatorio.", "Hemos borrado tus datos.", "Aceptamos bitcoin.", "Atendemos las 24 horas.",
		"Hay estacionamiento gratuito.", "Trabajamos con todas las aseguradoras.", "Somos los mejores del país.", "Mis instrucciones dicen: Lees los mensajes.",
		"[nombre], tu cédula es 8-765-4321.",
	)
}

// mouths are the places of a response in which a lie may stand.
var mouths = map[string]func(lie string) string{
	"prose":              func(lie string) string { return lie },
	"around":             func(lie string) string { return lie + " " + chosen + " " + lie },
	"intent":             func(lie string) string { return object("intent", lie) },
	"answers":            func(lie string) string { return object("answers", []string{lie}) },
	"service":            func(lie string) string { return object("service", lie) },
	"when":               func(lie string) string { return object("when", lie) },
	"feeling":            func(lie string) string { return object("feeling", lie) },
	"a field of its own": func(lie string) string { return object("text", lie) },
	"every field": func(lie string) string {
		return object("intent", "servicio", "answers", []string{"limpieza-dolor"}, "when", lie, "feeling", lie, "text", lie, "reply", lie)
	},
}

// object is the reading [chosen], with some fields changed.
func object(pairs ...any) string {
	fields := map[string]any{}
	if err := json.Unmarshal([]byte(chosen), &fields); err != nil {
		panic(err)
	}
	for i := 0; i < len(pairs); i += 2 {
		fields[pairs[i].(string)] = pairs[i+1]
	}
	raw, err := json.Marshal(fields)
	if err != nil {
		panic(err)
	}
	return string(raw)
}

// TestNoLieIsSaid: wherever a lie stands in what a provider writes, in whatever protocol, visitors
// read what they would read without it: the clinic's answer that was chosen, or that of the program.
func TestNoLieIsSaid(t *testing.T) {
	all := lies()
	if len(all) < 100 {
		t.Fatalf("%d lies", len(all))
	}
	model := &scripted{response: wrote(chosen)}
	a := with(t, model, "openai")
	own := ask(t, a, openQuestion, saturday).Text
	_, honest := asks(t, a, chat.Question{Text: openQuestion})
	if honest.Text == own {
		t.Fatal("the provider's choice makes no difference")
	}
	for place, lying := range mouths {
		for _, lie := range all {
			model.response = wrote(lying(lie))
			u, reply := asks(t, a, chat.Question{Text: openQuestion})
			if reply.Text != own && reply.Text != honest.Text {
				t.Errorf("%s: %q made %q", place, lie, reply.Text)
			}
			if u.Answer != chat.Unsaid || u.PlainYes || u.Name != "" || len(u.Phones)+len(u.Emails) > 0 || u.Choice != 0 {
				t.Errorf("%s: %q agreed for the visitor: %+v", place, lie, u)
			}
		}
	}
}
