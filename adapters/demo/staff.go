package demo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"

	"bitacora/domain/chat"
	"bitacora/domain/clinic"
	"bitacora/domain/contacts"
	"bitacora/domain/event"
	"bitacora/domain/fault"
	"bitacora/domain/privacy"
	"bitacora/domain/spelling"
	"bitacora/domain/staff"
	"bitacora/domain/teaching"
)

// staffTexts is who works in the clinic, what people write with the contact form, and what the staff notes down
// and teaches.
type staffTexts struct {
	Members []struct {
		Email string     `json:"email"`
		Role  staff.Role `json:"role"`
	} `json:"members"`
	Answers   []taughtAnswer `json:"answers"`
	Messages  []string       `json:"messages"`
	Contacted []string       `json:"contacted"`
	Scheduled []string       `json:"scheduled"`
	Discarded []string       `json:"discarded"`
}

type taughtAnswer struct {
	Slug string `json:"slug"`
	// Next is the slug of the answer that comes next.
	Next      string   `json:"next"`
	Topic     string   `json:"topic"`
	Questions []string `json:"questions"`
	Text      string   `json:"text"`
	Reason    string   `json:"reason"`
}

// taughtAt is when the taught answers were published, in a history up to an instant.
func taughtAt(until time.Time) time.Time { return until.AddDate(0, 0, -profile.taughtDaysAgo) }

var loadStaffTexts = sync.OnceValues(func() (d staffTexts, err error) {
	text, err := data.ReadFile("data/staff.json")
	if err == nil {
		err = json.Unmarshal(text, &d)
	}
	return d, fault.Wrap(err, "read staff texts")
})

// Staff are the accounts that the history names. The first one looks at the demo, and the second owns the clinic.
func Staff() ([]staff.Account, error) {
	d, err := loadStaffTexts()
	accounts := make([]staff.Account, len(d.Members))
	for i, m := range d.Members {
		accounts[i] = staff.Account{ID: event.DerivedID(source, "staff", m.Email), Email: m.Email, Role: m.Role}
	}
	return accounts, err
}

// Teach publishes the answers that the staff taught some weeks ago; those that are known stay as they are.
func Teach(ctx context.Context, r *teaching.Register) error {
	d, err := loadStaffTexts()
	if err != nil {
		return err
	}
	accounts, err := Staff()
	if err != nil {
		return err
	}
	now := r.Now
	r.Now = func() time.Time { return taughtAt(now()) }
	r.TellsOf = func(context.Context, string) (bool, error) { return false, nil }
	for i, a := range d.Answers {
		by := staff.Actor{ID: accounts[i%len(accounts)].ID}
		answer := clinic.Answer{Slug: a.Slug, Topic: a.Topic, Questions: a.Questions, Text: a.Text}
		if _, err := r.Publish(ctx, by, teaching.Draft{Answer: answer, Reason: a.Reason}); err != nil && !errors.Is(err, teaching.ErrExists) {
			return err
		}
	}
	return nil
}

// withStaff adds to the arrivals of a month, in order, the staff's on the days of office.
func (g *generator) withStaff(list []arrival, month time.Time) []arrival {
	for day := month; sameMonth(day, month); day = day.AddDate(0, 0, 1) {
		opens, ok := g.Clinic.Calendar().NextOpening(day)
		if ok && opens.Day() == day.Day() && sameMonth(opens, day) {
			r := rand.New(rand.NewPCG(g.Seed^0x51, uint64(day.Unix())))
			list = append(list, arrival{at: opens.Add(between(r, 0, 10*time.Minute)), staff: true})
		}
	}
	slices.SortStableFunc(list, func(a, b arrival) int { return a.at.Compare(b.at) })
	return list
}

