package clinic

import (
	"context"
	"fmt"
	"time"

	"bitacora/domain/event"
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
	// NewID draws a UUID.
	NewID func() string
}

// Receive keeps a message, or gives [InvalidFields]. The channel is how the form was sent,
// "web" or "form".
func (b *Mailbox) Receive(ctx context.Context, m ContactMessage, channel string) error {
	m, err := m.Checked()
	if err != nil {
		return err
	}
	id, at := b.NewID(), b.Now()
	drafts := []event.Draft{{
		ID:         id,
		OccurredAt: at,
		Payload: &event.ContactMessageReceived{
			ContactID: id, Channel: channel, NoticeVersion: b.NoticeVersion(ctx),
			Name: m.Name, Email: m.Email, Phone: m.Phone, Message: m.Message, HasPhone: m.Phone != "",
		},
	}}
	drafts = append(drafts, b.requests(id, m.Message, at)...)
	if _, err = b.Log.Append(ctx, event.Append{Stream: event.ContactStream(id), Drafts: drafts}); err != nil {
		return fmt.Errorf("keep contact message: %w", err)
	}
	return nil
}

// requests are what a message asks about the data of who wrote it.
func (b *Mailbox) requests(id, message string, at time.Time) []event.Draft {
	var drafts []event.Draft
	for _, r := range privacy.ReadRequests(message) {
		request := event.DerivedID("request", id, string(r))
		drafts = append(drafts, event.Draft{ID: request, OccurredAt: at, Payload: &event.PrivacyRequestReceived{
			Contact:   event.Contact{Kind: "message", ContactID: id, ContactAt: at},
			RequestID: request, Request: string(r), DueAt: b.Clinic.RequestDue(at, r),
		}})
	}
	return drafts
}
