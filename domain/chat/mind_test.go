package chat

import (
	"testing"
	"time"

	"bitacora/domain/clinic"
	"bitacora/domain/event"
)

// offeredTo is a visitor who is offered times for a wish.
func offeredTo(t *testing.T, wish clinic.Wish) *visit {
	t.Helper()
	v := newVisit(t)
	v.says("una cita", booking(Understanding{When: wish}))
	v.at(StepSlot, v.says("sí", yes))
	return v
}

func (v *visit) offered() []time.Time { return v.conversation().Dialogue.Offered }

func TestARefusedConsentCanBeGiven(t *testing.T) {
	v := newVisit(t)
	v.says("ortodoncia el martes", booking(Understanding{When: on(24)}))
	v.at(StepIdle, v.says("no", no), "no usamos los datos")
	v.at(StepIdle, v.says("¿dónde están?", Understanding{Intent: IntentAsk}))
	v.at(StepIdle, v.says("sí", Understanding{Answer: Yes, PlainYes: true}))
	v.at(StepConsent, v.says("bueno, sí acepto", Understanding{Answer: Yes, Agrees: true}), "¿Aceptas")
	if v.count("ConsentGiven") != 0 {
		t.Error("consent is taken from what was said before it was asked for again")
	}
	v.at(StepSlot, v.says("sí", yes), "martes 24 de noviembre")
}

func TestConsentIsAYesToItsQuestion(t *testing.T) {
	v := newVisit(t)
	v.says("una cita", booking(Understanding{}))
	v.at(StepConsent, v.says("me voy", Understanding{Intent: IntentLeave}), "dejamos para después")
	v.at(StepConsent, v.says("listo", Understanding{Answer: Yes, PlainYes: true}), "¿Aceptas")
	if v.count("ConsentGiven") != 0 {
		t.Error("a yes to something else is taken for consent")
	}
}

func TestALaterHourIsLater(t *testing.T) {
	for shift, fits := range map[int]func(minute int) bool{
		1:  func(minute int) bool { return minute > 11*60 },
		-1: func(minute int) bool { return minute < 10*60 },
	} {
		wish := on(24)
		wish.Earliest, wish.Latest = 10*60, 11*60+1
		v := offeredTo(t, wish)
		v.at(StepSlot, v.says("más tarde", Understanding{OtherTimes: true, Shift: shift}), "Otras opciones")
		for _, at := range v.offered() {
			local := at.In(panama)
			if local.Day() != 24 || !fits(local.Hour()*60+local.Minute()) {
				t.Errorf("%d: %v", shift, local)
			}
		}
	}
}

func TestTimesThatWereTurnedDownComeBackOnceTheyAreNamed(t *testing.T) {
	v := offeredTo(t, on(24))
	first := v.offered()
	v.at(StepTime, v.says("otro día", Understanding{Wrong: StepTime, OtherTimes: true}))
	v.at(StepSlot, v.says("cuando sea", Understanding{AnyTime: true}))
	for _, at := range v.offered() {
		if at.Equal(first[0]) {
			t.Errorf("%v is offered again", at)
		}
	}
	named := on(24)
	named.Earliest, named.Exact = 8*60, true
	v.at(StepConfirm, v.says("el martes a las 8", Understanding{When: named}), "martes 24 de noviembre a las 8:00 a. m.")
}

func TestAnAppointmentIsNotMovedToWhereItIs(t *testing.T) {
	v := newVisit(t)
	wanted := booking(Understanding{When: on(24)})
	wanted.Specialty = "limpieza-dental" // at two chairs, one of which stays free
	v.says("una cita", wanted)
	v.says("sí", yes)
	v.says("la primera", Understanding{Choice: 1})
	v.says("sí", yes)
	own := v.conversation().Appointment
	v.at(StepSlot, v.says("cambiar", Understanding{Intent: IntentReschedule, When: on(24)}))
	for _, at := range v.offered() {
		if at.Equal(own.Slot) {
			t.Errorf("the appointment's own time %v is offered", at)
		}
	}
}

func TestANameIsCorrectedBeforeTheLastYes(t *testing.T) {
	v := offeredTo(t, on(24))
	v.says("la primera", Understanding{Choice: 1})
	v.at(StepConfirm, v.says("no, me llamo Luz Mora", Understanding{Answer: No, Name: "Luz Mora", Correction: true}), "para Luz Mora", "¿Confirmo la cita?")
	v.at(StepConfirm, v.says("no", no), "¿Qué cambio")
	v.at(StepConfirm, v.says("no, mejor el martes", Understanding{Answer: No, When: on(24)}), "¿Confirmo la cita?")
	if got := v.count((&event.AppointmentBooked{}).EventType()); got != 0 {
		t.Errorf("%d appointments", got)
	}
}

func TestAnotherHourThanThatOfTheAppointment(t *testing.T) {
	v := newVisit(t)
	v.says("una cita", booking(Understanding{When: on(24)}))
	v.says("sí", yes)
	v.says("la segunda", Understanding{Choice: 2})
	v.says("sí", yes)
	own := v.conversation().Appointment.Slot
	v.at(StepSlot, v.says("¿no hay algo más temprano?", Understanding{Intent: IntentBook, OtherTimes: true, Shift: -1}), "sigue en pie")
	for _, at := range v.offered() {
		if !at.Before(own) || at.In(panama).Day() != 24 {
			t.Errorf("%v is offered instead of %v", at, own)
		}
	}
}

func TestWhatHurtsIsWhatTheAppointmentIsFor(t *testing.T) {
	for grave, step := range map[bool]Step{false: StepTime, true: StepSpecialty} {
		v := newVisit(t)
		v.says("una cita", Understanding{Intent: IntentBook})
		v.says("sí", yes)
		v.says("Ana Ruiz", ana)
		v.at(StepSpecialty, v.says("6123-4567", phone))
		v.at(step, v.says("me duele una muela", Understanding{Urgent: true, Grave: grave}))
	}
}

func TestAnotherDayIsTakenNoteOfWhateverIsAskedFor(t *testing.T) {
	v := newVisit(t)
	v.says("una cita el martes", Understanding{Intent: IntentBook, Specialty: "limpieza-dental", When: on(24)})
	v.at(StepName, v.says("sí", yes))
	v.at(StepName, v.says("que sea el jueves", Understanding{When: on(26)}), "Anotado.")
	v.at(StepContact, v.says("Ana Ruiz", Understanding{Name: "Ana Ruiz"}))
	v.at(StepContact, v.says("o el viernes", Understanding{When: on(27)}), "Anotado.")
}
