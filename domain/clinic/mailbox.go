package clinic

import (
	"context"
	"fmt"
	"time"

	"bitacora/domain/event"
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
	id := b.NewID()
	_, err = b.Log.Append(ctx, event.Append{
		Stream: event.ContactStream(id),
		Drafts: []event.Draft{{
			ID:         id,
			OccurredAt: b.Now(),
			Payload: &event.ContactMessageReceived{
				ContactID: id, Channel: channel, NoticeVersion: b.NoticeVersion(ctx),
				Name: m.Name, Email: m.Email, Phone: m.Phone, Message: m.Message, HasPhone: m.Phone != "",
			},
		}},
	})
	if err != nil {
		return fmt.Errorf("keep contact message: %w", err)
	}
	return nil
}
