package demo

import (
	"math/rand/v2"
	"time"

	"bitacora/domain/event"
)

// book is an appointment for who wrote by the contact form; some take theirs back.
func (f *followed) book(at time.Time) {
	slot := f.freeSlot(f.r, at, time.Time{})
	f.taken[slot]++
	booked := &event.AppointmentBooked{
		Conversation: f.conversation(), Booked: event.Booked{Kind: f.ref.Kind}, BookingID: event.DerivedID(source, "booking", f.key), Source: "staff", Slot: slot.UTC(),
		Specialty: one(f.r, one(f.r, profile.topics).specialties), Offered: true, StaffID: f.by(),
	}
	f.add(at, f.ref.Stream(), booked)
	if f.r.Float64() >= profile.cancelled {
		f.kept(booked, at, at)
		return
	}
	f.add(at.Add(between(f.r, 2*time.Minute, slot.Sub(at))), f.ref.Stream(), &event.AppointmentCancelled{
		Conversation: booked.Conversation, Booked: booked.Booked, BookingID: booked.BookingID, Source: "staff", StaffID: f.by(),
	})
}

// kept is an appointment that nobody cancels: the staff moves some to another time after an instant, and marks what
// became of it. It has a randomness of its own, so that everything else stays as it would be without it.
func (f *followed) kept(b *event.AppointmentBooked, at, after time.Time) {
	r := rand.New(rand.NewPCG(f.Seed^0x30b, uint64(at.UnixMilli())))
	moved := r.Float64() < profile.moved
	if called := f.called(r, after.Add(time.Duration(r.Float64()*float64(b.Slot.Sub(after))))); moved && called.Before(b.Slot) {
		slot := f.freeSlot(r, called, b.Slot.In(f.Zone))
		f.taken[slot]++
		b, at = &event.AppointmentBooked{
			Conversation: f.conversation(), Booked: b.Booked, BookingID: event.DerivedID(source, "moved", f.key), Source: "staff", Slot: slot.UTC(),
			Specialty: b.Specialty, Offered: true, Replaces: b.BookingID, StaffID: f.by(),
		}, called
		f.add(at, f.ref.Stream(), b)
	}
	f.outcome(b, at)
}

// outcome is the staff that marks an appointment after its hour: the further ahead it was booked, the more often nobody
// came. Some marks are a slip, and taken back. It has a randomness of its own, as kept has.
func (f *followed) outcome(b *event.AppointmentBooked, at time.Time) {
	r := rand.New(rand.NewPCG(f.Seed^0x0c7, uint64(at.UnixMilli())))
	if r.Float64() >= profile.marked {
		return
	}
	days := b.Slot.Sub(at).Hours() / 24
	became, u := event.OutcomeCame, r.Float64()
	switch missed := profile.missed + profile.missedByDay*min(days, 14); {
	case u < missed:
		became = event.OutcomeMissed
	case u < missed+profile.cancelledLate:
		became = event.OutcomeCancelledLate
	}
	recorded := event.AppointmentOutcomeRecorded{
		Conversation: f.conversation(), Booked: b.Booked, BookingID: b.BookingID, Outcome: became, Source: "staff", StaffID: f.by(),
		BookedAt: at.UTC().Truncate(time.Millisecond), Slot: b.Slot, BookedBy: b.Source, Specialty: b.Specialty,
	}
	marked := b.Slot.Add(between(r, 5*time.Minute, 40*time.Minute))
	f.add(marked, f.ref.Stream(), &recorded)
	if r.Float64() < profile.unmarked {
		unknown := recorded
		unknown.Outcome = event.OutcomeUnknown
		f.add(marked.Add(between(r, 10*time.Second, 20*time.Minute)), f.ref.Stream(), &unknown)
	}
}
