package feed

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/ThreeDotsLabs/watermill/message"

	"bitacora/projections"
)

// subscription follows the log for one projection whenever it has the lease.
type subscription struct {
	Stores
	Config
	topic  string
	out    chan *message.Message
	logger *slog.Logger
	lease  *Lease
}

func (s *subscription) run(ctx context.Context) {
	const first, longest = 50 * time.Millisecond, 5 * time.Second
	pause := first
	for ctx.Err() == nil {
		released := s.Signals.Released()
		began := time.Now()
		ok, err := s.lease.acquire(ctx)
		if ok {
			err = s.own(ctx)
			s.lease.release(ctx)
		}
		if err == nil || time.Since(began) > longest {
			pause = first
		}
		switch {
		case ctx.Err() != nil:
		case err != nil:
			s.logger.Warn("following the log was interrupted", "error", err, "pause", pause)
			sleep(ctx, pause, nil)
			pause = min(2*pause, longest)
		case !ok:
			sleep(ctx, safetyPoll, released)
		}
	}
}

// own follows the log as the lease's owner, until the lease is lost or something fails.
func (s *subscription) own(ctx context.Context) error {
	ctx, stop := s.lease.kept(ctx)
	defer stop()
	if s.Begin != nil {
		if err := s.Begin(ctx); err != nil {
			return err
		}
	}
	at, err := claim(ctx, s.Checkpoints, s.topic, s.lease.token)
	if err != nil {
		return err
	}
	s.logger.Info("following the log", "after", at.Position, "epoch", at.Epoch)
	for {
		if err := s.step(ctx, &at); err != nil {
			return err
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
}

// step delivers what follows the checkpoint, or waits for it.
func (s *subscription) step(ctx context.Context, at *Checkpoint) error {
	began := time.Now()
	grown := s.Signals.Grown()
	events, more, err := s.Log.ScanNext(ctx, at.Position, s.BatchSize)
	if err != nil {
		return err
	}
	if err := at.isIn(ctx, s.Log); err != nil {
		return err
	}
	b := projections.Batch{Epoch: at.Epoch, Events: events}
	if len(events) > 0 {
		if b.First() != at.Position+1 || b.Last() != at.Position+int64(len(events)) {
			return fmt.Errorf("log has a hole after position %d: %d events up to %d follow", at.Position, len(events), b.Last())
		}
		allowed, err := at.writeAhead(ctx, s.Checkpoints, events[len(events)-1])
		if err != nil {
			return err
		}
		events = events[:allowed-at.Position]
		b.Events = events
	}
	if len(events) == 0 {
		sleep(ctx, safetyPoll, grown)
		return nil
	}
	if acked, err := s.deliver(ctx, b); err != nil || !acked {
		return err
	}
	if err := at.move(ctx, s.Checkpoints, events[len(events)-1]); err != nil {
		return err
	}
	if !more {
		sleep(ctx, s.Pause-time.Since(began), nil)
	}
	return nil
}

// deliver sends a batch until it is acked; false if ctx ended first.
func (s *subscription) deliver(ctx context.Context, b projections.Batch) (bool, error) {
	for {
		acked, err := s.send(ctx, b)
		if acked || err != nil || ctx.Err() != nil {
			return acked, err
		}
		// Backing off is the work of the Router's Retry; this only keeps a handler that
		// always fails from spinning.
		sleep(ctx, 50*time.Millisecond, nil)
	}
}

func (s *subscription) send(ctx context.Context, b projections.Batch) (acked bool, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	msg, err := projections.NewMessage(ctx, b)
	if err != nil {
		return false, err
	}
	select {
	case s.out <- msg:
	case <-ctx.Done():
		return false, nil
	}
	select {
	case <-msg.Acked():
		return true, nil
	case <-msg.Nacked():
	case <-ctx.Done():
	}
	return false, nil
}

// sleep waits for a while, or until ctx ends or woken is closed.
func sleep(ctx context.Context, d time.Duration, woken <-chan struct{}) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	case <-woken:
	}
}
