package assistant

import (
	"context"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"bitacora/adapters/assistant/details"
	"bitacora/adapters/assistant/meaning"
	"bitacora/adapters/assistant/words"
	"bitacora/domain/chat"
	"bitacora/domain/clinic"
	"bitacora/domain/event"
)

// acts are the intents on which the dialogue acts; all others but small talk are
// questions for the clinic's content.
var acts = map[string]chat.Intent{
	"reservar": chat.IntentBook, "reprogramar": chat.IntentReschedule,
	"cancelar": chat.IntentCancel, "mi-cita": chat.IntentMyAppointment,
	"saludo": chat.IntentNone, "gracias": chat.IntentNone, "despedida": chat.IntentLeave,
	meaning.Unknown: chat.IntentNone, meaning.GoOn: chat.IntentNone,
}

// Understand implements [chat.Understander].
func (e *Embedded) Understand(_ context.Context, q chat.Question) (chat.Understanding, error) {
	read, said := languages(e.reader.Language, q)
	u, err := e.in[read].understand(q)
	u.English = said == words.English
	return u, err
}

func (e *Embedded) understand(q chat.Question) (chat.Understanding, error) {
	b := e.spokenOf(q.History)
	if q.Asked == chat.StepIdle || q.Asked == chat.StepOffer {
		q.Text = e.rephrased(q.Text, b)
	}
	contact := details.ReadContact(q.Text, q.Asked == chat.StepContact, e.phones)
	name := readName(q, contact, e.usual)
	// Nobody called Corona asks for a crown.
	unnamed := details.Without(q.Text, name)
	if other := details.NameOfOther(contact.Rest, e.usual); other != "" && details.ForOther(q.Text) {
		unnamed = details.Without(unnamed, other)
	}
	m := e.read(q.Text)
	if q.Asked == chat.StepName || details.Completes(name, q.Name) {
		m = e.read(unnamed)
	}
	if !m.Urgent && !(q.Asked == chat.StepContact && len(contact.Phones) > 0) && acts[m.Intent] != chat.IntentBook && details.CallMe(q.Text) {
		m = m.As("persona")
	}
	list, asks := e.reader.Language.Words(q.Text), strings.ContainsAny(q.Text, "?¿")
	if m.Urgent && !m.Grave && q.Asked != chat.StepIdle && asks && asksWhetherItHurts.MatchString(plain(list)) || e.library.asksOfBefore(q.Text, list, e.answers.service(e.answers.stems(q.Text)), b, m) {
		m.Urgent, m.Intent = false, meaning.Unknown
	}
	u := chat.Understanding{
		Topic: e.answers.topic(m.Intent), Urgent: m.Urgent, Grave: m.Urgent && m.Grave,
		Answer: chat.YesNo(0),
		Name:   name,
		Phones: contact.Phones, Emails: contact.Emails, BadContact: contact.Bad,
		Specialty:    e.treatments.bookable(e.answers.stems(details.Wanted(unnamed))),
		PlainYes:     details.PlainYes(q.Text, false),
		PlainCancel:  details.PlainCancel(q.Text),
		Agrees:       details.Agrees(q.Text),
		Acknowledges: details.Acknowledges(q.Text) || m.Intent == "gracias" || m.Intent == "despedida",
		Shift:        details.Shift(q.Text),
		ForOther:     details.ForOther(q.Text) || q.Asked == chat.StepIdle && details.InNameOfOther(q.Text),
		Another:      details.Another(q.Text) && !details.Replaces(q.Text) && !(q.Asked == chat.StepContact && len(contact.Phones) > 0),
		Several:      details.Several(q.Text),
		AnySpecialty: details.AnyCare(q.Text),
		AnyTime:      details.AnyTime(q.Text),
		OtherTimes: (q.Asked == chat.StepSlot || q.Asked == chat.StepConfirm) && details.WantsOtherTimes(q.Text) ||
			q.Asked == chat.StepIdle && details.WantsOtherHour(q.Text),
		Correction:  details.Corrects(q.Text),
		ForSomebody: details.ForSomebody(q.Text),
		Waits:       details.Waits(q.Text),
		Wrong:       wrong[details.Wrong(q.Text)],
	}
	if q.Asked == chat.StepName && u.Name != "" && !details.Chooses(unnamed) {
		u.Specialty, u.AnySpecialty = "", false // what is left of the answer chooses nothing
	}
	goesOn := q.Asked != chat.StepIdle && details.GoesOn(q.Text)
	switch {
	case goesOn:
		u.Name = ""
	case u.Name == "" && u.Specialty == "" && changeable[q.Asked]:
		u.Name = details.CorrectedName(contact.Rest, e.usual)
	}
	switch details.ReadAnswer(q.Text) {
	case 1:
		u.Answer = chat.Yes
	case -1:
		u.Answer = chat.No
	}
	idle := q.Asked == chat.StepIdle || q.Asked == chat.StepOffer
	said, when := "", clinic.Wish{}
	if same := details.SameThing(q.Text); idle || same && (q.Asked == chat.StepConsent || q.Asked == chat.StepSpecialty) {
		if said, when = e.saidBefore(q); same && u.Specialty == "" {
			u.Specialty = said
		}
	}
	timed := q
	if len(q.Known) == 0 && !when.IsZero() && details.SameDay(q.Text) {
		timed.Known = []time.Time{when.First}
	}
	readTimes(e.clinic, timed, contact.Rest, &u)
	u.AsksTimes = !m.Urgent && details.AsksFreeTimes(q.Text, u.Specialty != "", u.NamesTime() || u.AnyTime)
	u.AnyTime = u.AnyTime || u.AsksTimes && q.Asked == chat.StepIdle && u.Specialty != "" && !u.NamesTime()
	switch {
	case u.PlainYes && u.Answer == chat.Unsaid && q.Asked != chat.StepIdle:
		u.Answer = chat.Yes
	case q.Asked == chat.StepConfirm && details.Rejects(q.Text):
		u.Answer = chat.No
	}
	if u.ForOther {
		// "Soy Ana, es para mi hijo Luis": who writes is not who comes.
		if other := details.NameOfOther(contact.Rest, e.usual); other != "" || q.Asked != chat.StepName || details.Introduces(q.Text) {
			u.Name = other
		}
	}
	if m.Urgent && !m.Grave && (bareAnswer(q, u) || q.Asked == chat.StepName && u.Name != "" && !m.Acute || changeable[q.Asked] && u.Specialty != "" && !m.Acute && details.Chooses(q.Text)) {
		m.Urgent, m.Intent, u.Urgent = false, meaning.Unknown, false
	}
	if q.Asked == chat.StepSpecialty && u.Specialty == "" && !u.AnySpecialty && !question.MatchString(q.Text) {
		u.Specialty, u.AnySpecialty = e.treatments.careFor(q.Text)
	}
	u.Intent, u.Reading = intent(q, m, u), m
	if idle && u.Intent == chat.IntentBook && !m.Urgent && ofOtherMedicine.MatchString(plain(list)) && !ofMouth.MatchString(plain(list)) {
		m = m.As("servicio")
		u.Intent, u.Reading = chat.IntentAsk, m
	}
	if (q.Asked == chat.StepIdle || q.Asked == chat.StepOffer) && arrangesOne(u.Intent) && !slices.Contains(bookingActs, m.Intent) && !m.Urgent && asks &&
		asksRather(m, list, e.library.find(q.Text, e.answers.service(e.answers.stems(q.Text)))) {
		u.Intent = chat.IntentAsk
	}
	if (u.Intent == chat.IntentAsk || u.Intent == chat.IntentNone) && idle && !m.Urgent && booksBeside(e.reader, q.Text, u.NamesTime()) && e.besideBooking(q.Text, b) != "" {
		u.Intent = chat.IntentBook
	}
	if u.Intent == chat.IntentAsk {
		readWish(e.clinic, q, &u)
	}
	if u.Intent == chat.IntentAsk && q.Asked == chat.StepIdle && b.reply != "" && u.NamesTime() && !m.Urgent && details.OnlyWhen(q.Text) {
		u.Intent = chat.IntentBook // "el jueves en la tarde si se puede"
	}
	if u.Intent == chat.IntentBook || u.Urgent {
		if u.Urgent || u.ForOther {
			said, when = "", clinic.Wish{}
		}
		u.Specialty = e.treatments.meantService(q.Text, u, said, b)
	}
	accepts := q.Asked == chat.StepOffer && len(q.Known) == 0 && u.Intent == chat.IntentNone && u.Answer == chat.Yes
	if (u.Intent == chat.IntentBook && idle || accepts) && !u.NamesTime() && !u.AnyTime && len(u.Unwanted) == 0 {
		u.When = when
	}
	u.Asks = arrangesOne(u.Intent) && !m.Urgent && (q.Asked == chat.StepIdle || q.Asked == chat.StepOffer) && e.besideBooking(q.Text, b) != ""
	if goesOn && !m.Urgent {
		u.Intent, u.Answer, u.PlainYes, u.Acknowledges = chat.IntentBook, chat.Unsaid, false, false
	}
	if (q.Asked == chat.StepIdle || q.Asked == chat.StepOffer) && !u.Urgent && e.readMove(q.Text, b) != noMove {
		u.Intent, u.Answer, u.PlainYes, u.Acknowledges = chat.IntentAsk, chat.Unsaid, false, false
	}
	u.Understood = understood(m, u.Intent)
	if !u.Waits && (u.Intent == chat.IntentAsk || u.Intent == chat.IntentNone && q.Asked == chat.StepIdle) {
		u.Complaint, u.Callback = m.Intent == "queja", m.Intent == "persona"
	}
	return u, nil
}

