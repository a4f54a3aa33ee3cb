package assistant

import (
	"slices"

	"bitacora/adapters/assistant/retrieval"
	"bitacora/domain/clinic"
)

// library are the clinic's answers, found by what is asked.
type library struct {
	answers []clinic.Answer
	lexicon retrieval.Lexicon
	index   *retrieval.Index
}

// meanings are what the words mean by which a question asks for an aspect.
var meanings = map[string]string{
	"costo": "precio", "dolor": "duele", "duracion": "dura", "edad": "edad", "frecuencia": "cada", "cuidados": "cuidados",
	"que-es": "consiste", "proceso": "proceso", "riesgos": "dano", "comida": "comer", "resultado": "dura", "comparacion": "mejor",
	"doctor": "doctor",
}

func newLibrary(k Knowledge, lexicon retrieval.Lexicon, a *answers) *library {
	answers, documents := make([]clinic.Answer, len(k.Answers)), make([]retrieval.Document, len(k.Answers))
	for i, one := range k.Answers {
		one = one.Of(k.Clinic)
		answers[i], documents[i] = one, retrieval.Document{
			Questions: one.Questions, Text: k.Clinic.Fill(one.Text), Subject: one.Service, Meaning: meanings[one.Aspect],
		}
	}
	return &library{answers, lexicon, retrieval.New(a.language, lexicon, a.service, documents)}
}

// find gives the answer that is nearest to a question, and how likely it is one to it.
func (l *library) find(text, service string) (clinic.Answer, float64) {
	return l.findOf(text, service, func(clinic.Answer) bool { return true })
}

func (l *library) findOf(text, service string, fits func(clinic.Answer) bool) (clinic.Answer, float64) {
	hits := l.index.Rank(text, service, 1, func(document int) bool { return fits(l.answers[document]) })
	if len(hits) == 0 {
		return clinic.Answer{}, 0
	}
	return l.answers[hits[0].Document], hits[0].Likely
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
func (l *library) about(text string, list []string, b before) (clinic.Answer, bool) {
	near := func(a clinic.Answer) bool {
		return b.service != "" && a.Service == b.service || b.service == "" && b.topic != "" && a.Topic == b.topic
	}
	asks := func(a clinic.Answer) bool {
		return near(a) && a.Aspect != "" && l.lexicon.Means(list, meanings[a.Aspect])
	}
	if one, likely := l.findOf(text, b.service, asks); likely > 0 {
		return one, true
	}
	one, likely := l.findOf(text, b.service, b.near)
	return one, likely >= likelyFollowUp
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

// likelyFollowUp is how likely an answer about the subject of before must be.
const likelyFollowUp = 0.35
