package chat

import (
	"slices"
	"time"

	"bitacora/domain/clinic"
	"bitacora/domain/event"
)

// Contact is how a person can be reached.
type Contact struct {
	Name string
	// Phone is in international form, "+50761234567"; empty if not given.
	Phone string
	Email string
}

func (c Contact) reachable() bool { return c.Phone != "" || c.Email != "" }

// with takes over what a newer contact says.
func (c Contact) with(newer Contact) Contact {
	if newer.Name != "" {
		c.Name = newer.Name
	}
	if newer.Phone != "" {
		c.Phone = newer.Phone
	}
	if newer.Email != "" {
		c.Email = newer.Email
	}
	return c
}

// takeDetails takes over every detail of the message.
func (t *turn) takeDetails() {
	t.takeContact()
	t.takeSpecialty()
	t.takeTime()
}

// takeContact records new contact details, and the lead as soon as there is consent, a
// name and a way to reach it.
func (t *turn) takeContact() {
	given := Contact{Name: t.u.Name, Phone: t.firstPhone()}
	if len(t.u.Emails) > 0 && t.u.Emails[0] != t.clinic.Email {
		given.Email = t.u.Emails[0]
	}
	if t.c.Contact.with(given) != t.c.Contact {
		t.record(given.event(t.c))
	}
	if t.c.Consent && !t.c.Lead && t.c.Contact.Name != "" && t.c.Contact.reachable() {
		t.add(t.c.lead(t.c.Contact, t.at))
	}
}

func (c Contact) event(by *Conversation) *event.ContactGiven {
	return &event.ContactGiven{
		Conversation: by.carried(), Name: c.Name, Phone: c.Phone, Email: c.Email,
		HasName: c.Name != "", HasPhone: c.Phone != "", HasEmail: c.Email != "",
	}
}

// lead decides that somebody can be reached; who took a consent back and agreed anew is to be
// called again.
func (c *Conversation) lead(contact Contact, at time.Time) []event.Payload {
	decided := []event.Payload{&event.LeadCaptured{
		Conversation: c.carried(),
		Name:         contact.Name, Phone: contact.Phone, Email: contact.Email,
		HasPhone: contact.Phone != "", HasEmail: contact.Email != "",
	}}
	if c.withdrawn {
		decided = append(decided, &event.ContactStatusChanged{Contact: c.asContact(), Status: statusNew, StaffID: event.ByVisitor})
	}
	return c.record(at, decided...)
}

// firstPhone is the visitor's number: the last one named where one corrects another, and
// never the clinic's own.
func (t *turn) firstPhone() string {
	phones := slices.DeleteFunc(slices.Clone(t.u.Phones), func(p string) bool {
		return slices.ContainsFunc(t.clinic.Phones, func(own clinic.Phone) bool { return own.E164() == p })
	})
	switch {
	case len(phones) == 0:
		return ""
	case t.u.Correction:
		return phones[len(phones)-1]
	}
	return phones[0]
}

// generalService is what is booked when the visitor leaves the choice to the clinic; its first
// service where it has none of that name.
func generalService(c clinic.Clinic) string {
	const general = "odontologia-general"
	if _, ok := c.Service(general); ok || len(c.Services) == 0 {
		return general
	}
	return c.Services[0].Slug
}

func (t *turn) takeSpecialty() {
	wanted := t.u.Specialty
	if t.u.Intent == IntentAsk && t.asked() != StepSpecialty {
		return
	}
	if wanted == "" && t.u.AnySpecialty && t.asked() == StepSpecialty {
		wanted = generalService(t.clinic)
		t.state.Specialty = wanted
		t.say("revision")
	}
	if _, ok := t.clinic.Service(wanted); !ok || wanted == t.state.Specialty {
		return
	}
	t.state.Specialty = wanted
	t.state.Refused = nil
	if t.asked() == StepSlot {
		t.state.Offered = nil
	}
	if !t.state.Slot.IsZero() && !t.isFree(t.state.Slot) {
		t.wishFor(t.state.Slot)
		t.state.Slot = time.Time{}
	}
}

// wishFor wishes for the very time of an appointment that cannot be had any more.
func (t *turn) wishFor(slot time.Time) {
	gone := slot.In(t.clinic.Zone)
	day := t.midnight(gone)
	t.state.Wish = event.Wish{First: day, Last: day, Earliest: gone.Hour()*60 + gone.Minute(), Exact: true}
}

// days are the days to choose from; they are offered where a day was named that cannot be taken as
// it was said, until another is.
func (t *turn) days() []time.Time {
	if t.state.Asked == string(StepSlot) {
		return nil
	}
	return t.state.Offered
}

// lastMinute bounds a wish that any time fulfils.
const lastMinute = 24 * 60

