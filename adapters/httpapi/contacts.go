package httpapi

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"strconv"

	"bitacora/domain/event"
)

// Contacts gives what visitors wrote with the contact form.
type Contacts interface {
	// ContactMessages gives those before a position of the log, newest first.
	ContactMessages(ctx context.Context, before int64, limit int) ([]event.Recorded, error)
}

// Sizes of a page of contact messages.
const (
	contactPage    = 50
	maxContactPage = 100
)

// contactMessages lists what visitors wrote, and takes down who read it.
func (a *api) contactMessages(w http.ResponseWriter, r *http.Request) {
	before, err := positive(r, "before", math.MaxInt64, math.MaxInt64)
	if err != nil {
		a.fail(w, r, err)
		return
	}
	limit, err := positive(r, "limit", contactPage, maxContactPage)
	if err != nil {
		a.fail(w, r, err)
		return
	}
	// One more than asked for tells whether there is another page.
	events, err := a.Contacts.ContactMessages(r.Context(), before, int(limit)+1)
	if err != nil {
		a.fail(w, r, err)
		return
	}
	if len(events) > int(limit) {
		events = events[:limit]
		next := fmt.Sprintf("%s?limit=%d&before=%d", r.URL.Path, limit, events[limit-1].Position)
		w.Header().Set("Link", fmt.Sprintf(`<%s>; rel="next"`, next))
	}
	messages := receivedContacts(events)
	if err := a.noteReading(r.Context(), messages); err != nil {
		a.fail(w, r, err)
		return
	}
	encode(w, http.StatusOK, messages)
}

func receivedContacts(events []event.Recorded) []ReceivedContact {
	messages := []ReceivedContact{}
	for _, e := range events {
		if m, ok := e.Payload.(*event.ContactMessageReceived); ok {
			messages = append(messages, ReceivedContact{
				ID: m.ContactID, Name: m.Name, Email: m.Email, Phone: optional(m.Phone), Message: m.Message,
				ReceivedAt: e.OccurredAt.UTC(), Erased: e.Erased,
			})
		}
	}
	return messages
}

func (a *api) noteReading(ctx context.Context, messages []ReceivedContact) error {
	if len(messages) == 0 {
		return nil
	}
	reader := account(ctx).ID
	opened := &event.ContactMessagesOpened{StaffID: reader}
	for _, m := range messages {
		opened.ContactIDs = append(opened.ContactIDs, m.ID)
	}
	return record(ctx, a.Log, reader, opened, a.Now())
}

// positive reads a whole number from 1 on out of a query.
func positive(r *http.Request, name string, missing, most int64) (int64, error) {
	raw := r.URL.Query().Get(name)
	if raw == "" {
		return missing, nil
	}
	n, err := strconv.ParseInt(raw, 10, 64)
	if err != nil || n < 1 || n > most {
		return 0, &problem{status: http.StatusBadRequest, message: fmt.Sprintf("El parámetro «%s» no es válido.", name)}
	}
	return n, nil
}
