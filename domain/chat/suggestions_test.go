package chat

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"bitacora/domain/clinic"
	"bitacora/domain/event"
)

func TestSuggestionsFollowFromWhatWasAsked(t *testing.T) {
	for _, form := range clinic.FormsOfAddress {
		c := clinic.Default()
		c.FormOfAddress = form
		t.Run(form.String(), func(t *testing.T) { suggest(t, c) })
	}
}

func suggest(t *testing.T, c clinic.Clinic) {
	slots := []time.Time{time.Date(2026, 11, 24, 14, 0, 0, 0, time.UTC), time.Date(2026, 11, 28, 18, 30, 0, 0, time.UTC)}
	days := []time.Time{time.Date(2026, 11, 30, 5, 0, 0, 0, time.UTC)}
	asks := func(step Step) event.Dialogue { return event.Dialogue{Asked: string(step)} }
	for name, test := range map[string]struct {
		dialogue event.Dialogue
		reply    string
		want     string
	}{
		"nothing asked":           {reply: "Atendemos de lunes a sábado."},
		"an offer":                {asks(StepOffer), "¿Te busco una cita?", "Sí|No"},
		"the consent":             {asks(StepConsent), "¿Aceptas que los usemos así? (sí o no)", "Sí|No"},
		"a name":                  {dialogue: asks(StepName)},
		"a contact":               {dialogue: asks(StepContact)},
		"a contact, not got":      {event.Dialogue{Asked: string(StepContact), Misses: 2}, "", "Hablar con una persona"},
		"a service":               {asks(StepSpecialty), "", "Limpieza dental|Blanqueamiento dental|Odontología general|Ortodoncia|Implantes dentales|Diseño de sonrisa|No sé"},
		"a time":                  {asks(StepTime), "", "Lo antes posible|Por la mañana|Por la tarde"},
		"one of some days":        {event.Dialogue{Asked: string(StepTime), Offered: days}, "", "lunes 30 de noviembre"},
		"one of some times":       {event.Dialogue{Asked: string(StepSlot), Offered: slots}, "", "mar 24, 9:00 a. m.|sáb 28, 1:30 p. m.|Otro día"},
		"after others":            {event.Dialogue{Asked: string(StepSlot), Offered: slots[:1], Refused: slots[1:]}, "", "mar 24, 9:00 a. m.|Otro día|Hablar con una persona"},
		"the last yes":            {asks(StepConfirm), "¿Confirmo la cita? (sí o no)", "Sí|No"},
		"what to change":          {asks(StepConfirm), render("que-cambio", textData{Clinic: c}), "El día|La hora|El tratamiento|El nombre|Mi contacto|" + c.FormOfAddress.In("{Déjalo|Déjelo}")},
		"the end":                 {asks(StepCancel), "", "Sí|No"},
		"to pass on a question":   {event.Dialogue{}, "No lo sé.\n\n" + render("pasar-pregunta", textData{Clinic: c}), "Sí|No"},
		"later":                   {asks(StepSlot), "Llama ya.\n\n" + render("seguimos-luego", textData{Clinic: c}), "Seguir con la cita"},
		"later, by a call":        {asks(StepName), render("seguimos-luego", textData{Clinic: c, Callback: true}), "Que me llamen"},
		"another, after the end":  {event.Dialogue{}, render("cancelada", textData{Clinic: c}), "Quiero una cita"},
		"beside one":              {event.Dialogue{}, render("ya-tienes", textData{Clinic: c}), "Cambiar la cita"},
		"one, where there is not": {event.Dialogue{}, render("sin-cita", textData{Clinic: c}), "Quiero una cita"},
	} {
		conversation := &Conversation{Dialogue: test.dialogue, Lines: []Line{{Text: test.reply}}}
		if got := strings.Join(conversation.Suggestions(c), "|"); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
		for _, last := range []Line{{FromVisitor: true, Text: test.reply}, {Text: test.reply, Topic: topicCrisis}, {Text: test.reply, Topic: topicEmergency}} {
			conversation.Lines = []Line{last}
			if got := conversation.Suggestions(c); got != nil {
				t.Errorf("%s: %q after %+v", name, got, last)
			}
		}
		conversation.Lines, conversation.Restricted = []Line{{Text: test.reply}}, true
		if got := conversation.Suggestions(c); got != nil {
			t.Errorf("%s: %q in a conversation that goes no further", name, got)
		}
	}
}

