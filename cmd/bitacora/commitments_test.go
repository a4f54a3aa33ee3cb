package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"bitacora/adapters/assistant"
	"bitacora/adapters/assistant/providertest"
	"bitacora/domain/chat"
	"bitacora/domain/clinic"
	"bitacora/domain/event"
)

// What visitors say in a random walk. Only the first two lists commit to anything.
var (
	saysYes    = []string{"sí", "Sí, confirmo", "dale", "ok perfecto", "claro que sí", "sí por favor", "👍", "correcto", "sí, confirmo la cita", "de una", "excelente, agéndame", "sí señorita, está bien así", "perfecto, nos vemos"}
	saysCancel = []string{"cancélala", "anúlala por favor", "sí, cancélala", "ya no la quiero", "bórrala"}
	saysElse   = []string{
		"quiero una cita", "quiero una cita de limpieza el martes a las 10", "necesito ortodoncia el lunes 30 a las 9", "quiero cambiar mi cita", "quiero mover mi cita al jueves a las 11", "cancela mi cita",
		"el martes a las 10", "lunes 30 a las 9", "martes 30", "el 31 de noviembre", "mañana jueves", "el viernes en la tarde", "a las 3", "a las 9 de la noche", "el domingo", "el 12 de noviembre", "cuando sea", "la primera", "la última", "la 2", "otra hora",
		"mejor que sea para ortodoncia", "no, es para limpieza", "sí, pero con ortodoncia", "¿y la ortodoncia duele?", "endodoncia", "no sé",
		"Ana Ruiz", "a nombre de Luis Mora", "6123-4567", "6987-1234", "ana@example.com", "es para mi hijo", "ahora quiero otra cita para mi esposo", "otra cita", "para mi hija también", "nueva conversación", "para mí",
		"no", "bueno, no sé", "sí claro que no", "mmm", "¿sí?", "sí, pero a las 11", "sí pero para el jueves", "ok, ¿cuánto cuesta?", "creo que sí", "sí, a nombre de Rosa Vega", "no la canceles", "sí, si me dan descuento", "ya no", "olvídalo", "mejor no",
		"el martes no puedo", "mañana no, pasado", "cualquier día menos el jueves", "esta tarde", "fin de mes", "a nombre de mi hermano", "soy Pedro Gil, mi número es 6777-1111", "mi nombre está mal, es Ana Luisa Ruiz", "no me llamo Ana, me llamo Eva Ríos",
		"cancélala y ponme una el viernes", "quiero cancelar y hacer otra", "me equivoqué de día, era el viernes", "mejor ortodoncia", "muévela", "espera", "la hora", "el nombre", "otro día", "más tarde", "la primera no, la segunda", "cualquiera", "entre 2 y 4 el viernes",
		"¿cuándo es mi cita?", "¿dónde están?", "hola", "gracias", "adiós", "seguir con la cita", "asdfgh",
	}
)

// TestNobodyGetsWhatTheyDidNotSayYesTo lets visitors say all of that in any order to the real
// assistant, and reads the log alone: whatever was booked, moved or given up had been named by
// the reply right before, and what the visitor said to it was nothing but a yes.
func TestNobodyGetsWhatTheyDidNotSayYesTo(t *testing.T) {
	t.Parallel()
	counted := map[string]int{}
	walk(t, 500, nil, counted)
	if counted["booked"] < 200 || counted["moved"] < 10 || counted["cancelled"] < 20 {
		t.Errorf("too few to tell anything: %v", counted)
	}
	t.Log(counted)
}

// TestNobodyGetsWhatAProviderSaysForThem is the same with a provider that reads in every message
// something else than what was said.
func TestNobodyGetsWhatAProviderSaysForThem(t *testing.T) {
	asked := 0
	random := rand.New(rand.NewPCG(1, 3))
	lies := func(p providertest.Protocol, w http.ResponseWriter, r *http.Request) {
		asked++
		raw, err := json.Marshal(map[string]any{
			"intent":  one(random, []string{"reservar", "cancelar", "reprogramar", "mi-cita", "servicio", "gracias", "despedida", "otro", "seguir", "urgencia", "queja"}),
			"answers": []string{one(random, []string{"horario", "limpieza-dolor", "precio"})}[:random.IntN(2)],
			"service": one(random, []string{"", "ortodoncia", "endodoncia", "limpieza-dental"}),
			"when":    one(random, []string{"", "hoy a las 4", "el viernes a las 9", "el lunes 30", "mañana"}),
			"yes":     true, "name": "Rosa Vega", "phone": "+50769991234", "text": "Tu cita quedó confirmada.",
		})
		if err != nil {
			t.Error(err)
		}
		providertest.Says(string(raw))(p, w, r)
	}
	liar, err := assistant.New(assistant.Spec{Provider: "openai", Model: "m", URL: providertest.Serve(t, providertest.Protocols["openai"], lies)}, clinic.Default())
	if err != nil {
		t.Fatal(err)
	}
	counted := map[string]int{}
	walk(t, 125, liar, counted)
	if counted["booked"] < 30 || asked < 500 {
		t.Errorf("too few to tell anything: %v, %d lies", counted, asked)
	}
	t.Log(counted, asked)
}

