package builds

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
)

type neverThere struct{}

func (neverThere) Wait(ctx context.Context) error {
	<-ctx.Done()
	return errors.New("connection refused")
}

// TestAWaitForClickHouseEnds: a wait with a patience ends with the reason, and any wait ends with its context.
func TestAWaitForClickHouseEnds(t *testing.T) {
	err := SayingWaiter{Waiter: neverThere{}, Patience: time.Millisecond}.Wait(t.Context())
	if err == nil || !strings.Contains(err.Error(), "has not answered for 1ms: connection refused") {
		t.Errorf("with a patience: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, patience := range []time.Duration{0, time.Hour} {
		if err := (SayingWaiter{Waiter: neverThere{}, Patience: patience}).Wait(ctx); err == nil || err.Error() != "connection refused" {
			t.Errorf("with the patience %v: %v", patience, err)
		}
	}
}
