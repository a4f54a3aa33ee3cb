package feed

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// unrenewed lets projections rest, and answers no renewal.
type unrenewed struct{ Pauses }

func (unrenewed) Begin(context.Context, []string, time.Duration) (int64, error) { return 1, nil }

func (unrenewed) Reached(context.Context, []string, int64) (bool, error) { return true, nil }

func (unrenewed) End(context.Context, []string, int64) error { return nil }

func (unrenewed) Renew(ctx context.Context, _ []string, _ int64, _ time.Duration) (bool, error) {
	<-ctx.Done()
	return false, ctx.Err()
}

// TestWorkEndsBeforeAPauseThatIsNotRenewed: after it the projections go on.
func TestWorkEndsBeforeAPauseThatIsNotRenewed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		err := Pause(t.Context(), unrenewed{}, []string{"b1"}, func(ctx context.Context, _ int64) error {
			<-ctx.Done()
			return context.Cause(ctx)
		})
		if lasted := time.Since(began); lasted >= PauseTime || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the work ended after %v: %v", lasted, err)
		}
	})
}
