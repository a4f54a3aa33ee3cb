package clickhouse

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"

	"bitacora/domain/analytics"
)

var (
	//go:embed queries/questions.sql
	questionsSQL string
	//go:embed queries/taught.sql
	taughtSQL string
)

// Questions lists the most frequent questions of a list, and counts all of it.
func (r *Reader) Questions(ctx context.Context, l analytics.QuestionList) (page []analytics.Question, total int, err error) {
	texts, at := make([]string, len(l.Taught)), make([]int64, len(l.Taught))
	for i, t := range l.Taught {
		texts[i], at[i] = t.Text, t.At.UnixMilli()
	}
	args := append(cohort(l.Cohort), clickhouse.Named("below", analytics.UnsureBelow), clickhouse.Named("reason", l.Reason), clickhouse.Named("state", l.State),
		clickhouse.Named("taught", texts), clickhouse.Named("taught_at", at), clickhouse.Named("limit", uint64(l.Limit)))
	found, err := rows(ctx, r, questionsSQL, args, byName[struct {
		analytics.Question
		Total int
	}])
	if err != nil {
		return nil, 0, fmt.Errorf("list questions: %w", err)
	}
	page = make([]analytics.Question, len(found))
	for i, q := range found {
		page[i], total = q.Question, q.Total
	}
	return page, total, nil
}

// Effects are what became of answers since they were taught, by slug; those that no reply tells of are missing.
func (r *Reader) Effects(ctx context.Context, taught []analytics.Taught) (map[string]analytics.Effect, error) {
	found := map[string]analytics.Effect{}
	if len(taught) == 0 {
		return found, nil
	}
	slugs, at := make([]string, len(taught)), make([]int64, len(taught))
	for i, t := range taught {
		slugs[i], at[i] = t.Slug, t.At.UnixMilli()
	}
	args := []any{clickhouse.Named("slug", slugs), clickhouse.Named("at", at), clickhouse.Named("span", analytics.EffectSpan.Milliseconds())}
	list, err := rows(ctx, r, taughtSQL, args, func(row driver.Rows, e *analytics.Effect) error {
		var n [5]uint64
		err := row.Scan(&e.Slug, &n[0], &n[1], &n[2], &n[3], &n[4])
		e.Uses, e.Before, e.After = int(n[0]), analytics.Answering{Replies: int(n[1]), Unanswered: int(n[2])}, analytics.Answering{Replies: int(n[3]), Unanswered: int(n[4])}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("measure taught answers: %w", err)
	}
	for _, e := range list {
		found[e.Slug] = e
	}
	return found, nil
}
