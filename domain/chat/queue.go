package chat

import (
	"context"
	"sync"
)

// maxWaiting is how many decisions on one conversation may wait in a process: more than any
// person's windows send at once, and few enough that the last one is not kept waiting for long.
const maxWaiting = 64

// Queue lets the decisions of one process on the same conversation wait for each other, in the
// order in which they came: what is decided side by side would only be refused by the log and
// decided anew. The zero value is ready. It is safe for concurrent use.
type Queue struct {
	mu      sync.Mutex
	entries map[string]*entry
}

// entry is a conversation that is being decided on.
type entry struct {
	// deciding holds one element while somebody decides.
	deciding chan struct{}
	// present are who decides and those who wait.
	present int
}

// enter waits for its turn, at most as long as ctx, and gives what ends the turn. It does not
// wait behind [maxWaiting] others: that is [ErrBusy]. In a nil queue nobody waits.
func (q *Queue) enter(ctx context.Context, conversationID string) (leave func(), err error) {
	if q == nil {
		return func() {}, nil
	}
	e := q.join(conversationID)
	if e == nil {
		return nil, ErrBusy
	}
	select {
	case e.deciding <- struct{}{}:
		return func() { <-e.deciding; q.part(conversationID, e) }, nil
	case <-ctx.Done():
		q.part(conversationID, e)
		return nil, ctx.Err()
	}
}

// join is nil where too many wait already.
func (q *Queue) join(conversationID string) *entry {
	q.mu.Lock()
	defer q.mu.Unlock()
	e := q.entries[conversationID]
	if e == nil {
		e = &entry{deciding: make(chan struct{}, 1)}
		if q.entries == nil {
			q.entries = map[string]*entry{}
		}
		q.entries[conversationID] = e
	}
	if e.present > maxWaiting {
		return nil
	}
	e.present++
	return e
}

func (q *Queue) part(conversationID string, e *entry) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if e.present--; e.present == 0 {
		delete(q.entries, conversationID)
	}
}
