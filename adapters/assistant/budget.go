package assistant

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"bitacora/domain/analytics"
)

// Usage is what a provider charges for.
type Usage struct{ TokensIn, TokensOut int }

// usageOf reads what a response says of its own use.
func usageOf(info map[string]any) Usage {
	return Usage{firstNumber(info, "PromptTokens", "InputTokens"), firstNumber(info, "CompletionTokens", "OutputTokens")}
}

func firstNumber(info map[string]any, names ...string) int {
	for _, name := range names {
		if n, ok := info[name].(int); ok {
			return n
		}
	}
	return 0
}

// Budget is what a provider may be used for in a day of the business zone.
type Budget struct {
	// Tokens bounds those of questions and answers together; 0 for no bound.
	Tokens int
	// Cost bounds what they cost, in the currency of the prices; 0 for no bound.
	Cost float64
	// PriceIn and PriceOut are those of a million tokens of questions and of answers.
	PriceIn, PriceOut float64
}

// cost is what tokens cost, in the currency of the prices.
func (b Budget) cost(u Usage) float64 {
	return (float64(u.TokensIn)*b.PriceIn + float64(u.TokensOut)*b.PriceOut) / 1e6
}

// spent says whether a day's use leaves nothing.
func (b Budget) spent(u Usage) bool {
	return b.Tokens > 0 && u.TokensIn+u.TokensOut >= b.Tokens || b.Cost > 0 && b.cost(u) >= b.Cost
}

// Check says what is wrong, naming the settings after the prefix of their variables.
func (b Budget) Check(prefix string) error {
	var found []error
	if b.Tokens < 0 {
		found = append(found, fmt.Errorf("%s_DAILY_TOKENS: %d is less than none", prefix, b.Tokens))
	}
	for _, amount := range []struct {
		name  string
		value float64
	}{{"DAILY_COST", b.Cost}, {"PRICE_IN", b.PriceIn}, {"PRICE_OUT", b.PriceOut}} {
		if amount.value < 0 {
			found = append(found, fmt.Errorf("%s_%s: %v is less than nothing", prefix, amount.name, amount.value))
		}
	}
	if b.Cost > 0 && b.PriceIn+b.PriceOut == 0 {
		found = append(found, fmt.Errorf("%s_DAILY_COST: needs %s_PRICE_IN and %s_PRICE_OUT, those of a million tokens", prefix, prefix, prefix))
	}
	return errors.Join(found...)
}

// Meter counts what the provider was used for, of all processes together. Days are written
// 2026-11-22, in the business zone.
type Meter interface {
	Used(ctx context.Context, day string) (tokensIn, tokensOut int, err error)
	Add(ctx context.Context, day string, tokensIn, tokensOut int) error
}

// CountWith counts the provider's use with a meter that all processes share; by itself each counts
// its own. It is called before the first question.
func (a *Assistant) CountWith(m Meter) {
	if a.provider != nil {
		a.provider.meter = m
	}
}

// UsedOn is what the provider was used for on the day of an instant; nil without a provider.
func (a *Assistant) UsedOn(ctx context.Context, at time.Time) (*analytics.ProviderUsage, error) {
	if a.provider == nil {
		return nil, nil
	}
	used, err := a.provider.used(ctx, dayOf(at, a.embedded.clinic.Zone))
	if err != nil {
		return nil, err
	}
	b := a.provider.budget
	return &analytics.ProviderUsage{
		Provider: a.provider.name, Tokens: used.TokensIn + used.TokensOut, TokensLimit: b.Tokens,
		Cost: b.cost(used), CostLimit: b.Cost, Priced: b.PriceIn+b.PriceOut > 0,
		Resting: !a.provider.breaker.closed(),
	}, nil
}

// errSpent: the day's budget is used up.
var errSpent = errors.New("the day's budget for the provider is used up")

// afford says whether the day's budget leaves something. What is asked at once, at most [atOnce]
// questions a process, may together go beyond it.
func (p *provider) afford(ctx context.Context, zone *time.Location, at time.Time) error {
	if p.budget.Tokens == 0 && p.budget.Cost == 0 {
		return nil
	}
	used, err := p.used(ctx, dayOf(at, zone))
	if err != nil {
		return err
	}
	if p.budget.spent(used) {
		return errSpent
	}
	return nil
}

func (p *provider) used(ctx context.Context, day string) (u Usage, err error) {
	if u.TokensIn, u.TokensOut, err = p.meter.Used(ctx, day); err != nil {
		return u, fmt.Errorf("read what the provider charged: %w", err)
	}
	return u, nil
}

func dayOf(at time.Time, zone *time.Location) string { return at.In(zone).Format(time.DateOnly) }

// ownMeter counts for one process, where nothing is stored.
type ownMeter struct {
	mu   sync.Mutex
	used map[string]Usage
}

func newOwnMeter() *ownMeter { return &ownMeter{used: map[string]Usage{}} }

func (m *ownMeter) Used(_ context.Context, day string) (tokensIn, tokensOut int, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.used[day].TokensIn, m.used[day].TokensOut, nil
}

func (m *ownMeter) Add(_ context.Context, day string, tokensIn, tokensOut int) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	before := m.used[day]
	m.used[day] = Usage{before.TokensIn + tokensIn, before.TokensOut + tokensOut}
	return nil
}
