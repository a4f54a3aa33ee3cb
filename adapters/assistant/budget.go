package assistant

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// Usage is what a provider charges for.
type Usage struct{ TokensIn, TokensOut int }

// Plus is the sum of two.
func (u Usage) Plus(other Usage) Usage {
	return Usage{u.TokensIn + other.TokensIn, u.TokensOut + other.TokensOut}
}

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
	// Money bounds what they cost, in the currency of the prices; 0 for no bound.
	Money float64
	// PriceIn and PriceOut are those of a million tokens of questions and of answers.
	PriceIn, PriceOut float64
}

// Cost is what tokens cost, in the currency of the prices.
func (b Budget) Cost(u Usage) float64 {
	return (float64(u.TokensIn)*b.PriceIn + float64(u.TokensOut)*b.PriceOut) / 1e6
}

// spent says whether a day's use leaves nothing.
func (b Budget) spent(u Usage) bool {
	return b.Tokens > 0 && u.TokensIn+u.TokensOut >= b.Tokens || b.Money > 0 && b.Cost(u) >= b.Money
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
	}{{"DAILY_MONEY", b.Money}, {"PRICE_IN", b.PriceIn}, {"PRICE_OUT", b.PriceOut}} {
		if amount.value < 0 {
			found = append(found, fmt.Errorf("%s_%s: %v is less than nothing", prefix, amount.name, amount.value))
		}
	}
	if b.Money > 0 && b.PriceIn+b.PriceOut == 0 {
		found = append(found, fmt.Errorf("%s_DAILY_MONEY: needs %s_PRICE_IN and %s_PRICE_OUT, those of a million tokens", prefix, prefix, prefix))
	}
	return errors.Join(found...)
}

// Meter counts what the provider was used for, of all processes together. Days are written
// 2026-11-22, in the business zone.
type Meter interface {
	Used(ctx context.Context, day string) (Usage, error)
	Add(ctx context.Context, day string, u Usage) error
}

// errSpent: the day's budget is used up.
var errSpent = errors.New("the day's budget for the provider is used up")

// afford says whether the day's budget leaves something. What is asked at once, at most [atOnce]
// questions a process, may together go beyond it.
func (p *provider) afford(ctx context.Context, zone *time.Location, at time.Time) error {
	if p.budget.Tokens == 0 && p.budget.Money == 0 {
		return nil
	}
	used, err := p.meter.Used(ctx, dayOf(at, zone))
	if err != nil {
		return fmt.Errorf("read what the provider charged: %w", err)
	}
	if p.budget.spent(used) {
		return errSpent
	}
	return nil
}

func dayOf(at time.Time, zone *time.Location) string { return at.In(zone).Format(time.DateOnly) }

// ownMeter counts for one process, where nothing is stored.
type ownMeter struct {
	mu   sync.Mutex
	used map[string]Usage
}

func newOwnMeter() *ownMeter { return &ownMeter{used: map[string]Usage{}} }

func (m *ownMeter) Used(_ context.Context, day string) (Usage, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.used[day], nil
}

func (m *ownMeter) Add(_ context.Context, day string, u Usage) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.used[day] = m.used[day].Plus(u)
	return nil
}
