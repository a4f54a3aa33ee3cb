package assistant

import (
	"cmp"
	"context"
	"embed"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/tmc/langchaingo/llms"

	"bitacora/adapters/assistant/details"
	"bitacora/adapters/assistant/meaning"
	"bitacora/adapters/assistant/retrieval"
	"bitacora/domain/chat"
	"bitacora/domain/clinic"
	"bitacora/domain/timex"
)

// embeddedModel names the model in the transcripts.
const embeddedModel = "embedded-2"

// What the embedded model says about its answer in the response's generation info.
const (
	infoTopic    = "topic"
	infoAnswered = "answered"
	infoSources  = "sources"
	infoOpen     = "open"
)

// Names of what the embedded assistant answers when no intent says it.
const (
	unknownTopic = "otro"
	unknownText  = "sin-respuesta"
)

//go:embed data
var ownFiles embed.FS

// ownData is what the program carries.
func ownData() fs.FS {
	data, err := fs.Sub(ownFiles, "data")
	if err != nil {
		panic(err)
	}
	return data
}

// ownReader learns once, however many assistants there are.
var ownReader = sync.OnceValues(func() (*meaning.Reader, error) { return meaning.New(ownData()) })

// Embedded answers from the clinic's facts alone, without a key and without a network.
// It implements [llms.Model], as other models do.
type Embedded struct {
	knowledge Knowledge
	clinic    clinic.Clinic
	files     fs.FS
	reader    *meaning.Reader
	answers   *answers
	library   *library
	passages  *passages
	texts     texts
}

var _ llms.Model = (*Embedded)(nil)

// NewEmbedded makes the assistant out of the files that the program carries.
func NewEmbedded(c clinic.Clinic) (*Embedded, error) {
	reader, err := ownReader()
	if err != nil {
		return nil, err
	}
	return newEmbedded(ownKnowledge(c), ownData(), reader)
}

// NewEmbeddedFrom makes the assistant out of files that replace those of the program:
// words.json, asking.json, urgency.json, specialties.json, answers.json, texts.tmpl and
// sentences/<intent>.txt. Files that are not there are the program's own.
func NewEmbeddedFrom(c clinic.Clinic, files fs.FS) (*Embedded, error) {
	both := overlay{files, ownData()}
	reader, err := meaning.New(both)
	if err != nil {
		return nil, err
	}
	return newEmbedded(ownKnowledge(c), both, reader)
}

func newEmbedded(k Knowledge, files fs.FS, reader *meaning.Reader) (*Embedded, error) {
	answers, err := loadAnswers(files, reader.Language, k.Clinic)
	if err != nil {
		return nil, err
	}
	texts, err := loadTexts(files)
	if err != nil {
		return nil, err
	}
	lexicon, err := retrieval.ReadLexicon(files, "asking.json")
	if err != nil {
		return nil, err
	}
	return &Embedded{
		k, k.Clinic, files, reader, answers, newLibrary(k, lexicon, answers), newPassages(reader.Language, lexicon, k), texts,
	}, nil
}

// Topics lists what the embedded assistant distinguishes.
func (e *Embedded) Topics() []string {
	topics := slices.Clone(e.answers.topics)
	for _, a := range e.library.answers {
		if !slices.Contains(topics, a.Topic) {
			topics = append(topics, a.Topic)
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
	choice, err := e.answer(chat.Question{Text: question, At: moment(ctx)}, e.read(question))
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

// answer finds what the question is about and says what the clinic says about it; of
// several questions in one, what it says about each. A zero time stands for an unknown moment.
func (e *Embedded) answer(q chat.Question, m meaning.Meaning) (*llms.ContentChoice, error) {
	b := e.spokenOf(q.History)
	if q.Asked == chat.StepIdle || q.Asked == chat.StepOffer {
		q.Text = e.rephrased(q.Text, b)
	}
	replied, moved, err := e.reply(q, m, b)
	if err != nil {
		return nil, err
	}
	var texts []string
	if moved {
		texts = append(texts, replied.text)
	} else {
		replied = answer{}
		for i, asked := range e.questions(q.Text, m, b) {
			one, err := e.replyTo(asked, b, q.At)
			if err != nil {
				return nil, err
			}
			if !slices.Contains(texts, one.text) {
				texts = append(texts, one.text)
			}
			// What the clinic has no answer to is what it should hear of.
			if i == 0 || replied.Answered && !one.Answered {
				replied.Topic, replied.Answered = one.Topic, one.Answered
			}
			replied.Open = replied.Open || one.Open
			replied.Sources = slices.Concat(replied.Sources, one.Sources)
			b = b.with(one, e.library)
		}
	}
	return &llms.ContentChoice{
		Content:    strings.Join(texts, "\n\n"),
		StopReason: "stop",
		GenerationInfo: map[string]any{
			infoTopic: replied.Topic, infoAnswered: replied.Answered, infoSources: replied.Sources, infoOpen: replied.Open,
		},
	}, nil
}

// replyTo answers one question.
func (e *Embedded) replyTo(asked asked, b before, at time.Time) (answer, error) {
	s := textData{Clinic: e.clinic, siteURL: e.knowledge.SiteURL, at: at, English: asked.english}
	if !at.IsZero() {
		s.at = at.In(e.clinic.Zone)
	}
	return e.worded(e.choose(asked, b, &s), s)
}

// worded is an answer with the whole text that is said.
func (e *Embedded) worded(one answer, s textData) (answer, error) {
	name := one.Name
	if one.text != "" {
		name = one.then
	}
	if name == "" {
		return one, nil
	}
	text, err := e.texts.render(name, s)
	if err != nil {
		return one, err
	}
	if one.text != "" && text != "" {
		text = one.text + "\n\n" + text
	}
	one.text = cmp.Or(text, one.text)
	return one, nil
}

// onlyContact says whether a text is a phone or an address with few words around.
func onlyContact(text string) bool {
	c := details.ReadContact(text, false)
	return len(c.Phones)+len(c.Emails) > 0 && len(strings.Fields(c.Rest)) <= 5
}

// hoursText chooses between the hours of the moment, of a day and of the week.
func (e *Embedded) hoursText(q asked, s *textData) string {
	now := asksAboutNow(q.list)
	day, ok := timex.Day(q.text, s.at)
	if ok {
		s.day = day
	}
	switch {
	case ok && !(s.DayIsToday() && now):
		return "horario-dia"
	case now:
		return "horario-ahora"
	}
	return "horario"
}

// namesDay says whether a question is about one day, or this moment.
func namesDay(q asked, at time.Time) bool {
	_, day := timex.Day(q.text, at)
	return day || asksAboutNow(q.list)
}

// asksAboutNow says whether a text is about this very moment.
func asksAboutNow(list []string) bool {
	return slices.ContainsFunc(list, func(w string) bool {
		return slices.Contains([]string{"ahora", "ahorita", "momento", "now", "abierto", "abiertos", "cerrados", "cerraron", "abrieron"}, w)
	})
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

// WithMoment carries the time of a question to a model that has no other way to take it.
func WithMoment(ctx context.Context, at time.Time) context.Context {
	return context.WithValue(ctx, momentKey{}, at)
}

func moment(ctx context.Context) time.Time {
	at, _ := ctx.Value(momentKey{}).(time.Time)
	return at
}