// understood is what is recorded of a meaning. Where the dialogue does something else than the intent
// says, that is named; where a sign told that it is urgent, no likelihood did.
func understood(m meaning.Meaning, intent chat.Intent) event.Understood {
	act, known := acts[m.Intent]
	if !known {
		act = chat.IntentAsk
	}
	switch {
	case intent != act && intent != chat.IntentNone && intent != chat.IntentAsk:
		return event.Understood{Intent: string(intent)}
	case m.Urgent && m.Likeliest != meaning.Urgent:
		return event.Understood{Intent: m.Intent}
	}
	u := event.Understood{Intent: m.Intent, Confidence: rounded(m.Confidence), RunnerUp: m.RunnerUp, RunnerUpConfidence: rounded(m.RunnerUpConfidence)}
	if m.Likeliest != m.Intent {
		u.RunnerUp, u.RunnerUpConfidence = m.Likeliest, u.Confidence
	}
	return u
}

// rounded is a likelihood as it is recorded.
func rounded(likelihood float64) float64 { return math.Round(likelihood*1000) / 1000 }

// withoutName is a text without a name in it, which may be that of a day: "soy Domingo Luna".
func withoutName(text, name string) string {
	if name == "" {
		return text
	}
	return strings.Replace(text, name, " ", 1)
}

