package patienttest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"bitacora/domain/chat"
	"bitacora/domain/clinic"
	"bitacora/domain/event"
)

// act is what a patient agrees to by a message.
type act string

const (
	tells    act = ""
	consents act = "consent"
	confirms act = "confirm"
	cancels  act = "cancel"
)

// message is what a patient says.
type message struct {
	text string
	act  act
}

// talk is a conversation as its patient sees it.
type talk struct {
	*patient
	service *chat.Service
	now     time.Time
	session string
	// possible says that the clinic has a time as it is wished.
	possible bool

	answer chat.Answer
	c      *chat.Conversation
	told   []person
	// says are what the patient says at present, and pending what of it is still wrong.
	says    sayings
	pending []detail
	// chosen is the time that the patient took, and agreed what it said the last yes to.
	chosen time.Time
	agreed appointment

	openings, refusals, tries, checks int
	refusing, refused                 bool
	called, moved, over               bool
	second                            bool
	// stopsAt is the turn at which somebody gives up.
	stopsAt int
	said    []string
	log     strings.Builder
}

// sayings are a patient's details as they are said.
type sayings struct {
	person
	service string
	wish    wish
}

// appointment is what was agreed to.
type appointment struct {
	service, name string
	slot          time.Time
}

// longest is after how many messages a conversation has come to a dead end.
const longest = 34

// Outcome is what came of a conversation.
type Outcome struct {
	// Goal is what the patient came for, and Missed why it was not reached; empty if it was.
	Goal, Missed string
	// Wrong is what was stored without the patient having agreed to it.
	Wrong []string
	// Transcript is what was said.
	Transcript string
}

// Moment is when the patient of a seed writes, in a zone.
func Moment(seed uint64, zone *time.Location) time.Time {
	hours := []int{7, 9, 11, 14, 17, 20}
	return time.Date(2026, 11, 23+int(seed%6), hours[seed/6%6], 10, 0, 0, zone)
}

// Talk lets the patient of a seed talk with a service in which nothing was said yet.
func Talk(ctx context.Context, seed uint64, phrases Phrases, on *chat.Service) (Outcome, error) {
	now := on.Now().In(on.Clinic.Zone)
	t := &talk{patient: newPatient(seed, phrases, on.Clinic, now), service: on, now: now, session: "patient", c: &chat.Conversation{}}
	t.stopsAt = 1 + t.IntN(7)
	t.says = sayings{t.person, t.patient.service, t.wish}
	t.slip()
	if err := t.fillAgenda(ctx); err != nil {
		return Outcome{}, err
	}
	free, err := t.free(ctx, t.patient.service)
	if err != nil {
		return Outcome{}, err
	}
	t.possible = slices.ContainsFunc(free, t.wish.fits)
	fmt.Fprintf(&t.log, "%s, %s: %s, %+v, %+v, wrong at first: %v\n", t.goal, t.mood, t.patient.service, t.wish, t.person, t.wrongs)
	var out Outcome
	for range longest {
		m, more := t.next()
		if !more {
			break
		}
		before := t.c
		if err := t.say(ctx, m); err != nil {
			return Outcome{}, err
		}
		if wrong := t.commitments(before, m.act); wrong != "" {
			out.Wrong = append(out.Wrong, wrong)
		}
	}
	out.Goal, out.Missed, out.Transcript = string(t.goal), t.missed(), t.log.String()
	return out, nil
}

// slip says wrong at first what the patient is to correct.
func (t *talk) slip() {
	for _, d := range t.wrongs {
		other := t.somebody()
		switch d {
		case dayDetail:
			t.says.wish = t.someWish(t.now, t.service.Clinic)
		case serviceDetail:
			t.says.service, t.unsure = t.someService()
			if t.unsure {
				t.unsure, t.says.service = false, "ortodoncia"
			}
		case nameDetail:
			t.says.name = other.name
		case phoneDetail:
			t.says.phone, t.says.email = other.phone, other.email
		}
	}
	t.pending = t.wrongs
}

// fillAgenda leaves no room on the wished day, of one patient in five.
func (t *talk) fillAgenda(ctx context.Context) error {
	if t.wish.day.IsZero() || t.IntN(5) > 0 {
		return nil
	}
	free, err := t.free(ctx, t.patient.service)
	if err != nil {
		return err
	}
	agenda := t.service.Clinic.Agenda
	for _, slot := range free {
		if !(wish{day: t.wish.day}).fits(slot) {
			continue
		}
		for i := range agenda.Chairs(t.patient.service) {
			_, err := t.service.Log.Append(ctx, event.Append{Stream: "others", ExpectedVersion: event.AnyVersion, Claim: &event.Claim{
				BookingID: fmt.Sprint(slot, i), Chairs: agenda.Chairs(t.patient.service), Begins: slot, Ends: slot.Add(agenda.Length(t.patient.service)),
			}})
			if err != nil {
				return fmt.Errorf("fill agenda: %w", err)
			}
		}
	}
	return nil
}

