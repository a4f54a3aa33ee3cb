package clickhouse

import (
	"context"
	_ "embed"
	"fmt"
	"math"

	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"
	"golang.org/x/sync/errgroup"

	"bitacora/domain/analytics"
	"bitacora/domain/fault"
)

var (
	//go:embed queries/topics.sql
	topicsSQL string
	//go:embed queries/replies.sql
	repliesSQL string
	//go:embed queries/ratings.sql
	ratingsSQL string
	//go:embed queries/outcomes.sql
	outcomesSQL string
	//go:embed queries/failures.sql
	failuresSQL string
)

// Topics counts a cohort by topic, the most frequent first. A conversation counts for each
// of its topics.
func (r *Reader) Topics(ctx context.Context, c analytics.Cohort) ([]analytics.Topic, error) {
	list, err := rows(ctx, r, topicsSQL, cohort(c), func(row driver.Rows, t *analytics.Topic) error {
		var conversations, leads, appointments, unanswered uint64
		err := row.Scan(&t.Name, &conversations, &leads, &appointments, &unanswered)
		t.Conversations, t.Leads, t.Appointments, t.Unanswered = int(conversations), int(leads), int(appointments), int(unanswered)
		return err
	})
	return list, fault.Wrap(err, "count by topic")
}

// Quality is how the assistant did in a cohort, by model, the most used first.
func (r *Reader) Quality(ctx context.Context, c analytics.Cohort) (q analytics.Quality, err error) {
	parts, ctx := errgroup.WithContext(ctx)
	parts.Go(func() (err error) {
		q.Models, err = rows(ctx, r, repliesSQL, cohort(c), scanReplies)
		return err
	})
	var failures, failed, unanswered uint64
	parts.Go(func() error { return r.row(ctx, failuresSQL, cohort(c), &failures, &failed, &unanswered) })
	if err := parts.Wait(); err != nil {
		return analytics.Quality{}, fmt.Errorf("measure quality: %w", err)
	}
	q.Failures, q.FailedConversations, q.UnansweredConversations = int(failures), int(failed), int(unanswered)
	if len(q.Models) > 0 {
		q.All, q.Models = q.Models[0], q.Models[1:]
	}
	return q, nil
}

func scanReplies(row driver.Rows, m *analytics.Replies) error {
	var replies, unanswered, conversations, timed uint64
	var in, out *uint64
	var latency []float64
	err := row.Scan(&m.Provider, &m.Model, &replies, &unanswered, &conversations, &in, &out, &latency, &timed)
	if err != nil {
		return err
	}
	m.Replies, m.Unanswered, m.Conversations = int(replies), int(unanswered), int(conversations)
	m.TokensIn, m.TokensOut = orZero(in), orZero(out)
	for i := range m.LatencyMillis {
		m.LatencyMillis[i] = math.NaN()
		if timed > 0 {
			m.LatencyMillis[i] = latency[i]
		}
	}
	return nil
}

// Ratings are what visitors of a cohort think of replies, by topic, the worst first. All is
// about all of them together.
func (r *Reader) Ratings(ctx context.Context, c analytics.Cohort) (all analytics.Ratings, topics []analytics.Ratings, err error) {
	topics, err = rows(ctx, r, ratingsSQL, cohort(c), func(row driver.Rows, t *analytics.Ratings) error {
		var positive, negative, pleased, displeased uint64
		err := row.Scan(&t.Topic, &positive, &negative, &pleased, &displeased)
		t.Positive, t.Negative, t.Pleased, t.Displeased = int(positive), int(negative), int(pleased), int(displeased)
		return err
	})
	if err != nil {
		return all, nil, fmt.Errorf("count ratings: %w", err)
	}
	if len(topics) > 0 {
		all, topics = topics[0], topics[1:]
	}
	return all, topics, nil
}

// Outcomes are those of the appointments of a cohort: all together, and grouped, see [analytics.Outcomes].
func (r *Reader) Outcomes(ctx context.Context, c analytics.Cohort) ([]analytics.Outcomes, error) {
	list, err := rows(ctx, r, outcomesSQL, cohort(c), byName[analytics.Outcomes])
	if err != nil {
		return nil, fmt.Errorf("count outcomes: %w", err)
	}
	return list, nil
}

func orZero(n *uint64) int64 {
	if n == nil {
		return 0
	}
	return int64(*n)
}