// wrong are the steps at which a detail is asked for.
var wrong = map[details.Detail]chat.Step{
	details.NameDetail: chat.StepName, details.ContactDetail: chat.StepContact, details.DayDetail: chat.StepTime,
	details.HourDetail: chat.StepSlot, details.CareDetail: chat.StepSpecialty,
}

// bareAnswer says that a text is hardly more than the answer to what was asked: its few
// words say nothing about how urgent it is.
func bareAnswer(q chat.Question, u chat.Understanding) bool {
	if q.Asked == chat.StepIdle || len(strings.Fields(q.Text)) > fewWords {
		return false
	}
	return u.Answer != chat.Unsaid || u.Choice != 0 || u.NamesTime() || u.AnyTime || u.OtherTimes ||
		(u.AnySpecialty || u.Specialty != "") && q.Asked == chat.StepSpecialty || u.Name != "" && q.Asked == chat.StepName
}

// readName is the name that a message tells: in answer to the question for it, introduced as one,
// beside a number, or alone where another answer was expected.
func readName(q chat.Question, contact details.Contact, usual func(string) bool) string {
	name := details.ReadName(contact.Rest, q.Asked == chat.StepName, usual)
	switch {
	case name != "":
	case q.Name != "":
		if whole := details.BareName(contact.Rest, usual); q.Asked != chat.StepIdle && details.Completes(whole, q.Name) {
			return whole
		}
	case len(contact.Phones)+len(contact.Emails) > 0:
		name = details.ContactName(contact.Rest, usual)
	case q.Asked != chat.StepIdle && q.Asked != chat.StepOffer:
		name = details.BareName(contact.Rest, usual)
	}
	return name
}

// usual says whether visitors use a plain word for other things than names.
func (e *Embedded) usual(word string) bool { return e.reader.Knows(words.Stem(word)) }

var question = regexp.MustCompile(`(?i)[?¿]|^(?:cu[aá]nto|cu[aá]ndo|qu[eé]|c[oó]mo|d[oó]nde|qui[eé]n|cu[aá]l|tienen|hacen|aceptan|atienden|abren|puedo|se puede)\b`)

