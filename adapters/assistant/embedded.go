package assistant

import (
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
	return newEmbedded(Knowledge{Clinic: c}, ownData(), reader)
}

// NewEmbeddedFrom makes the assistant out of files that replace those of the program:
// words.json, urgency.json, specialties.json, answers.json, texts.tmpl and
// sentences/<intent>.txt. Files that are not there are the program's own.
func NewEmbeddedFrom(c clinic.Clinic, files fs.FS) (*Embedded, error) {
	both := overlay{files, ownData()}
	reader, err := meaning.New(both)
	if err != nil {
		return nil, err
	}
	return newEmbedded(Knowledge{Clinic: c}, both, reader)
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
	return &Embedded{k, k.Clinic, files, reader, answers, newPassages(reader.Language, k), texts}, nil
}

// Topics lists what the embedded assistant distinguishes.
func (e *Embedded) Topics() []string { return e.answers.topics }

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
	choice, err := e.answer(question, e.reader.Read(question), moment(ctx))
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
func (e *Embedded) answer(question string, m meaning.Meaning, at time.Time) (*llms.ContentChoice, error) {
	var answered answer
	var texts []string
	for i, asked := range e.questions(question, m) {
		s := textData{Clinic: e.clinic, siteURL: e.knowledge.SiteURL, at: at}
		if !at.IsZero() {
			s.at = at.In(e.clinic.Zone)
		}
		one := e.choose(asked.text, asked.m, &s)
		text, err := e.texts.render(one.Name, s)
		if err != nil {
			return nil, err
		}
		texts = append(texts, text)
		// What the clinic has no answer to is what it should hear of.
		if i == 0 || answered.Answered && !one.Answered {
			answered.Topic, answered.Answered = one.Topic, one.Answered
		}
		answered.Sources = slices.Concat(answered.Sources, one.Sources)
	}
	return &llms.ContentChoice{
		Content:    strings.Join(texts, "\n\n"),
		StopReason: "stop",
		GenerationInfo: map[string]any{
			infoTopic: answered.Topic, infoAnswered: answered.Answered, infoSources: answered.Sources,
		},
	}, nil
}

// choose gives the answer to a question and sets the scene for its text.
func (e *Embedded) choose(question string, m meaning.Meaning, s *textData) answer {
	stems := e.answers.stems(question)
	one, ok := e.answers.find(m.Intent, stems)
	slug := e.answers.service(stems)
	if one.Service != "" {
		slug = one.Service
	}
	s.Service, _ = e.clinic.Service(slug)
	switch {
	case m.Urgent && one.phrases != nil:
		s.Grave = m.Grave
	case m.Urgent && m.Grave:
		one.Name = "urgencia-grave"
	case m.Urgent:
		one.Name = "urgencia"
	case (m.Intent == meaning.Unknown || m.Intent == meaning.GoOn) && onlyContact(question):
		return answer{Name: "datos", Topic: "contacto", Answered: true, Sources: []string{"clinic/booking"}}
	case details.Acknowledges(question):
		return answer{Name: "enterado", Topic: unknownTopic, Answered: true}
	case details.OnlyEmoji(question):
		return answer{Name: "emoji", Topic: unknownTopic, Answered: true}
	case m.Intent == meaning.Unknown && details.ReadAnswer(question) != 0 && len(stems) <= 3:
		return answer{Name: "seguir", Topic: unknownTopic, Answered: true}
	case m.Intent == meaning.Unknown && slug != "" && len(stems) <= 2:
		return e.aboutService(slug, stems, s)
	case m.Intent == meaning.Unknown && one.phrases == nil:
		if answered, found := e.fromPost(stems, 0, s); found {
			return answered
		}
		return answer{Name: unknownText, Topic: unknownTopic}
	case !ok:
		return answer{Name: unknownText, Topic: unknownTopic}
	case m.Intent == meaning.GoOn && slug != "":
		return e.aboutService(slug, stems, s)
	case m.Intent == "servicio" && slug != "":
		return e.aboutService(slug, stems, s)
	case (m.Intent == "servicio" || m.Intent == "cuidados") && one.phrases == nil:
		if answered, found := e.fromPost(stems, 0, s); found {
			return answered
		}
		if section, fits := e.passages.ofService(stems, slug); fits > 0 {
			s.Service, s.Passage = section.service, section.beginning()
			return answer{Name: "pasaje", Topic: one.Topic, Answered: true, Sources: []string{"service/" + section.service.Slug}}
		}
	case one.Service != "" && s.Service.Slug == "":
		return answer{Name: "servicio-ausente", Topic: one.Topic}
	case one.Service != "":
		if section, fits := e.passages.ofService(stems, slug); fits > 0 {
			s.Passage = section.beginning()
		}
	case one.Name == "horario" && !s.at.IsZero():
		one.Name = e.hoursText(question, s)
	}
	return one
}

func (e *Embedded) aboutService(slug string, stems []string, s *textData) answer {
	if s.Service.Slug == "" {
		return answer{Name: "servicio-ausente", Topic: "servicios"}
	}
	section, fits := e.passages.ofService(stems, slug)
	if len(stems) > fewWords {
		if answered, found := e.fromPost(stems, fits, s); found {
			return answered
		}
	}
	if fits > 0 && len(stems) > 2 {
		s.Passage = section.beginning()
	}
	return answer{Name: "servicio", Topic: serviceTopic(slug), Answered: true, Sources: []string{"service/" + slug}}
}

// priceConcept is what words of money have in common; the blog names no prices.
const priceConcept = "precio"

// fromPost answers out of the blog, if a post fits better than something else does.
func (e *Embedded) fromPost(stems []string, than float64, s *textData) (answer, bool) {
	asksPrice := slices.ContainsFunc(stems, func(stem string) bool { return e.reader.Language.Concept(stem) == priceConcept })
	section, fits := e.passages.ofPost(stems, than)
	if fits == 0 || asksPrice {
		return answer{}, false
	}
	s.Post, s.Passage = *section.post, section.extract(stems, e.passages.rarity)
	return answer{Name: "pasaje-blog", Topic: "blog", Answered: true, Sources: []string{"post/" + section.post.Slug}}, true
}

// onlyContact says whether a text is a phone or an address with few words around.
func onlyContact(text string) bool {
	c := details.ReadContact(text, false)
	return len(c.Phones)+len(c.Emails) > 0 && len(strings.Fields(c.Rest)) <= 5
}

// hoursText chooses between the hours of the moment, of a day and of the week.
func (e *Embedded) hoursText(question string, s *textData) string {
	list := e.reader.Language.Words(question)
	now := asksAboutNow(list)
	day, ok := timex.Day(question, s.at)
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
