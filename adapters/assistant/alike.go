package assistant

import (
	"context"
	"fmt"
	"sync"

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

// maxMeanings is of how many questions the meaning is kept; a list has 2,000.
const maxMeanings = 10_000

// knownMeanings are those of questions that were compared before, for as long as the content stays the same.
type knownMeanings struct {
	mu     sync.Mutex
	byText map[string]string
}

func (k *knownMeanings) of(text string, read func(string) string) string {
	k.mu.Lock()
	meaning, known := k.byText[text]
	k.mu.Unlock()
	if known {
		return meaning
	}
	meaning = read(text)
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.byText) == 0 || len(k.byText) >= maxMeanings {
		k.byText = map[string]string{}
	}
	k.byText[text] = meaning
	return meaning
}

func (a *Assistant) meaning(text string) string { return a.meanings.of(text, a.askedFor) }

func (a *Assistant) askedFor(text string) string {
	read, _ := languages(a.embedded.reader.Language, chat.Question{Text: text})
	if f := a.embedded.in[read].library.find(text, ""); f.likely >= likelyEnough {
		return f.answer.Slug
	}
	return ""
}
