package event

import "time"

// AnswerPrefix begins the streams of answers: each holds what became of one.
const AnswerPrefix = "answer/"

// AnswerStream is the stream of what the staff made of an answer.
func AnswerStream(slug string) string { return AnswerPrefix + slug }

// Answer is what the assistant answers to which questions, as the clinic's content holds it.
type Answer struct {
	Slug      string   `json:"slug"`
	Topic     string   `json:"topic"`
	Service   string   `json:"service,omitempty"`
	Aspect    string   `json:"aspect,omitempty"`
	Open      bool     `json:"open,omitempty"`
	Questions []string `json:"questions"`
	Text      string   `json:"text,omitempty"`
	English   string   `json:"english,omitempty"`
}

// AnswerTaught says that somebody of the staff published an answer: a new one, or another version of
// one that there was. It holds nothing of any person.
type AnswerTaught struct {
	Answer Answer `json:"answer"`
	// Before is what the content held under that slug; nil for nothing.
	Before *Answer `json:"before,omitempty"`
	// Version counts what was taught under the slug, from 1.
	Version int    `json:"version"`
	By      string `json:"by"`
	Reason  string `json:"reason"`
}

// AnswerUndone says that a version was taken back: what it had replaced holds again, or nothing.
type AnswerUndone struct {
	Version int    `json:"version"`
	By      string `json:"by"`
	Reason  string `json:"reason"`
}

// QuestionsReplayed records that somebody read what visitors had asked from one instant to another,
// to see what an answer would change. It is recorded before that begins.
type QuestionsReplayed struct {
	StaffID string    `json:"staffId"`
	From    time.Time `json:"from"`
	To      time.Time `json:"to"`
}

// Actor implements [ByActor].
func (a *AnswerTaught) Actor() string { return a.By }

// Actor implements [ByActor].
func (a *AnswerUndone) Actor() string { return a.By }

// EventType implements [Payload].
func (*AnswerTaught) EventType() string { return "AnswerTaught" }

// EventType implements [Payload].
func (*AnswerUndone) EventType() string { return "AnswerUndone" }

// EventType implements [Payload].
func (*QuestionsReplayed) EventType() string { return "QuestionsReplayed" }
