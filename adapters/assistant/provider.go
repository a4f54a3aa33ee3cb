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

// provider is a model of another company: what is personal is masked before it sees a text,
// and what it says is compared with what the clinic knows.
type provider struct {
	model    llms.Model
	clinic   clinic.Clinic
	traits   traits
	prompt   *template.Template
	timeout  time.Duration
	first    time.Duration
	inFlight chan struct{}
	breaker  *breaker
	record   *record
	options  []llms.CallOption
}

// traits is what has to be known about a model to ask it and to judge its answer.
type traits struct {
	provider, model, key string
	// neverSaysStop: the model gives no reason for stopping, so that a cut answer can
	// be recognised by its last sentence only.
	neverSaysStop bool
}

func newProvider(model llms.Model, s Spec, c clinic.Clinic) (*provider, error) {
	prompt, err := parseTexts(s.files(), "prompt.tmpl")
	if err != nil {
		return nil, err
	}
	timeout := s.Timeout
	if timeout <= 0 {
		timeout = defaultTimeout
	}
	return &provider{
		model: model, clinic: c, prompt: prompt, timeout: timeout, first: min(firstWord, timeout),
		traits:   traits{provider: s.Provider, model: s.Model, key: s.Key, neverSaysStop: s.Provider == "ollama"},
		inFlight: make(chan struct{}, atOnce),
		breaker:  &breaker{now: time.Now},
		record:   newRecord(),
		options:  s.callOptions(),
	}, nil
}

// Why a provider is not asked.
var (
	errCircuitOpen = errors.New("provider failed repeatedly and is not asked for a while")
	errBusy        = errors.New("too many questions at once")
)

// reply asks the provider to answer with the facts of the clinic's own reply.
func (p *provider) reply(ctx context.Context, q chat.Question, facts chat.Reply) (chat.Reply, error) {
	prompt, err := p.instructions(q, facts)
	if err != nil {
		return chat.Reply{}, err
	}
	if !p.breaker.allows() {
		return chat.Reply{}, errCircuitOpen
	}
	select {
	case p.inFlight <- struct{}{}:
		defer func() { <-p.inFlight }()
	default:
		return chat.Reply{}, errBusy
	}
	choice, text, err := p.ask(ctx, p.messages(prompt, q))
	p.breaker.record(err == nil)
	if err != nil {
		return chat.Reply{}, err
	}
	if err := p.check(text, prompt, q.Text); err != nil {
		return chat.Reply{}, rejection{err}
	}
	reply := chat.Reply{Text: text, Provider: p.traits.provider, Model: p.traits.model, Topic: facts.Topic, Answered: facts.Answered, Sources: facts.Sources, Open: facts.Open}
	describe(&reply, choice.GenerationInfo)
	return reply, nil
}

// ask gives a whole answer or an error. The error of an expired context comes before any
// other, because langchaingo reports success for what a deadline cut off.
func (p *provider) ask(ctx context.Context, messages []llms.MessageContent) (choice *llms.ContentChoice, text string, err error) {
	ctx, cancel := context.WithTimeout(ctx, p.timeout)
	defer cancel()
	silent := time.AfterFunc(p.first, cancel)
	defer silent.Stop()
	// A stream that ends before its last object makes a client of langchaingo panic.
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("ask %s: client panicked: %v", p.traits.provider, cause)
		}
	}()
	length := 0
	streaming := llms.WithStreamingFunc(func(_ context.Context, chunk []byte) error {
		silent.Stop()
		if length += len(chunk); length > longestAnswer {
			return errTooLong
		}
		return nil
	})
	response, err := p.model.GenerateContent(ctx, messages, append(slices.Clone(p.options), streaming)...)
	if ctx.Err() != nil {
		return nil, "", fmt.Errorf("ask %s: %w", p.traits.provider, ctx.Err())
	}
	if err != nil {
		return nil, "", fmt.Errorf("ask %s: %w", p.traits.provider, err)
	}
	if choice, err = firstChoice(response); err != nil {
		return nil, "", err
	}
	text, err = p.traits.wholeText(choice)
	return choice, text, err
}

// instructions is the prompt with the facts that were found for the question.
func (p *provider) instructions(q chat.Question, facts chat.Reply) (string, error) {
	var b strings.Builder
	s := textData{Clinic: p.clinic, at: q.At.In(p.clinic.Zone), Passage: facts.Text, Sources: facts.Sources}
	if err := p.prompt.Execute(&b, s); err != nil {
		return "", fmt.Errorf("write prompt: %w", err)
	}
	return b.String(), nil
}

// messages are the prompt, the last lines of what was said, and the question, all masked; the
// lines anew, for what became known since they were stored.
func (p *provider) messages(prompt string, q chat.Question) []llms.MessageContent {
	known := q.Personal
	known.Public = p.clinic.Contacts()
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
		messages = append(messages, llms.TextParts(role, privacy.Mask(line.Masked, known)))
	}
	return append(messages, llms.TextParts(llms.ChatMessageTypeHuman, privacy.Mask(q.Text, known)))
}

// redact is an error as it may be logged: without the key, and not endless.
func (p *provider) redact(err error) string {
	text := err.Error()
	if p.traits.key != "" {
		text = strings.ReplaceAll(text, p.traits.key, "[key]")
	}
	return text[:min(len(text), 200)]
}
