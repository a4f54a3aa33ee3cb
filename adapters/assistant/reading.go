package assistant

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"bitacora/adapters/assistant/meaning"
	"bitacora/domain/chat"
	"bitacora/domain/clinic"
	"bitacora/domain/event"
	"bitacora/domain/timex"
)

// reading is what a provider makes of a message: what is wanted, and which of the clinic's own
// texts answer it. None of its words is ever said: whatever a provider writes, visitors read what
// the clinic has written.
type reading struct {
	// Intent is one of [meaning.Reader.Intents].
	Intent string `json:"intent"`
	// Answers are slugs of the clinic's answers and names of its facts, in the order of what was
	// asked; none: the text of the intent answers.
	Answers []string `json:"answers"`
	// Service is the slug of the service that is spoken of, also before; empty for none.
	Service string `json:"service"`
	// When is a day or an hour, in words that [timex] reads; empty for none.
	When string `json:"when"`
	// Feeling is one of [feelings]; empty for none.
	Feeling string `json:"feeling"`
	// Unknown says that something is asked that none of the answers tells.
	Unknown bool `json:"unknown"`
	// English says that the message is in English.
	English bool `json:"english"`
}

// Bounds of a reading.
const (
	mostAnswers = 4
	longestWhen = 80
)

// feelings are what a reply can take note of first, by the text that does.
var feelings = map[string]string{"miedo": "animo-miedo", "dolor": "animo-dolor", "molestia": "animo-molestia"}

// choices are what a provider can choose from.
type choices struct {
	intents []string
	library *library
	clinic  clinic.Clinic
}

// facts are the intents whose text tells a fact, so that they may stand among the answers.
func (c choices) facts() []string {
	return slices.DeleteFunc(slices.Clone(c.intents), func(intent string) bool { return !slices.Contains(factual, intent) })
}

// factual are the intents whose text tells a fact.
var factual = []string{"horario", "ubicacion", "telefono", "correo", "precio", "pago", "seguro", "servicio", "doctores", "primera-visita", "ninos"}

// parse takes what a provider wrote for a reading, if it is one and names nothing that there is not.
func (c choices) parse(text string) (reading, error) {
	from, to := strings.Index(text, "{"), strings.LastIndex(text, "}")
	if from < 0 || to < from {
		return reading{}, errors.New("model wrote no object")
	}
	var r reading
	if err := json.Unmarshal([]byte(text[from:to+1]), &r); err != nil {
		return reading{}, fmt.Errorf("read object: %w", err)
	}
	switch {
	case !slices.Contains(c.intents, r.Intent):
		return reading{}, fmt.Errorf("model names no intent that there is: %.40q", r.Intent)
	case len(r.Answers) > mostAnswers:
		return reading{}, fmt.Errorf("model chose %d answers", len(r.Answers))
	case len(r.When) > longestWhen:
		return reading{}, errors.New("model names no day")
	}
	for _, id := range r.Answers {
		if _, ok := c.library.named(id); !ok && !slices.Contains(c.facts(), id) {
			return reading{}, fmt.Errorf("model names no answer that there is: %.40q", id)
		}
	}
	if _, ok := c.clinic.Service(r.Service); !ok && r.Service != "" {
		return reading{}, fmt.Errorf("model names no service that there is: %.40q", r.Service)
	}
	if feelings[r.Feeling] == "" {
		r.Feeling = ""
	}
	return r, nil
}

// understood adds to what the embedded assistant understood what a provider reads in the message:
// what is wanted and, where none was found, a service and a day. A yes, a name and a contact are
// never taken from it, so that nobody agrees to anything by what a provider says.
func (r reading) understood(e *Embedded, q chat.Question) chat.Understanding {
	u := q.Understood
	u.Topic, u.English = e.answers.topic(r.Intent), u.English || r.English
	if own := u.Understood.Intent; own != r.Intent {
		u.Understood = event.Understood{Intent: r.Intent, RunnerUp: own}
	}
	if u.Specialty == "" && !u.AnySpecialty {
		u.Specialty = r.Service
	}
	if r.When != "" && !u.NamesTime() && !u.AnyTime {
		read := timex.Read(r.When, timex.Moment{At: q.At.In(e.clinic.Zone), Ahead: e.clinic.Agenda.Days, Known: inZone(q.Known, e.clinic.Zone), Bare: true})
		u.When, u.Only, u.Doubt = read.Wish, read.Only, read.Doubt
	}
	act, ok := acts[r.Intent]
	if !ok || len(r.Answers) > 0 || r.Unknown {
		act = chat.IntentAsk
	}
	arranging := q.Asked != chat.StepIdle && q.Asked != chat.StepOffer
	if arranging && act == chat.IntentBook {
		act = chat.IntentNone // it is what is being done
	}
	u.Intent = act
	u.Urgent = u.Urgent || r.Intent == meaning.Urgent
	u.Complaint, u.Callback = u.Complaint || r.Intent == "queja", u.Callback || r.Intent == "persona"
	return u
}

