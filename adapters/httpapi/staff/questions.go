package staff

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"bitacora/adapters/httpapi/contract"
	"bitacora/adapters/httpapi/web"
	"bitacora/domain/analytics"
	"bitacora/domain/chat"
	"bitacora/domain/teaching"
)

// Questions dismisses what visitors asked.
type Questions interface {
	Dismiss(ctx context.Context, conversationID string, ordinal int, staffID string) error
}

// Sizes of a page of questions.
const (
	questionPage    = 50
	maxQuestionPage = 100
)

// maxQuestions is how many of the most frequent questions are grouped and listed.
const maxQuestions = 2000

func (h *AnswersHandler) questions(ctx context.Context, q question) (answer contract.Questions, err error) {
	p, err := questionPageOf(q.values)
	if err != nil {
		return answer, err
	}
	taught, _, err := h.Teaching.List(ctx)
	if err != nil {
		return answer, err
	}
	// What is settled meanwhile moves nothing to another page: it is left out of them only now.
	all, _, err := q.tables.Questions(ctx, analytics.QuestionList{
		Cohort: q.Cohort, Reason: p.reason, Taught: taughtQuestions(taught), Limit: maxQuestions,
	})
	if err != nil {
		return answer, err
	}
	texts := contract.List(all, func(q analytics.Question) string { return q.Text })
	meanings, err := h.Meanings(ctx, texts)
	if err != nil {
		return answer, err
	}
	answer = contract.Questions{Questions: []contract.Question{}, DataThrough: q.through.contract()}
	var from []string
	place := 0
	for _, alike := range analytics.GroupAlike(all, meanings) {
		shown := slices.DeleteFunc(slices.Clone(alike.Questions), p.leavesOut)
		answer.Total += int64(len(shown))
		for _, one := range alike.Questions {
			place++
			switch {
			case p.leavesOut(one) || place <= p.after || answer.Next != nil:
				continue
			case len(from) == p.limit:
				answer.Next = new(strconv.Itoa(place - 1))
				continue
			}
			asked := questionAnswer(one)
			if len(shown) > 1 {
				asked.Group = &contract.QuestionGroup{Answer: alike.Meaning, Questions: int64(len(shown)), Count: int64(analytics.Times(shown))}
			}
			answer.Questions, from = append(answer.Questions, asked), append(from, one.ConversationID)
		}
	}
	return answer, h.cohorts.readings.questions(ctx, "questions", q.Period, q.values, answer.Questions, from)
}

func questionAnswer(q analytics.Question) contract.Question {
	return contract.Question{
		ConversationID: q.ConversationID, Ordinal: int64(q.Ordinal), LastAskedAt: q.LastAskedAt, Topic: q.Topic, Text: q.Text, Reply: q.Reply,
		Answer: contract.Optional(q.Answer), Count: int64(q.Count),
		Unanswered: int64(q.Unanswered), Negative: int64(q.Negative), Unsure: int64(q.Unsure),
		Settled: contract.IfValid(contract.QuestionSettled(q.Settled)),
	}
}

// taughtQuestions are those of the answers that were taught and hold now.
func taughtQuestions(taught []teaching.Taught) (all []analytics.TaughtQuestion) {
	for _, t := range taught {
		if t.Current == nil {
			continue
		}
		for _, text := range t.Current.Answer.Questions {
			all = append(all, analytics.TaughtQuestion{Text: text, At: t.Current.At})
		}
	}
	return all
}

// questionsWanted is a page of questions: after how many of all it begins, and which of them it has.
type questionsWanted struct {
	reason, state string
	after, limit  int
}

func questionPageOf(values url.Values) (questionsWanted, error) {
	p := filterParser{values: values}
	w := questionsWanted{
		reason: p.oneOf("reason", analytics.Reasons...), state: p.oneOf("state", analytics.Open, analytics.Settled), limit: questionPage,
	}
	if limit := p.number("limit", 1, maxQuestionPage); limit != nil {
		w.limit = *limit
	}
	if raw := values.Get("cursor"); raw != "" && p.err == nil {
		if w.after, p.err = strconv.Atoi(raw); p.err != nil || w.after < 1 || w.after > maxQuestions {
			p.err = web.BadField("cursor", "El cursor de la página no es válido.")
		}
	}
	return w, p.err
}

func (w questionsWanted) leavesOut(q analytics.Question) bool {
	return w.state != "" && (q.Settled == "") != (w.state == analytics.Open)
}

func (h *AnswersHandler) dismissQuestion(r *http.Request, body contract.QuestionDismissal) error {
	if !web.ValidID(body.ConversationID) {
		return chat.ErrNoConversation
	}
	return h.Questions.Dismiss(r.Context(), body.ConversationID, int(body.Ordinal), account(r.Context()).ID)
}
