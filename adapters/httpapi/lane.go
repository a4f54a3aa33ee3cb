package httpapi

import (
	"context"
	"sync"
	"time"
)

// lane lets one password after the other be compared: each takes 46 MiB and a core, which
// a crowd at the login must not take from the visitors. It is a bounded queue: who finds it
// full is told so at once.
type lane struct{ slots, turn chan struct{} }

// newLane makes one in which so many may wait.
func newLane(waiting int) *lane {
	return &lane{slots: make(chan struct{}, 1+waiting), turn: make(chan struct{}, 1)}
}

// The lanes of this process; together they compare two passwords at once.
var (
	knownBrowsers = newLane(32)
	everybody     = newLane(maxCrowd)
)

const (
	// maxCrowd passwords are compared in one or two seconds.
	maxCrowd    = 16
	crowdedWait = 2 * time.Second
)

// delayed holds the addresses from which somebody waits for [Authenticator.Delay].
var delayed sync.Map

// enter waits for the turn, which lasts until leave is called.
func (l *lane) enter(ctx context.Context) (leave func(), err error) {
	select {
	case l.slots <- struct{}{}:
	default:
		return nil, errCrowded
	}
	select {
	case l.turn <- struct{}{}:
		return func() { <-l.turn; <-l.slots }, nil
	case <-ctx.Done():
		<-l.slots
		return nil, ctx.Err()
	}
}
