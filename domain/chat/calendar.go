package chat

import (
	"context"
	"fmt"
	"slices"
	"time"

	"bitacora/domain/clinic"
)

// CalendarEntry is an appointment as a visitor keeps it in a calendar.
type CalendarEntry struct {
	// ID is the same for each appointment of a conversation, and Sequence the number of appointments
	// before it: a moved appointment replaces the earlier one in the calendar.
	ID       string
	Sequence int
	// Begins and Ends are in the clinic's zone.
	Begins, Ends time.Time
	// Service is the title of what was booked, "consulta" where it has none.
	Service string
	Clinic  clinic.Clinic
}

// CalendarEntry is the active appointment of the conversation that a reference names. Only the browser
// that began the conversation gets it; [ErrNoBooking] reports that there is none, or none any more.
func (s *Service) CalendarEntry(ctx context.Context, reference, resumeToken string) (CalendarEntry, error) {
	events, err := s.Log.ReadStream(ctx, Stream(reference))
	if err != nil {
		return CalendarEntry{}, fmt.Errorf("read conversation: %w", err)
	}
	c := Fold(reference, events)
	switch {
	case !c.Started(), c.Erased, c.Restricted, !c.mayResume(resumeToken):
		return CalendarEntry{}, ErrNotYours
	case c.Appointment == nil:
		return CalendarEntry{}, ErrNoBooking
	}
	a := c.Appointment
	begins := a.Slot.In(s.Clinic.Zone)
	return CalendarEntry{
		ID: c.ID, Sequence: slices.IndexFunc(c.bookings, func(b knownBooking) bool { return b.ID == a.ID }),
		Begins: begins, Ends: begins.Add(s.Clinic.Agenda.Length(a.Specialty)),
		Service: textData{Clinic: s.Clinic, booked: a}.BookedService(), Clinic: s.Clinic,
	}, nil
}

// CalendarReference names the conversation to [Service.CalendarEntry], where its last reply says when
// the appointment is and asks nothing; empty where it does not.
func (c *Conversation) CalendarReference(in clinic.Clinic) string {
	last := c.Lines.lastReply()
	if c.Restricted || c.Erased || c.resumeHash == "" || last.Topic == requestTopic || !saysWhen(c, last.Text, in) {
		return ""
	}
	return c.ID
}
