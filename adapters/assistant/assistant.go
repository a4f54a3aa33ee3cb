// Package assistant answers visitors: it understands what they write, answers from the
// clinic's own texts, and checks what a langchaingo model says before it is passed on.
package assistant

import (
	"context"
	"fmt"
	"log/slog"

	"bitacora/adapters/assistant/meaning"
	"bitacora/domain/chat"
	"bitacora/domain/clinic"
)

// Assistant implements [chat.Assistant] and [chat.Understander]. It understands and can
// answer by itself; a provider, where one is configured, puts answers into better words.
type Assistant struct {
	embedded *Embedded
	provider *provider
	log      *slog.Logger
}

// New makes the assistant that a specification names.
func New(s Spec, c clinic.Clinic) (*Assistant, error) {
	embedded, err := s.embedded(c)
	if err != nil {
		return nil, fmt.Errorf("make assistant: %w", err)
	}
	a := &Assistant{embedded: embedded, log: slog.Default()}
	provide, ok := providers[s.Provider]
	switch {
	case !ok:
		return nil, unknown(s.Provider)
	case provide == nil:
		return a, nil
	}
	model, err := provide(s)
	if err != nil {
		return nil, fmt.Errorf("make assistant %s: %w", s, err)
	}
	a.provider, err = newProvider(model, s, c)
	return a, err
}

// Understand implements [chat.Understander], always without a provider.
func (a *Assistant) Understand(ctx context.Context, q chat.Question) (chat.Understanding, error) {
	return a.embedded.Understand(ctx, q)
}

// Meaning is what the assistant takes a text for.
func (a *Assistant) Meaning(text string) meaning.Meaning { return a.embedded.read(text) }

// own are the intents that are answered by the program itself, whatever provider there
// is: what is urgent, what has limits, what the staff hears of, and what is about people's data.
var own = map[string]bool{
	meaning.Urgent: true, "medicamento": true, "privacidad": true, meaning.Abuse: true,
	"manipulacion": true, "persona": true, "queja": true, "identidad": true, "telefono": true, "correo": true,
	"cancelar": true, "reprogramar": true, "mi-cita": true,
}

// sureOffTopic is the confidence from which on what the clinic has nothing to say about
// is not asked of a provider.
const sureOffTopic = 0.6

// Reply implements [chat.Assistant]. There is always an answer: where a provider fails,
// is slow, or says what [provider.check] rejects, the clinic's own texts answer.
func (a *Assistant) Reply(ctx context.Context, q chat.Question) (chat.Reply, error) {
	m, understood := q.Understood.Reading.(meaning.Meaning)
	if !understood {
		m = a.Meaning(q.Text)
	}
	choice, err := a.embedded.answer(q, m)
	if err != nil {
		return chat.Reply{}, fmt.Errorf("answer: %w", err)
	}
	reply := chat.Reply{Text: choice.Content, Provider: "embedded", Model: embeddedModel}
	describe(&reply, choice.GenerationInfo)
	offTopic := m.Likeliest == meaning.Unknown && m.Confidence >= sureOffTopic
	if a.provider == nil || own[m.Intent] || offTopic {
		return reply, nil
	}
	better, err := a.provider.reply(ctx, q, reply)
	a.provider.record.count(err)
	if err != nil {
		a.log.Warn("provider's answer not used", "provider", a.provider.traits.provider, "reason", a.provider.redact(err))
		return reply, nil
	}
	return better, nil
}

// describe takes over what a model says about its answer.
func describe(r *chat.Reply, info map[string]any) {
	if answered, ok := info[infoAnswered].(bool); ok {
		r.Answered = answered
	}
	if topic, ok := info[infoTopic].(string); ok {
		r.Topic = topic
	}
	if open, ok := info[infoOpen].(bool); ok {
		r.Open = open
	}
	if sources, ok := info[infoSources].([]string); ok {
		r.Sources = sources
	}
	r.TokensIn = firstNumber(info, "PromptTokens", "InputTokens")
	r.TokensOut = firstNumber(info, "CompletionTokens", "OutputTokens")
}

func firstNumber(info map[string]any, names ...string) int {
	for _, name := range names {
		if n, ok := info[name].(int); ok {
			return n
		}
	}
	return 0
}
