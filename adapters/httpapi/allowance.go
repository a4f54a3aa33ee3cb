package httpapi

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"bitacora/domain/analytics"
)

// Quota counts conversations where the limit is enforced.
type Quota interface {
	// QuotaTaken is the number of conversations that began in a month, "2006-01".
	QuotaTaken(ctx context.Context, month string) (int, error)
}

const (
	// statusAge is how old the chat's status may be.
	statusAge = time.Second
	// projectedTimeout is how long the projections are waited for before the quota is asked.
	projectedTimeout = 2 * time.Second
)

// Allowance knows how much of the current month's conversations is used. The dashboard's
// card and the chat's status both ask it, so they cannot disagree.
type Allowance struct {
	// Limit is the number of conversations allowed in a month; nil for no limit.
	Limit *int
	// Live is asked first, and Quota when it does not answer.
	Live  Live
	Quota Quota
	// Zone is the business zone, which decides when a month begins.
	Zone   *time.Location
	Now    func() time.Time
	Logger *slog.Logger

	flight singleflight.Group
	mu     sync.Mutex
	recent *analytics.Limit
	asOf   time.Time
}

// Current is the state of the month; nil when no limit is configured.
func (a *Allowance) Current(ctx context.Context) (*analytics.Limit, error) {
	if a.Limit == nil {
		return nil, nil
	}
	now := a.Now()
	count, err := a.projected(ctx, analytics.MonthOf(now, a.Zone))
	if err != nil {
		if ctx.Err() != nil {
			return nil, fmt.Errorf("count the month's conversations: %w", ctx.Err())
		}
		a.Logger.WarnContext(ctx, "month is counted by the quota, since the projections do not answer", "error", err)
		if count, err = a.Quota.QuotaTaken(ctx, now.In(a.Zone).Format("2006-01")); err != nil {
			return nil, fmt.Errorf("count the month's conversations: %w", err)
		}
	}
	return analytics.MonthlyLimit(count, a.Limit), nil
}

func (a *Allowance) projected(ctx context.Context, month analytics.Period) (int, error) {
	ctx, cancel := context.WithTimeout(ctx, projectedTimeout)
	defer cancel()
	tables, _, err := a.Live(ctx)
	if err != nil {
		return 0, err
	}
	return tables.ConversationCount(ctx, analytics.Cohort{Period: month})
}

// Recent is [Allowance.Current] as of at most a second ago: every open page asks for it.
func (a *Allowance) Recent(ctx context.Context) (*analytics.Limit, error) {
	if limit, fresh := a.remembered(); fresh {
		return limit, nil
	}
	// Shared by all who wait, so no single one's departure may end it.
	result := a.flight.DoChan("", func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), requestTimeout)
		defer cancel()
		limit, err := a.Current(ctx)
		if err == nil {
			a.remember(limit)
		}
		return limit, err
	})
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case r := <-result:
		limit, _ := r.Val.(*analytics.Limit)
		return limit, r.Err
	}
}

func (a *Allowance) remembered() (limit *analytics.Limit, fresh bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	age := a.Now().Sub(a.asOf)
	return a.recent, !a.asOf.IsZero() && age >= 0 && age < statusAge
}

func (a *Allowance) remember(limit *analytics.Limit) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.recent, a.asOf = limit, a.Now()
}