// signIns are those of a morning, one after the other.
func (g *generator) signIns(at time.Time) (items []Item) {
	for i, a := range g.staff {
		stream := staff.Stream(a.ID)
		at := at.Add(time.Duration(i) * 7 * time.Minute)
		if !at.After(g.Until) {
			items = append(items, appendItem(at, stream, event.DerivedID(source, stream, at.UTC().Format(time.DateOnly)), &event.StaffSignedIn{StaffID: a.ID}))
		}
	}
	return items
}

// whoMay is the member of the staff with a right who sees to a stream.
func (g *generator) whoMay(right staff.Right, stream string) string {
	h := fnv.New32a()
	h.Write([]byte(stream))
	able := slices.DeleteFunc(slices.Clone(g.staff), func(a staff.Account) bool { return !a.Role.May(right) })
	return able[int(h.Sum32()%uint32(len(able)))].ID
}

// staffWork gives what a conversation, which the log hears of at a time, has to do with the
// staff: what they made of its lead, and at times a message that somebody else wrote.
func (g *generator) staffWork(i Item, key string) []Item {
	r := rand.New(rand.NewPCG(g.Seed^0xde5c, uint64(i.Past.Messages[0].At.UnixMilli())))
	c := followed{generator: g, r: r, key: key, ref: contacts.Ref{Kind: contacts.Lead, ID: chat.ConversationID(source, key)}, at: i.Past.Messages[0].At.UTC().Truncate(time.Millisecond)}
	after := later(i.At, over(i.Past))
	switch {
	case i.Past.Lead == nil && flagged(i.Past):
		c.seenTo(after, false)
	case i.Past.Lead != nil:
		g.asksForData(&c, after)
		booked := i.Past.Appointment != nil
		c.up(after, booked, booked && !i.Past.Appointment.CancelledAt.IsZero())
		if a := i.Past.Appointment; booked && a.CancelledAt.IsZero() {
			c.kept(&event.AppointmentBooked{BookingID: i.Past.BookingID(), Source: a.Source, Slot: a.Slot.UTC(), Specialty: a.Specialty}, a.At, after)
		}
	}
	c.dismissed(i.Past.Messages, after)
	items := c.items
	if r.Float64() < profile.contactMessages {
		items = append(items, g.contactMessage(r, key, i.Past.Messages[0].At.Add(between(r, time.Hour, 12*time.Hour)))...)
	}
	return items
}

// asksForData is somebody who wants a copy of their data some days later, and gets it within some weeks. It has a
// randomness of its own, as outcome has.
func (g *generator) asksForData(c *followed, at time.Time) {
	r := rand.New(rand.NewPCG(g.Seed^0xc0b1, uint64(c.at.UnixMilli())))
	if r.Float64() >= profile.asksForData {
		return
	}
	asked := at.Add(between(r, time.Hour, 5*24*time.Hour))
	id := event.DerivedID(source, "request", c.key)
	due := g.Clinic.Calendar().RequestDue(asked, privacy.Copy)
	c.add(asked, c.ref.Stream(), &event.PrivacyRequestReceived{Contact: c.contact(), RequestID: id, Request: string(privacy.Copy), DueAt: due.UTC()})
	done := g.called(r, asked.Add(between(r, 5*24*time.Hour, 20*24*time.Hour)).In(g.Zone))
	c.add(done, c.ref.Stream(), &event.PrivacyRequestDone{Contact: c.contact(), RequestID: id, Outcome: event.RequestGranted, By: g.whoMay(staff.RightPrivacy, c.ref.Stream())})
}

// dismissed are questions without an answer about which the staff finds nothing to be done. It has a randomness of its
// own, as outcome has.
func (f *followed) dismissed(messages []chat.PastMessage, at time.Time) {
	r := rand.New(rand.NewPCG(f.Seed^0xd15, uint64(f.at.UnixMilli())))
	ordinal := 0
	for i, m := range messages {
		if m.Failed {
			continue
		}
		ordinal++
		answered := m.FromVisitor || m.Reply.Answered || !messages[i-1].FromVisitor
		if answered || r.Float64() >= profile.dismissed {
			continue
		}
		at = f.called(r, at.Add(between(r, time.Hour, 4*24*time.Hour)))
		f.add(at, f.ref.Stream(), &event.QuestionLabelled{
			Conversation: f.conversation(), Ordinal: ordinal - 1, MessageID: chat.PastMessageID(i - 1), Label: event.Label{Kind: event.LabelSkipped}, StaffID: f.by(),
		})
	}
}

