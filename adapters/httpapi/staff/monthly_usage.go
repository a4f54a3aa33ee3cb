package staff

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"bitacora/domain/analytics"
)

// MonthlyCounter counts conversations where the limit is enforced.
type MonthlyCounter interface {
	// MonthlyCount is the number of conversations that began in a month, "2006-01".
	MonthlyCount(ctx context.Context, month string) (int, error)
}

const (
	// projectedAge is how old the count of the projections may be.
	projectedAge = time.Second
	// countTimeout is how long a source is waited for while the other one may answer.
	countTimeout = 2 * time.Second
)

// MonthlyUsage knows how much of the current month's conversations is used. The dashboard's
// card and the chat's status both ask it, so they cannot disagree.
type MonthlyUsage struct {
	// Limit is the number of conversations allowed in a month; nil for no limit.
	Limit *int
	// Live counts what was projected, which may lag behind the log, and Quota what was begun,
	// which may be missing after a restore: whichever knows of more is right.
	Live    Live
	Counter MonthlyCounter
	// Zone is the business zone, which decides when a month begins.
	Zone   *time.Location
	Now    func() time.Time
	Logger *slog.Logger

	flight singleflight.Group
	// recent is read and written in flight only.
	recent projectedCount
}

// projectedCount is what the projections answered, or that they did not.
type projectedCount struct {
	count int
	err   error
	asOf  time.Time
}

// Current is the state of the month; nil when no limit is configured. A conversation that
// the quota counted is in it at once.
func (u *MonthlyUsage) Current(ctx context.Context) (*analytics.MonthlyUsage, error) {
	if u.Limit == nil {
		return nil, nil
	}
	now := u.Now()
	var projected, begun int
	var notProjected, notBegun error
	var sources sync.WaitGroup
	sources.Go(func() { projected, notProjected = u.projected(ctx, now) })
	sources.Go(func() { begun, notBegun = u.begun(ctx, now) })
	sources.Wait()
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("count the month's conversations: %w", err)
	}
	switch {
	case notProjected != nil:
		u.Logger.WarnContext(ctx, "month is counted by the quota, since the projections do not answer", "error", notProjected)
		if notBegun != nil {
			return nil, fmt.Errorf("count the month's conversations: %w", notBegun)
		}
	case notBegun != nil:
		u.Logger.WarnContext(ctx, "month is counted by the projections, since the quota does not answer", "error", notBegun)
	}
	return analytics.UsageOf(max(projected, begun), u.Limit), nil
}

func (u *MonthlyUsage) begun(ctx context.Context, now time.Time) (int, error) {
	ctx, cancel := context.WithTimeout(ctx, countTimeout)
	defer cancel()
	return u.Counter.MonthlyCount(ctx, now.In(u.Zone).Format("2006-01"))
}

// projected is the projections' count of the month, shared by all who ask within a second:
// every open page does.
func (u *MonthlyUsage) projected(ctx context.Context, now time.Time) (int, error) {
	// Shared by all who wait, so no single one's departure may end it.
	result := u.flight.DoChan("", func() (any, error) {
		month := analytics.MonthOf(now, u.Zone)
		if age := now.Sub(u.recent.asOf); age < 0 || age >= projectedAge || u.recent.asOf.Before(month.From) {
			count, err := u.count(context.WithoutCancel(ctx), month)
			u.recent = projectedCount{count, err, now}
		}
		return u.recent.count, u.recent.err
	})
	select {
	case <-ctx.Done():
		return 0, ctx.Err()
	case r := <-result:
		count, _ := r.Val.(int)
		return count, r.Err
	}
}

func (u *MonthlyUsage) count(ctx context.Context, month analytics.Period) (int, error) {
	ctx, cancel := context.WithTimeout(ctx, countTimeout)
	defer cancel()
	tables, _, err := u.Live(ctx)
	if err != nil {
		return 0, err
	}
	return tables.ConversationCount(ctx, analytics.Cohort{Period: month})
}
