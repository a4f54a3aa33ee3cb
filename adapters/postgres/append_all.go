package postgres

import (
	"context"
	"errors"
	"fmt"

	"bitacora/domain/event"
)

// AppendAll stores requests in their order, each as [Log.Append] does, and shares the cost of a
// commit among them. It goes on after one that fails, and says what the first one failed of.
func (l *Log) AppendAll(ctx context.Context, all []event.Append) error {
	var first error
	for len(all) > 0 {
		run := all[:distinctStreams(all)]
		if err := l.appendRun(ctx, run); first == nil {
			first = err
		}
		all = all[len(run):]
	}
	return first
}

// distinctStreams counts the requests up to where a stream comes again. The second one to a
// stream has to wait: only the first, once it is stored, gives the stream its key.
func distinctStreams(all []event.Append) int {
	seen := map[string]bool{}
	for i, a := range all {
		if seen[a.Stream] {
			return i
		}
		seen[a.Stream] = true
	}
	return len(all)
}

func (l *Log) appendRun(ctx context.Context, run []event.Append) error {
	queued := make([]*submission, len(run))
	var first error
	note := func(a event.Append, err error) {
		if err != nil && first == nil {
			first = fmt.Errorf("append to %s: %w", a.Stream, err)
		}
	}
	for i, a := range run {
		var err error
		queued[i], err = l.submit(ctx, a)
		note(a, err)
	}
	for i, q := range queued {
		if q == nil {
			continue
		}
		_, err := q.await(ctx, l)
		if errors.Is(err, errKeyExists) {
			_, err = l.Append(ctx, run[i])
		}
		note(run[i], err)
	}
	return first
}
