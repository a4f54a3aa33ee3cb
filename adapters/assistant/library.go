package assistant

import (
	"slices"
	"strings"

	"bitacora/adapters/assistant/retrieval"
	"bitacora/adapters/assistant/words"
	"bitacora/domain/clinic"
)

// library are the clinic's answers, found by what is asked.
type library struct {
	answers []clinic.Answer
	lexicon retrieval.Lexicon
	// language is that in which answers and questions are compared.
	language *words.Language
	index    *retrieval.Index
}

// meanings are what the words mean by which a question asks for an aspect.
var meanings = map[string]string{
	"costo": "precio", "dolor": "duele", "duracion": "dura", "edad": "edad", "frecuencia": "cada", "cuidados": "cuidados",
	"que-es": "consiste", "proceso": "proceso", "riesgos": "dano", "comida": "comer", "resultado": "dura", "comparacion": "mejor",
	"doctor": "doctor",
}

// newLibrary makes a library of what is asked for in a language, quicker where a previous one has most of its
// answers; nil for none.
func newLibrary(k Knowledge, a retrieval.Analyzer, of words.Code, c retrieval.Classifier, previous *library) *library {
	answers, documents := make([]clinic.Answer, len(k.Answers)), make([]retrieval.Document, len(k.Answers))
	for i, one := range k.Answers {
		one = one.Of(k.Clinic)
		answers[i], documents[i] = one, retrieval.Document{
			Name: one.Slug, Questions: questionsFor(of, one, a.Language), Text: k.Clinic.Fill(textOf(one, of == words.English)), Subject: one.Service, Meaning: meanings[one.Aspect],
		}
	}
	var index *retrieval.Index
	if previous != nil {
		index = previous.index
	}
	return &library{answers, a.Lexicon, a.Language, retrieval.New(a, c, documents, index)}
}

// questionsFor are those questions of an answer that are compared with ones in a language: who writes Spanish
// mixes in English, and not the other way round.
func questionsFor(of words.Code, a clinic.Answer, l *words.Language) []string {
	if of == words.Spanish {
		return a.Questions
	}
	return slices.DeleteFunc(slices.Clone(a.Questions), func(q string) bool { return !words.Fits(l.Words(q), of) })
}

// found is what a question most likely asks for.
type found struct {
	// answer is the likeliest of the clinic's, and likely how likely it is.
	answer clinic.Answer
	likely float64
	// next is the second likeliest.
	next       clinic.Answer
	nextLikely float64
	// other is what else it may ask for, see [readLines], if no answer of the clinic.
	other       string
	otherLikely float64
}

// intends says that an intent is likelier than any answer of the clinic, and likely enough.
func (f found) intends(intent string) bool {
	return f.other == intentMark+intent && f.otherLikely > f.likely && f.otherLikely >= likelyEnough
}

// speaksFor says that an intent is likelier than any other that is no answer of the clinic, and not unlikely.
func (f found) speaksFor(intent string) bool {
	return f.other == intentMark+intent && f.otherLikely >= likelyAtAll
}

// fact is the intent, answered by a fact of the clinic, that is likelier than any answer.
func (f found) fact() (intent string, ok bool) {
	intent = strings.TrimPrefix(f.other, intentMark)
	return intent, slices.Contains(facts, intent) && f.intends(intent)
}

// factOf is the intent of the clinic's fact that an answer says; empty for none.
func (l *library) factOf(f found) string {
	for intent, fact := range map[string]string{"seguro": "{{insurers}}", "pago": "{{payment}}"} {
		if strings.Contains(f.answer.Text, fact) {
			return intent
		}
	}
	return ""
}

// find gives the answer that a question most likely asks for, where it is about a service unless it
// names another.
func (l *library) find(text, service string) found {
	return l.findOf(text, service, func(clinic.Answer) bool { return true })
}

func (l *library) findOf(text, service string, fits func(clinic.Answer) bool) found {
	r := l.index.Rank(text, service, 2, func(document int) bool { return fits(l.answers[document]) })
	f := found{other: r.Other, otherLikely: r.OtherLikely}
	if len(r.Hits) > 0 {
		f.answer, f.likely = l.answers[r.Hits[0].Document], r.Hits[0].Likely
	}
	if len(r.Hits) > 1 {
		f.next, f.nextLikely = l.answers[r.Hits[1].Document], r.Hits[1].Likely
	}
	return f
}

// named is the answer of a slug.
func (l *library) named(slug string) (clinic.Answer, bool) {
	i := slices.IndexFunc(l.answers, func(a clinic.Answer) bool { return a.Slug == slug })
	if slug == "" || i < 0 {
		return clinic.Answer{}, false
	}
	return l.answers[i], true
}

// about is the answer to a question that names no subject ("¿y duele?"), about a subject that
// was spoken of before.
func (l *library) about(text string, list []string, b before) (found, bool) {
	asks := func(a clinic.Answer) bool {
		return b.near(a) && a.Aspect != "" && l.lexicon.Means(list, meanings[a.Aspect])
	}
	if one := l.findOf(text, b.service, asks); one.likely > 0 {
		if l.onlyAspect(list) && l.learned(one.answer) {
			// Nothing but the aspect is asked, and so it is asked of the service in general.
			one.answer = l.generalOf(one.answer)
		}
		return one, true
	}
	one := l.findOf(text, b.service, b.near)
	return one, one.likely >= likelyEnough
}

// learned says that lines of an answer were learned from: a taught one has none.
func (l *library) learned(one clinic.Answer) bool {
	return l.index.Learned(slices.IndexFunc(l.answers, func(a clinic.Answer) bool { return a.Slug == one.Slug }))
}

// generalOf is the first answer about the same aspect of the same service.
func (l *library) generalOf(one clinic.Answer) clinic.Answer {
	return l.answers[slices.IndexFunc(l.answers, func(a clinic.Answer) bool {
		return a.Service == one.Service && a.Topic == one.Topic && a.Aspect == one.Aspect
	})]
}

// onlyAspect says that all telling words of a text ask for an aspect: "¿a qué edad?".
func (l *library) onlyAspect(list []string) bool {
	return !slices.ContainsFunc(l.lexicon.Telling(list), func(w string) bool {
		for _, meaning := range meanings {
			if l.lexicon.Means([]string{w}, meaning) {
				return false
			}
		}
		return true
	})
}
