package clickhouse

import (
	"context"
	_ "embed"
	"fmt"
	"strings"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"

	"bitacora/domain/analytics"
)

var (
	//go:embed queries/displeasing.sql
	displeasingSQL string
	//go:embed queries/taught.sql
	taughtSQL string
)

// Displeasing are the questions of a cohort whose replies were rated negative, by the reply's topic,
// the most frequent first.
func (r *Reader) Displeasing(ctx context.Context, c analytics.Cohort) ([]analytics.Displeasing, error) {
	list, err := rows(ctx, r, displeasingSQL, cohort(c), func(row driver.Rows, q *analytics.Displeasing) error {
		var times, all uint64
		err := row.Scan(&q.Topic, &q.Text, &q.Reply, &q.Answer, &times, &q.LastAskedAt, &q.ConversationID, &all)
		q.Answer = strings.TrimPrefix(q.Answer, "answer/")
		q.Count, q.Replies, q.LastAskedAt = int(times), int(all), q.LastAskedAt.UTC()
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("find questions rated negative: %w", err)
	}
	return list, nil
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
