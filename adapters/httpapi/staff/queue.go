package staff

import (
	"context"
	"time"
)

// Queue lets one password after the other be compared: each takes 46 MiB and a core, which
// many at the login must not take from the visitors. It is bounded: who finds it full learns
// so at once.
type Queue struct{ slots, turn chan struct{} }

func newQueue(waiting int) *Queue {
	return &Queue{slots: make(chan struct{}, 1+waiting), turn: make(chan struct{}, 1)}
}

const (
	maxKnownWaiting = 32
	// maxOthersWaiting passwords are compared in one or two seconds.
	maxOthersWaiting = 16
	// queueRetry is when to come again to a full queue.
	queueRetry = 2 * time.Second
)

// Len is how many are in the queue, with the one whose turn it is.
func (q *Queue) Len() int { return len(q.slots) }

// enter waits for the turn, which lasts until leave is called.
func (q *Queue) enter(ctx context.Context) (leave func(), err error) {
	select {
	case q.slots <- struct{}{}:
	default:
		return nil, errQueueFull
	}
	select {
	case q.turn <- struct{}{}:
		return func() { <-q.turn; <-q.slots }, nil
	case <-ctx.Done():
		<-q.slots
		return nil, ctx.Err()
	}
}
