package clickhouse

import (
	"context"
	"errors"
	"time"
)

// errHung: a node takes connections and answers nothing.
var errHung = errors.New("ClickHouse does not answer")

type patienceKey struct{}

// WithPatience is for the work of a request, whose client waits. Under it a question whose node gives
// no sign of life ends after d; while the node is known to hang, the question is not sent at all. A
// node that is busy gives signs of life, so that a long question goes on.
func WithPatience(ctx context.Context, d time.Duration) context.Context {
	return context.WithValue(ctx, patienceKey{}, d)
}

// How long the node may take for a sign of life once it is known to hang, and the pause between two
// attempts.
const (
	signTime  = 2 * time.Second
	signPause = 250 * time.Millisecond
)

// attended does work on a node, and gives it up where the node turns out to hang. What the work leaves
// open, such as rows, is bounded by the request itself.
func (n *node) attended(ctx context.Context, work func(context.Context, *node) error) error {
	patience, ok := ctx.Value(patienceKey{}).(time.Duration)
	if !ok {
		return work(ctx, n)
	}
	if n.hung.Load() {
		return errHung
	}
	ctx, giveUp := context.WithCancelCause(ctx)
	watch := time.AfterFunc(patience/2, func() {
		if !n.lives(ctx, patience/2) && ctx.Err() == nil {
			giveUp(errHung)
			n.avoid()
		}
	})
	defer watch.Stop()
	if err := work(ctx, n); context.Cause(ctx) != errHung {
		return err
	}
	return errHung
}

// lives says whether the node gives a sign of life in time.
func (n *node) lives(ctx context.Context, within time.Duration) bool {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	return n.ping(ctx) == nil
}

// avoid refuses the work of requests until the node gives a sign of life again.
func (n *node) avoid() {
	if n.hung.Swap(true) {
		return
	}
	go func() {
		for !n.lives(n.open, signTime) {
			select {
			case <-n.open.Done():
				return
			case <-time.After(signPause):
			}
		}
		n.hung.Store(false)
	}()
}
