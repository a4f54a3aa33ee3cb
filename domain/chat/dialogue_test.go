package chat

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"bitacora/domain/clinic"
	"bitacora/domain/event"
)

// visit is a visitor whose messages are given as what they mean.
type visit struct {
	t       *testing.T
	service *Service
	log     *memoryLog
	session string
	n       int
	meaning Understanding
	now     time.Time
}

// newVisit begins on Monday 2026-11-23 at 9:00 in Panama.
func newVisit(t *testing.T) *visit {
	v := &visit{t: t, session: "s", now: time.Date(2026, 11, 23, 14, 0, 0, 0, time.UTC)}
	v.service, v.log = newService(assistantFunc(func(_ context.Context, q Question) (Reply, error) {
		return Reply{Text: "[" + q.Text + "] https://reservas.clinica.test/", Provider: "p", Model: "m", Answered: q.Text != "?", Topic: "tema"}, nil
	}))
	v.service.Understander = understanderFunc(func(context.Context, Question) (Understanding, error) { return v.meaning, nil })
	v.service.Now = func() time.Time { return v.now }
	return v
}

// says sends a message with a meaning and gives the reply.
func (v *visit) says(text string, meaning Understanding) string {
	v.t.Helper()
	v.n++
	v.now = v.now.Add(20 * time.Second)
	v.meaning = meaning
	answer, err := v.service.Receive(context.Background(), Message{SessionID: v.session, MessageID: fmt.Sprint("m", v.n), Text: text})
	if err != nil {
		v.t.Fatalf("%s: %v", text, err)
	}
	return answer.Text
}

func (v *visit) stream() string { return Stream(ConversationID("web", v.session)) }

func (v *visit) conversation() *Conversation {
	return Fold(ConversationID("web", v.session), v.log.streams[v.stream()])
}

// count is how many events of a type the conversation has.
func (v *visit) count(eventType string) int {
	n := 0
	for _, e := range v.log.streams[v.stream()] {
		if e.Payload.EventType() == eventType {
			n++
		}
	}
	return n
}

// at expects the dialogue to ask for something now, in a reply that holds all parts.
func (v *visit) at(step Step, reply string, parts ...string) {
	v.t.Helper()
	if got := v.conversation().Dialogue.Asked; got != string(step) {
		v.t.Fatalf("asked for %q, want %q, after: %s", got, step, reply)
	}
	for _, part := range parts {
		if !strings.Contains(reply, part) {
			v.t.Fatalf("%q is not in: %s", part, reply)
		}
	}
}

var (
	book  = Understanding{Intent: IntentBook}
	yes   = Understanding{Answer: Yes, PlainYes: true}
	no    = Understanding{Answer: No}
	ana   = Understanding{Name: "Ana Ruiz"}
	phone = Understanding{Phones: []string{"+50761234567"}}
)

func on(day int) clinic.Wish {
	at := time.Date(2026, 11, day, 0, 0, 0, 0, panama)
	return clinic.Wish{First: at, Last: at}
}

func at(hour int) clinic.Wish { return clinic.Wish{Earliest: hour * 60, Exact: true} }

// toConfirm leads a visitor up to the last yes, for orthodontics on Tuesday at 10:00.
func (v *visit) toConfirm() {
	v.t.Helper()
	v.at(StepConsent, v.says("quiero una cita", book), "¿Aceptas")
	v.at(StepName, v.says("sí", yes))
	v.at(StepContact, v.says("Ana Ruiz", ana))
	v.at(StepSpecialty, v.says("6123-4567", phone))
	v.at(StepTime, v.says("ortodoncia", Understanding{Specialty: "ortodoncia"}))
	v.at(StepSlot, v.says("el martes", Understanding{When: on(24)}), "1. martes 24 de noviembre")
	v.at(StepConfirm, v.says("a las 10", Understanding{When: on(24).With(at(10))}), "al número que me diste", "ortodoncia")
}

