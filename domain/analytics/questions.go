package analytics

import (
	"cmp"
	"slices"
	"time"
)

// UnsureBelow is the confidence below which a reply may rest on a misunderstanding. Of the training lines
// held out in turn, 23 % lay below it, and more than half of these were misread: three quarters of
// all that were.
const UnsureBelow = 0.7

// Reasons why the answer to a question is to be improved: the reply knew no answer, its visitor rated
// it negative, or the assistant was less sure than [UnsureBelow] of the question's meaning.
var Reasons = []string{"unanswered", "negative", "unsure"}

// States of questions.
const (
	// Open: the staff has not dealt with the question.
	Open = "open"
	// Settled: the question was dismissed, or an answer to it was taught since.
	Settled = "settled"
)

// Question is a question whose answer is to be improved. Texts that differ in case, accents and
// punctuation only are one question, described by the latest of them.
type Question struct {
	ConversationID string
	// Ordinal is its place in the conversation.
	Ordinal     int
	LastAskedAt time.Time
	// Topic is that of the reply, or [None].
	Topic string
	// Text and Reply are masked.
	Text, Reply string
	// Answer is the slug of the answer that the reply came from; empty for none.
	Answer string
	// Count is how many replies are to be improved; the others are how many for which of the [Reasons].
	Count, Unanswered, Negative, Unsure int
	// Settled is "dismissed" or "taught"; empty for an open question.
	Settled string
}

// Alike is questions of one meaning, the most frequent first.
type Alike struct {
	// Meaning is empty where the one question is like no other.
	Meaning   string
	Questions []Question
}

// GroupAlike puts questions of the same meaning together: the group that was asked most often comes first. Meanings
// are those of the questions, in their order.
func GroupAlike(all []Question, meanings []string) (groups []Alike) {
	at := map[string]int{}
	for i, q := range all {
		g, known := at[meanings[i]]
		if !known || meanings[i] == "" {
			g = len(groups)
			at[meanings[i]], groups = g, append(groups, Alike{Meaning: meanings[i]})
		}
		groups[g].Questions = append(groups[g].Questions, q)
	}
	slices.SortStableFunc(groups, func(a, b Alike) int { return cmp.Compare(Times(b.Questions), Times(a.Questions)) })
	return groups
}

// Times is how many replies to some questions are to be improved.
func Times(questions []Question) (n int) {
	for _, q := range questions {
		n += q.Count
	}
	return n
}

// QuestionList asks for the most frequent of a cohort's questions.
type QuestionList struct {
	Cohort
	// Reason is one of the [Reasons], State is [Open] or [Settled]; empty for all.
	Reason, State string
	// Taught are the questions of the taught answers that hold now.
	Taught []TaughtQuestion
	Limit  int
}

// TaughtQuestion is a question whose answer was taught. It settles what was asked until then.
type TaughtQuestion struct {
	Text string
	At   time.Time
}
