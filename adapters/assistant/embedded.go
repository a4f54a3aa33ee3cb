package assistant

import (
	"cmp"
	"embed"
	"io/fs"
	"slices"
	"strings"
	"time"

	"bitacora/adapters/assistant/details"
	"bitacora/adapters/assistant/meaning"
	"bitacora/adapters/assistant/retrieval"
	"bitacora/adapters/assistant/words"
	"bitacora/adapters/phones"
	"bitacora/domain/chat"
	"bitacora/domain/clinic"
)

// embeddedModel names the model in the transcripts.
const embeddedModel = "embedded-3"

// Names of what the embedded assistant answers when no intent says it.
const (
	unknownTopic  = "otro"
	greetingTopic = "saludo"
	unknownText   = "sin-respuesta"
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

// Embedded understands and answers from the clinic's facts alone, without a key and without a network.
type Embedded struct {
	knowledge Knowledge
	clinic    clinic.Clinic
	phones    phones.Plan
	files     fs.FS
	learned   learned
	reader    *meaning.Reader
	answers   *answers
	library   *library
	passages  *passages
	texts     texts
	names     *names
	// treatments are read in the language, as the library is.
	treatments treatments
	choices    choices
	// budgets says that the clinic's own answers promise a budget before a treatment.
	budgets bool
	// language is the one that reader and library are of; in has the assistant as it reads each.
	language words.Code
	in       map[words.Code]*Embedded
}

// NewEmbedded makes the assistant out of the files that the program carries.
func NewEmbedded(c clinic.Clinic) (*Embedded, error) { return newEmbedded(c, ownData()) }

// NewEmbeddedFrom makes the assistant out of files that replace those of the program:
// words.json, asking.json, urgency.json, specialties.json, answers.json, texts.tmpl,
// sentences/<intent>.txt and questions/<topic>.txt. Files that are not there are the program's own.
// Where they change what is learned from, learning it takes some seconds.
func NewEmbeddedFrom(c clinic.Clinic, files fs.FS) (*Embedded, error) {
	return newEmbedded(c, overlay{files, ownData()})
}

func newEmbedded(c clinic.Clinic, files fs.FS) (*Embedded, error) {
	e := &Embedded{files: files}
	var err error
	if e.learned, err = learnedFrom(files); err != nil {
		return nil, err
	}
	e.in = map[words.Code]*Embedded{}
	for _, language := range words.Codes {
		one := &Embedded{language: language}
		if one.reader, err = meaning.New(files, e.learned.of(language).Meaning, e.learned.Danger); err != nil {
			return nil, err
		}
		e.in[language] = one
	}
	return e.knowing(ownKnowledge(c))
}

// knowing is the assistant with other knowledge, as it reads Spanish; it has learned the same.
func (e *Embedded) knowing(k Knowledge) (*Embedded, error) {
	k.Clinic = clinic.Staffed(k.Clinic, k.Profiles)
	analyzer, answers, err := readAnalyzer(e.files, k.Clinic)
	if err != nil {
		return nil, err
	}
	other := *e
	if other.texts, err = loadTexts(e.files, k.Clinic.FormOfAddress); err != nil {
		return nil, err
	}
	other.knowledge, other.clinic, other.phones, other.answers = k, k.Clinic, phones.PlanOf(k.Clinic), answers
	if other.names, err = loadNames(e.files, analyzer, answers, k.Clinic); err != nil {
		return nil, err
	}
	other.passages = newPassages(analyzer, k)
	other.budgets = slices.ContainsFunc(k.Answers, func(a clinic.Answer) bool { return budget.MatchString(a.Of(k.Clinic).Text) })
	other.in = map[words.Code]*Embedded{}
	for _, language := range words.Codes {
		one := other
		one.language, one.reader = language, e.in[language].reader
		one.library = newLibrary(k, analyzer, language, e.learned.of(language).Answers, e.in[language].library)
		one.treatments = treatments{k.Clinic, answers, one.library}
		one.choices = choices{one.reader.Intents(), one.library, k.Clinic}
		other.in[language] = &one
	}
	return other.in[words.Spanish], nil
}

// readAnalyzer reads how texts are compared, and the ways to answer intents, at a clinic.
func readAnalyzer(files fs.FS, c clinic.Clinic) (retrieval.Analyzer, *answers, error) {
	language, err := words.Open(files)
	if err != nil {
		return retrieval.Analyzer{}, nil, err
	}
	answers, err := loadAnswers(files, language, c)
	if err != nil {
		return retrieval.Analyzer{}, nil, err
	}
	lexicon, err := retrieval.ReadLexicon(files, "asking.json")
	return retrieval.Analyzer{Language: language, Lexicon: lexicon, SubjectOf: answers.service}, answers, err
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

// answer finds what the question is about and says what the clinic says about it; of
// several questions in one, what it says about each. A zero time stands for an unknown moment.
func (e *Embedded) answer(q chat.Question, m meaning.Meaning) (answer, error) {
	b := e.spokenOf(q.History)
	if q.Asked == chat.StepIdle || q.Asked == chat.StepOffer {
		q.Text = e.rephrased(q.Text, b)
	}
	replied, moved, err := e.reply(q, m, b)
	if err != nil || moved {
		return replied, err
	}
	if q.Understood.Asks {
		b.service = cmp.Or(e.answers.service(e.answers.stems(q.Text)), b.service)
		q.Text = e.besideBooking(q.Text, b)
		m = e.read(q.Text)
	}
	var parts []answer
	for _, asked := range e.questions(q, m, b) {
		b.service = cmp.Or(asked.of, b.service)
		one, err := e.replyTo(asked, b, q.At)
		if err != nil {
			return answer{}, err
		}
		parts = append(parts, one)
		b = b.with(one, e.library)
	}
	return joined(parts), nil
}

// replyTo answers one question.
func (e *Embedded) replyTo(asked asked, b before, at time.Time) (answer, error) {
	s := e.scene(asked, at)
	return e.worded(e.choose(asked, b, &s), s)
}

// worded is an answer with the whole text that is said.
func (e *Embedded) worded(one answer, s textData) (answer, error) {
	name := one.Name
	if one.text != "" {
		one.text, name = ended(s.Fill(one.text)), one.then
	}
	if name == "" {
		return one, nil
	}
	text, err := e.texts.render(name, s)
	if err != nil {
		return one, err
	}
	if at := opening.FindStringIndex(text); at != nil && s.openly {
		text = capitalised(text[at[1]:])
	}
	if one.text != "" && text != "" {
		text = one.text + "\n\n" + text
	}
	one.text = cmp.Or(text, one.text)
	return one, nil
}

// onlyContact says whether a text is a phone or an address with few words around.
func onlyContact(text string, plan phones.Plan) bool {
	c := details.ReadContact(text, false, plan)
	return len(c.Phones)+len(c.Emails) > 0 && len(strings.Fields(c.Rest)) <= 5
}

// asksAboutNow says whether a text is about this very moment.
func asksAboutNow(list []string) bool {
	return slices.ContainsFunc(list, func(w string) bool {
		return slices.Contains([]string{"ahora", "ahorita", "momento", "now", "abierto", "abiertos", "cerrados", "cerraron", "abrieron"}, w)
	})
}
