package patienttest

import (
	"slices"
	"strings"
	"time"

	"bitacora/domain/chat"
	"bitacora/domain/clinic"
)

// mostTries is how often a patient begins anew, or says what it wants once more.
const mostTries = 4

// next is what the patient says to the last reply; more is false where it leaves.
func (t *talk) next() (m message, more bool) {
	step := chat.Step(t.c.Dialogue.Asked)
	arranging := step != chat.StepIdle && step != chat.StepOffer
	if t.over {
		return m, false
	}
	t.refused = t.refused || step == chat.StepIdle && t.refusing
	switch {
	case len(t.said) == 0 && t.goal != onlyAsks && t.goal != asksThenBooks:
		return t.open()
	case t.achieved(step):
		return t.leave(step)
	case t.goal == givesUp && len(t.said) >= t.stopsAt && step != chat.StepCancel:
		t.refusals = len(t.said) + 1
		return t.written("stop", nil), true
	case t.goal == stopsThenBooks && arranging && !t.moved && len(t.said) >= min(t.stopsAt, 4):
		t.moved = true
		return t.written("stop", nil), true
	case slices.Equal(t.answer.Suggestions, []string{"Seguir con la cita"}):
		return t.written("resume", nil), true
	case arranging && t.detours > 0 && t.IntN(4) == 0:
		t.detours--
		return t.written(pick(t.patient, []string{"question", "question", "chat", "later"}), nil), true
	case step == chat.StepIdle:
		return t.atRest()
	}
	return t.answerTo(step)
}

// achieved says that there is nothing more to say.
func (t *talk) achieved(step chat.Step) bool {
	arranging := step != chat.StepIdle && step != chat.StepOffer
	booked := t.c.Appointment
	switch t.goal {
	case wantsCall:
		return t.c.Lead
	case onlyAsks:
		return t.tries > 2 && !arranging
	case refuses:
		return t.refused && !arranging
	case givesUp:
		return t.refusals > 0 && !arranging
	case movesIt:
		return booked != nil && t.moved && booked.Slot.Equal(t.agreed.slot) && t.called
	case cancelsIt:
		return booked == nil && t.moved
	case keepsIt:
		return booked != nil && t.moved && t.called && !arranging
	case booksTwice:
		return booked != nil && t.second
	}
	return booked != nil
}

// leave ends the conversation, at times with a word of thanks.
func (t *talk) leave(step chat.Step) (message, bool) {
	if step == chat.StepOffer && t.goal == wantsCall {
		t.over = true
		return t.written("no", nil), true
	}
	t.over = true
	return t.written("thanks", nil), t.IntN(2) == 0
}

// atRest is what is said where nothing is being arranged.
func (t *talk) atRest() (message, bool) {
	if slices.Equal(t.answer.Suggestions, []string{"Sí", "No"}) {
		return t.written("no", nil), true // the question need not be passed on
	}
	asks := t.goal == onlyAsks || t.goal == asksThenBooks && t.tries < 2
	switch {
	case asks:
		t.tries++
		return t.written("question", nil), true
	case t.c.Appointment != nil:
		return t.withAppointment()
	case t.goal == refusesThenBooks && t.refused:
		t.openings++
		return t.written("consent after", nil), t.openings < mostTries
	}
	return t.open()
}

// withAppointment is what is said about an appointment that stands.
func (t *talk) withAppointment() (message, bool) {
	if t.openings++; t.openings > mostTries {
		return message{}, false
	}
	switch t.goal {
	case movesIt:
		if t.moved && slices.Contains(t.answer.Suggestions, "Cambiar la cita") {
			return message{text: "Cambiar la cita"}, true
		}
		t.openings, t.moved = t.openings+1, true
		for old := t.wish; t.wish == old || t.wish.day.IsZero() || t.wish.fits(t.c.Appointment.Slot.In(t.service.Clinic.Zone)); {
			t.wish = t.someWish(t.now, t.service.Clinic)
		}
		t.says.wish, t.possible = t.wish, true
		return t.written("move", map[string]string{"when": t.words(t.wish, t.now, t.spokeOfOthers())}), true
	case givesUp:
		t.refusals = len(t.said) + 1
		fallthrough
	case cancelsIt, keepsIt:
		return t.written("cancel", nil), true
	}
	if t.answer.Action == chat.ActionNewConversation {
		t.session, t.second, t.openings, t.said, t.c = "another", true, 0, nil, &chat.Conversation{}
		t.person, t.wish = t.somebody(), t.someWish(t.now, t.service.Clinic)
		t.pending, t.says = nil, sayings{t.person, t.patient.service, t.wish}
		t.possible = true
		return t.open()
	}
	return t.written("another", nil), true
}

