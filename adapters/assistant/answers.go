package assistant

import (
	"io/fs"
	"maps"
	"slices"
	"strings"

	"bitacora/adapters/assistant/words"
	"bitacora/domain/clinic"
	"bitacora/domain/event"
)

// answer is one way to answer an intent, declared in answers.json.
type answer struct {
	// Name is that of the text that answers.
	Name   string `json:"name"`
	Intent string `json:"intent"`
	Topic  string `json:"topic"`
	// Answered is false when the clinic's content has no answer.
	Answered bool     `json:"answered"`
	Sources  []string `json:"sources"`
	// Service is the slug of the service that the text speaks of.
	Service string `json:"service"`
	// When are phrases of which one must stand in the question; the answer of an intent
	// without any is the general one.
	When    []string `json:"when"`
	phrases *words.Phrases
	// chosen is how likely the answer is, and the one that comes next, where that is known.
	chosen event.Chosen
	// Fact is the key of the clinic's fact that answers it, where that is told; empty for none.
	Fact string `json:"fact"`
	// Open says that the question can be passed on to the staff, who may know.
	Open bool `json:"open"`
	// text is what is said, where no text of the name is, and then the name of the text that
	// follows it; empty for none.
	text, then string
}

// given is which of the clinic's answers it is; the zero value for none.
func (a answer) given() event.Chosen {
	for _, source := range a.Sources {
		if slug, is := strings.CutPrefix(source, "answer/"); is && a.chosen.Answer == "" {
			a.chosen.Answer = slug
		}
	}
	return a.chosen
}

// answers are all answers by intent, and the words by which services are asked for.
type answers struct {
	language *words.Language
	byIntent map[string][]answer
	topics   []string
	// services holds the phrases of the services that the clinic has, in their order.
	services []named
}

type named struct {
	slug    string
	phrases *words.Phrases
}

func loadAnswers(files fs.FS, l *words.Language, c clinic.Clinic) (*answers, error) {
	a := &answers{language: l, byIntent: map[string][]answer{}, topics: []string{unknownTopic}}
	var list []answer
	if err := words.ReadJSON(files, "answers.json", &list); err != nil {
		return nil, err
	}
	for _, one := range list {
		if len(one.When) > 0 {
			one.phrases = words.NewPhrases(l, one.When)
		}
		a.byIntent[one.Intent] = append(a.byIntent[one.Intent], one.tellsFact(c))
		if !slices.Contains(a.topics, one.Topic) {
			a.topics = append(a.topics, one.Topic)
		}
	}
	var specialties map[string][]string
	if err := words.ReadJSON(files, "specialties.json", &specialties); err != nil {
		return nil, err
	}
	for _, slug := range slices.Sorted(maps.Keys(specialties)) {
		a.services = append(a.services, named{slug, words.NewPhrases(l, specialties[slug])})
	}
	for _, s := range c.Services {
		if _, known := specialties[s.Slug]; !known {
			a.services = append(a.services, named{s.Slug, words.NewPhrases(l, []string{s.Title})})
		}
		a.topics = append(a.topics, serviceTopic(s.Slug))
	}
	a.topics = append(a.topics, "blog")
	return a, nil
}

// stems are the words of a text, with those corrected that misspell a service.
func (a *answers) stems(text string) []string {
	list := a.language.Words(text)
	for i, w := range list {
		list[i] = a.stem(w)
	}
	return list
}

func (a *answers) stem(word string) string {
	stem := words.Stem(word)
	if a.language.Everyday(word) {
		return stem
	}
	for _, s := range a.services {
		if s.phrases.Has(stem) {
			return stem
		}
	}
	if corrected, ok := words.Correct(word, a.phrases); ok {
		return corrected
	}
	return stem
}

// phrases are those of each service.
func (a *answers) phrases(yield func(*words.Phrases) bool) {
	for _, s := range a.services {
		if !yield(s.phrases) {
			return
		}
	}
}

// service is the slug of the service that a text names, empty if none: the one with the
// longest phrase.
func (a *answers) service(stems []string) string {
	longest, found := 0, ""
	for _, s := range a.services {
		if n := s.phrases.Longest(stems); n > longest {
			longest, found = n, s.slug
		}
	}
	return found
}

// find gives the answer of an intent that fits a text best.
func (a *answers) find(intent string, stems []string) (answer, bool) {
	var best answer
	found, longest := false, -1
	for _, one := range a.byIntent[intent] {
		n := 0
		if one.phrases != nil {
			if n = one.phrases.Longest(stems); n == 0 {
				continue
			}
		}
		if n > longest {
			best, longest, found = one, n, true
		}
	}
	return best, found
}

// topic is that of the general answer of an intent.
func (a *answers) topic(intent string) string {
	if one, ok := a.find(intent, nil); ok {
		return one.Topic
	}
	return unknownTopic
}

// serviceTopic is the topic of a service: its slug without what all of them are.
func serviceTopic(slug string) string {
	return strings.TrimSuffix(strings.TrimSuffix(slug, "-dentales"), "-dental")
}