func TestBookingFromEndToEnd(t *testing.T) {
	v := newVisit(t)
	v.toConfirm()
	if n := v.count("AppointmentBooked"); n != 0 {
		t.Fatalf("%d bookings before the last yes", n)
	}
	v.at(StepIdle, v.says("sí", yes), "quedó agendada", "martes 24 de noviembre a las 10:00 a. m.")
	want := "ConversationStarted VisitorMessageSent AssistantReplied VisitorMessageSent ConsentGiven AssistantReplied " +
		"VisitorMessageSent ContactGiven AssistantReplied VisitorMessageSent ContactGiven LeadCaptured AssistantReplied " +
		"VisitorMessageSent AssistantReplied VisitorMessageSent AssistantReplied VisitorMessageSent AssistantReplied " +
		"VisitorMessageSent AppointmentBooked AssistantReplied"
	if got := v.log.types(v.stream()); got != want {
		t.Errorf("events:\n%s, want\n%s", got, want)
	}
	c := v.conversation()
	if c.Contact != (Contact{Name: "Ana Ruiz", Phone: "+50761234567"}) || !c.Appointment.Slot.Equal(time.Date(2026, 11, 24, 15, 0, 0, 0, time.UTC)) {
		t.Errorf("contact %+v, appointment %+v", c.Contact, c.Appointment)
	}
	for _, e := range v.log.streams[v.stream()] {
		if r, ok := e.Payload.(*event.AssistantReplied); ok && strings.Contains(r.Text.Text, "4567") {
			t.Errorf("a stored contact is repeated: %s", r.Text.Text)
		}
		if said, ok := e.Payload.(interface{ WithoutContacts() string }); ok && strings.Contains(said.WithoutContacts(), "Ruiz") {
			t.Errorf("a name leaves the log: %s", said.WithoutContacts())
		}
	}
}

func TestEverythingToldAtOnceIsNotAskedForAgain(t *testing.T) {
	v := newVisit(t)
	first := Understanding{
		Intent: IntentBook, Name: "Ana Ruiz", Phones: []string{"+50761234567"}, Specialty: "ortodoncia", When: on(24).With(at(10)),
	}
	v.at(StepConsent, v.says("todo", first))
	if v.count("LeadCaptured") != 0 {
		t.Error("a lead without consent")
	}
	v.at(StepConfirm, v.says("sí", yes), "martes 24 de noviembre a las 10:00 a. m.")
	if v.count("LeadCaptured") != 1 {
		t.Error("no lead")
	}
	v.at(StepIdle, v.says("sí", yes), "agendada")
}

func TestWithoutConsentNothingIsKept(t *testing.T) {
	v := newVisit(t)
	v.says("quiero una cita", book)
	v.at(StepIdle, v.says("no", no), "no guardo tus datos", "?ref=")
	if v.count("ConsentGiven")+v.count("LeadCaptured") != 0 || v.count("BookingLinkShown") != 1 {
		t.Errorf("events: %s", v.log.types(v.stream()))
	}
	v = newVisit(t)
	v.says("quiero una cita", book)
	v.at(StepConsent, v.says("Ana, 6123-4567", Understanding{Name: "Ana", Phones: []string{"+50761234567"}}), "necesito tu permiso")
	if v.count("LeadCaptured") != 0 {
		t.Error("a lead without consent")
	}
	v.at(StepSpecialty, v.says("sí", yes))
}

func TestDigressionsAreAnsweredAndTheDialogueResumes(t *testing.T) {
	v := newVisit(t)
	v.says("quiero una cita", book)
	v.says("sí", yes)
	v.at(StepName, v.says("¿cuánto cuesta?", Understanding{Intent: IntentAsk, Specialty: "ortodoncia"}), "[¿cuánto cuesta?]", "Sigamos", "nombre y apellido")
	v.at(StepName, v.says("?", Understanding{}), "no te entendí")
	v.at(StepName, v.says("?", Understanding{}), "sigo sin entenderte", "200-0101")
	v.at(StepContact, v.says("Ana Ruiz", ana))
	if got := v.conversation().Dialogue; got.Specialty != "" || got.Misses != 0 {
		t.Errorf("a question about a treatment chose it, or misses were kept: %+v", got)
	}
	v.at(StepContact, v.says("612", Understanding{BadContact: true}), "no parece completo")
}

func TestUrgencyComesFirstAndTheBookingWaits(t *testing.T) {
	v := newVisit(t)
	v.toConfirm()
	v.at(StepConfirm, v.says("me duele mucho la muela", Understanding{Urgent: true, Answer: Yes, Intent: IntentBook}), "[me duele mucho la muela]", "seguir con la cita")
	if v.count("AppointmentBooked") != 0 {
		t.Error("an urgent message booked")
	}
	v.at(StepConfirm, v.says("seguir con la cita", book), "¿Confirmo")
	v.at(StepIdle, v.says("sí", yes), "agendada")
}

