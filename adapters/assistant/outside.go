package assistant

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"text/template"
	"time"

	"github.com/tmc/langchaingo/llms"

	"bitacora/domain/chat"
	"bitacora/domain/clinic"
	"bitacora/domain/privacy"
)

// Bounds of what is sent to a provider and of what is waited for.
const (
	historyLines   = 20
	historyBytes   = 6000
	longestAnswer  = 4000
	answerTokens   = 400
	defaultTimeout = 12 * time.Second
	firstWord      = 6 * time.Second
	atOnce         = 8
)

// outside is a model that belongs to somebody else: contact details are masked before it
// sees a text, and what it says is held to what the clinic knows.
type outside struct {
	model   llms.Model
	clinic  clinic.Clinic
	traits  traits
	prompt  *template.Template
	timeout time.Duration
	first   time.Duration
	slots   chan struct{}
	breaker *breaker
	record  *record
	options []llms.CallOption
}

// traits is what has to be known about a model to ask it and to judge its answer.
type traits struct {
	provider, model, key string
	// neverSaysStop: the model gives no reason for stopping, so that a cut answer can
	// be told by its last sentence only.
	neverSaysStop bool
}

func newOutside(model llms.Model, s Spec, c clinic.Clinic) (*outside, error) {
	prompt, err := parseTexts(s.files(), "prompt.tmpl")
	if err != nil {
		return nil, err
	}
	timeout := s.Timeout
	if timeout <= 0 {
		timeout = defaultTimeout
	}
	return &outside{
		model: model, clinic: c, prompt: prompt, timeout: timeout, first: min(firstWord, timeout),
		traits:  traits{provider: s.Provider, model: s.Model, key: s.Key, neverSaysStop: s.Provider == "ollama"},
		slots:   make(chan struct{}, atOnce),
		breaker: &breaker{now: time.Now},
		record:  newRecord(),
		options: s.callOptions(),
	}, nil
}

// Why a provider is not asked.
var (
	errResting = errors.New("provider failed repeatedly and is left alone for a while")
	errBusy    = errors.New("too many questions at once")
)

// reply asks the provider to answer with the facts of the clinic's own reply.
func (o *outside) reply(ctx context.Context, q chat.Question, facts chat.Reply) (chat.Reply, error) {
	prompt, err := o.instructions(q, facts)
	if err != nil {
		return chat.Reply{}, err
	}
	if !o.breaker.allows() {
		return chat.Reply{}, errResting
	}
	select {
	case o.slots <- struct{}{}:
		defer func() { <-o.slots }()
	default:
		return chat.Reply{}, errBusy
	}
	choice, text, err := o.ask(ctx, o.messages(prompt, q))
	o.breaker.record(err == nil)
	if err != nil {
		return chat.Reply{}, err
	}
	if err := o.check(text, prompt, q.Text); err != nil {
		return chat.Reply{}, rejection{err}
	}
	reply := chat.Reply{Text: text, Provider: o.traits.provider, Model: o.traits.model, Topic: facts.Topic, Answered: facts.Answered, Sources: facts.Sources}
	describe(&reply, choice.GenerationInfo)
	return reply, nil
}

// ask gives a whole answer or an error. The error of an expired context comes before any
// other, because langchaingo reports success for what a deadline cut off.
func (o *outside) ask(ctx context.Context, messages []llms.MessageContent) (choice *llms.ContentChoice, text string, err error) {
	ctx, cancel := context.WithTimeout(ctx, o.timeout)
	defer cancel()
	silent := time.AfterFunc(o.first, cancel)
	defer silent.Stop()
	// A stream that ends before its last object makes a client of langchaingo panic.
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("ask %s: client panicked: %v", o.traits.provider, p)
		}
	}()
	said := 0
	streaming := llms.WithStreamingFunc(func(_ context.Context, chunk []byte) error {
		silent.Stop()
		if said += len(chunk); said > longestAnswer {
			return errTooLong
		}
		return nil
	})
	response, err := o.model.GenerateContent(ctx, messages, append(slices.Clone(o.options), streaming)...)
	if ctx.Err() != nil {
		return nil, "", fmt.Errorf("ask %s: %w", o.traits.provider, ctx.Err())
	}
	if err != nil {
		return nil, "", fmt.Errorf("ask %s: %w", o.traits.provider, err)
	}
	if choice, err = firstChoice(response); err != nil {
		return nil, "", err
	}
	text, err = o.traits.wholeText(choice)
	return choice, text, err
}

// instructions is the prompt with the facts that were found for the question.
func (o *outside) instructions(q chat.Question, facts chat.Reply) (string, error) {
	var b strings.Builder
	s := scene{Clinic: o.clinic, at: q.At.In(o.clinic.Zone), Passage: facts.Text, Sources: facts.Sources}
	if err := o.prompt.Execute(&b, s); err != nil {
		return "", fmt.Errorf("write prompt: %w", err)
	}
	return b.String(), nil
}

// messages are the prompt, the last lines of what was said, and the question, all without
// contact details.
func (o *outside) messages(prompt string, q chat.Question) []llms.MessageContent {
	history := q.History[max(0, len(q.History)-historyLines):]
	size, from := 0, len(history)
	for from > 0 && size+len(history[from-1].Masked) <= historyBytes {
		from--
		size += len(history[from].Masked)
	}
	messages := []llms.MessageContent{llms.TextParts(llms.ChatMessageTypeSystem, prompt)}
	for _, line := range history[from:] {
		role := llms.ChatMessageTypeAI
		if line.FromVisitor {
			role = llms.ChatMessageTypeHuman
		}
		messages = append(messages, llms.TextParts(role, line.Masked))
	}
	return append(messages, llms.TextParts(llms.ChatMessageTypeHuman, privacy.MaskContacts(q.Text)))
}

// redact is an error as it may be logged: without the key, and not endless.
func (o *outside) redact(err error) string {
	text := err.Error()
	if o.traits.key != "" {
		text = strings.ReplaceAll(text, o.traits.key, "[key]")
	}
	return text[:min(len(text), 200)]
}
