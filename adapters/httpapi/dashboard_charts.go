package httpapi

import (
	"context"
	"time"

	"golang.org/x/sync/errgroup"

	"bitacora/domain/analytics"
)

// Charts count a cohort by time, and by how far its conversations got.
type Charts interface {
	// Timeseries counts by stretch of time, named by the millisecond in which it begins;
	// empty ones are missing.
	Timeseries(ctx context.Context, c analytics.Cohort, stretches []analytics.Period) (map[int64]analytics.Tally, error)
	// Starts counts by hour of the week.
	Starts(ctx context.Context, c analytics.Cohort) ([]analytics.Start, error)
	// Steps counts how far visits and conversations got.
	Steps(ctx context.Context, c analytics.Cohort) (analytics.Steps, error)
	// VisitsSince is when visits began to be counted; zero where none was.
	VisitsSince(ctx context.Context) (time.Time, error)
}

func (a *api) timeseries(ctx context.Context, q question) (Timeseries, error) {
	base, err := q.base()
	if err != nil {
		return Timeseries{}, err
	}
	interval, err := q.Interval(analytics.Interval(q.values.Get("interval")))
	if err != nil {
		return Timeseries{}, err
	}
	buckets := q.Buckets(interval, q.now)
	periods := make([]analytics.Period, len(buckets))
	for i, b := range buckets {
		periods[i] = b.Period
	}
	other := q.Other(base, q.now)
	stretches := other.Stretches(buckets)

	var counted, before map[int64]analytics.Tally
	parts, ctx := errgroup.WithContext(ctx)
	parts.Go(func() (err error) {
		counted, err = q.tables.Timeseries(ctx, q.Cohort, periods)
		return err
	})
	parts.Go(func() (err error) {
		if base != "" {
			before, err = q.tables.Timeseries(ctx, q.In(other.Period), stretches)
		}
		return err
	})
	if err := parts.Wait(); err != nil {
		return Timeseries{}, err
	}
	points := analytics.Fill(buckets, counted)
	answer := Timeseries{Interval: Interval(interval), Zone: a.Zone.String(), DataThrough: q.through.contract()}
	if base != "" {
		analytics.Align(points, stretches, before)
		from, last := ends(other.Period)
		answer.Comparison = &OtherPeriod{StartDate: from, EndDate: last}
	}
	for _, i := range q.Intervals() {
		answer.Intervals = append(answer.Intervals, Interval(i))
	}
	answer.Points = make([]TimeseriesPoint, len(points))
	for i, p := range points {
		answer.Points[i] = pointOf(p)
	}
	return answer, nil
}

func pointOf(p analytics.Point) TimeseriesPoint {
	first, last := ends(p.Period)
	point := TimeseriesPoint{
		StartDate: first, EndDate: last, Partial: p.Partial, Clipped: p.Clipped, Future: p.Future, Numbers: numbersOf(p.Tally),
	}
	if p.Previous != nil {
		first, last := ends(p.Previous.Period)
		point.Previous = &PreviousBucket{StartDate: first, EndDate: last, Numbers: numbersOf(p.Previous.Tally)}
	}
	return point
}

func numbersOf(t analytics.Tally) BucketNumbers {
	return BucketNumbers{
		Conversations:              int64(t.Conversations),
		Messages:                   int64(t.Messages),
		Leads:                      int64(t.Leads),
		Appointments:               int64(t.Appointments),
		ConversionRate:             t.ConversionRate(),
		AvgMessagesPerConversation: t.AvgMessages(),
		AvgConversationDuration:    t.AvgDuration(),
	}
}

func funnel(ctx context.Context, q question) (Funnel, error) {
	since, err := q.tables.VisitsSince(ctx)
	if err != nil {
		return Funnel{}, err
	}
	counted, visited := q.Visited(since)
	steps, err := q.tables.Steps(ctx, counted)
	if err != nil {
		return Funnel{}, err
	}
	from, _ := ends(counted.Period)
	answer := Funnel{StartDate: from, DataThrough: q.through.contract()}
	if !since.IsZero() {
		answer.VisitsSince = &since
	}
	for _, s := range steps.Funnel(visited) {
		answer.Steps = append(answer.Steps, FunnelStep{
			Step: FunnelStepStep(s.Name), Count: int64(s.Count), Share: s.Share, FromPrevious: s.FromPrevious,
		})
	}
	return answer, nil
}

func (a *api) heatmap(ctx context.Context, q question) (Heatmap, error) {
	starts, err := q.tables.Starts(ctx, q.Cohort)
	if err != nil {
		return Heatmap{}, err
	}
	week := q.Heatmap(starts)
	answer := Heatmap{
		Zone:        a.Zone.String(),
		Hours:       clinicOf(a.Content.Clinic).Hours,
		Cells:       make([]HeatmapCell, len(week.Cells)),
		DataThrough: q.through.contract(),
		OutOfHours: OutOfHours{
			Conversations:     int64(week.Closed.Conversations),
			Leads:             int64(week.Closed.Leads),
			Appointments:      int64(week.Closed.Appointments),
			ConversationShare: analytics.Percent(week.Closed.Conversations, week.All.Conversations),
			LeadShare:         analytics.Percent(week.Closed.Leads, week.All.Leads),
			AppointmentShare:  analytics.Percent(week.Closed.Appointments, week.All.Appointments),
		},
	}
	for i, c := range week.Cells {
		answer.Cells[i] = HeatmapCell{
			Weekday: c.Weekday, Hour: c.Hour, OpenMinutes: c.OpenMinutes,
			Conversations: int64(c.Conversations), Leads: int64(c.Leads), Appointments: int64(c.Appointments),
		}
	}
	return answer, nil
}