func TestCorrectionsAtTheLastQuestion(t *testing.T) {
	v := newVisit(t)
	v.toConfirm()
	v.at(StepConfirm, v.says("no, es 6123-4568", Understanding{Answer: No, Correction: true, Phones: []string{"+50761234568"}}), "corregí", "al número que me diste")
	if phone := v.conversation().Contact.Phone; phone != "+50761234568" {
		t.Errorf("the number is %s", phone)
	}
	v.at(StepConfirm, v.says("mejor a las 3", Understanding{When: at(15)}), "martes 24 de noviembre a las 3:00 p. m.")
	v.at(StepSlot, v.says("mejor el jueves", Understanding{When: on(26)}), "jueves 26")
	v.at(StepConfirm, v.says("la segunda", Understanding{Choice: 2}))
	v.at(StepConfirm, v.says("no, limpieza", Understanding{Answer: No, Specialty: "limpieza-dental"}), "limpieza dental para Ana Ruiz, el jueves 26 de noviembre a la 1:00 p. m.")
	v.at(StepConfirm, v.says("a las 9:30", Understanding{When: clinic.Wish{Earliest: 9*60 + 30, Exact: true}}), "9:30 a. m.")
	v.at(StepSlot, v.says("mejor endodoncia", Understanding{Specialty: "endodoncia"}), "endodoncia", "jueves 26")
	v.at(StepConfirm, v.says("la última", Understanding{Choice: -1}))
	v.at(StepConfirm, v.says("no", no), "¿Qué cambio")
	v.at(StepIdle, v.says("déjalo", Understanding{Intent: IntentStop}), "no queda ninguna cita")
	if v.count("AppointmentBooked") != 0 || v.count("LeadCaptured") != 1 {
		t.Errorf("events: %s", v.log.types(v.stream()))
	}
}

func TestOtherTimesAndClosedDays(t *testing.T) {
	v := newVisit(t)
	v.says("todo", Understanding{Intent: IntentBook, Name: "Ana", Emails: []string{"ana@example.com"}, Specialty: "ortodoncia"})
	v.at(StepTime, v.says("sí", yes))
	v.at(StepSlot, v.says("el domingo", Understanding{When: on(29)}), "El domingo no atendemos", "lunes 30")
	first := v.conversation().Dialogue.Offered
	v.at(StepSlot, v.says("ninguna", Understanding{OtherTimes: true}), "Otras opciones")
	for _, again := range v.conversation().Dialogue.Offered {
		for _, was := range first {
			if again.Equal(was) {
				t.Errorf("%v is offered again", was)
			}
		}
	}
	v.at(StepConfirm, v.says("la primera", Understanding{Choice: 1}), "al correo que me diste")

	v.service.Clinic.Exceptions = []clinic.Exception{{Date: "2026-11-27"}}
	v.at(StepSlot, v.says("el viernes a las 10", Understanding{When: on(27).With(at(10))}), "El viernes 27 de noviembre no atendemos", "sábado 28")
	v.at(StepSlot, v.says("el 26 a las 9 de la noche", Understanding{When: on(26).With(at(21))}), "El jueves a las 9:00 p. m. no atendemos", "1. jueves 26")
	far := clinic.Wish{First: on(26).First.AddDate(0, 3, 0), Last: on(26).First.AddDate(0, 3, 0)}
	v.at(StepSlot, v.says("el 26 de febrero", Understanding{When: far}), "Por ahora doy citas hasta el miércoles 6 de enero")
}

