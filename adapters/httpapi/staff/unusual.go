package staff

import (
	"context"
	"net/http"
	"time"

	"golang.org/x/sync/errgroup"

	"bitacora/adapters/httpapi/contract"
	"bitacora/domain/analytics"
)

// unusual is what the staff is to look at, whatever the period that it looks at.
func (h *DashboardHandler) unusual(r *http.Request) (answer contract.Unusual, err error) {
	now := h.cohorts.readings.now()
	days := analytics.WeekdayBefore(now, h.Clinic.Zone)
	tables, through, err := h.Live.tablesFor(r.Context(), &days)
	if err != nil {
		return answer, err
	}
	answer = contract.Unusual{Findings: []contract.UnusualFinding{}, DataThrough: through.contract()}
	month := analytics.MonthOf(now, days.From.Location())
	months := []analytics.Period{analytics.MonthOf(month.From.Add(-time.Hour), days.From.Location()), month}
	var refused map[int64]int
	var weekday analytics.Weekday
	var limit *analytics.MonthlyUsage
	var provider *analytics.ProviderUsage
	parts, ctx := errgroup.WithContext(r.Context())
	parts.Go(func() (err error) { weekday, err = weekdayOf(ctx, tables, days, now); return err })
	parts.Go(func() (err error) { limit, err = h.MonthlyUsage.Current(ctx); return err })
	parts.Go(func() (err error) { refused, err = tables.Refusals(ctx, months); return err })
	parts.Go(func() (err error) {
		if h.ProviderUsage != nil {
			provider, err = h.ProviderUsage(ctx, now)
		}
		return err
	})
	if err := parts.Wait(); err != nil {
		return answer, err
	}
	add := func(f contract.UnusualFinding) { answer.Findings = append(answer.Findings, f) }
	if provider != nil && provider.Resting {
		add(contract.UnusualFinding{Kind: contract.UnusualProvider, Provider: &provider.Provider})
	}
	if limit != nil {
		if at := limit.Exhaustion(now, h.Clinic.Zone); !at.IsZero() {
			add(contract.UnusualFinding{Kind: contract.UnusualLimit, At: new(at.UTC())})
		}
	}
	for _, of := range months {
		if count := refused[of.From.UnixMilli()]; count > 0 {
			add(contract.UnusualFinding{Kind: contract.UnusualRefusals, At: new(of.From.UTC()), Count: new(int64(count))})
		}
	}
	if weekday.Drop() || weekday.Spike() {
		kind := contract.UnusualDrop
		if weekday.Spike() {
			kind = contract.UnusualSpike
		}
		add(contract.UnusualFinding{
			Kind: kind, At: new(weekday.Day.UTC()), Count: new(int64(weekday.Count)), Weeks: new(int64(weekday.Weeks)),
			Least: new(int64(weekday.Least)), Most: new(int64(weekday.Most)), Median: &weekday.Median,
		})
	}
	return answer, nil
}

func weekdayOf(ctx context.Context, tables Tables, days analytics.Period, now time.Time) (analytics.Weekday, error) {
	buckets := days.Buckets(analytics.Daily, now)
	periods := contract.List(buckets, func(b analytics.Bucket) analytics.Period { return b.Period })
	counted, err := tables.Timeseries(ctx, analytics.Cohort{Period: days}, periods)
	if err != nil {
		return analytics.Weekday{}, err
	}
	return analytics.WeekdayOf(analytics.Fill(buckets, counted)), nil
}
