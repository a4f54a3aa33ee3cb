package clickhouse

import (
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"
	"golang.org/x/sync/errgroup"

	"bitacora/domain/analytics"
	"bitacora/domain/labelling"
)

var (
	//go:embed queries/to_label.sql
	toLabelSQL string
	//go:embed queries/labelled.sql
	labelledSQL string
	//go:embed labelling/page.sql
	labelPageSQL string
	//go:embed labelling/progress.sql
	labelProgressSQL string
)

// ToLabel lists a page of the questions that are to be labelled, and counts all of the list.
func (r *Reader) ToLabel(ctx context.Context, l labelling.List) (page []labelling.Question, all labelling.Progress, err error) {
	of := append(cohort(analytics.Cohort{Period: l.Period}), clickhouse.Named("below", l.Below))
	parts, ctx := errgroup.WithContext(ctx)
	parts.Go(func() (err error) {
		after := l.After
		if after == nil { // messages may follow the end of the period
			after = &labelling.Cursor{AskedAt: time.Date(2200, 1, 1, 0, 0, 0, 0, time.UTC)}
		}
		page, err = rows(ctx, r, questionsIn(labelPageSQL), append(slices.Clip(of), clickhouse.Named("state", l.State), millis("before_asked_at", after.AskedAt),
			clickhouse.Named("before_id", after.ConversationID), clickhouse.Named("before_ordinal", uint32(after.Ordinal)),
			clickhouse.Named("limit", uint64(l.Limit))), scanToLabel)
		return err
	})
	parts.Go(func() error {
		var questions, labelled uint64
		err := r.row(ctx, questionsIn(labelProgressSQL), of, &questions, &labelled)
		all = labelling.Progress{Questions: int(questions), Labelled: int(labelled)}
		return err
	})
	if err := parts.Wait(); err != nil {
		return nil, labelling.Progress{}, fmt.Errorf("list questions to label: %w", err)
	}
	return page, all, nil
}

func questionsIn(query string) string { return strings.Replace(query, "{questions}", toLabelSQL, 1) }

func scanToLabel(row driver.Rows, q *labelling.Question) error {
	var ordinal uint32
	var times uint64
	var confidence, runnerUp, likelihood, next float32
	err := row.Scan(&q.ConversationID, &ordinal, &q.AskedAt, &q.Text, &q.Reply, &q.Intent, &confidence, &q.RunnerUp, &runnerUp,
		&q.Answer, &likelihood, &q.NextAnswer, &next, &q.Answered, &times, &q.Label.Kind, &q.Label.Name, &q.LabelledAt)
	q.Ordinal, q.Times, q.AskedAt, q.LabelledAt = int(ordinal), int(times), q.AskedAt.UTC(), q.LabelledAt.UTC()
	q.Confidence, q.RunnerUpConfidence, q.Likelihood, q.NextLikelihood = float64(confidence), float64(runnerUp), float64(likelihood), float64(next)
	if q.Label.Kind == "" {
		q.LabelledAt = time.Time{}
	}
	return err
}

// LabelledLines gives everything that is labelled, but for what was skipped.
func (r *Reader) LabelledLines(ctx context.Context) ([]labelling.Line, error) {
	lines, err := rows(ctx, r, labelledSQL, nil, func(row driver.Rows, l *labelling.Line) error {
		return row.Scan(&l.Text, &l.Kind, &l.Name)
	})
	if err != nil {
		return nil, fmt.Errorf("list labelled questions: %w", err)
	}
	return lines, nil
}
