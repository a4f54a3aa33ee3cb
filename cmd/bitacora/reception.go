package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"bitacora/adapters/assistant"
	"bitacora/adapters/httpapi"
	"bitacora/domain/chat"
	"bitacora/domain/clinic"
)

// reception is the desk as the site's content stands: what the clinic edits is known to the
// next reply.
type reception struct {
	// Desk does what the content has no say in.
	*chat.Desk
	library *httpapi.Library
	renew   func(clinic.Content) (*chat.Desk, error)
	meters  *chatMeters

	mu sync.Mutex
	// edition names the content that the desk was made with.
	edition string
	latest  *chat.Desk
}

// reception receives visitors until ctx ends.
func (h *house) reception(ctx context.Context, c httpapi.Config) (*reception, error) {
	learned, err := h.assistant()
	if err != nil {
		return nil, err
	}
	h.meters.chat.provider(learned)
	r := &reception{library: c.Library, meters: h.meters.chat}
	var queue chat.Queue
	r.renew = func(content clinic.Content) (*chat.Desk, error) {
		facts := h.clinic.With(content)
		answers, err := learned.Knowing(assistant.Knowledge{Clinic: facts, Posts: content.Posts, SiteURL: c.Origin})
		if err != nil {
			return nil, err
		}
		desk := h.desk(h.db.Log(), answers)
		desk.Clinic, desk.SiteURL, desk.Open, desk.Queue = facts, c.Origin, ctx, &queue
		return desk, nil
	}
	r.Desk, err = r.now(ctx)
	return r, err
}

// now is the desk with the content of now; without a look at it, the one there was.
func (r *reception) now(ctx context.Context) (*chat.Desk, error) {
	content, edition, err := r.library.Published(ctx)
	r.mu.Lock()
	defer r.mu.Unlock()
	if err == nil && edition != r.edition {
		var desk *chat.Desk
		if desk, err = r.renew(content); err == nil {
			r.latest, r.edition = desk, edition
		}
	}
	if r.latest == nil {
		return nil, fmt.Errorf("open reception: %w", err)
	}
	return r.latest, nil
}

// Receive implements [httpapi.Desk].
func (r *reception) Receive(ctx context.Context, m chat.Message) (chat.Answer, error) {
	desk, err := r.now(ctx)
	if err != nil {
		return chat.Answer{}, err
	}
	began := time.Now()
	answer, err := desk.Receive(ctx, m)
	r.meters.count(answer, errors.Join(err, answer.Unstored), time.Since(began))
	if answer.Unstored != nil {
		slog.WarnContext(ctx, "somebody in danger was answered, and the message is not stored", "error", answer.Unstored)
	}
	return answer, err
}

// Book implements [httpapi.Bookings].
func (r *reception) Book(ctx context.Context, b chat.Outside) (chat.Appointment, error) {
	desk, err := r.now(ctx)
	if err != nil {
		return chat.Appointment{}, err
	}
	return desk.Book(ctx, b)
}

// OpenLink implements [httpapi.Bookings].
func (r *reception) OpenLink(ctx context.Context, reference string) (string, error) {
	desk, err := r.now(ctx)
	if err != nil {
		return "", err
	}
	return desk.OpenLink(ctx, reference)
}
