package staff

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"time"

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

func (h *AnswersHandler) questions(ctx context.Context, q question) (answer contract.Questions, err error) {
	list, err := questionList(q)
	if err != nil {
		return answer, err
	}
	taught, _, err := h.Teaching.List(ctx)
	if err != nil {
		return answer, err
	}
	list.Taught = taughtQuestions(taught)
	// One more than asked for says whether there is a next page.
	asked := list
	asked.Limit++
	found, total, err := q.tables.Questions(ctx, asked)
	if err != nil {
		return answer, err
	}
	answer = contract.Questions{Total: int64(total), DataThrough: q.through.contract()}
	if len(found) > list.Limit {
		found = found[:list.Limit]
		last := found[len(found)-1]
		answer.Next = new(fmt.Sprintf("%d-%d-%d-%s", last.Count, last.LastAskedAt.UnixMilli(), last.Ordinal, last.ConversationID))
	}
	answer.Questions = make([]contract.Question, len(found))
	var from []string
	for i, asked := range found {
		answer.Questions[i] = contract.Question{
			ConversationID: asked.ConversationID, Ordinal: int64(asked.Ordinal), LastAskedAt: asked.LastAskedAt, Topic: asked.Topic, Text: asked.Text, Reply: asked.Reply,
			Answer: contract.Optional(asked.Answer), Count: int64(asked.Count),
			Unanswered: int64(asked.Unanswered), Negative: int64(asked.Negative), Unsure: int64(asked.Unsure),
			Settled: contract.IfValid(contract.QuestionSettled(asked.Settled)),
		}
		from = append(from, asked.ConversationID)
	}
	return answer, h.cohorts.readings.questions(ctx, "questions", q.Period, q.values, answer.Questions, from)
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

func questionList(q question) (l analytics.QuestionList, err error) {
	p := filterParser{values: q.values}
	l = analytics.QuestionList{
		Cohort: q.Cohort, Reason: p.oneOf("reason", analytics.Reasons...), State: p.oneOf("state", analytics.Open, analytics.Settled), Limit: questionPage,
	}
	if limit := p.number("limit", 1, maxQuestionPage); limit != nil {
		l.Limit = *limit
	}
	if p.err != nil {
		return l, p.err
	}
	l.After, err = questionCursor(q.values)
	return l, err
}

var questionCursorForm = regexp.MustCompile(`^([0-9]{1,9})-([0-9]{1,13})-([0-9]{1,9})-([0-9A-Za-z_-]{1,128})$`)

func questionCursor(q url.Values) (*analytics.Question, error) {
	raw := q.Get("cursor")
	if raw == "" {
		return nil, nil
	}
	m := questionCursorForm.FindStringSubmatch(raw)
	if m == nil {
		return nil, web.BadField("cursor", "El cursor de la página no es válido.")
	}
	var n [3]int64
	for i := range n {
		var err error
		if n[i], err = strconv.ParseInt(m[i+1], 10, 64); err != nil {
			return nil, err
		}
	}
	return &analytics.Question{Count: int(n[0]), LastAskedAt: time.UnixMilli(n[1]).UTC(), Ordinal: int(n[2]), ConversationID: m[4]}, nil
}

func (h *AnswersHandler) dismissQuestion(r *http.Request, body contract.QuestionDismissal) error {
	if !web.ValidID(body.ConversationID) {
		return chat.ErrNoConversation
	}
	return h.Questions.Dismiss(r.Context(), body.ConversationID, int(body.Ordinal), account(r.Context()).ID)
}
