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
	"bitacora/domain/fault"
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

// provider is a model of another company. It reads messages and says nothing: what is personal is
// masked before it sees a text, and of what it writes only a [reading] is taken.
type provider struct {
	model           llms.Model
	name, modelName string
	key             string
	prompt          *template.Template
	timeout, first  time.Duration
	inFlight        chan struct{}
	breaker         *breaker
	budget          Budget
	meter           Meter
	record          *record
	options         []llms.CallOption
}

func newProvider(model llms.Model, s Spec) (*provider, error) {
	prompt, err := parseTexts(s.files(), "prompt.tmpl")
	if err != nil {
		return nil, err
	}
	timeout := s.Timeout
	if timeout <= 0 {
		timeout = defaultTimeout
	}
	return &provider{
		model: model, name: s.Provider, modelName: s.Model, key: s.Key, prompt: prompt, timeout: timeout, first: min(firstWord, timeout),
		inFlight: make(chan struct{}, atOnce),
		breaker:  &breaker{now: time.Now},
		budget:   s.Budget, meter: newOwnMeter(),
		record:  newRecord(),
		options: s.callOptions(),
	}, nil
}

// Why a provider is not asked, or not heard.
var (
	errCircuitOpen = errors.New("provider failed repeatedly and is not asked for a while")
	errBusy        = errors.New("too many questions at once")
	errNoAnswer    = errors.New("model gave no answer")
	errTooLong     = errors.New("model does not come to an end")
)

// read asks the provider what a message means, and gives what that cost, used or not.
func (p *provider) read(ctx context.Context, e *Embedded, q chat.Question) (reading, Usage, error) {
	prompt, err := p.instructions(e, q)
	if err != nil {
		return reading{}, Usage{}, err
	}
	if !p.breaker.allows() {
		return reading{}, Usage{}, errCircuitOpen
	}
	if err := p.afford(ctx, e.clinic.Zone, q.At); err != nil {
		return reading{}, Usage{}, err
	}
	select {
	case p.inFlight <- struct{}{}:
		defer func() { <-p.inFlight }()
	default:
		return reading{}, Usage{}, errBusy
	}
	choice, err := p.ask(ctx, p.messages(prompt, e, q))
	p.breaker.record(err == nil)
	if err != nil {
		return reading{}, Usage{}, err
	}
	used := usageOf(choice.GenerationInfo)
	if err := p.meter.Add(context.WithoutCancel(ctx), dayOf(q.At, e.clinic.Zone), used.TokensIn, used.TokensOut); err != nil {
		return reading{}, used, fmt.Errorf("count what the provider charges: %w", err)
	}
	r, err := e.choices.parse(choice.Content)
	if err != nil {
		return reading{}, used, rejection{err}
	}
	return r, used, nil
}

// ask gives a whole answer or an error. The error of an expired context comes before any
// other, because langchaingo reports success for what a deadline cut off.
func (p *provider) ask(ctx context.Context, messages []llms.MessageContent) (choice *llms.ContentChoice, err error) {
	ctx, cancel := context.WithTimeout(ctx, p.timeout)
	defer cancel()
	silent := time.AfterFunc(p.first, cancel)
	defer silent.Stop()
	// A stream that ends before its last object makes a client of langchaingo panic.
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("ask %s: client panicked: %v", p.name, cause)
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
	switch {
	case ctx.Err() != nil:
		return nil, fmt.Errorf("ask %s: %w", p.name, ctx.Err())
	case err != nil:
		return nil, fmt.Errorf("ask %s: %w", p.name, err)
	case response == nil || len(response.Choices) == 0 || response.Choices[0] == nil || strings.TrimSpace(response.Choices[0].Content) == "":
		return nil, errNoAnswer
	}
	return response.Choices[0], nil
}

// instructions are the prompt: what may be chosen, and what was asked last. What changes from
// question to question stands at its end, so that providers can keep the rest.
func (p *provider) instructions(e *Embedded, q chat.Question) (string, error) {
	var b strings.Builder
	s := promptData{
		Name: e.clinic.Name, City: e.clinic.Address.City, Intents: e.choices.intents, Facts: e.choices.facts(),
		Services: e.clinic.Services, Answers: e.library.answers, Asked: q.Asked,
	}
	if !q.At.IsZero() {
		s.Moment = textData{Clinic: e.clinic, at: q.At.In(e.clinic.Zone)}.Moment()
	}
	err := p.prompt.Execute(&b, s)
	return b.String(), fault.Wrap(err, "write prompt")
}

// messages are the prompt, the last lines of what was said, and the question, all masked; the
// lines anew, for what became known since they were stored.
func (p *provider) messages(prompt string, e *Embedded, q chat.Question) []llms.MessageContent {
	known := q.Personal
	known.Public = e.clinic.Contacts()
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
	if p.key != "" {
		text = strings.ReplaceAll(text, p.key, "[key]")
	}
	return text[:min(len(text), 200)]
}
