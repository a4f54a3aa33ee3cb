package clinic

import (
	"context"
	"errors"
	"strconv"
	"time"

	"bitacora/domain/event"
	"bitacora/domain/fault"
	"bitacora/domain/privacy"
)

// ContactLog is the part of the event log that a mailbox needs.
type ContactLog interface {
	// Append stores all drafts or none.
	Append(ctx context.Context, a event.Append) ([]event.Recorded, error)
}

// Mailbox takes what visitors write to the clinic. A message that it took is in the log
// and will be seen by the staff.
type Mailbox struct {
	Log ContactLog
	Now func() time.Time
	// Clinic is whose working days count until a request about personal data is due.
	Clinic Clinic
	// NoticeVersion is that of the notice that stands beside the form.
	NoticeVersion func(ctx context.Context) string
	// IDOf makes a UUID of texts: the same one for the same texts, from which nobody learns these.
	IDOf func(texts ...string) string
}

// Receive keeps a message, or gives [InvalidFields]. The channel is how the form was sent,
// "web" or "form". One that says the same as another one of the same day, in UTC, is that one
// again, whose answer was lost, and is kept once.
func (b *Mailbox) Receive(ctx context.Context, m ContactMessage, channel string) error {
	m, err := m.Checked()
	if err != nil {
		return err
	}
	at := b.Now()
	day := at.UTC().Format(time.DateOnly)
	for attempt := range 3 {
		err = b.keep(ctx, b.IDOf(day, m.Name, m.Email, m.Phone, m.Message, strconv.Itoa(attempt)), at, m, channel)
		if fault.KindOf(err) != fault.Erased { // as somebody was who writes the same again
			break
		}
	}
	if errors.Is(err, event.ErrConflict) || errors.Is(err, event.ErrIDReused) {
		return nil
	}
	return err
}

func (b *Mailbox) keep(ctx context.Context, id string, at time.Time, m ContactMessage, channel string) error {
	drafts := []event.Draft{{
		ID:         id,
		OccurredAt: at,
		Payload: &event.ContactMessageReceived{
			ContactID: id, Channel: channel, NoticeVersion: b.NoticeVersion(ctx),
			Name: m.Name, Email: m.Email, Phone: m.Phone, Message: m.Message, HasPhone: m.Phone != "",
		},
	}}
	drafts = append(drafts, b.requests(id, m.Message, at)...)
	_, err := b.Log.Append(ctx, event.Append{Stream: event.ContactStream(id), Drafts: drafts})
	return fault.Wrap(err, "keep contact message")
}

// requests are what a message asks about the data of who wrote it.
func (b *Mailbox) requests(id, message string, at time.Time) []event.Draft {
	var drafts []event.Draft
	for _, r := range privacy.ReadRequests(message) {
		request := event.DerivedID("request", id, string(r))
		drafts = append(drafts, event.Draft{ID: request, OccurredAt: at, Payload: &event.PrivacyRequestReceived{
			Contact:   event.Contact{Kind: "message", ContactID: id, ContactAt: at},
			RequestID: request, Request: string(r), DueAt: b.Clinic.Calendar().RequestDue(at, r),
		}})
	}
	return drafts
}