func TestABookedAppointmentIsChangedCancelledAndKept(t *testing.T) {
	in := clinic.Default()
	booked := &Appointment{ID: "b", Slot: time.Date(2026, 11, 24, 14, 0, 0, 0, time.UTC), Specialty: "ortodoncia"}
	done := render("agendada", textData{Clinic: in, state: event.Dialogue{Slot: booked.Slot, Specialty: booked.Specialty}})
	english := render("tu-cita", textData{Clinic: in, booked: booked, English: true})
	for name, test := range map[string]struct {
		change func(*Conversation)
		reply  string
		want   string
	}{
		"booked":            {reply: done, want: "Cambiar|Cancelar|Cómo llegar at c"},
		"with an answer":    {reply: done + "\n\nEstamos en la plaza.", want: "Cambiar|Cancelar|Cómo llegar at c"},
		"in English":        {reply: english, want: "Cambiar|Cancelar|Cómo llegar at c"},
		"another reply":     {reply: "Atendemos de lunes a sábado.", want: " at "},
		"no appointment":    {func(c *Conversation) { c.Appointment = nil }, done, " at "},
		"another time":      {func(c *Conversation) { c.Appointment = &Appointment{ID: "c", Slot: booked.Slot.Add(time.Hour)} }, done, " at "},
		"something asked":   {func(c *Conversation) { c.Dialogue.Asked = string(StepCancel) }, done, "Sí|No at "},
		"nobody's browser":  {func(c *Conversation) { c.resumeHash = "" }, done, "Cambiar|Cancelar|Cómo llegar at "},
		"an erasure":        {func(c *Conversation) { c.Lines[0].Topic = requestTopic }, done, "Cambiar|Cancelar|Cómo llegar at "},
		"kept and not used": {func(c *Conversation) { c.Restricted = true }, done, " at "},
	} {
		c := &Conversation{ID: "c", resumeHash: "h", Appointment: booked, Lines: []Line{{Text: test.reply}}}
		if test.change != nil {
			test.change(c)
		}
		if got := strings.Join(c.Suggestions(in), "|") + " at " + c.CalendarReference(in); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

func TestSuggestionsAreThoseOfTheLastReply(t *testing.T) {
	service, _ := newService(echo)
	meaning := Understanding{Intent: IntentBook}
	service.Understander = understanderFunc(func(_ context.Context, q Question) (Understanding, error) { return meaning, nil })
	say := func(id, text string) []string {
		answer, err := service.Receive(t.Context(), Message{SessionID: "s", MessageID: id, Text: text, NewToken: "secreto", ResumeToken: "secreto"})
		if err != nil {
			t.Fatal(err)
		}
		return answer.Suggestions
	}
	yesOrNo := []string{"Sí", "No"}
	if got := say("1", "una cita"); !slices.Equal(got, yesOrNo) {
		t.Errorf("at the consent: %q", got)
	}
	read, err := service.Transcript(t.Context(), "s", "secreto")
	if err != nil || !slices.Equal(read.Suggestions, yesOrNo) {
		t.Errorf("read back: %q, %v", read.Suggestions, err)
	}
	if got := say("1", "una cita"); !slices.Equal(got, yesOrNo) {
		t.Errorf("asked for again: %q", got)
	}
	say("2", "una cita")
	if got := say("1", "una cita"); got != nil {
		t.Errorf("of a reply that is not the last: %q", got)
	}
	meaning = Understanding{Answer: Yes, PlainYes: true}
	if got := say("3", "Sí"); got != nil {
		t.Errorf("at the name: %q", got)
	}
}
