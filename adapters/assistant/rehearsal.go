package assistant

import (
	"context"
	"fmt"

	"bitacora/domain/chat"
	"bitacora/domain/clinic"
)

// Rehearse gives who answers out of the content of now, and who would with an answer too. They ask no
// provider, which would only put what they say into other words.
func (r *ReloadingChat) Rehearse(ctx context.Context, a clinic.Answer) (now, then *chat.Service, err error) {
	content, _, err := r.contents.Published(ctx)
	if err != nil {
		return nil, nil, fmt.Errorf("read content: %w", err)
	}
	alone := &ReloadingChat{Service: r.Service, assistant: r.assistant.alone()}
	if now, err = alone.knowing(content); err != nil {
		return nil, nil, err
	}
	if before, exists := clinic.AnswerOf(content.Answers, a.Slug); exists {
		a = a.Replacing(&before)
	}
	content.Answers = clinic.WithAnswer(content.Answers, a)
	then, err = alone.knowing(content)
	return now, then, err
}

// alone is the assistant without its provider.
func (a *Assistant) alone() *Assistant {
	other := *a
	other.provider = nil
	return &other
}
