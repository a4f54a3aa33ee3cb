package assistant

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/tmc/langchaingo/llms"

	"bitacora/domain/clinic"
	"bitacora/domain/privacy"
)

// embeddedModel names the model in the transcripts.
const embeddedModel = "embedded-1"

// What the embedded model says about its answer in the response's generation info.
const (
	infoTopic    = "topic"
	infoAnswered = "answered"
	infoSources  = "sources"
)

// Names of what the embedded assistant answers when no intent says it.
const (
	unknownTopic = "otro"
	unknownText  = "sin-respuesta"
)

// Embedded answers from the clinic's facts alone, without a key and without a network.
// It implements [llms.Model], so that it stands where any other model may stand.
type Embedded struct {
	clinic     clinic.Clinic
	classifier *classifier
	texts      texts
}

var _ llms.Model = (*Embedded)(nil)

// NewEmbedded reads the intents and texts that the program carries.
func NewEmbedded(c clinic.Clinic) (*Embedded, error) {
	classifier, err := newClassifier()
	if err != nil {
		return nil, err
	}
	texts, err := loadTexts()
	if err != nil {
		return nil, err
	}
	return &Embedded{clinic: c, classifier: classifier, texts: texts}, nil
}

// Topics lists what the embedded assistant tells apart, in the order of their declaration.
func (e *Embedded) Topics() []string {
	seen := map[string]bool{unknownTopic: true}
	topics := []string{unknownTopic}
	for _, in := range e.classifier.intents {
		if !seen[in.Topic] {
			seen[in.Topic] = true
			topics = append(topics, in.Topic)
		}
	}
	return topics
}

// GenerateContent implements [llms.Model]: it answers the last message of the visitor.
func (e *Embedded) GenerateContent(ctx context.Context, messages []llms.MessageContent, options ...llms.CallOption) (*llms.ContentResponse, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var call llms.CallOptions
	for _, o := range options {
		o(&call)
	}
	question, ok := lastQuestion(messages)
	if !ok {
		return nil, errors.New("no question among the messages")
	}
	choice, err := e.answer(question, moment(ctx))
	if err != nil {
		return nil, err
	}
	if call.StreamingFunc != nil {
		if err := call.StreamingFunc(ctx, []byte(choice.Content)); err != nil {
			return nil, err
		}
	}
	return &llms.ContentResponse{Choices: []*llms.ContentChoice{choice}}, nil
}

// Call implements [llms.Model].
func (e *Embedded) Call(ctx context.Context, prompt string, options ...llms.CallOption) (string, error) {
	return llms.GenerateFromSinglePrompt(ctx, e, prompt, options...)
}

// answer finds what the question is about and says what the clinic says about it. A
// zero time stands for an unknown moment.
func (e *Embedded) answer(question string, at time.Time) (*llms.ContentChoice, error) {
	s := scene{Clinic: e.clinic, at: at}
	if !at.IsZero() {
		s.at = at.In(e.clinic.Zone)
	}
	in, name := e.intent(question)
	if in.Service != "" {
		if s.Service, _ = e.clinic.Service(in.Service); s.Service.Slug == "" {
			name, in.Answered, in.Sources = "servicio-ausente", false, nil
		}
	}
	if in.Name == "horario" && !s.at.IsZero() {
		name = e.hoursText(question, &s)
	}
	text, err := e.texts.render(name, s)
	if err != nil {
		return nil, err
	}
	return &llms.ContentChoice{
		Content:    text,
		StopReason: "stop",
		GenerationInfo: map[string]any{
			infoTopic: in.Topic, infoAnswered: in.Answered, infoSources: in.Sources,
		},
	}, nil
}

// intent gives what the question is about and the name of the text that answers it.
func (e *Embedded) intent(question string) (in intent, text string) {
	in, ok := e.classifier.classify(question)
	switch {
	case (!ok || in.Topic == unknownTopic) && privacy.MaskContacts(question) != question:
		return intent{Topic: "contacto", Sources: []string{"clinic/booking"}}, "datos"
	case !ok:
		return intent{Topic: unknownTopic}, unknownText
	case e.texts.has(in.Name):
		return in, in.Name
	}
	return in, "servicio"
}

// hoursText chooses between the hours of the moment, of a day and of the week.
func (e *Embedded) hoursText(question string, s *scene) string {
	tokens := e.classifier.tokens(question)
	day, ok := askedDay(tokens, s.at)
	if ok {
		s.day = day
	}
	switch {
	case ok && !(s.DayIsToday() && asksAboutNow(tokens)):
		return "horario-dia"
	case asksAboutNow(tokens):
		return "horario-ahora"
	}
	return "horario"
}

func lastQuestion(messages []llms.MessageContent) (string, bool) {
	for i := len(messages) - 1; i >= 0; i-- {
		if messages[i].Role != llms.ChatMessageTypeHuman {
			continue
		}
		var parts []string
		for _, p := range messages[i].Parts {
			if text, ok := p.(llms.TextContent); ok {
				parts = append(parts, text.Text)
			}
		}
		return strings.Join(parts, "\n"), true
	}
	return "", false
}

type momentKey struct{}

// withMoment carries the time of a question to a model that has no other way to take it.
func withMoment(ctx context.Context, at time.Time) context.Context {
	return context.WithValue(ctx, momentKey{}, at)
}

func moment(ctx context.Context) time.Time {
	at, _ := ctx.Value(momentKey{}).(time.Time)
	return at
}
