package clickhouse

import (
	"context"
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"

	"bitacora/domain/analytics"
)

var (
	//go:embed queries/timeseries.sql
	timeseriesSQL string
	//go:embed queries/heatmap.sql
	heatmapSQL string
	//go:embed queries/funnel.sql
	funnelSQL string
	//go:embed queries/visits_since.sql
	visitsSinceSQL string
)

// Timeseries counts a cohort by the stretch of time in which conversations started, named by
// the instant at which it begins, in milliseconds since 1970. The stretches have no gaps
// between them, and the first begins where the period does. Those that are missing in the
// answer are empty.
func (r *Reader) Timeseries(ctx context.Context, c analytics.Cohort, stretches []analytics.Period) (map[int64]analytics.Tally, error) {
	starts := make([]string, len(stretches))
	for i, s := range stretches {
		starts[i] = strconv.FormatInt(s.From.UnixMilli(), 10)
	}
	args := append(cohort(c), clickhouse.Named("starts", "["+strings.Join(starts, ", ")+"]"))
	counted := map[int64]analytics.Tally{}
	if len(stretches) == 0 {
		return counted, nil
	}
	for t, err := range stream(ctx, r, "count by time", timeseriesSQL, args, scanTally) {
		if err != nil {
			return nil, err
		}
		counted[t.start] = t.Tally
	}
	return counted, nil
}

type tally struct {
	start int64
	analytics.Tally
}

func scanTally(row driver.Rows, t *tally) error {
	var conversations, messages, leads, appointments, active uint64
	err := row.Scan(&t.start, &conversations, &messages, &leads, &appointments, &active)
	t.Tally = analytics.Tally{
		Conversations: int(conversations), Messages: int(messages), Leads: int(leads), Appointments: int(appointments), ActiveMillis: int64(active),
	}
	return err
}

// Starts counts a cohort by the hour of the week in which conversations started, in the
// business zone; hours without any are missing.
func (r *Reader) Starts(ctx context.Context, c analytics.Cohort) ([]analytics.Start, error) {
	list, err := rows(ctx, r, heatmapSQL, cohort(c), func(row driver.Rows, s *analytics.Start) error {
		var weekday, hour uint8
		var conversations, leads, appointments uint64
		err := row.Scan(&weekday, &hour, &s.OutOfHours, &conversations, &leads, &appointments)
		s.Weekday, s.Hour = int(weekday), int(hour)
		s.Conversations, s.Leads, s.Appointments = int(conversations), int(leads), int(appointments)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("count by hour of the week: %w", err)
	}
	return list, nil
}

// Steps counts how far the visits and conversations of a cohort got.
func (r *Reader) Steps(ctx context.Context, c analytics.Cohort) (analytics.Steps, error) {
	var conversations, consents, leads, appointments, leadsWithConsent, appointmentsWithLead, quiet, openedQuiet uint64
	err := r.row(ctx, funnelSQL, cohort(c), &conversations, &consents, &leads, &appointments, &leadsWithConsent, &appointmentsWithLead,
		&quiet, &openedQuiet)
	if err != nil {
		return analytics.Steps{}, fmt.Errorf("count steps: %w", err)
	}
	return analytics.Steps{
		Conversations: int(conversations), Consents: int(consents), Leads: int(leads), Appointments: int(appointments),
		LeadsWithConsent: int(leadsWithConsent), AppointmentsWithLead: int(appointmentsWithLead),
		Quiet: int(quiet), OpenedQuiet: int(openedQuiet),
	}, nil
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
