package analytics

import "time"

// MonthlyUsage is how much of the month's allowance of conversations is used.
type MonthlyUsage struct {
	Current int
	Limit   int
	// PercentageUsed is not rounded and not capped.
	PercentageUsed float64
	Remaining      int
	LimitReached   bool
}

// UsageOf sets the conversations of the current month against the configured limit.
// It is nil when no limit is configured; a limit of 0 means that the chatbot is off.
func UsageOf(current int, limit *int) *MonthlyUsage {
	if limit == nil {
		return nil
	}
	l := MonthlyUsage{
		Current:        current,
		Limit:          *limit,
		PercentageUsed: 100,
		Remaining:      max(0, *limit-current),
		LimitReached:   current >= *limit,
	}
	if *limit > 0 {
		l.PercentageUsed = 100 * float64(current) / float64(*limit)
	}
	return &l
}

// What a pace has to rest on before it says anything: a month begins with few conversations,
// and with holidays.
const (
	leastPaceTime          = 5 * 24 * time.Hour
	leastPaceConversations = 30
)

// Exhaustion is when the month's allowance is used up if its conversations go on at the pace
// that they had so far in the business month. It is zero where that is not within the month,
// where the limit is reached already, and as long as there is too little to go by.
func (l MonthlyUsage) Exhaustion(now time.Time, zone *time.Location) time.Time {
	month := MonthOf(now, zone)
	elapsed := now.Sub(month.From)
	if l.LimitReached || elapsed < leastPaceTime || l.Current < leastPaceConversations {
		return time.Time{}
	}
	at := month.From.Add(time.Duration(float64(elapsed) * float64(l.Limit) / float64(l.Current)))
	if !at.Before(month.To) {
		return time.Time{}
	}
	return at
}

// Thresholds are the shares of the allowance, in percent, at which the staff gets a letter.
var Thresholds = []int{80, 100}

// Threshold is the highest of [Thresholds] that is reached; 0 below all of them.
func (l MonthlyUsage) Threshold() (reached int) {
	for _, t := range Thresholds {
		if l.PercentageUsed >= float64(t) {
			reached = t
		}
	}
	return reached
}
