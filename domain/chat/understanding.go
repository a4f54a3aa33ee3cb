package chat

import (
	"context"
	"time"

	"bitacora/domain/clinic"
	"bitacora/domain/danger"
	"bitacora/domain/event"
	"bitacora/domain/privacy"
)

// Understander reads what a visitor means, from the text and the question's context. The dialogue
// asks [Service.Understander] about every message, which waits for nobody; then [Service.Further]
// where that found no more than a question, or is not sure; and the [Assistant] only where an answer
// from the clinic's content is wanted.
type Understander interface {
	Understand(ctx context.Context, q Question) (Understanding, error)
}

// Understanding is what one visitor message means. The zero value means nothing.
type Understanding struct {
	// Intent is what the visitor wants to be done; [IntentNone] where the message only
	// gives details, or is about nothing the dialogue acts on.
	Intent Intent
	// Understood is what the message was taken for, for the record, with the confidence in it.
	Understood event.Understood
	// Topic names what the message is about, for the record: "precio", "horario" …
	Topic string
	// Urgent says that the message names red-flag symptoms. They are answered first,
	// whatever the dialogue is about.
	Urgent bool
	// Grave says that these are such as cannot wait for a dentist.
	Grave bool
	// Danger is the danger to life that the visitor's own words speak of. The [Service] reads it
	// before it asks anybody, and then nothing else is looked at.
	Danger danger.Danger
	// Requests are what the visitor asks about their own data. The [Service] reads them, as it does
	// a danger.
	Requests []privacy.Request
	// Complaint says that the visitor complains about the clinic, Callback that they ask to be
	// called or to speak with a person.
	Complaint, Callback bool
	// Answer is a yes or a no to what was asked.
	Answer YesNo
	// PlainYes says that the message is a yes and nothing else. A day or an hour named with it
	// is in When: whether it is the one that was asked about is for the dialogue to see.
	PlainYes bool
	// Acknowledges says that the message only takes note of what was said ("ok", "listo").
	Acknowledges bool
	// PlainCancel says that the message asks to give an appointment up and nothing else
	// ("cancélala", "ya no la quiero").
	PlainCancel bool
	// Agrees says that the message gives a consent in so many words, though it may have been refused
	// before ("bueno, sí acepto").
	Agrees bool
	// Name is a person's own name as it is to be written, "Ana María Ruiz"; empty if none
	// was given. A bare name counts only where [Question.Asked] is [StepName].
	Name string
	// Phones are valid numbers in international form, "+50761234567".
	Phones []string
	// Emails are valid addresses, lower case.
	Emails []string
	// BadContact says that something was given that looks like a phone or an e-mail
	// address and cannot be one (too few digits, no such prefix, no domain).
	BadContact bool
	// Specialty is the slug of a service of the clinic, empty if none was named.
	Specialty string
	// AnySpecialty: the visitor does not know or does not mind ("no sé", "una revisión",
	// "la que sea").
	AnySpecialty bool
	// When is the day and time the visitor would like, seen from [Question.At].
	When clinic.Wish
	// Doubt is why the day or the hour that was named cannot be taken as it was said; nil for
	// none. When then has no day.
	Doubt *clinic.Doubt
	// WishesTime: the day or the hour is wished, though something is asked, too.
	WishesTime bool
	// Asks: beside the appointment that the message arranges or gives up, it asks something for the clinic's content.
	Asks bool
	// AsksTimes: the message asks which times are free ("¿hay campo mañana?").
	AsksTimes bool
	// AnyTime: the visitor does not mind when ("cuando sea", "lo antes posible").
	AnyTime bool
	// Choice is which of [Question.Offered] was picked by its number: 1 is the first,
	// -1 the last, 0 none. Picking by the time ("a las 10") is a wish in When.
	Choice int
	// OtherTimes: none of the offered times suits ("¿hay otra hora?", "ninguna").
	OtherTimes bool
	// Shift is 1 for a later hour than those spoken of ("más tarde"), -1 for an earlier one, 0 for
	// neither; with OtherTimes.
	Shift int
	// Correction says that a detail replaces one given before ("no, es 6123-4568").
	Correction bool
	// ForSomebody: the message says whom the appointment is for ("para mí", "es para mi tía").
	ForSomebody bool
	// ForOther: whom the appointment is for is somebody else than who writes.
	ForOther bool
	// Only are the days of the week that suit, where not all days of When do ("martes o jueves");
	// nil for all.
	Only []time.Weekday
	// Unwanted are days of the week on which the visitor cannot come ("el jueves no puedo").
	Unwanted []time.Weekday
	// Wrong is the step of a detail that is to be changed without saying to what: StepName for
	// "mi nombre está mal", StepTime for another day, StepSlot for another hour.
	Wrong Step
	// Waits: the visitor asks for a moment ("espera").
	Waits bool
	// Another: an appointment beside the one that there is ("otra cita", "para mi hija también").
	Another bool
	// Several: appointments of more than one person.
	Several bool
	// English: the message is in English.
	English bool
	// TokensIn and TokensOut are what a provider charged for reading the message; 0 for none.
	TokensIn, TokensOut int
	// Reading is what the understander found out on the way, for an [Assistant] of the same
	// make; nil for none.
	Reading any
}

