package builds

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"
)

const (
	// quietly is how long something is waited for without a word.
	quietly = 3 * time.Second
	// sayAgain is how often the log says that the wait goes on.
	sayAgain = 30 * time.Second
)

// saying has the log say what is waited for until end is called, where that takes longer than a moment.
func saying(logger *slog.Logger, reason func() string) (end func()) {
	if logger == nil {
		return func() {}
	}
	began, over := time.Now(), make(chan struct{})
	go func() {
		for pause := quietly; ; pause = sayAgain {
			select {
			case <-over:
				return
			case <-time.After(pause):
				logger.Warn("waiting", "for", reason(), "seconds", int(time.Since(began).Seconds()))
			}
		}
	}()
	return sync.OnceFunc(func() { close(over) })
}

// SayingWaiter is a [Waiter] that says what it waits for.
type SayingWaiter struct {
	Waiter
	Logger *slog.Logger
	// Patience bounds each wait; 0: it goes on until ctx ends.
	Patience time.Duration
}

// Wait implements [Waiter].
func (w SayingWaiter) Wait(ctx context.Context) error {
	defer saying(w.Logger, func() string { return "ClickHouse, which does not answer" })()
	if w.Patience == 0 {
		return w.Waiter.Wait(ctx)
	}
	bounded, cancel := context.WithTimeout(ctx, w.Patience)
	defer cancel()
	err := w.Waiter.Wait(bounded)
	if err != nil && ctx.Err() == nil {
		return fmt.Errorf("ClickHouse has not answered for %v: %w", w.Patience, err)
	}
	return err
}
