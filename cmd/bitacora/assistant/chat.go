package assistant

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/google/uuid"

	"bitacora/adapters/assistant"
	"bitacora/cmd/bitacora/app"
	"bitacora/domain/chat"
	"bitacora/domain/clinic"
)

// SiteChat answers the site's visitors until ctx ends, from the content that the site shows.
func SiteChat(ctx context.Context, a *app.App, answers *assistant.Assistant, contents assistant.Contents, origin string) (*assistant.ReloadingChat, error) {
	answers.CountWith(a.DB.ProviderUsage())
	a.Meters.Chat.Watch(answers)
	service := NewChatService(a, a.DB.Log())
	service.SiteURL, service.Running, service.Queue = origin, ctx, new(chat.Queue)
	return assistant.NewReloadingChat(ctx, service, answers, contents)
}

// StandaloneChat keeps its conversations in a log, and answers from the content that the project
// brings along.
func StandaloneChat(a *app.App, log chat.Log) (*chat.Service, error) {
	answers, err := NewAssistantFor(a)
	if err != nil {
		return nil, err
	}
	if answers, err = knowing(answers, a.Clinic); err != nil {
		return nil, err
	}
	service := NewChatService(a, log)
	service.Understander, service.Further, service.Assistant, service.Danger = answers, answers.Further(), answers, answers
	return service, nil
}

// knowing is an assistant with a clinic's facts and the content that the project brings along.
func knowing(answers *assistant.Assistant, c clinic.Clinic) (*assistant.Assistant, error) {
	content := clinic.DefaultContent()
	return answers.Knowing(assistant.Knowledge{Clinic: c, Posts: content.Published(time.Now()), Answers: content.Answers})
}

// NewChatService makes what every chat has in common; it lacks who understands and answers.
func NewChatService(a *app.App, log chat.Log) *chat.Service {
	return &chat.Service{
		Log:          log,
		Clinic:       a.Clinic,
		MonthlyLimit: a.Config.MonthlyLimit,
		PerAddress:   a.Config.PerAddress(),
		ReplyTimeout: a.Config.ReplyTimeout,
		StoreTimeout: a.Config.StoreTimeout,
		Wait:         pauseWithin,
		Now:          time.Now,
		NewID:        func() string { return uuid.Must(uuid.NewV7()).String() },
	}
}

// pauseWithin waits for a random part of a time, or until ctx ends.
func pauseWithin(ctx context.Context, longest time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(rand.N(longest)):
	}
}
