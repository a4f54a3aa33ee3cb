// Package feed carries the log to projections as a Watermill subscriber. Of all processes
// that follow the log for one projection, one at a time owns it: it takes a lease, claims the
// projection's checkpoint, and then delivers batch after batch. The package decides all of
// that and stores nothing; an adapter brings the log, the leases and the checkpoints.
package feed

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/ThreeDotsLabs/watermill/message"

	"bitacora/domain/event"
)

// Log is the log as it is followed.
type Log interface {
	// ScanNext gives up to limit events after a position, and says whether there may be more.
	ScanNext(ctx context.Context, after int64, limit int) (events []event.Recorded, more bool, err error)
	// Lacks gives the first of some positions at which the log does not hold the event of that
	// id; 0 where it holds them all.
	Lacks(ctx context.Context, positions []int64, ids []string) (int64, error)
}

// Signals end waiting early. Each channel is closed at the next occasion; a missed signal
// costs a second.
type Signals interface {
	// Grown is for events that are appended.
	Grown() <-chan struct{}
	// Released is for leases that are given up.
	Released() <-chan struct{}
}

// Stores are what subscriptions in all processes share.
type Stores struct {
	Log         Log
	Leases      Leases
	Checkpoints Checkpoints
	Signals     Signals
}

// Config says how a [Subscriber] works. Zero values take the defaults.
type Config struct {
	// BatchSize is the largest number of events in one message; of large events there are fewer,
	// as [Log.ScanNext] gives them. Default 5000.
	BatchSize int
	// Lease is how long an owner that vanished keeps others out. Default 15 s.
	Lease time.Duration
	// Pause is how far apart batches begin at least, so that events that come one by one
	// share what a batch costs. What comes after a rest, or after a batch of full size, does
	// not wait. Default 0.
	Pause time.Duration
	// Begin, if set, is called each time a subscription has taken the lease, before it delivers
	// anything, with a context that ends with the lease. Its error gives the lease back.
	Begin func(ctx context.Context) error
}

// safetyPoll bounds how late a missed signal is noticed.
const safetyPoll = time.Second

// Subscriber feeds the log to Watermill. A topic is the name of a projection; a message is
// a batch of events, see [projections.BatchOf]. Of all subscriptions to a topic, in
// whatever process, one at a time receives: it has the topic's lease. A nacked batch is
// sent again with the same bounds, and the next one only once this was acked, after which
// the checkpoint is moved. A subscription survives the loss of the stores and goes on from
// its checkpoint: a batch may come twice, never out of order, and no event is passed over.
type Subscriber struct {
	stores Stores
	config Config
	logger *slog.Logger

	mu      sync.Mutex
	closed  bool
	closing chan struct{}
	running sync.WaitGroup
}

var _ message.Subscriber = (*Subscriber)(nil)

// NewSubscriber makes a subscriber, which must be closed before its stores.
func NewSubscriber(stores Stores, logger *slog.Logger, config Config) *Subscriber {
	if config.BatchSize <= 0 {
		config.BatchSize = 5000
	}
	if config.Lease <= 0 {
		config.Lease = 15 * time.Second
	}
	return &Subscriber{stores: stores, config: config, logger: logger, closing: make(chan struct{})}
}

// Subscribe delivers the log to the projection named topic, from its checkpoint on, until
// ctx ends or the subscriber is closed. It refuses a checkpoint that does not belong to
// this log with [ErrForeignCheckpoint].
func (s *Subscriber) Subscribe(ctx context.Context, topic string) (<-chan *message.Message, error) {
	if _, err := load(ctx, s.stores.Checkpoints, topic); err != nil && !errors.Is(err, ErrUnavailable) {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, errors.New("subscribe: the subscriber is closed")
	}
	sub := &subscription{
		Stores: s.stores,
		Config: s.config,
		topic:  topic,
		out:    make(chan *message.Message),
		logger: s.logger.With("projection", topic),
		lease:  NewLease(s.stores.Leases, topic, s.config.Lease),
	}
	ctx, cancel := context.WithCancel(ctx)
	s.running.Go(func() {
		select {
		case <-s.closing:
		case <-ctx.Done():
		}
		cancel()
	})
	s.running.Go(func() {
		defer cancel()
		defer close(sub.out)
		sub.run(ctx)
	})
	return sub.out, nil
}

// Close ends all subscriptions and waits until their channels are closed. A batch that is
// not acked by then comes again to the next owner.
func (s *Subscriber) Close() error {
	s.mu.Lock()
	if !s.closed {
		s.closed = true
		close(s.closing)
	}
	s.mu.Unlock()
	s.running.Wait()
	return nil
}