// flagged says that a message asked for attention, which is recorded with the reply to it.
func flagged(p chat.Past) bool {
	flag := ""
	for _, m := range p.Messages {
		switch {
		case m.FromVisitor:
			flag = m.Flag
		case !m.Failed && flag != "":
			return true
		}
	}
	return false
}

// seenTo is who is not called back as a contact: seen to on the same day, or late within weeks.
func (f *followed) seenTo(at time.Time, late bool) []Item {
	r := rand.New(rand.NewPCG(f.Seed^0xf1a6, uint64(f.at.UnixMilli())))
	if late || r.Float64() >= profile.calledBack {
		at = at.Add(between(r, 2*24*time.Hour, 20*24*time.Hour))
	}
	f.attempt(f.called(r, at), event.AttemptDone, time.Time{})
	return f.items
}

// over is when the conversation and what it led to lie behind.
func over(p chat.Past) time.Time {
	at := p.Messages[len(p.Messages)-1].At
	if a := p.Appointment; a != nil {
		at = later(at, later(a.At, a.CancelledAt))
	}
	return at
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// contactMessage is somebody's message, and what the staff made of it.
func (g *generator) contactMessage(r *rand.Rand, key string, at time.Time) []Item {
	if at.After(g.Until) {
		return nil
	}
	at = at.UTC().Truncate(time.Millisecond)
	who := g.people.draw(r)
	ref := contacts.Ref{Kind: contacts.Message, ID: event.DerivedID(source, "message", key)}
	name, _, _ := strings.Cut(spelling.Unaccented(who.Name), " ")
	p := &event.ContactMessageReceived{
		ContactID: ref.ID, Channel: source, NoticeVersion: g.Clinic.NoticeVersion,
		Name: who.Name, Email: fmt.Sprintf("%s%d@%s", name, r.IntN(100), one(r, domains)),
		Phone: who.Phone, HasPhone: who.Phone != "", Message: spin(r, one(r, g.staffTexts.Messages)),
	}
	item := Item{At: at, StaffAppend: &event.Append{
		Stream: ref.Stream(), Drafts: []event.Draft{{ID: ref.ID, OccurredAt: at, Payload: p}},
	}}
	c := followed{generator: g, r: r, key: key, ref: ref, at: at}
	return append([]Item{item}, c.up(at, false, false)...)
}

// followed is a contact while the staff sees to it.
type followed struct {
	*generator
	r     *rand.Rand
	key   string
	ref   contacts.Ref
	at    time.Time
	items []Item
	// done counts what was done, after the end of the history too: ids do not depend on the end.
	done int
}

// up sees to a contact from an instant on, as far as the history goes: whoever booked needs
// a note at most, everybody else is called back, and some for nothing.
func (f *followed) up(at time.Time, booked, cancelled bool) []Item {
	at = f.called(f.r, at)
	if booked && !cancelled {
		if f.r.Float64() < profile.noted/2 {
			f.note(at, f.staffTexts.Scheduled)
		}
		return f.items
	}
	if f.r.Float64() >= profile.calledBack {
		return f.seenTo(at, true)
	}
	if f.r.Float64() < profile.putOff {
		if due, ok := f.Clinic.Calendar().NextOpening(at.Add(12 * time.Hour)); ok {
			f.attempt(at, event.AttemptNoAnswer, due)
		}
		at = f.called(f.r, at.Add(between(f.r, 4*time.Hour, 70*time.Hour)))
	}
	f.read(at.Add(-between(f.r, 20*time.Second, 2*time.Minute)))
	f.status(at, contacts.Contacted)
	if f.r.Float64() < profile.noted {
		f.note(at.Add(between(f.r, time.Minute, 4*time.Minute)), f.staffTexts.Contacted)
	}
	again := f.called(f.r, at.Add(between(f.r, 20*time.Hour, 80*time.Hour)))
	switch u := f.r.Float64(); {
	case u < profile.givenUp:
		if slip := f.attempt(again.Add(-time.Minute), event.AttemptDone, time.Time{}); slip != "" {
			f.add(again.Add(-50*time.Second), f.ref.Stream(), &event.ContactAttemptUndone{Contact: f.contact(), AttemptID: slip, StaffID: f.by()})
		}
		f.status(again, contacts.Discarded)
		f.note(again.Add(time.Minute), f.staffTexts.Discarded)
	case u < profile.givenUp+profile.wonOver && f.ref.Kind == contacts.Message:
		f.book(again)
		f.note(again.Add(time.Minute), f.staffTexts.Scheduled)
	}
	return f.items
}

// by is who sees to the contact.
func (f *followed) by() string { return f.whoMay(staff.RightPeople, f.ref.Stream()) }

func (f *followed) conversation() event.Conversation {
	return event.Conversation{ConversationID: f.ref.ID, ConversationStartedAt: f.at}
}

func (f *followed) contact() event.Contact {
	return event.Contact{Kind: f.ref.Kind, ContactID: f.ref.ID, ContactAt: f.at}
}

// read is the staff that reads a contact's message, or the transcript that it was left in,
// before the call.
func (f *followed) read(at time.Time) {
	r := f.ref
	if r.Kind == contacts.Message {
		f.add(at, staff.Stream(f.by()), &event.ContactMessagesOpened{StaffID: f.by(), ContactIDs: []string{r.ID}})
		return
	}
	f.add(at, staff.Stream(f.by()), &event.ContactMessagesOpened{StaffID: f.by(), ConversationIDs: []string{r.ID}})
	f.add(at.Add(5*time.Second), staff.Stream(f.by()), &event.TranscriptOpened{StaffID: f.by(), ConversationID: r.ID})
}

func (f *followed) status(at time.Time, status string) {
	f.add(at, f.ref.Stream(), &event.ContactStatusChanged{Contact: f.contact(), Status: status, StaffID: f.by()})
}

// attempt gives the id of an attempt; empty where the history ends before it.
func (f *followed) attempt(at time.Time, outcome string, due time.Time) (id string) {
	known := len(f.items)
	f.add(at, f.ref.Stream(), &event.ContactAttempted{Contact: f.contact(), Outcome: outcome, DueAt: due.UTC(), StaffID: f.by()})
	if len(f.items) == known {
		return ""
	}
	return f.items[known].StaffAppend.Drafts[0].ID
}

func (f *followed) note(at time.Time, texts []string) {
	f.add(at, f.ref.Stream(), &event.ContactNoteAdded{Contact: f.contact(), Note: spin(f.r, one(f.r, texts)), StaffID: f.by()})
}

func (f *followed) add(at time.Time, stream string, p event.Payload) {
	id := event.DerivedID(source, f.ref.Kind, f.key, fmt.Sprint(f.done))
	f.done++
	if !at.After(f.Until) {
		f.items = append(f.items, appendItem(at, stream, id, p))
	}
}

// appendItem is one thing that the staff does.
func appendItem(at time.Time, stream, id string, p event.Payload) Item {
	at = at.UTC().Truncate(time.Millisecond)
	return Item{At: at, StaffAppend: &event.Append{
		Stream: stream, ExpectedVersion: event.AnyVersion, Drafts: []event.Draft{{ID: id, OccurredAt: at, Payload: p}},
	}}
}
