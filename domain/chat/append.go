package chat

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"bitacora/domain/event"
)

// maxAttempts bounds how often a decision is made anew because another process was faster.
const maxAttempts = 16

// The pause before another attempt is drawn from a range that doubles up to the longest:
// about what the other process needs for one decision, then for some.
const (
	firstPause   = 5 * time.Millisecond
	longestPause = 160 * time.Millisecond
)

// decision says what a conversation leads to and what is to be appended for it; an append
// without drafts stores nothing. It is made as often as the log refuses it, each time on the
// conversation as it is then, so all that it finds out is in its result.
type decision[T any] func(c *Conversation) (T, event.Append, error)

// decide reads a conversation, decides, and appends; anew as long as the conversation moves on
// meanwhile or a claimed place is taken. The final refusals of the log are those that deciding
// anew does not change. [ErrBusy] says that others were faster again and again.
func decide[T any](ctx context.Context, d *Service, conversationID string, decision decision[T], final ...error) (T, error) {
	return decideKnown(ctx, d, conversationID, nil, decision, final...)
}

// decideKnown is [decide] on a conversation that was read before, which spares reading it where
// nobody else wrote since; nil if it was not.
func decideKnown[T any](ctx context.Context, d *Service, conversationID string, c *Conversation, decision decision[T], final ...error) (T, error) {
	var none T
	leave, err := d.Queue.enter(ctx, conversationID)
	if err != nil {
		return none, fmt.Errorf("wait for the conversation: %w", err)
	}
	defer leave()
	var refusal error
	for attempt := range maxAttempts {
		if attempt > 1 && d.Wait != nil {
			d.Wait(ctx, min(firstPause<<(attempt-2), longestPause))
		}
		if c == nil {
			events, err := d.Log.ReadStream(ctx, Stream(conversationID))
			if err != nil {
				return none, fmt.Errorf("read conversation: %w", err)
			}
			c = Fold(conversationID, events)
		}
		decided, a, err := decision(c)
		if err != nil {
			return none, err
		}
		if len(a.Drafts) == 0 {
			return decided, nil
		}
		if _, refusal = d.Log.Append(ctx, a); refusal == nil {
			c.Version = a.ExpectedVersion + len(a.Drafts)
			return decided, nil
		}
		anew := errors.Is(refusal, event.ErrConflict) || errors.Is(refusal, event.ErrSlotTaken)
		if !anew || slices.ContainsFunc(final, func(end error) bool { return errors.Is(refusal, end) }) {
			return none, fmt.Errorf("store decision: %w", refusal)
		}
		c = nil
	}
	return none, fmt.Errorf("store decision: %w: %w after %d attempts", ErrBusy, refusal, maxAttempts)
}
