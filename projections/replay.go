package projections

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"bitacora/domain/event"
)

// Source is the log as a replay reads it: up to limit events after one position and
// through another, unreadable ones as [event.Unreadable].
type Source interface {
	Scan(ctx context.Context, after, through int64, limit int) ([]event.Recorded, error)
}

// Range is a run of positions, both ends included.
type Range struct{ First, Last int64 }

// Events is how many positions the range holds.
func (r Range) Events() int64 { return r.Last - r.First + 1 }

// Replay reads ranges of the log into a build, several at once and in any order, through
// the same rows as [Live].
type Replay struct {
	Source Source
	Applier
	// Done keeps that all rows of a range are stored.
	Done func(context.Context, Range) error
	// Observe, if set, is told how many more events were read.
	Observe func(events int)
	// OnError, if set, is told of a failure that will be tried again.
	OnError func(error)
	// Workers is how many ranges are replayed at once.
	Workers int
	// Rate bounds the events per second; 0 does not.
	Rate int
}

const (
	// replayRead is how many events are decoded at once. What is held until a range is
	// written are its joined rows, not its events.
	replayRead = 5_000
	// replayTexts is how many bytes of texts the rows of a range may hold before they are written
	// and the rest of the range begins anew: about those of the largest range with usual texts.
	// Each worker holds that much, and its writer as much again in columns and in what it sends.
	replayTexts = 8 << 20
	// replayPatience is how long a range is tried while a database is away.
	replayPatience = time.Minute
)

// Run replays the ranges. When it fails, those that are done stay done.
func (r Replay) Run(ctx context.Context, ranges []Range) error {
	pace := newPace(r.Rate)
	workers, ctx := errgroup.WithContext(ctx)
	next := make(chan Range)
	workers.Go(func() error {
		defer close(next)
		for _, one := range ranges {
			select {
			case next <- one:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
	for range max(1, r.Workers) {
		workers.Go(func() error {
			for one := range next {
				if err := r.persist(ctx, one, pace); err != nil {
					return fmt.Errorf("replay %d to %d: %w", one.First, one.Last, err)
				}
			}
			return nil
		})
	}
	return workers.Wait()
}

// persist replays a range, and again while a database is away.
func (r Replay) persist(ctx context.Context, one Range, pace *pace) error {
	began := time.Now()
	for pause := 100 * time.Millisecond; ; pause = min(2*pause, 5*time.Second) {
		last, err := r.one(ctx, one, pace)
		if err == nil {
			_, err = r.Writer.Applied(ctx, one, last)
		}
		if err == nil {
			err = r.Done(ctx, one)
		}
		if err == nil || ctx.Err() != nil || time.Since(began) > replayPatience {
			return err
		}
		if r.OnError != nil {
			r.OnError(err)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
	}
}

// one replays a range and gives the id of its last event.
func (r Replay) one(ctx context.Context, one Range, pace *pace) (last string, err error) {
	exclusions, err := r.Parking.Exclusions(ctx)
	if err != nil {
		return "", err
	}
	faults, last, err := r.write(ctx, one, exclusions, pace)
	if errors.Is(err, ErrUnstorable) {
		return r.carefully(ctx, one)
	}
	if err != nil {
		return "", err
	}
	return last, r.Parking.Park(ctx, faults)
}

// write joins the rows of a range while its events come and go, and writes them together, or in
// parts where they are large.
func (r Replay) write(ctx context.Context, one Range, exclusions Exclusions, pace *pace) (faults []Parked, last string, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: panic: %v", ErrUnstorable, p)
		}
	}()
	j := newJoiner()
	j.Messages = make([]MessageRow, 0, one.Events())
	last, err = r.each(ctx, one, func(events []event.Recorded) error {
		try, found := exclusions.sort(events)
		faults = append(faults, found...)
		j.add(try)
		if r.Observe != nil {
			r.Observe(len(events))
		}
		if j.texts >= replayTexts {
			if err := r.Writer.Write(ctx, j.sorted()); err != nil {
				return err
			}
			j = newJoiner()
		}
		return pace.wait(ctx, len(events))
	})
	if err == nil {
		err = r.Writer.Write(ctx, j.sorted())
	}
	return faults, last, err
}

// carefully applies a range in small batches, so that what cannot be stored is found.
func (r Replay) carefully(ctx context.Context, one Range) (last string, err error) {
	return r.each(ctx, one, func(events []event.Recorded) error { return r.Apply(ctx, events) })
}

func (r Replay) each(ctx context.Context, one Range, visit func([]event.Recorded) error) (last string, err error) {
	for at := one.First - 1; at < one.Last; {
		events, err := r.Source.Scan(ctx, at, one.Last, replayRead)
		if err != nil {
			return "", err
		}
		if len(events) == 0 || events[0].Position != at+1 {
			return "", fmt.Errorf("log has a hole after position %d", at)
		}
		if err := visit(events); err != nil {
			return "", err
		}
		at += int64(len(events))
		last = events[len(events)-1].ID
	}
	return last, nil
}

// pace keeps all workers together to a rate.
type pace struct {
	rate  int
	mu    sync.Mutex
	until time.Time
}

func newPace(rate int) *pace { return &pace{rate: rate, until: time.Now()} }

func (p *pace) wait(ctx context.Context, events int) error {
	if p.rate <= 0 {
		return ctx.Err()
	}
	p.mu.Lock()
	if now := time.Now(); p.until.Before(now) {
		p.until = now
	}
	p.until = p.until.Add(time.Duration(events) * time.Second / time.Duration(p.rate))
	left := time.Until(p.until)
	p.mu.Unlock()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(left):
		return nil
	}
}
