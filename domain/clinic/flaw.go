package clinic

import (
	"errors"
	"fmt"
	"path"
	"reflect"
	"slices"
)

// FlawKind is what is wrong with a field of an answer.
type FlawKind int

// The kinds of flaws.
const (
	// FlawForm: the value has not the form that it is to have.
	FlawForm FlawKind = iota
	FlawEmpty
	FlawTooLong
	// FlawLiteral: a fact of the clinic stands there as it is, and not by its name.
	FlawLiteral
	FlawUnknownFact
	// FlawAsked: another answer has the question.
	FlawAsked
	FlawUnknownService
)

// Flaw is what is wrong with a field of an answer.
type Flaw struct {
	// Field is the field's name in a file of answers, "questions", or "slug" for the answer as a whole.
	Field string
	Kind  FlawKind
	// About is what the flaw is about: the literal or the name of the fact, the slug of the answer
	// that has the question, the most characters that fit.
	About string
}

// flaw is what is wrong with one field of a piece of content, and how the author of its file is
// told; a kind and what it is about are given for answers.
type flaw struct {
	Flaw
	text string
}

func (f flaw) Error() string {
	if f.Field == questionField {
		return f.text
	}
	return f.Field + ": " + f.text
}

// is says of the last flaw what kind it is.
func (f *flaws) is(kind FlawKind, about string) {
	last := &(*f)[len(*f)-1]
	last.Kind, last.About = kind, about
}

const questionField = "questions"

func questionFlaw(kind FlawKind, about, format string, args ...any) flaw {
	return flaw{Flaw{questionField, kind, about}, fmt.Sprintf(format, args...)}
}

// Normal is an answer whose texts stand on one line each, without what nobody can see.
func (a Answer) Normal() Answer {
	questions := make([]string, 0, len(a.Questions))
	for _, q := range a.Questions {
		if q = line(q); q != "" && !slices.Contains(questions, q) {
			questions = append(questions, q)
		}
	}
	a.Questions, a.Text, a.English = questions, line(a.Text), line(a.English)
	return a
}

// Flaws are what is wrong with a normal answer beside others, of which one of the same slug is to be
// replaced: what an import would refuse, by reading the file that an export would write.
func (a Answer) Flaws(others []Answer, services []Service) []Flaw {
	r := answerReader{asked: map[string]string{}, services: map[string]int{}}
	for _, other := range others {
		for _, q := range other.Questions {
			if other.Slug != a.Slug {
				r.asked[PlainWords(q)] = other.Slug
			}
		}
	}
	name := path.Join(answerFiles, a.Topic+".md")
	r.read(name, string(answerTexts([]Answer{a})[name]))
	var found []Flaw
	for _, err := range r.errs {
		f := flaw{Flaw: Flaw{Field: "text"}}
		errors.As(err, &f)
		found = append(found, f.Flaw)
	}
	switch { // what begins like another line of such a file is read as that
	case len(r.all) != 1 || r.all[0].Text != a.Text:
		found = []Flaw{{Field: "text"}}
	case r.all[0].English != a.English:
		found = []Flaw{{Field: "english"}}
	}
	if _, known := serviceOf(services, a.Service); a.Service != "" && !known {
		found = append(found, Flaw{Field: "service", Kind: FlawUnknownService, About: a.Service})
	}
	return found
}

// Replacing is an answer in the place of another, if there is one: the same English text does not stay where the
// Spanish one is another now.
func (a Answer) Replacing(before *Answer) Answer {
	if before != nil && a.Text != before.Text && a.English == before.English {
		a.English = ""
	}
	return a
}

// WithAnswer is a list of answers with one in the place of that of its slug, or after those of its
// topic, where files of answers would have it.
func WithAnswer(all []Answer, a Answer) []Answer {
	i := slices.IndexFunc(all, func(other Answer) bool { return other.Slug == a.Slug })
	if i >= 0 && all[i].Topic == a.Topic {
		list := slices.Clone(all)
		list[i] = a
		return list
	}
	list := WithoutAnswer(all, a.Slug)
	for i, other := range slices.Backward(list) {
		if other.Topic == a.Topic {
			return slices.Insert(list, i+1, a)
		}
	}
	return append(list, a)
}

// WithoutAnswer is a list of answers without that of a slug.
func WithoutAnswer(all []Answer, slug string) []Answer {
	return slices.DeleteFunc(slices.Clone(all), func(a Answer) bool { return a.Slug == slug })
}

// AnswerOf finds the answer of a slug.
func AnswerOf(all []Answer, slug string) (a Answer, ok bool) {
	return find(all, func(a Answer) bool { return a.Slug == slug })
}

// Equal says that two answers are the same in everything.
func (a Answer) Equal(b Answer) bool { return reflect.DeepEqual(a, b) }