// asksWhetherItHurts are the questions about pain that tell of none, in plain words.
var asksWhetherItHurts = regexp.MustCompile(`^(?:y |pero )?(?:eso |esto |si )?(?:no )?(?:me |le |les |nos )?(?:va a |van a |puede |pueden )?(?:duele|duelen|dolera|doler|es doloroso|es dolorosa)(?: mucho| bastante| eso| hacerlo| hacerselo| ponerselo)?$|^(?:y )?me duele hacerlo$|^(?:and |but |so )?(?:does|will|would|is|did) (?:it|this|that) (?:going to )?(?:be )?(?:hurt|painful)(?: a lot| much| afterwards)?$`)

func plain(list []string) string { return strings.Join(list, " ") }

// resumes are the words by which the dialogue says that it can be gone on with.
var resumes = regexp.MustCompile(`(?i)\b(?:seguir|sigamos|continuar|continuemos|retomar|retomemos)\b.*\bcita\b|\bgo on with (?:the|my) appointment\b`)

// Bounds of what is judged by the details it gives rather than by its words.
const (
	fewWords = 3
	sureness = 0.8
)

// intent says what the visitor wants to be done. In the middle of a booking a text that
// gives what was asked for is no intent of its own, whatever its words resemble.
func intent(q chat.Question, m meaning.Meaning, u chat.Understanding) chat.Intent {
	arranging := q.Asked != chat.StepIdle && q.Asked != chat.StepOffer
	switch {
	case u.PlainCancel && !m.Urgent:
		return chat.IntentCancel
	case details.NewConversation(q.Text):
		return chat.IntentNew
	case !m.Urgent && details.Moves(q.Text) && (!arranging || q.Asked == chat.StepCancel) && (u.NamesTime() || u.Specialty != ""):
		return chat.IntentReschedule
	case !m.Urgent && details.Replaces(q.Text) && (!arranging || q.Asked == chat.StepCancel):
		return chat.IntentReschedule
	case !m.Urgent && q.Asked == chat.StepCancel && details.Moves(q.Text):
		return chat.IntentReschedule
	case !m.Urgent && q.Asked == chat.StepIdle && len(q.Known) > 0 && u.NamesTime() && !u.Another && !u.ForOther && details.WantsInstead(q.Text):
		return chat.IntentReschedule // only an appointment makes days known where nothing is arranged
	case !m.Urgent && !arranging && details.GivesAppointmentUp(q.Text):
		return chat.IntentCancel
	case !m.Urgent && q.Asked == chat.StepOffer && (u.AnyTime || u.NamesTime()) && !changesBooking(acts[m.Intent]) && details.OnlyWhen(q.Text):
		return chat.IntentNone // the offer is taken with another time: "lo más pronto que tengas"
	case u.Waits && !m.Urgent, arranging && (u.PlainYes || q.Asked == chat.StepConfirm && details.Rejects(q.Text) || u.Wrong != chat.StepIdle && changeable[q.Asked]) && !m.Urgent:
		return chat.IntentNone
	case arranging && u.Specialty != "" && !m.Urgent && !changesBooking(acts[m.Intent]) && details.Chooses(q.Text):
		return chat.IntentNone
	}
	if details.ChangesMind(q.Text) && arranging && !u.NamesTime() && !u.AnyTime && u.Specialty == "" && u.Name == "" && u.Answer != chat.Yes {
		return chat.IntentStop
	}
	if details.Stops(q.Text) && (m.Intent != "cancelar" || q.Asked != chat.StepIdle) {
		return chat.IntentStop
	}
	if arranging && (len(u.Unwanted) > 0 || q.Asked == chat.StepConfirm && u.OtherTimes) && q.Asked != chat.StepCancel && !m.Urgent && !details.GivesUp(q.Text) {
		return chat.IntentNone
	}
	if details.Declines(q.Text) && wantsDetail[q.Asked] {
		return chat.IntentStop
	}
	if resumes.MatchString(q.Text) {
		return chat.IntentBook
	}
	act, acts := acts[m.Intent]
	if !acts {
		act = chat.IntentAsk
	}
	if u.AsksTimes && !changesBooking(act) && (u.NamesTime() || u.AnyTime || u.Specialty != "" || act == chat.IntentBook) {
		if arranging {
			return chat.IntentNone
		}
		return chat.IntentBook
	}
	asks := question.MatchString(q.Text) && (!u.AnyTime || strings.ContainsAny(q.Text, "?¿"))
	if (act == chat.IntentAsk || act == chat.IntentNone) && !m.Urgent && !asks {
		switch brief := len(strings.Fields(q.Text)) <= 2*fewWords; {
		case q.Asked == chat.StepIdle && u.Specialty != "" && (u.NamesTime() || u.AnyTime) && !question.MatchString(q.Text) && (brief || details.OnlyWhen(q.Text)):
			return chat.IntentBook // "limpieza mañana a las 9"
		case arranging && u.NamesTime() && u.Specialty == "" && brief:
			return chat.IntentNone // "el sábado temprano" is when, and asks for no hours
		}
	}
	if q.Asked == chat.StepIdle && u.Another && u.NamesTime() && !m.Urgent && !changesBooking(act) {
		return chat.IntentBook // "¿y otra para el lunes?"
	}
	books := u.Specialty != "" && (details.WantsCare(q.Text, u.NamesTime() || u.AnyTime) || details.WantsDone(q.Text)) || details.AsksForAppointment(q.Text, u.NamesTime() || u.AnyTime)
	if !arranging && !m.Urgent && (act == chat.IntentAsk || act == chat.IntentNone) && books {
		return chat.IntentBook
	}
	if act == chat.IntentNone || m.Urgent {
		return act
	}
	if act == chat.IntentAsk && (u.Another || u.ForOther && (arranging || details.InNameOfOther(q.Text))) && !question.MatchString(q.Text) {
		return chat.IntentNone
	}
	if q.Asked != chat.StepIdle && u.ForSomebody {
		return chat.IntentNone
	}
	short := len(strings.Fields(q.Text)) <= fewWords
	switch q.Asked {
	case chat.StepIdle:
		if len(u.Phones)+len(u.Emails) > 0 && !asks && (m.Confidence < sureness || short) {
			return chat.IntentNone
		}
		if u.Answer != chat.Unsaid && short {
			return chat.IntentNone
		}
		if act == chat.IntentAsk && u.Specialty != "" && (u.When.Exact || u.Doubt != nil) && !asks {
			return chat.IntentBook // "implantes, 3/12 a las 2 pm"
		}
		return act
	case chat.StepName:
		if u.Name != "" && !asks {
			return chat.IntentNone
		}
	case chat.StepContact:
		if len(u.Phones)+len(u.Emails) > 0 || u.BadContact {
			return chat.IntentNone
		}
	case chat.StepSpecialty:
		if (u.Specialty != "" || u.AnySpecialty) && !asks && !changesBooking(act) {
			return chat.IntentNone
		}
	case chat.StepConfirm:
		if (u.NamesTime() || u.AnyTime) && !asks && (act == chat.IntentAsk || act == chat.IntentLeave) {
			return chat.IntentNone
		}
	case chat.StepTime, chat.StepSlot:
		if (u.NamesTime() || u.AnyTime || u.OtherTimes || u.Choice != 0) && !(asks && act == chat.IntentAsk) && act != chat.IntentCancel {
			return chat.IntentNone
		}
	}
	if q.Asked != chat.StepIdle && u.Specialty != "" && short && !asks && !changesBooking(act) {
		return chat.IntentNone
	}
	if u.Answer != chat.Unsaid && (short || m.Confidence < sureness) && !asks {
		return chat.IntentNone
	}
	return act
}

// wantsDetail are the steps at which something is asked for that is more than a yes or no.
var wantsDetail = map[chat.Step]bool{
	chat.StepName: true, chat.StepContact: true, chat.StepSpecialty: true, chat.StepTime: true, chat.StepSlot: true,
}

// changeable are the steps at which a detail given before can be asked for again.
var changeable = map[chat.Step]bool{
	chat.StepContact: true, chat.StepSpecialty: true, chat.StepTime: true, chat.StepSlot: true, chat.StepConfirm: true,
}

// arrangesOne says that an intent books an appointment or changes it.
func arrangesOne(intent chat.Intent) bool { return intent == chat.IntentBook || changesBooking(intent) }

func changesBooking(act chat.Intent) bool {
	return act == chat.IntentCancel || act == chat.IntentReschedule || act == chat.IntentMyAppointment
}
