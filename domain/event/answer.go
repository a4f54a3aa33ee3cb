package event

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// AnswerPrefix begins the streams of answers. Version 1 of the events stands in "answer/SLUG", in
// the clear. Every later event has a stream of its own, and so a key of its own.
const AnswerPrefix = "answer/"

// AnswerStream is the stream of the event that taught a version of an answer.
func AnswerStream(slug string, version int) string {
	return fmt.Sprintf("%s%s/%d", AnswerPrefix, slug, version)
}

// AnswerUndoneStream is the stream of the event that took a version of an answer back.
func AnswerUndoneStream(slug string, version int) string {
	return AnswerStream(slug, version) + "/undone"
}

// AnswerSlug is the slug of the answer that a stream belongs to; empty for a stream of something else.
func AnswerSlug(stream string) string {
	rest, isAnswer := strings.CutPrefix(stream, AnswerPrefix)
	if !isAnswer {
		return ""
	}
	slug, _, _ := strings.Cut(rest, "/")
	return slug
}

// Answer is what the assistant answers to which questions, as the clinic's content holds it. Its
// texts are sealed; the clear part says how many questions there are.
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
// one that there was.
type AnswerTaught struct {
	Answer Answer `json:"answer"`
	// Replaced is the version that the content held until then, since version 2 of the event; 0 where
	// it held none that was taught.
	Replaced int `json:"replaced,omitempty"`
	// Before is what the content held under that slug beside a taught version; nil for nothing.
	Before *Answer `json:"before,omitempty"`
	// Version counts what was taught under the slug, from 1.
	Version int    `json:"version"`
	By      string `json:"by"`
	Reason  string `json:"-"`
}

// AnswerUndone says that a version was taken back: what it had replaced holds again, or nothing.
type AnswerUndone struct {
	Version int    `json:"version"`
	By      string `json:"by"`
	Reason  string `json:"-"`
}

// QuestionsReplayed records that somebody read what visitors had asked from one instant to another,
// to see what an answer would change. It is recorded before that begins.
type QuestionsReplayed struct {
	StaffID string    `json:"staffId"`
	From    time.Time `json:"from"`
	To      time.Time `json:"to"`
}

// MarshalJSON leaves the texts out.
func (a Answer) MarshalJSON() ([]byte, error) {
	type clear Answer
	a.Questions, a.Text, a.English = make([]string, len(a.Questions)), "", ""
	return json.Marshal(clear(a))
}

func (a *Answer) personalFields(prefix string) []Field {
	fields := []Field{{prefix + "text", &a.Text}, {prefix + "english", &a.English}}
	for i := range a.Questions {
		fields = append(fields, Field{fmt.Sprintf("%squestion.%d", prefix, i+1), &a.Questions[i]})
	}
	return fields
}

// PersonalFields implements [Personal]: the fields of what the content held before begin with "before.".
func (a *AnswerTaught) PersonalFields() []Field {
	fields := append(a.Answer.personalFields(""), Field{"reason", &a.Reason})
	if a.Before != nil {
		fields = append(fields, a.Before.personalFields("before.")...)
	}
	return fields
}

// PersonalFields implements [Personal].
func (a *AnswerUndone) PersonalFields() []Field { return []Field{{"reason", &a.Reason}} }

// UnmarshalJSON reads version 1 as well, in which nothing is sealed.
func (a *AnswerTaught) UnmarshalJSON(data []byte) error {
	type clear AnswerTaught
	return withClearReason(data, (*clear)(a), &a.Reason)
}

// UnmarshalJSON reads version 1 as well, in which the reason is not sealed.
func (a *AnswerUndone) UnmarshalJSON(data []byte) error {
	type clear AnswerUndone
	return withClearReason(data, (*clear)(a), &a.Reason)
}

// withClearReason reads a payload whose reason stands in the clear part of version 1.
func withClearReason(data []byte, clear any, reason *string) error {
	var first struct{ Reason string }
	if err := json.Unmarshal(data, &first); err != nil {
		return err
	}
	*reason = first.Reason
	return json.Unmarshal(data, clear)
}

// Actor implements [ByActor].
func (a *AnswerTaught) Actor() string { return a.By }
func (a *AnswerUndone) Actor() string { return a.By }

// EventType implements [Payload].
func (*AnswerTaught) EventType() string      { return "AnswerTaught" }
func (*AnswerUndone) EventType() string      { return "AnswerUndone" }
func (*QuestionsReplayed) EventType() string { return "QuestionsReplayed" }
