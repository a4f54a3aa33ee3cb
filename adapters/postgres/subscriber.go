package postgres

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"sync"
	"time"

	"github.com/ThreeDotsLabs/watermill/message"

	"bitacora/projections"
)

// SubscriberConfig says how a [Subscriber] works. Zero values take the defaults.
type SubscriberConfig struct {
	// BatchSize is the largest number of events in one message; of large events there are fewer,
	// as [Log.Scan] gives them. Default 5000.
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

// safetyPoll bounds how late a missed wake-up is noticed.
const safetyPoll = time.Second

// Subscriber feeds the log to Watermill. A topic is the name of a projection; a message is
// a batch of events, see [projections.BatchOf]. Of all subscriptions to a topic, in
// whatever process, one at a time receives: it holds the topic's lease. A nacked batch is
// sent again with the same bounds, and the next one only once this was acked, after which
// the checkpoint is moved. A subscription survives the loss of Postgres and goes on from
// its checkpoint: a batch may come twice, never out of order, and no event is passed over.
type Subscriber struct {
	db     *DB
	config SubscriberConfig

	mu      sync.Mutex
	closed  bool
	closing chan struct{}
	running sync.WaitGroup
}

var _ message.Subscriber = (*Subscriber)(nil)

// NewSubscriber makes a subscriber of the database's log. It must be closed before the
// database.
func NewSubscriber(db *DB, config SubscriberConfig) *Subscriber {
	if config.BatchSize <= 0 {
		config.BatchSize = 5000
	}
	if config.Lease <= 0 {
		config.Lease = 15 * time.Second
	}
	return &Subscriber{db: db, config: config, closing: make(chan struct{})}
}

// Subscribe delivers the log to the projection named topic, from its checkpoint on, until
// ctx ends or the subscriber is closed. It refuses a checkpoint that does not belong to
// this log with [ErrForeignCheckpoint].
func (s *Subscriber) Subscribe(ctx context.Context, topic string) (<-chan *message.Message, error) {
	known := checkpoint{pool: s.db.pool, projection: topic}
	if err := known.load(ctx); err != nil && !Unavailable(err) {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, errors.New("subscribe: the subscriber is closed")
	}
	sub := &subscription{
		db:     s.db,
		topic:  topic,
		batch:  s.config.BatchSize,
		pause:  s.config.Pause,
		begin:  s.config.Begin,
		out:    make(chan *message.Message),
		logger: s.db.logger.With("projection", topic),
		lease: &lease{
			pool:  s.db.pool,
			name:  topic,
			owner: ownerName(),
			ttl:   s.config.Lease,
		},
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

// subscription follows the log for one projection whenever it holds the lease.
type subscription struct {
	db     *DB
	topic  string
	batch  int
	pause  time.Duration
	begin  func(context.Context) error
	out    chan *message.Message
	logger *slog.Logger
	lease  *lease
}

func (s *subscription) run(ctx context.Context) {
	const first, longest = 50 * time.Millisecond, 5 * time.Second
	pause := first
	for ctx.Err() == nil {
		released := s.db.listener.next(channelLease)
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
	ctx, cancel := context.WithCancelCause(ctx)
	var renewing sync.WaitGroup
	renewing.Go(func() {
		if err := s.lease.keep(ctx); err != nil {
			cancel(err)
		}
	})
	defer renewing.Wait()
	defer cancel(nil)
	if s.begin != nil {
		if err := s.begin(ctx); err != nil {
			return err
		}
	}
	at := &checkpoint{pool: s.db.pool, projection: s.topic, token: s.lease.token}
	if err := at.claim(ctx); err != nil {
		return err
	}
	s.logger.Info("following the log", "after", at.position, "epoch", at.epoch)
	for {
		if err := s.step(ctx, at); err != nil {
			return err
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
}

// step delivers what follows the checkpoint, or waits for it.
func (s *subscription) step(ctx context.Context, at *checkpoint) error {
	began := time.Now()
	grown := s.db.listener.next(channelLog)
	events, more, err := s.db.log.scanNext(ctx, at.position, math.MaxInt64, s.batch)
	if err != nil {
		return err
	}
	if err := at.stands(ctx, s.db.log); err != nil {
		return err
	}
	b := projections.Batch{Epoch: at.epoch, Events: events}
	if len(events) > 0 {
		if b.First() != at.position+1 || b.Last() != at.position+int64(len(events)) {
			return fmt.Errorf("log has a hole after position %d: %d events up to %d follow", at.position, len(events), b.Last())
		}
		allowed, err := at.writeAhead(ctx, events[len(events)-1])
		if err != nil {
			return err
		}
		events = events[:allowed-at.position]
		b.Events = events
	}
	if len(events) == 0 {
		sleep(ctx, safetyPoll, grown)
		return nil
	}
	if acked, err := s.deliver(ctx, b); err != nil || !acked {
		return err
	}
	if err := at.move(ctx, events[len(events)-1]); err != nil {
		return err
	}
	if !more {
		sleep(ctx, s.pause-time.Since(began), nil)
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
