package assistant

import (
	"context"
	"fmt"
	"sync"
	"time"

	"bitacora/domain/analytics"
	"bitacora/domain/chat"
	"bitacora/domain/clinic"
)

// Contents is where the site's content comes from.
type Contents interface {
	// Published gives what the site shows now, and a version that changes with it.
	Published(ctx context.Context) (content clinic.Content, version string, err error)
}

// ReloadingChat is the chat service with the site's content as it is now: what the clinic edits is
// known to the next reply. It is safe for concurrent use.
type ReloadingChat struct {
	// Service does what the content has no say in.
	*chat.Service
	assistant *Assistant
	contents  Contents

	mu sync.Mutex
	// version is that of the content that latest knows.
	version string
	latest  *chat.Service
}

// NewReloadingChat makes a service that differs from the given one in what the content says, and
// answers with an assistant that knows it.
func NewReloadingChat(ctx context.Context, service *chat.Service, a *Assistant, contents Contents) (*ReloadingChat, error) {
	own := *service
	own.Danger = a
	r := &ReloadingChat{Service: &own, assistant: a, contents: contents}
	if _, err := r.current(ctx); err != nil {
		return nil, err
	}
	return r, nil
}

// current is the service with the content of now; where that cannot be read, with the content
// that was read last.
func (r *ReloadingChat) current(ctx context.Context) (*chat.Service, error) {
	content, version, err := r.contents.Published(ctx)
	r.mu.Lock()
	defer r.mu.Unlock()
	if err == nil && version != r.version {
		var service *chat.Service
		if service, err = r.knowing(content); err == nil {
			r.latest, r.version = service, version
		}
	}
	if r.latest == nil {
		return nil, fmt.Errorf("load the chat's content: %w", err)
	}
	return r.latest, nil
}

func (r *ReloadingChat) knowing(content clinic.Content) (*chat.Service, error) {
	service := *r.Service
	service.Clinic = r.Clinic.With(content)
	answers, err := r.assistant.Knowing(Knowledge{Clinic: service.Clinic, Profiles: content.Profiles, Posts: content.Posts, Answers: content.Answers, SiteURL: service.SiteURL})
	if err != nil {
		return nil, err
	}
	service.Understander, service.Further, service.Assistant = answers, answers.Further(), answers
	return &service, nil
}

// ProviderUsage is what the assistant's provider was used for on the day of an instant; nil without one.
func (r *ReloadingChat) ProviderUsage(ctx context.Context, at time.Time) (*analytics.ProviderUsage, error) {
	return r.assistant.UsedOn(ctx, at)
}

// Receive answers a visitor out of the content of now.
func (r *ReloadingChat) Receive(ctx context.Context, m chat.Message) (chat.Answer, error) {
	service, err := r.current(ctx)
	if err != nil {
		return chat.Answer{}, err
	}
	return service.Receive(ctx, m)
}

// Transcript gives a conversation back; what may be pressed there names services of now.
func (r *ReloadingChat) Transcript(ctx context.Context, sessionID, resumeToken string) (chat.Transcript, error) {
	service, err := r.current(ctx)
	if err != nil {
		return chat.Transcript{}, err
	}
	return service.Transcript(ctx, sessionID, resumeToken)
}

// Book records a booking of a service that the content names.
func (r *ReloadingChat) Book(ctx context.Context, b chat.ExternalBooking) (chat.Appointment, error) {
	service, err := r.current(ctx)
	if err != nil {
		return chat.Appointment{}, err
	}
	return service.Book(ctx, b)
}
