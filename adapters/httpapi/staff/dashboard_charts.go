package staff

import (
	"context"

	"golang.org/x/sync/errgroup"

	"bitacora/adapters/httpapi/contract"
	"bitacora/domain/analytics"
)

func (h *DashboardHandler) timeseries(ctx context.Context, q question) (contract.Timeseries, error) {
	base, err := q.base()
	if err != nil {
		return contract.Timeseries{}, err
	}
	interval, err := q.Interval(analytics.Interval(q.values.Get("interval")))
	if err != nil {
		return contract.Timeseries{}, err
	}
	buckets := q.Buckets(interval, q.now)
	periods := contract.List(buckets, func(b analytics.Bucket) analytics.Period { return b.Period })
	other := q.Other(base, q.now)
	stretches := other.Stretches(buckets)

	var counted, before map[int64]analytics.Counts
	parts, ctx := errgroup.WithContext(ctx)
	parts.Go(func() (err error) { counted, err = q.tables.Timeseries(ctx, q.Cohort, periods); return err })
	parts.Go(func() (err error) {
		if base != "" {
			before, err = q.tables.Timeseries(ctx, q.In(other.Period), stretches)
		}
		return err
	})
	if err := parts.Wait(); err != nil {
		return contract.Timeseries{}, err
	}
	points := analytics.Fill(buckets, counted)
	answer := contract.Timeseries{Interval: contract.Interval(interval), Zone: q.From.Location().String(), DataThrough: q.through.contract()}
	if base != "" {
		analytics.Align(points, stretches, before)
		from, last := ends(other.Period)
		answer.Comparison = &contract.OtherPeriod{StartDate: from, EndDate: last}
	}
	for _, i := range q.Intervals() {
		answer.Intervals = append(answer.Intervals, contract.Interval(i))
	}
	answer.Points = contract.List(points, pointOf)
	return answer, nil
}

func pointOf(p analytics.Point) contract.TimeseriesPoint {
	first, last := ends(p.Period)
	point := contract.TimeseriesPoint{
		StartDate: first, EndDate: last, Partial: p.Partial, Clipped: p.Clipped, Future: p.Future, Numbers: contract.BucketNumbers(p.BucketNumbers()),
	}
	if p.Previous != nil {
		first, last := ends(p.Previous.Period)
		point.Previous = &contract.PreviousBucket{StartDate: first, EndDate: last, Numbers: contract.BucketNumbers(p.Previous.BucketNumbers())}
	}
	return point
}

func funnel(ctx context.Context, q question) (contract.Funnel, error) {
	since, err := q.tables.VisitsSince(ctx)
	if err != nil {
		return contract.Funnel{}, err
	}
	counted, visited := q.Visited(since)
	steps, err := q.tables.Steps(ctx, counted)
	if err != nil {
		return contract.Funnel{}, err
	}
	from, _ := ends(counted.Period)
	answer := contract.Funnel{StartDate: from, DataThrough: q.through.contract()}
	if !since.IsZero() {
		answer.VisitsSince = &since
	}
	for _, s := range steps.Funnel(visited) {
		answer.Steps = append(answer.Steps, contract.FunnelStep{
			Step: contract.FunnelStepStep(s.Name), Count: int64(s.Count), Share: s.Share, FromPrevious: s.FromPrevious,
		})
	}
	return answer, nil
}

func (h *DashboardHandler) heatmap(ctx context.Context, q question) (contract.Heatmap, error) {
	starts, err := q.tables.Starts(ctx, q.Cohort)
	if err != nil {
		return contract.Heatmap{}, err
	}
	week := q.Heatmap(starts)
	answer := contract.Heatmap{
		Zone:        q.From.Location().String(),
		Hours:       contract.OpeningDays(h.Clinic.Hours),
		Cells:       make([]contract.HeatmapCell, len(week.Cells)),
		DataThrough: q.through.contract(),
		OutOfHours: contract.OutOfHours{
			Conversations:     int64(week.Closed.Conversations),
			Leads:             int64(week.Closed.Leads),
			Appointments:      int64(week.Closed.Appointments),
			ConversationShare: analytics.Percent(week.Closed.Conversations, week.All.Conversations),
			LeadShare:         analytics.Percent(week.Closed.Leads, week.All.Leads),
			AppointmentShare:  analytics.Percent(week.Closed.Appointments, week.All.Appointments),
		},
	}
	for i, c := range week.Cells {
		answer.Cells[i] = contract.HeatmapCell{
			Weekday: c.Weekday, Hour: c.Hour, OpenMinutes: c.OpenMinutes,
			Conversations: int64(c.Conversations), Leads: int64(c.Leads), Appointments: int64(c.Appointments),
		}
	}
	return answer, nil
}
