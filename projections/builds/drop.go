package builds

import (
	"context"
	"errors"
	"time"

	"bitacora/projections"
)

// Dropper removes builds.
type Dropper struct {
	Builds BuildMover
	Leases LeaseTaker
	Tables TableDropper
	Clock  projections.Clock
}

// BuildMover takes a build from one state to another, or gives [ErrState].
type BuildMover interface {
	MoveBuild(ctx context.Context, name string, to State) error
}

// BuildStates are the builds and the ways between their states.
type BuildStates interface {
	StatusReader
	BuildMover
}

// TableDropper removes the tables of a build, if there are any.
type TableDropper interface {
	DropBuild(ctx context.Context, build string) error
}

// Drop removes a build that is not live, once its follower has given up its lease or had the time
// to do so.
func (d Dropper) Drop(ctx context.Context, name string) error {
	if err := d.Builds.MoveBuild(ctx, name, Dropped); err != nil {
		return err
	}
	for patience := d.Clock.Now().Add(2 * LeaseTime); d.Clock.Now().Before(patience); {
		err := d.Leases.WithLease(ctx, name, func(context.Context) error { return nil })
		if err == nil || !errors.Is(err, ErrBusy) || !d.Clock.Sleep(ctx, 100*time.Millisecond) {
			break
		}
	}
	return d.Tables.DropBuild(ctx, name)
}