func TestCancellingMovingAndAskingForTheAppointment(t *testing.T) {
	v := newVisit(t)
	v.at(StepIdle, v.says("cancela mi cita", Understanding{Intent: IntentCancel}), "no hay ninguna cita tuya")
	v.toConfirm()
	v.says("sí", yes)
	booking := v.conversation().Appointment.ID
	v.at(StepIdle, v.says("¿cuándo es mi cita?", Understanding{Intent: IntentMyAppointment}), "martes 24")
	v.at(StepIdle, v.says("otra cita", book), "Ya tienes cita")
	v.at(StepTime, v.says("cámbiala", Understanding{Intent: IntentReschedule}), "sigue en pie")
	v.at(StepIdle, v.says("mejor no", Understanding{Intent: IntentStop}), "sigue en pie")
	v.at(StepConfirm, v.says("pásala al jueves a las 10", Understanding{Intent: IntentReschedule, When: on(26).With(at(10))}))
	v.at(StepIdle, v.says("sí", yes), "la hora anterior quedó libre")
	c := v.conversation()
	if c.Appointment.ID == booking || len(v.log.chairs) != 1 || v.count("AppointmentCancelled") != 0 {
		t.Errorf("moved to %+v, chairs %v", c.Appointment, v.log.chairs)
	}
	v.at(StepCancel, v.says("cancela", Understanding{Intent: IntentCancel}), "jueves 26")
	v.at(StepIdle, v.says("no", no), "sigue en pie")
	v.says("cancela", Understanding{Intent: IntentCancel})
	v.at(StepIdle, v.says("sí", yes), "cancelé")
	if v.conversation().Appointment != nil || len(v.log.chairs) != 0 || v.count("AppointmentCancelled") != 1 {
		t.Errorf("after cancelling: %+v, chairs %v", v.conversation().Appointment, v.log.chairs)
	}
}

func TestReturningTheNextDay(t *testing.T) {
	v := newVisit(t)
	v.toConfirm()
	v.now = v.now.Add(26 * time.Hour) // Tuesday 11:00, past the chosen time
	v.at(StepSlot, v.says("sí", yes), "ya no está disponible")
	if v.count("AppointmentBooked") != 0 {
		t.Error("a past time was booked")
	}
	v.now = v.now.Add(48 * time.Hour)
	v.at(StepSlot, v.says("hola", Understanding{}), "[hola]", "Sigamos")
	for _, slot := range v.conversation().Dialogue.Offered {
		if slot.Before(v.now) {
			t.Errorf("%v is offered at %v", slot, v.now)
		}
	}
}

func TestOneSlotOneBooking(t *testing.T) {
	first := newVisit(t)
	visits := make([]*visit, 20)
	for i := range visits {
		v := newVisit(t)
		v.log, v.session = first.log, fmt.Sprint("s", i)
		v.service.Log = first.log
		v.service.NewID = func() string { v.n++; return fmt.Sprint(v.session, "-", v.n) }
		v.toConfirm()
		visits[i] = v
	}
	var mu sync.Mutex
	booked, alternatives := 0, 0
	var confirming sync.WaitGroup
	for _, v := range visits {
		confirming.Go(func() {
			reply := v.says("sí", yes)
			mu.Lock()
			defer mu.Unlock()
			if strings.Contains(reply, "agendada") {
				booked++
			} else if strings.Contains(reply, "ya no está disponible") && strings.Contains(reply, "1. ") {
				alternatives++
			}
		})
	}
	confirming.Wait()
	if booked != 1 || alternatives != len(visits)-1 || len(first.log.chairs) != 1 {
		t.Errorf("%d booked, %d got alternatives, chairs %v", booked, alternatives, first.log.chairs)
	}
}

func TestAContactLeftUnaskedBecomesALeadWithConsentOnly(t *testing.T) {
	v := newVisit(t)
	v.at(StepConsent, v.says("llámenme al 6123-4567", phone), "Gracias por dejarnos")
	v.at(StepName, v.says("sí", yes))
	v.at(StepSpecialty, v.says("Ana Ruiz", ana))
	if v.count("LeadCaptured") != 1 || v.count("AppointmentBooked") != 0 {
		t.Errorf("events: %s", v.log.types(v.stream()))
	}
}

func TestTheClinicsOwnNumberIsNobodysContact(t *testing.T) {
	v := newVisit(t)
	v.says("quiero una cita", book)
	v.says("sí", yes)
	v.says("Ana Ruiz", ana)
	v.at(StepContact, v.says("¿su número es el 200-0101?", Understanding{Intent: IntentAsk, Phones: []string{"+5072000101"}}))
	if v.count("LeadCaptured") != 0 {
		t.Error("the clinic's own number became a lead")
	}
}