// selected says the texts that a reading chose, in their order.
func (e *Embedded) selected(q chat.Question, r reading) (answer, error) {
	one := asked{text: q.Text, m: meaning.Meaning{Intent: r.Intent, Likeliest: r.Intent, Confidence: 1}, list: e.reader.Language.Words(q.Text), english: r.English || q.Understood.English}
	ids := r.Answers
	if len(ids) == 0 && !r.Unknown {
		ids = []string{r.Intent}
	}
	var parts []answer
	for _, id := range ids {
		part, err := e.selectedOne(one, id, r.Service, q)
		if err != nil {
			return answer{}, err
		}
		parts = append(parts, part)
	}
	if r.Unknown {
		part, err := e.worded(answer{Name: "no-se", Topic: e.answers.topic(r.Intent), Open: true}, e.scene(one, q.At))
		if err != nil {
			return answer{}, err
		}
		parts = append(parts, part)
	}
	return e.feeling(r, joined(parts), e.scene(one, q.At))
}

// selectedOne is the text of one answer of the clinic, or the one by which an intent is answered.
func (e *Embedded) selectedOne(one asked, id, service string, q chat.Question) (answer, error) {
	s := e.scene(one, q.At)
	if a, ok := e.library.named(id); ok {
		return e.worded(say(a, one.english), s)
	}
	stems := e.answers.stems(one.text)
	found, ok := e.answers.find(id, stems)
	if !ok {
		found = answer{Name: unknownText, Topic: unknownTopic}
	}
	slug := service
	if found.Service != "" {
		slug = found.Service
	}
	s.Service, ok = e.clinic.Service(slug)
	switch {
	case found.Service != "" && !ok:
		found = answer{Name: "servicio-ausente", Topic: found.Topic, Open: true}
	case found.Name == "horario" && !s.at.IsZero():
		found.Name = e.names.hoursText(one, &s)
	case found.Name == "servicios" && s.Service.Slug != "" && found.phrases == nil:
		found = e.treatments.offers(slug)
	}
	return e.worded(found, s)
}

// scene is what the texts that answer a question can speak of.
func (e *Embedded) scene(one asked, at time.Time) textData {
	s := textData{Clinic: e.clinic.From(at), siteURL: e.knowledge.SiteURL, Budgets: e.budgets, English: one.english, Profiled: len(e.knowledge.Profiles) > 0, openly: asksOpenly.MatchString(plain(one.list))}
	if !at.IsZero() {
		s.at = at.In(e.clinic.Zone)
	}
	return s
}

// unsaid is a text without its first sentence where another begins with it, too: the address says itself once.
func unsaid(said []string, text string) string {
	first, rest, ok := strings.Cut(text, ". ")
	begins := func(other string) bool { return strings.HasPrefix(other, first+". ") }
	if r, _ := utf8.DecodeRuneInString(rest); !ok || !unicode.IsUpper(r) || !slices.ContainsFunc(said, begins) {
		return text
	}
	return rest
}

// joined is several answers as one. What the clinic has no answer to is what it should hear of.
func joined(parts []answer) answer {
	var whole answer
	var texts []string
	for i, one := range parts {
		if !slices.Contains(texts, one.text) {
			texts = append(texts, unsaid(texts, one.text))
		}
		if i == 0 || whole.Answered && !one.Answered {
			whole.Topic, whole.Answered = one.Topic, one.Answered
		}
		if whole.chosen.Answer == "" {
			whole.chosen = one.given()
		}
		whole.Open = whole.Open || one.Open
		whole.Sources = append(whole.Sources, one.Sources...)
	}
	whole.text = strings.Join(texts, "\n\n")
	return whole
}

// feeling puts before an answer that a feeling was taken note of.
func (e *Embedded) feeling(r reading, a answer, s textData) (answer, error) {
	name := feelings[r.Feeling]
	if name == "" || r.Intent == meaning.Urgent {
		return a, nil
	}
	text, err := e.texts.render(name, s)
	if err != nil {
		return a, err
	}
	a.text = text + " " + a.text
	return a, nil
}

// promptData is what the prompt speaks of.
type promptData struct {
	Name, City, Moment string
	Intents, Facts     []string
	Services           []clinic.Service
	Answers            []clinic.Answer
	Asked              chat.Step
}