// flags are what in the message asks for the staff's attention.
func (u Understanding) flags() []string {
	flags := dangerFlags(u.Danger)
	if u.Urgent {
		flags = append(flags, event.FlagUrgency)
	}
	if u.Complaint {
		flags = append(flags, event.FlagComplaint)
	}
	if u.Callback {
		flags = append(flags, event.FlagCallback)
	}
	return flags
}

// NamesTime says that a day or an hour was named, whether it can be or not.
func (u Understanding) NamesTime() bool { return !u.When.IsZero() || u.Doubt != nil }

// Intent is what a visitor wants to be done.
type Intent string

// What a visitor may want. Everything else is answered from the clinic's content.
const (
	// IntentNone: details, small talk, or nothing that was understood.
	IntentNone Intent = ""
	// IntentBook: an appointment ("quiero una cita", "¿tienen espacio el sábado?").
	IntentBook Intent = "book"
	// IntentReschedule: another time for an appointment ("necesito cambiar mi cita").
	IntentReschedule Intent = "reschedule"
	// IntentCancel: give an appointment up ("cancela mi cita", "no puedo ir").
	IntentCancel Intent = "cancel"
	// IntentMyAppointment: when is my appointment, is it confirmed.
	IntentMyAppointment Intent = "my-appointment"
	// IntentStop: leave what is being arranged ("olvídalo", "mejor no", "ya no quiero").
	IntentStop Intent = "stop"
	// IntentNew: another conversation ("nueva conversación").
	IntentNew Intent = "new"
	// IntentLeave: goodbye ("adiós", "me voy"); what is being arranged stays as it is.
	IntentLeave Intent = "leave"
	// IntentAsk: a question for the clinic's content (prices, hours, a treatment …).
	IntentAsk Intent = "ask"
)

// YesNo is an answer to a question that has two.
type YesNo int

// The answers to a yes-or-no question.
const (
	Unsaid YesNo = iota
	Yes
	No
)

// Step is what the dialogue asked last, and so what the visitor's next message is likely
// to be about. It is the conversation's state as far as booking goes.
type Step string

// The steps of a booking, in the order in which they are usually taken.
const (
	// StepIdle: nothing is being arranged.
	StepIdle Step = ""
	// StepOffer: nothing is being arranged, and the visitor was asked whether to begin.
	StepOffer Step = "offer"
	// StepConsent: may the clinic keep the contact details?
	StepConsent   Step = "consent"
	StepName      Step = "name"
	StepContact   Step = "contact"
	StepSpecialty Step = "specialty"
	StepTime      Step = "time"
	// StepSlot: which of the offered times?
	StepSlot Step = "slot"
	// StepConfirm: is this booking right?
	StepConfirm Step = "confirm"
	// StepCancel: is the appointment really to be cancelled?
	StepCancel Step = "cancel"
)