func TestAnOfferedAppointmentIsTakenUpOrForgotten(t *testing.T) {
	ask := Understanding{Intent: IntentAsk, Specialty: "ortodoncia"}
	v := newVisit(t)
	v.at(StepOffer, v.says("¿hacen ortodoncia?", ask), "¿Te busco una cita?")
	v.at(StepConsent, v.says("sí", yes), "Con gusto")
	if got := v.conversation().Dialogue.Specialty; got != "ortodoncia" {
		t.Errorf("the treatment was forgotten: %q", got)
	}
	v = newVisit(t)
	v.says("¿hacen ortodoncia?", ask)
	v.at(StepIdle, v.says("no", no), "aquí estoy")
	v.says("¿hacen ortodoncia?", ask)
	v.at(StepIdle, v.says("¿dónde?", Understanding{Intent: IntentAsk}), "[¿dónde?]")
	v.at(StepIdle, v.says("sí", yes))
}

func TestAYesBeforeTheQuestionIsNone(t *testing.T) {
	v := newVisit(t)
	v.toConfirm()
	// Another message was sent and is not answered yet when the yes comes; not even one with the
	// words of the question stands for it.
	between := v.conversation().Lines.lastReply().Text
	if _, _, err := v.service.accept(context.Background(), Message{SessionID: v.session, MessageID: "between", Text: between, Channel: "web"}); err != nil {
		t.Fatal(err)
	}
	v.at(StepConfirm, v.says("sí", yes), "¿Confirmo la cita?")
	if v.count("AppointmentBooked") != 0 {
		t.Error("a yes to what was changed meanwhile booked")
	}
	v.at(StepIdle, v.says("sí", yes), "agendada")
}

func TestAYesAfterTheStaffMovedTheAppointment(t *testing.T) {
	v := newVisit(t)
	v.toConfirm()
	v.says("sí", yes)
	v.says("pásala al jueves a las 10", Understanding{Intent: IntentReschedule, When: on(26).With(at(10))})
	slot := time.Date(2026, 11, 27, 9, 0, 0, 0, panama)
	staff := ExternalBooking{ConversationID: v.conversation().ID, BookingID: "staff", Source: "staff", Slot: slot, Specialty: "ortodoncia"}
	if _, err := v.service.Book(context.Background(), staff); err != nil {
		t.Fatal(err)
	}
	v.at(StepConfirm, v.says("sí", yes), "en lugar de la cita de ortodoncia del viernes 27 de noviembre a las 9:00 a. m.")
	if len(v.log.chairs) != 1 || v.conversation().Appointment.ID != "staff" {
		t.Errorf("chairs %v, appointment %+v", v.log.chairs, v.conversation().Appointment)
	}
	v.at(StepIdle, v.says("sí", yes), "la hora anterior quedó libre")

	v.says("cancela", Understanding{Intent: IntentCancel})
	staff.BookingID, staff.Slot = "again", slot.Add(time.Hour)
	if _, err := v.service.Book(context.Background(), staff); err != nil {
		t.Fatal(err)
	}
	v.at(StepCancel, v.says("sí", yes), "viernes 27 de noviembre a las 10:00 a. m.")
	if v.count("AppointmentCancelled") != 0 {
		t.Error("another appointment was cancelled than the one that was named")
	}
}

func TestAnAppointmentIsMovedToTheNewPlaceOrNotAtAll(t *testing.T) {
	v := newVisit(t)
	v.toConfirm()
	v.says("sí", yes)
	before := v.conversation().Appointment.ID
	v.at(StepConfirm, v.says("pásala al jueves a las 10", Understanding{Intent: IntentReschedule, When: on(26).With(at(10))}))
	// Somebody else is faster by as much as an append.
	v.log.beforeAppend = func() {
		v.log.beforeAppend = func() {
			slot := time.Date(2026, 11, 26, 10, 0, 0, 0, panama)
			v.log.chairs["theirs"] = clinic.Taken{Chair: "ortodoncia/1", Begins: slot, Ends: slot.Add(time.Hour)}
		}
	}
	v.at(StepSlot, v.says("sí", yes), "ya no está disponible")
	if c := v.conversation(); c.Appointment.ID != before || len(v.log.chairs) != 2 {
		t.Errorf("the appointment is %+v, chairs %v", c.Appointment, v.log.chairs)
	}
}