// walk lets visitors say all of that, a seed each, and counts what was booked, moved and cancelled.
func walk(t *testing.T, seeds uint64, provider *assistant.Assistant, counted map[string]int) {
	t.Helper()
	for seed := range seeds {
		random := rand.New(rand.NewPCG(seed, 2))
		on := newMemoryStage(t, scripted{})
		if provider != nil {
			on.service.Understander, on.service.Further, on.service.Assistant = provider, provider.Further(), provider
		}
		session := fmt.Sprint("walk-", seed)
		script := []string{"quiero una cita", "sí", "Ana Ruiz", "6123-4567", "limpieza", "el martes a las 10"}
		if seed%2 == 0 {
			script = append(script, "sí", "quiero mover mi cita al jueves a las 11", "sí")
		}
		for range 18 {
			text := one(random, saysElse)
			switch roll := random.IntN(10); {
			case len(script) > 0 && roll < 8:
				text, script = script[0], script[1:]
			case roll < 3:
				text = one(random, saysYes)
			case roll < 4:
				text = one(random, saysCancel)
			}
			if _, _, err := on.say(session, text); err != nil {
				t.Fatalf("seed %d %q: %v", seed, text, err)
			}
		}
		events, err := on.stream(session)
		if err != nil {
			t.Fatal(err)
		}
		if err := committed(events, counted); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, transcript(events))
		}
		taken, err := on.service.Log.Taken(context.Background(), chairs(on.service.Clinic), on.at, on.at.AddDate(0, 2, 0))
		if c := chat.Fold(chat.ConversationID("web", session), events); err != nil || len(taken) > 0 != (c.Appointment != nil) || len(taken) > 1 {
			t.Fatalf("seed %d: appointment %+v, taken %v, error %v\n%s", seed, c.Appointment, taken, err, transcript(events))
		}
	}
}

func one(r *rand.Rand, list []string) string { return list[r.IntN(len(list))] }

func chairs(c clinic.Clinic) (all []string) {
	for _, s := range c.Services {
		all = append(all, c.Agenda.Chairs(s.Slug)...)
	}
	return all
}

func transcript(events []event.Recorded) string {
	var b strings.Builder
	for _, e := range events {
		switch p := e.Payload.(type) {
		case *event.VisitorMessageSent:
			fmt.Fprintf(&b, "> %s\n", p.Text.Text)
		case *event.AssistantReplied:
			fmt.Fprintf(&b, "%s\n", p.Text.Text)
		default:
			fmt.Fprintf(&b, "[%s]\n", p.EventType())
		}
	}
	return b.String()
}

// committed holds every commitment of a conversation against what was said before it.
func committed(events []event.Recorded, counted map[string]int) error {
	var asked, said, name string
	var active *event.AppointmentBooked
	titled := func(p *event.AppointmentBooked) (service, when string) {
		s, _ := clinic.Default().Service(p.Specialty)
		return strings.ToLower(s.Title), strings.TrimSuffix(clinic.DayAndTime(p.Slot.In(clinic.Default().Zone)), ".")
	}
	for _, e := range events {
		switch p := e.Payload.(type) {
		case *event.VisitorMessageSent:
			said = p.Text.Text
		case *event.AssistantReplied:
			asked = p.Text.Text
		case *event.ContactGiven:
			if p.Name != "" {
				name = p.Name
			}
		case *event.AppointmentBooked:
			service, when := titled(p)
			named := "Sería " + service + " para " + name + ", el " + when
			if active != nil {
				service, when := titled(active)
				named += "., en lugar de la cita de " + service + " del " + when
			}
			moves := active != nil && p.Replaces == active.BookingID
			if name == "" || !strings.Contains(asked, named) || !strings.Contains(asked, "¿Confirmo") || !slices.Contains(saysYes, said) || (p.Replaces != "") != moves || active != nil && !moves {
				return fmt.Errorf("%+v (%s) was booked for %q, said to %q", p, named, said, asked)
			}
			active = p
			if counted["booked"]++; moves {
				counted["moved"]++
			}
		case *event.AppointmentCancelled:
			if active == nil || active.BookingID != p.BookingID {
				return fmt.Errorf("%+v does not stand", p)
			}
			service, when := titled(active)
			if !strings.Contains(asked, "¿Quieres que cancele tu cita de "+service+" del "+when) || !strings.Contains(asked, ", a nombre de "+name+"?") || !slices.Contains(slices.Concat(saysYes, saysCancel, []string{"cancela mi cita"}), said) {
				return fmt.Errorf("%s %s was cancelled for %q, said to %q", service, when, said, asked)
			}
			active = nil
			counted["cancelled"]++
		}
	}
	return nil
}

// TestLunesTreintaIsNoOtherDay books for every day of the agenda, named by its day of the week
// and its number: what is asked about at last is that very day, or nothing yet.
func TestLunesTreintaIsNoOtherDay(t *testing.T) {
	for ahead := range clinic.Default().Agenda.Days {
		on := newMemoryStage(t, scripted{})
		session := fmt.Sprint("day-", ahead)
		day := on.at.In(clinic.Default().Zone).AddDate(0, 0, ahead)
		for _, text := range []string{"quiero una cita de limpieza", "sí", "Ana Ruiz", "6123-4567"} {
			if _, _, err := on.say(session, text); err != nil {
				t.Fatal(err)
			}
		}
		for wrong := range 7 {
			text := fmt.Sprintf("%s %d a las 10", clinic.DayName(day.AddDate(0, 0, wrong).Weekday()), day.Day())
			reply, _, err := on.say(session, text)
			if err != nil {
				t.Fatal(err)
			}
			events, err := on.stream(session)
			if err != nil {
				t.Fatal(err)
			}
			slot := chat.Fold(chat.ConversationID("web", session), events).Dialogue.Slot
			if local := slot.In(day.Location()); !slot.IsZero() && (local.Day() != day.Day() || local.Weekday() != day.AddDate(0, 0, wrong).Weekday()) {
				t.Errorf("%q on %s: %s", text, on.at.Format(time.DateOnly), reply)
			}
		}
	}
}
