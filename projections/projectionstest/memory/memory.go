// Package memory keeps a log, builds and their tables in memory, with the promises of the
// adapters that keep them in Postgres and ClickHouse; suites in projectionstest hold both to
// them. Every call goes through [Calls], where a test may delay it, lose it, or lose its answer,
// and a whole store can be put back to an earlier state.
package memory

import (
	"context"
	"sync"
)

// Calls carries a call to a store: it runs effect, or does not. An error tells the caller that
// no answer came, whatever became of the effect. A name says what is called and on what.
type Calls func(ctx context.Context, name string, effect func()) error

// Direct carries out every call at once.
func Direct(ctx context.Context, _ string, effect func()) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	effect()
	return nil
}

// ask calls a store and gives its answer.
func ask[T any](ctx context.Context, calls Calls, mu *sync.Mutex, name string, effect func() (T, error)) (T, error) {
	var answer T
	var failure error
	err := calls(ctx, name, func() {
		mu.Lock()
		defer mu.Unlock()
		answer, failure = effect()
	})
	if err != nil {
		// What the effect gives may come later; nobody looks at it any more.
		var none T
		return none, err
	}
	return answer, failure
}

// tell calls a store that answers with nothing.
func tell(ctx context.Context, calls Calls, mu *sync.Mutex, name string, effect func() error) error {
	_, err := ask(ctx, calls, mu, name, func() (struct{}, error) { return struct{}{}, effect() })
	return err
}
