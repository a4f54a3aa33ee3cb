package feed

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// PauseTime is how long projections rest on for whoever paused them and vanished.
const PauseTime = 10 * time.Second

// Pauses bring projections to rest. They are kept with the checkpoints.
type Pauses interface {
	// Begin lets projections rest for ttl at the first position that none of them may have
	// passed yet. It is refused with an error while another pause of one of them lasts.
	Begin(ctx context.Context, projections []string, ttl time.Duration) (position int64, err error)
	// Renew lets the pause last for ttl from now on; ok is false where it has ended.
	Renew(ctx context.Context, projections []string, position int64, ttl time.Duration) (ok bool, err error)
	// Reached says whether all projections rest at the position.
	Reached(ctx context.Context, projections []string, position int64) (bool, error)
	// End lets the projections go on.
	End(ctx context.Context, projections []string, position int64) error
}

// Pause brings projections to rest at one position that all of them have applied, runs work
// there, and lets them go on. They must be followed by somebody. The work's context ends
// when the pause was lost.
func Pause(ctx context.Context, pauses Pauses, projections []string, work func(ctx context.Context, position int64) error) error {
	position, err := pauses.Begin(ctx, projections, PauseTime)
	if err != nil {
		return fmt.Errorf("pause projections %v: %w", projections, err)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	var renewing sync.WaitGroup
	renewing.Go(func() {
		if err := renewPause(ctx, pauses, projections, position); err != nil {
			cancel(err)
		}
	})
	defer func() {
		cancel(nil)
		renewing.Wait()
		ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer stop()
		_ = pauses.End(ctx, projections, position)
	}()
	if err := awaitPause(ctx, pauses, projections, position); err != nil {
		return fmt.Errorf("pause projections %v at %d: %w", projections, position, err)
	}
	if err := work(ctx, position); err != nil {
		return err
	}
	return context.Cause(ctx)
}

func renewPause(ctx context.Context, pauses Pauses, projections []string, position int64) error {
	tick := time.NewTicker(PauseTime / 5)
	defer tick.Stop()
	for renewed := time.Now(); ; {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		asked := time.Now()
		answer, stop := context.WithTimeout(ctx, PauseTime/2)
		ok, err := pauses.Renew(answer, projections, position, PauseTime)
		stop()
		switch {
		case ctx.Err() != nil:
			return nil
		case err == nil && !ok:
			return errors.New("the pause was lost")
		case err == nil:
			renewed = asked
		case time.Since(renewed) > PauseTime/2:
			return fmt.Errorf("renew pause: %w", err)
		}
	}
}

func awaitPause(ctx context.Context, pauses Pauses, projections []string, position int64) error {
	for {
		reached, err := pauses.Reached(ctx, projections, position)
		if err != nil || reached {
			return err
		}
		sleep(ctx, 20*time.Millisecond, nil)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
}
