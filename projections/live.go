package projections

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/ThreeDotsLabs/watermill/message/router/middleware"
)

// Writer stores the rows of one build. Writing the same rows again must change nothing
// that a reader can see.
type Writer interface {
	Write(ctx context.Context, rows Tables) error
	// Applied notes in the build itself, as durably as rows, that it holds all of a range of
	// the log, whose last event has an id, and gives up to where it holds all from the log's
	// beginning. It is said after the rows are written, also where there were none; saying it
	// again changes nothing.
	Applied(ctx context.Context, r Range, last string) (through int64, err error)
}

// ErrBehind: a build does not hold what was applied to it before.
var ErrBehind = errors.New("the tables have lost what they held")

// Attempt is one try to apply a batch.
type Attempt struct {
	Batch Batch
	Took  time.Duration
	// Err is nil when the batch was applied; otherwise it will be tried again.
	Err error
}

// Live keeps one build up with the log.
type Live struct {
	// Build names the build; it is the handler's name and the subscriber's topic.
	Build      string
	Subscriber message.Subscriber
	Writer     Writer
	// Parking takes the conversations that cannot be applied. Without one they are tried for ever.
	Parking ParkingStore
	// Observe, if set, is told of every attempt; nothing else tells of one that failed. It
	// serves metrics and logs and must be quick.
	Observe func(Attempt)
}

// AddTo subscribes to the log until ctx ends, and adds the build's handler to a router. A batch
// that fails is tried again with growing pauses until it is applied or the router stops: a
// projection does not give up, since a batch that is passed over would be a silent hole in every
// number.
func (l Live) AddTo(ctx context.Context, r *message.Router) error {
	subscriber, err := Subscribe(ctx, l.Subscriber, l.Build)
	if err != nil {
		return err
	}
	retry := middleware.Retry{
		MaxRetries:      -1,
		InitialInterval: 50 * time.Millisecond,
		MaxInterval:     2 * time.Second,
		Multiplier:      2,
	}
	r.AddConsumerHandler(l.Build, l.Build, subscriber, l.apply).
		AddMiddleware(retry.Middleware, l.observe, middleware.Recoverer)
	return nil
}

// Subscribe subscribes to a topic before a router does, until ctx ends or the router stops: a
// router that cannot subscribe by itself leaves a goroutine behind for good.
func Subscribe(ctx context.Context, s message.Subscriber, topic string) (message.Subscriber, error) {
	ctx, cancel := context.WithCancel(ctx)
	messages, err := s.Subscribe(ctx, topic)
	if err != nil {
		cancel()
		return nil, err
	}
	return subscribed{s, messages, cancel}, nil
}

// subscribed is a subscription that was made before the router asks for it.
type subscribed struct {
	message.Subscriber
	messages <-chan *message.Message
	cancel   context.CancelFunc
}

// Subscribe gives the subscription, which ends with ctx from now on.
func (s subscribed) Subscribe(ctx context.Context, _ string) (<-chan *message.Message, error) {
	context.AfterFunc(ctx, s.cancel)
	return s.messages, nil
}

func (l Live) apply(msg *message.Message) error {
	batch, err := BatchOf(msg)
	if err != nil {
		return err
	}
	if err := (Applier{Writer: l.Writer, Parking: l.Parking}).Apply(msg.Context(), batch.Events); err != nil {
		return err
	}
	through, err := l.Writer.Applied(msg.Context(), Range{First: batch.First(), Last: batch.Last()}, batch.Events[len(batch.Events)-1].ID)
	if err == nil && through < batch.Last() {
		err = fmt.Errorf("%w: they end at position %d, though the log was applied up to %d", ErrBehind, through, batch.First()-1)
	}
	return err
}

func (l Live) observe(h message.HandlerFunc) message.HandlerFunc {
	if l.Observe == nil {
		return h
	}
	return func(msg *message.Message) ([]*message.Message, error) {
		began := time.Now()
		produced, err := h(msg)
		if batch, noBatch := BatchOf(msg); noBatch == nil {
			l.Observe(Attempt{Batch: batch, Took: time.Since(began), Err: err})
		}
		return produced, err
	}
}
