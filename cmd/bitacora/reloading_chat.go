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

// reloadingChat is the desk as the site's content stands: what the clinic edits is known to the
// next reply.
type reloadingChat struct {
	// Service does what the content has no say in.
	*chat.Service
	content *httpapi.ContentCache
	renew   func(clinic.Content) (*chat.Service, error)
	meters  *chatMeters

	mu sync.Mutex
	// version names the content that the desk was made with.
	version string
	latest  *chat.Service
}

// reloadingChat receives visitors until ctx ends.
func (a *app) newChat(ctx context.Context, c httpapi.Config) (*reloadingChat, error) {
	learned, err := a.assistant()
	if err != nil {
		return nil, err
	}
	a.meters.chat.provider(learned)
	r := &reloadingChat{content: c.Content, meters: a.meters.chat}
	var queue chat.Queue
	r.renew = func(content clinic.Content) (*chat.Service, error) {
		facts := a.clinic.With(content)
		answers, err := learned.Knowing(assistant.Knowledge{Clinic: facts, Posts: content.Posts, SiteURL: c.Origin})
		if err != nil {
			return nil, err
		}
		service := a.chatService(a.db.Log(), answers)
		service.Clinic, service.SiteURL, service.Open, service.Queue = facts, c.Origin, ctx, &queue
		return service, nil
	}
	r.Service, err = r.now(ctx)
	return r, err
}

// now is the desk with the content of now; without a look at it, the one there was.
func (r *reloadingChat) now(ctx context.Context) (*chat.Service, error) {
	content, edition, err := r.content.Published(ctx)
	r.mu.Lock()
	defer r.mu.Unlock()
	if err == nil && edition != r.version {
		var service *chat.Service
		if service, err = r.renew(content); err == nil {
			r.latest, r.version = service, edition
		}
	}
	if r.latest == nil {
		return nil, fmt.Errorf("open reception: %w", err)
	}
	return r.latest, nil
}

// Receive implements [httpapi.ChatService].
func (r *reloadingChat) Receive(ctx context.Context, m chat.Message) (chat.Answer, error) {
	service, err := r.now(ctx)
	if err != nil {
		return chat.Answer{}, err
	}
	began := time.Now()
	answer, err := service.Receive(ctx, m)
	r.meters.count(answer, errors.Join(err, answer.Unstored), time.Since(began))
	if answer.Unstored != nil {
		slog.WarnContext(ctx, "somebody in danger was answered, and the message is not stored", "error", answer.Unstored)
	}
	return answer, err
}

// Book implements [httpapi.Bookings].
func (r *reloadingChat) Book(ctx context.Context, b chat.Outside) (chat.Appointment, error) {
	service, err := r.now(ctx)
	if err != nil {
		return chat.Appointment{}, err
	}
	return service.Book(ctx, b)
}

// OpenLink implements [httpapi.Bookings].
func (r *reloadingChat) OpenLink(ctx context.Context, reference string) (string, error) {
	service, err := r.now(ctx)
	if err != nil {
		return "", err
	}
	return service.OpenLink(ctx, reference)
}
