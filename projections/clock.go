package projections

import (
	"context"
	"time"
)

// Clock is time as whatever waits or measures sees it.
type Clock interface {
	Now() time.Time
	// Sleep waits for a while; false if ctx ended first.
	Sleep(ctx context.Context, d time.Duration) bool
}

// WallClock is the machine's clock.
type WallClock struct{}

// Now implements [Clock].
func (WallClock) Now() time.Time { return time.Now() }

// Sleep implements [Clock].
func (WallClock) Sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}