func (t *turn) takeTime() {
	if t.u.Intent == IntentAsk && t.asked() != StepTime && !t.u.WishesTime {
		return
	}
	if slot, ok := pickedTime(t); ok {
		t.state.Slot, t.state.Offered, t.state.Refused = slot, nil, nil
		return
	}
	day, picked := pickedDay(t)
	switch {
	case t.u.Doubt != nil:
		askAboutDoubt(t)
		return
	case !t.state.Slot.IsZero() && !t.u.When.IsZero() && t.u.When.Fits(t.state.Slot.In(t.clinic.Zone)):
		return
	case picked:
		t.state.Wish.First, t.state.Wish.Last = day, day
	case !t.u.When.IsZero():
		t.state.Wish = event.Wish(t.wishedDay().With(t.u.When))
		recall(t)
	case t.u.AnyTime:
		t.state.Wish = event.Wish{Latest: lastMinute}
	case refusesDay(t):
		t.state.Wish.First, t.state.Wish.Last, t.state.Wish.Exact = time.Time{}, time.Time{}, false
		if t.state.Wish == (event.Wish{}) {
			t.state.Wish.Latest = lastMinute
		}
	default:
		return
	}
	t.state.Slot, t.state.Offered = time.Time{}, nil
}

// recall offers again what was turned down and is now named.
func recall(t *turn) {
	t.state.Refused = slices.DeleteFunc(slices.Clone(t.state.Refused), func(at time.Time) bool { return t.u.When.Fits(at.In(t.clinic.Zone)) })
	if t.u.OtherTimes {
		turnDown(t, t.c.Dialogue.Offered)
	}
}

// wishedDay is the wish so far; where a time was chosen or all offered times are of one
// day, another hour is meant on that day.
func (t *turn) wishedDay() clinic.Wish {
	known := []time.Time{t.c.Dialogue.Slot}
	if t.asked() == StepSlot {
		known = append(known, t.c.Dialogue.Offered...)
	}
	known = slices.DeleteFunc(known, time.Time.IsZero)
	if len(known) == 0 {
		return clinic.Wish(t.state.Wish)
	}
	first, last := t.midnight(known[0]), t.midnight(known[len(known)-1])
	if !first.Equal(last) {
		return clinic.Wish(t.state.Wish)
	}
	return clinic.Wish{First: first, Last: first}
}

func (t *turn) midnight(at time.Time) time.Time {
	at = at.In(t.clinic.Zone)
	return clinic.StartOfDay(at.Year(), at.Month(), at.Day(), at.Location())
}

// pickedTime is the offered time that the message chooses, by its number or by its time.
func pickedTime(t *turn) (slot time.Time, ok bool) {
	times := t.c.Dialogue.Offered
	n := len(times)
	switch {
	case n == 0 || t.asked() != StepSlot || t.state.Specialty != t.c.Dialogue.Specialty || t.u.Doubt != nil:
		return time.Time{}, false
	case t.u.Choice == -1:
		return times[n-1], true
	case 1 <= t.u.Choice && t.u.Choice <= n:
		return times[t.u.Choice-1], true
	case t.u.Answer == Yes && n == 1 && t.u.When.IsZero():
		return times[0], true
	case t.u.When.IsZero():
		return time.Time{}, false
	}
	fitting := slices.DeleteFunc(slices.Clone(times), func(at time.Time) bool { return !t.u.When.Fits(at.In(t.clinic.Zone)) || t.unwanted(at) })
	if len(fitting) != 1 {
		return time.Time{}, false
	}
	return fitting[0], true
}

// pickedDay is one of the days to choose from that the message chooses by its number.
func pickedDay(t *turn) (day time.Time, ok bool) {
	days := t.days()
	switch n := len(days); {
	case n == 0 || !t.u.When.IsZero():
		return day, false
	case t.u.Choice == -1, n == 1 && t.u.PlainYes:
		return days[n-1], true
	case 1 <= t.u.Choice && t.u.Choice <= n:
		return days[t.u.Choice-1], true
	}
	return day, false
}

// askAboutDoubt says why a day or an hour cannot be taken as it was said; what may have been meant
// is offered, and what was said of the time of day is kept.
func askAboutDoubt(t *turn) {
	t.say("duda")
	wish := clinic.Wish(t.state.Wish)
	wish.First, wish.Last = time.Time{}, time.Time{}
	t.state.Wish = event.Wish(wish.With(t.u.When))
	t.state.Slot, t.state.Offered, t.doubted = time.Time{}, inUTC(t.u.Doubt.Options), true
	t.state.Asked = ""
}

// changesSomething says whether an answer to the last question also changes something.
func changesSomething(t *turn) bool {
	return t.u.Doubt != nil || t.u.Specialty != "" && t.u.Specialty != t.c.Dialogue.Specialty && t.u.Intent != IntentAsk ||
		!t.u.When.IsZero() && !t.u.When.Fits(t.c.Dialogue.Slot.In(t.clinic.Zone)) && t.u.Intent != IntentAsk ||
		t.u.Name != "" && t.u.Name != t.c.Contact.Name || t.firstPhone() != "" || len(t.u.Emails) > 0 || refusesDay(t)
}

// keepsTime says that the chosen time is named again, after it was asked what to change.
func keepsTime(t *turn) bool { return t.u.NamesTime() && !t.answers(StepConfirm) }

// turnsDown says that none of the offered times suits and no other is named.
func turnsDown(t *turn) bool {
	details := t.u.Name != "" || t.firstPhone() != "" || len(t.u.Emails) > 0 || t.u.Specialty != ""
	return (t.u.OtherTimes || t.u.Answer == No && !details) && t.u.When.IsZero() && t.u.Choice == 0
}
