package assistant

import (
	"context"
	"fmt"

	"bitacora/domain/chat"
)

// Meanings are those of some questions out of the content of now: the slug of the answer that each most likely asks
// for, or an empty text where none is likely enough.
func (r *ReloadingChat) Meanings(ctx context.Context, texts []string) ([]string, error) {
	service, err := r.current(ctx)
	if err != nil {
		return nil, err
	}
	a, ok := service.Assistant.(*Assistant)
	if !ok {
		return nil, fmt.Errorf("compare questions: the assistant is a %T", service.Assistant)
	}
	meanings := make([]string, len(texts))
	for i, text := range texts {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		meanings[i] = a.meaning(text)
	}
	return meanings, nil
}

func (a *Assistant) meaning(text string) string {
	read, _ := languages(a.embedded.reader.Language, chat.Question{Text: text})
	if f := a.embedded.in[read].library.find(text, ""); f.likely >= likelyEnough {
		return f.answer.Slug
	}
	return ""
}
