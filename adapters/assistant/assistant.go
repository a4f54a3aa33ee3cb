// Package assistant answers visitors: it stands between the conversation and a
// langchaingo model, and lets nothing through that the clinic could not stand for.
package assistant

import (
	"context"
	"fmt"
	"strings"
	"text/template"

	"github.com/tmc/langchaingo/llms"

	"bitacora/domain/chat"
	"bitacora/domain/clinic"
	"bitacora/domain/privacy"
)

// historyLines is how much of the conversation a model is reminded of.
const historyLines = 20

// Assistant implements [chat.Assistant] with any model.
type Assistant struct {
	model  llms.Model
	clinic clinic.Clinic
	traits traits
	prompt *template.Template
}

// traits is what has to be known about a model to ask it and to judge its answer.
type traits struct {
	provider, model string
	// outside models belong to somebody else: contact details are masked before they
	// see a text, and what they say is held to the clinic's rules.
	outside bool
	// neverSaysStop: the model gives no reason for stopping, so that a cut answer can
	// be told by its last sentence only.
	neverSaysStop bool
}

// New makes the assistant that a specification names.
func New(s Spec, c clinic.Clinic) (*Assistant, error) {
	provide, ok := providers[s.Provider]
	if !ok {
		return nil, unknown(s.Provider)
	}
	model, traits, err := provide(s, c)
	if err != nil {
		return nil, fmt.Errorf("make assistant %s: %w", s, err)
	}
	return newAssistant(model, traits, c)
}

func newAssistant(model llms.Model, t traits, c clinic.Clinic) (*Assistant, error) {
	prompt, err := loadPrompt()
	if err != nil {
		return nil, err
	}
	return &Assistant{model: model, clinic: c, traits: t, prompt: prompt}, nil
}

// Reply implements [chat.Assistant]. A reply is given whole or not at all; the error of
// an expired context comes before any other, so that a timeout is told as one.
func (a *Assistant) Reply(ctx context.Context, q chat.Question) (chat.Reply, error) {
	reply := chat.Reply{Provider: a.traits.provider, Model: a.traits.model}
	messages, err := a.messages(q)
	if err != nil {
		return reply, err
	}
	response, err := a.model.GenerateContent(withMoment(ctx, q.At), messages)
	if ctx.Err() != nil {
		return reply, fmt.Errorf("ask %s: %w", a.traits.provider, ctx.Err())
	}
	if err != nil {
		return reply, fmt.Errorf("ask %s: %w", a.traits.provider, err)
	}
	choice, err := firstChoice(response)
	if err != nil {
		return reply, err
	}
	if reply.Text, err = a.wholeText(choice); err != nil {
		return reply, err
	}
	reply.Text = a.ownLinks(reply.Text)
	if a.traits.outside && claimsBooking(reply.Text) {
		return reply, errClaimsBooking
	}
	describe(&reply, choice.GenerationInfo)
	return reply, nil
}

// messages are the prompt, what was said so far, and the question.
func (a *Assistant) messages(q chat.Question) ([]llms.MessageContent, error) {
	var prompt strings.Builder
	if err := a.prompt.Execute(&prompt, scene{Clinic: a.clinic, at: q.At.In(a.clinic.Zone)}); err != nil {
		return nil, fmt.Errorf("write prompt: %w", err)
	}
	messages := []llms.MessageContent{llms.TextParts(llms.ChatMessageTypeSystem, prompt.String())}
	for _, line := range q.History[max(0, len(q.History)-historyLines):] {
		role, text := llms.ChatMessageTypeAI, line.Text
		if line.FromVisitor {
			role = llms.ChatMessageTypeHuman
		}
		if a.traits.outside {
			text = line.Masked
		}
		messages = append(messages, llms.TextParts(role, text))
	}
	text := q.Text
	if a.traits.outside {
		text = privacy.MaskContacts(text)
	}
	return append(messages, llms.TextParts(llms.ChatMessageTypeHuman, text)), nil
}

// describe takes over what a model says about its answer. A model that does not judge
// itself is taken to have answered.
func describe(r *chat.Reply, info map[string]any) {
	r.Answered = true
	if answered, ok := info[infoAnswered].(bool); ok {
		r.Answered = answered
	}
	r.Topic, _ = info[infoTopic].(string)
	r.Sources, _ = info[infoSources].([]string)
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