// open says what the patient came for.
func (t *talk) open() (message, bool) {
	if t.openings++; t.openings > mostTries {
		return message{}, false
	}
	values := map[string]string{"when": t.words(t.says.wish, t.now, t.spokeOfOthers())}
	switch t.goal {
	case wantsCall:
		return t.written("open callback", values), true
	case booksInPain:
		return t.written("open pain", values), true
	case booksForOther:
		if !t.unsure {
			return t.written("open other", values), true
		}
	}
	of := pick(t.patient, []string{"open", "open service", "open when", "open all"})
	switch {
	case t.unsure, t.says.wish == wish{} && of == "open all":
		of = "open"
	case t.says.wish == wish{} && of == "open when":
		of = "open service"
	}
	return t.written(of, values), true
}

// answerTo answers what was asked.
func (t *talk) answerTo(step chat.Step) (message, bool) {
	if m, ok := t.corrects(step); ok {
		return m, true
	}
	switch step {
	case chat.StepOffer:
		if !t.goal.arranges() && t.goal != givesUp {
			t.refusals = len(t.said) + 1
			return t.written("no", nil), true
		}
		return t.yes(tells), true
	case chat.StepConsent:
		if (t.goal == refuses || t.goal == refusesThenBooks) && !t.refused {
			if t.goal == refuses {
				t.refusals = len(t.said) + 1
			}
			t.refusing = true
			return t.written("consent refuse", nil), true
		}
		return t.yes(consents), true
	case chat.StepName:
		if t.goal == booksForOther {
			return t.written("name other", nil), true
		}
		return t.written("name", nil), true
	case chat.StepContact:
		if t.says.phone == "" {
			return t.written("email", nil), true
		}
		return t.written("phone", nil), true
	case chat.StepSpecialty:
		if t.unsure {
			return t.written("service unknown", nil), true
		}
		return t.written("service", nil), true
	case chat.StepTime:
		if t.says.wish == (wish{}) {
			return t.written("when any", nil), true
		}
		return t.written("when", map[string]string{"when": t.words(t.says.wish, t.now, t.spokeOfOthers())}), true
	case chat.StepSlot:
		return t.choose()
	case chat.StepCancel:
		return t.atTheEnd()
	}
	return t.check()
}

// atTheEnd answers whether an appointment is to be given up.
func (t *talk) atTheEnd() (message, bool) {
	switch t.goal {
	case cancelsIt:
		t.moved = true
		return t.yes(cancels), true
	case keepsIt:
		t.moved, t.called = true, true
	case givesUp:
		return t.yes(cancels), true
	}
	return t.written("no", nil), true
}

// choose takes one of the offered times.
func (t *talk) choose() (message, bool) {
	t.tries++
	zone, offered := t.service.Clinic.Zone, t.c.Dialogue.Offered
	at := slices.IndexFunc(offered, func(slot time.Time) bool { return t.says.wish.fits(slot.In(zone)) })
	if at < 0 && t.tries < mostTries && (t.possible || t.tries < 2) {
		if t.IntN(2) == 0 {
			return t.written("other times", nil), true
		}
		return t.written("when wrong", map[string]string{"when": t.words(t.says.wish, t.now, t.spokeOfOthers())}), true
	}
	at = max(at, 0)
	slot := offered[at].In(zone)
	t.chosen = slot
	if t.IntN(5) == 0 {
		return message{text: t.answer.Suggestions[at]}, true
	}
	return t.written("pick", map[string]string{
		"n": string(rune('1' + at)), "ordinal": []string{"la primera", "la segunda", "la tercera"}[at],
		"slot": clinic.DayAndTime(slot), "day": t.dayWords(slot, t.now, true), "hour": "a las " + t.hourWords(slot.Hour()*60+slot.Minute()),
	}), true
}

// check reads what is to be confirmed, and says yes to what is wanted alone.
func (t *talk) check() (message, bool) {
	if t.checks++; t.checks > 3*mostTries {
		return message{}, false
	}
	t.openings = 0
	slot := t.c.Dialogue.Slot.In(t.service.Clinic.Zone)
	service, _ := t.service.Clinic.Service(t.patient.service)
	shows := func(text string) bool { return strings.Contains(t.answer.Text, text) }
	switch {
	case !t.says.wish.fits(slot) && !slot.Equal(t.chosen):
		return t.written("when wrong", map[string]string{"when": t.words(t.says.wish, t.now, t.spokeOfOthers())}), true
	case t.c.Dialogue.Specialty != t.patient.service:
		return t.written("service wrong", nil), true
	case !same(t.c.Contact.Name, t.name):
		return t.written("name wrong", nil), true
	case !t.reached():
		return t.contactAgain(), true
	case !shows("Sería " + strings.ToLower(service.Title) + " para "), !shows(clinic.DayAndTime(slot)), !shows("¿Confirmo"):
		return t.written("when wrong", map[string]string{"when": t.words(t.says.wish, t.now, t.spokeOfOthers())}), true
	}
	t.agreed = appointment{t.c.Dialogue.Specialty, t.c.Contact.Name, t.c.Dialogue.Slot}
	t.called = t.moved
	return t.yes(confirms), true
}

