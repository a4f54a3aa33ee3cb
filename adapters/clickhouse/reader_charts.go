package clickhouse

import (
	"context"
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"

	"bitacora/domain/analytics"
	"bitacora/domain/fault"
)

var (
	//go:embed queries/timeseries.sql
	timeseriesSQL string
	//go:embed queries/heatmap.sql
	heatmapSQL string
	//go:embed queries/funnel.sql
	funnelSQL string
	//go:embed queries/refusals.sql
	refusalsSQL string
	//go:embed queries/visits_since.sql
	visitsSinceSQL string
)

// Timeseries counts a cohort by the stretch of time in which conversations started, named by
// the instant at which it begins, in milliseconds since 1970. The stretches have no gaps
// between them, and the first begins where the period does. Those that are missing in the
// answer are empty.
func (r *Reader) Timeseries(ctx context.Context, c analytics.Cohort, stretches []analytics.Period) (map[int64]analytics.Drawn, error) {
	args := append(cohort(c), startsOf(stretches))
	counted := map[int64]analytics.Drawn{}
	if len(stretches) == 0 {
		return counted, nil
	}
	for b, err := range stream(ctx, r, "count by time", timeseriesSQL, args, byName[bucket]) {
		if err != nil {
			return nil, err
		}
		counted[b.Bucket] = b.Drawn
	}
	return counted, nil
}

// startsOf are the instants at which stretches begin, in milliseconds since 1970.
func startsOf(stretches []analytics.Period) any {
	starts := make([]string, len(stretches))
	for i, s := range stretches {
		starts[i] = strconv.FormatInt(s.From.UnixMilli(), 10)
	}
	return clickhouse.Named("starts", "["+strings.Join(starts, ", ")+"]")
}

// bucket is what is counted of the conversations that started in a stretch of time.
type bucket struct {
	Bucket int64
	analytics.Drawn
}

// Starts counts a cohort by the hour of the week in which conversations started, in the
// business zone; hours without any are missing.
func (r *Reader) Starts(ctx context.Context, c analytics.Cohort) ([]analytics.Start, error) {
	list, err := rows(ctx, r, heatmapSQL, cohort(c), byName[analytics.Start])
	return list, fault.Wrap(err, "count by hour of the week")
}

// Steps counts how far the visits and conversations of a cohort got.
func (r *Reader) Steps(ctx context.Context, c analytics.Cohort) (analytics.Steps, error) {
	steps, err := single[analytics.Steps](ctx, r, funnelSQL, cohort(c))
	return steps, fault.Wrap(err, "count steps")
}

// Refusals counts the sessions that found their month full, by stretches that follow each other as in [Reader.Timeseries].
func (r *Reader) Refusals(ctx context.Context, stretches []analytics.Period) (map[int64]int, error) {
	counted := map[int64]int{}
	if len(stretches) == 0 {
		return counted, nil
	}
	args := []any{millis("from", stretches[0].From), millis("to", stretches[len(stretches)-1].To), startsOf(stretches)}
	for b, err := range stream(ctx, r, "count refusals", refusalsSQL, args, byName[refused]) {
		if err != nil {
			return nil, err
		}
		counted[b.Bucket] = b.Refusals
	}
	return counted, nil
}

type refused struct {
	Bucket   int64
	Refusals int
}

// VisitsSince is when visits began to be counted; zero where none was.
func (r *Reader) VisitsSince(ctx context.Context) (time.Time, error) {
	var since time.Time
	if err := r.row(ctx, visitsSinceSQL, nil, &since); err != nil {
		return since, fmt.Errorf("find the first visit: %w", err)
	}
	if since.Unix() == 0 { // which is the least of none
		return time.Time{}, nil
	}
	return since.UTC(), nil
}
