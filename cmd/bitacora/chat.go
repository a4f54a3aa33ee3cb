package main

import (
	"context"

	"bitacora/domain/chat"
)

// understanding is what reads the visitors' messages: the assistant, if it can.
func understanding(a chat.Assistant) chat.Understander {
	if u, ok := a.(chat.Understander); ok {
		return u
	}
	return answersOnly{}
}

// answersOnly takes every message for a question.
type answersOnly struct{}

// Understand implements [chat.Understander].
func (answersOnly) Understand(context.Context, chat.Question) (chat.Understanding, error) {
	return chat.Understanding{}, nil
}