// yes agrees, by pressing or in words; a doubtful one is none.
func (t *talk) yes(to act) message {
	if t.IntN(5) == 0 {
		return message{"Sí", to}
	}
	m := t.written("yes", nil)
	doubts := func(word string) bool { return strings.Contains(m.text, word) }
	if to == consents || !slices.ContainsFunc(doubtful, doubts) {
		m.act = to
	}
	return m
}

// doubtful are the words that make a yes none.
var doubtful = []string{"creo", "supongo", "no sé", "digo yo"}

// spokeOfOthers says that days were spoken of, beside which a bare day of the week is ambiguous.
func (t *talk) spokeOfOthers() bool {
	return len(t.c.Dialogue.Offered) > 0 || !t.c.Dialogue.Slot.IsZero() || t.c.Appointment != nil
}

// corrects says what was wrong so far: before the last yes at the latest, at times before.
func (t *talk) corrects(step chat.Step) (message, bool) {
	known := map[detail]bool{
		dayDetail:     step == chat.StepSlot || step == chat.StepConfirm,
		serviceDetail: t.c.Dialogue.Specialty == t.says.service,
		nameDetail:    same(t.c.Contact.Name, t.says.name),
		phoneDetail:   t.c.Contact.Phone != "" || t.c.Contact.Email != "",
	}
	for i, d := range t.pending {
		if step == chat.StepConsent || !known[d] || step != chat.StepConfirm && t.IntN(4) > 0 {
			continue
		}
		t.pending = slices.Delete(slices.Clone(t.pending), i, i+1)
		switch d {
		case dayDetail:
			t.says.wish, t.chosen = t.wish, time.Time{}
			return t.written("when wrong", map[string]string{"when": t.words(t.wish, t.now, t.spokeOfOthers())}), true
		case serviceDetail:
			t.says.service = t.patient.service
			return t.written("service wrong", nil), true
		case nameDetail:
			t.says.name = t.name
			return t.written("name wrong", nil), true
		}
		t.says.phone, t.says.email = t.phone, t.email
		return t.contactAgain(), true
	}
	return message{}, false
}

func (t *talk) contactAgain() message {
	if t.phone == "" {
		return t.written("email", nil)
	}
	return t.written("phone wrong", nil)
}

// asItIs are what is said without a word around it, and without typing errors in it.
var asItIs = []string{"yes", "no", "name", "name other", "name wrong", "phone", "phone wrong", "email", "pick", "care"}

// written is a phrase as the patient writes it.
func (t *talk) written(of string, values map[string]string) message {
	phrase := t.phrases.one(t.Rand, of, t.mood)
	for t.says.phone == "" && strings.Contains(phrase, "{phone}") || t.says.wish == (wish{}) && strings.Contains(phrase, "{when}") && values["when"] == "" {
		phrase = t.phrases.one(t.Rand, of, t.mood)
	}
	plain := t.c.Dialogue.Misses > 0 || strings.Contains(t.answer.Text, "solo con un «sí»")
	if !plain && !slices.Contains(asItIs, of) {
		phrase = misspelt(t.Rand, phrase, t.slips)
	}
	if before := t.phrases["before "+t.mood]; !plain && len(before) > 0 && of != "pick" && !strings.HasPrefix(of, "phone") && of != "email" {
		switch t.IntN(6) {
		case 0:
			phrase = pick(t.patient, before) + phrase
		case 1:
			if after := pick(t.patient, t.phrases["after "+t.mood]); !strings.HasPrefix(of, "name") || after[0] != ' ' {
				phrase += after
			}
		}
	}
	if strings.Contains(phrase, "{name}") {
		t.told = append(t.told, person{name: t.says.name})
	}
	if strings.Contains(phrase, "{phone}") || strings.Contains(phrase, "{email}") {
		t.told = append(t.told, person{phone: t.says.phone, email: t.says.email})
	}
	said := map[string]string{
		"name": t.says.name, "phone": t.says.phone, "email": t.says.email, "relative": t.relative,
	}
	if strings.Contains(phrase, "{service}") {
		said["service"] = pick(t.patient, t.phrases["care "+t.says.service])
	}
	return message{text: t.filled(t.filled(phrase, values), said)}
}
