package builds

import (
	"context"

	"bitacora/projections"
)

// FirstName is the name of a new log's first build.
const FirstName = "b1"

// LiveBuilds says which build readers see.
type LiveBuilds interface {
	// LiveBuild names the live build.
	LiveBuild(ctx context.Context) (string, error)
	// FirstBuild makes a live build where there is none at all.
	FirstBuild(ctx context.Context, name string, version int) error
}

// LiveOrFirst names the live build. A new log gets its first one.
func LiveOrFirst(ctx context.Context, b LiveBuilds) (string, error) {
	if err := b.FirstBuild(ctx, FirstName, projections.Version); err != nil {
		return "", err
	}
	return b.LiveBuild(ctx)
}

// Exclusive runs work on builds that one process at a time may do and that needs them to be
// followed.
type Exclusive struct {
	Builds   LiveBuilds
	Tables   Waiter
	Leases   LeaseTaker
	Follower *Follower
}

// LeaseTaker runs work that one process at a time may do, or gives [ErrBusy]. The work's context
// ends when the lease was lost.
type LeaseTaker interface {
	WithLease(ctx context.Context, name string, work func(context.Context) error) error
}

// exclusiveLease is of the work that one process at a time may do on builds.
const exclusiveLease = "rebuild"

// Run runs work while no other process does any. This process follows the builds meanwhile,
// where no other one does.
func (e Exclusive) Run(ctx context.Context, work func(context.Context) error) error {
	if err := e.Tables.Wait(ctx); err != nil {
		return err
	}
	if _, err := LiveOrFirst(ctx, e.Builds); err != nil {
		return err
	}
	return e.Leases.WithLease(ctx, exclusiveLease, func(ctx context.Context) error {
		ctx, stop := context.WithCancel(ctx)
		followed := make(chan struct{})
		go func() {
			defer close(followed)
			e.Follower.Follow(ctx)
		}()
		defer func() {
			stop()
			<-followed
		}()
		return work(ctx)
	})
}
