// Package labelling is how the staff says what visitors meant where the assistant was not sure,
// and how that becomes lines that the assistant can be trained with. Nothing here trains it.
package labelling

import (
	"slices"
	"time"

	"bitacora/domain/analytics"
	"bitacora/domain/clinic"
	"bitacora/domain/event"
)

// DefaultBelow is the confidence below which a message is to be looked at. Of the training lines
// held out in turn, 23 % lay below it, and more than half of these were misread: three quarters of
// all that were.
const DefaultBelow = 0.7

// Question is what visitors wrote that is to be labelled, once for all messages that differ in
// case, accents and punctuation only. What it tells is that of the latest of them.
type Question struct {
	ConversationID string
	Ordinal        int
	AskedAt        time.Time
	// Text and Reply are masked.
	Text, Reply string
	Times       int
	event.Understood
	event.Chosen
	Answered bool
	// Label is the latest of any of the messages, also of another time, given at LabelledAt.
	Label      event.Label
	LabelledAt time.Time
}

// States of questions.
const (
	Open     = "open"
	Labelled = "labelled"
)

// List asks for the live questions of conversations that began in a period, newest first: those
// with a confidence below a bound, and those that were not answered.
type List struct {
	analytics.Period
	Below float64
	// State is [Open], [Labelled], or empty for both.
	State string
	// After is the place after which the page begins; nil for the first one.
	After *Cursor
	Limit int
}

// Cursor is a place in the order of questions.
type Cursor struct {
	AskedAt        time.Time
	ConversationID string
	Ordinal        int
}

// Cursor is the question's own place.
func (q Question) Cursor() Cursor { return Cursor{q.AskedAt, q.ConversationID, q.Ordinal} }

// Progress is how many questions there are of a list, of any state, and how many are labelled.
type Progress struct{ Questions, Labelled int }

// Choices are what a label can name.
type Choices struct {
	// Intents are what the assistant tells apart.
	Intents []string
	// Answers are the clinic's.
	Answers []Answer
}

// Answer is one of the clinic's answers, with a question that it answers.
type Answer struct{ Slug, Topic, Question string }

// ChoicesOf are those of an assistant that tells some intents apart, and of the clinic's answers.
// That something is none of the clinic's business is said by a kind of its own.
func ChoicesOf(intents []string, answers []clinic.Answer) Choices {
	c := Choices{Intents: slices.DeleteFunc(slices.Clone(intents), func(intent string) bool { return intent == offTopic })}
	for _, a := range answers {
		c.Answers = append(c.Answers, Answer{a.Slug, a.Topic, a.Questions[0]})
	}
	return c
}

// Names says whether a label of a kind can have a name.
func (c Choices) Names(l event.Label) bool {
	switch l.Kind {
	case event.LabelIntent:
		return slices.Contains(c.Intents, l.Name)
	case event.LabelAnswer:
		_, ok := c.topicOf(l.Name)
		return ok
	case event.LabelOffTopic, event.LabelSkipped:
		return l.Name == ""
	}
	return false
}

func (c Choices) topicOf(slug string) (topic string, ok bool) {
	for _, a := range c.Answers {
		if a.Slug == slug {
			return a.Topic, true
		}
	}
	return "", false
}