func (t *talk) free(ctx context.Context, service string) ([]time.Time, error) {
	taken, err := t.service.Log.Taken(ctx, t.service.Clinic.Agenda.Chairs(service), t.now, t.now.AddDate(0, 0, 60))
	if err != nil {
		return nil, fmt.Errorf("read agenda: %w", err)
	}
	return t.service.Clinic.Free(service, taken, t.now), nil
}

func (t *talk) say(ctx context.Context, m message) error {
	answer, err := t.service.Receive(ctx, chat.Message{SessionID: t.session, Text: m.text})
	if err != nil {
		return fmt.Errorf("say %q: %w", m.text, err)
	}
	events, err := t.service.Log.ReadStream(ctx, chat.Stream(answer.ConversationID))
	if err != nil {
		return fmt.Errorf("read conversation: %w", err)
	}
	t.answer, t.c = answer, chat.Fold(answer.ConversationID, events)
	t.said = append(t.said, answer.Text)
	fmt.Fprintf(&t.log, "  > %s\n  < %s   %v\n", m.text, strings.ReplaceAll(answer.Text, "\n", " / "), answer.Suggestions)
	return nil
}

// commitments are what a message brought about that its patient did not agree to.
func (t *talk) commitments(before *chat.Conversation, did act) string {
	now, was := t.c, before
	if was.ID != now.ID {
		was = &chat.Conversation{}
	}
	untold := func(was, is string, of func(person) string) bool {
		return is != was && !slices.ContainsFunc(t.told, func(p person) bool { return same(of(p), is) })
	}
	booking := now.Appointment != nil && (was.Appointment == nil || was.Appointment.ID != now.Appointment.ID)
	switch {
	case now.Consent && !was.Consent && did != consents:
		return "consent"
	case now.Lead && !now.Consent:
		return "lead without consent"
	case untold(was.Contact.Name, now.Contact.Name, func(p person) string { return p.name }):
		return "name " + now.Contact.Name
	case untold(was.Contact.Phone, now.Contact.Phone, func(p person) string { return p.phone }),
		untold(was.Contact.Email, now.Contact.Email, func(p person) string { return p.email }):
		return "contact " + now.Contact.Phone + now.Contact.Email
	case booking && did != confirms:
		return "appointment without a yes"
	case booking && (appointment{now.Appointment.Specialty, now.Contact.Name, now.Appointment.Slot}) != t.agreed:
		return fmt.Sprintf("appointment %+v, agreed to %+v", now.Appointment, t.agreed)
	case was.Appointment != nil && now.Appointment == nil && did != cancels:
		return "cancellation"
	}
	return ""
}

// same compares names without their case and phones by their digits.
func same(a, b string) bool {
	digits := func(text string) string {
		text = strings.Map(func(r rune) rune {
			if r < '0' || r > '9' {
				return -1
			}
			return r
		}, text)
		return text[max(0, len(text)-8):]
	}
	if d := digits(a); len(d) == 8 {
		return d == digits(b)
	}
	return strings.EqualFold(a, b)
}

// missed is why the goal was not reached.
func (t *talk) missed() string {
	offers := 0
	for i, reply := range t.said {
		if strings.HasSuffix(reply, "¿Te busco una cita?") || strings.HasSuffix(reply, "¿Te ayudo a reservarlo? (sí o no)") {
			if offers++; offers > 1 || t.refusals > 0 && i >= t.refusals {
				return "an appointment is offered again, or after a refusal"
			}
		}
		again := 0
		for _, other := range t.said[:i] {
			if other == reply {
				again++
			}
		}
		if again >= 2 {
			return fmt.Sprintf("said three times: %q", reply)
		}
	}
	booked := t.c.Appointment
	switch {
	case !t.over:
		return "a dead end"
	case t.goal == wantsCall && !(t.c.Lead && slices.Contains(t.c.Flags, event.FlagCallback) && booked == nil && t.reached()):
		return "no contact"
	case !t.goal.arranges() || t.goal == cancelsIt:
		if booked != nil || t.goal != wantsCall && t.goal != cancelsIt && t.goal != givesUp && t.c.Lead {
			return "an appointment or a contact"
		}
		return ""
	case booked == nil:
		return "no appointment"
	case booked.Specialty != t.patient.service:
		return "another service: " + booked.Specialty
	case !same(t.c.Contact.Name, t.name) || !t.reached():
		return fmt.Sprintf("another contact: %+v", t.c.Contact)
	case t.possible && !t.wish.fits(booked.Slot.In(t.service.Clinic.Zone)):
		return "another time: " + clinic.DayAndTime(booked.Slot.In(t.service.Clinic.Zone))
	}
	return ""
}

func (t *talk) reached() bool {
	return t.phone != "" && same(t.phone, t.c.Contact.Phone) || t.phone == "" && same(t.email, t.c.Contact.Email)
}
