package builds_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"sync"
	"testing"
	"time"

	"bitacora/domain/fault"
	"bitacora/projections"
	"bitacora/projections/builds"
)

// followed is a build whose status cannot be had.
type followed struct{ err error }

func (f followed) BuildStatus(context.Context, string) (builds.Status, error) {
	return builds.Status{}, f.err
}

func (f followed) BuildStatuses(context.Context) ([]builds.Status, error) {
	return []builds.Status{{Build: builds.Build{Name: "b1", State: builds.Kept, Version: projections.Version}}}, nil
}

func (followed) RecordError(context.Context, string, string) error { return nil }

func (followed) Wait(context.Context) error { return nil }

// naps is a clock that ends the work after some pauses.
type naps struct {
	projections.WallClock
	mu   sync.Mutex
	left int
	end  context.CancelFunc
}

func (n *naps) Sleep(ctx context.Context, _ time.Duration) bool {
	time.Sleep(time.Millisecond)
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.left--; n.left < 0 {
		n.end()
	}
	return ctx.Err() == nil
}

// TestABuildThatWasDroppedIsNoFault: between the drop and the next look at the builds.
func TestABuildThatWasDroppedIsNoFault(t *testing.T) {
	for _, c := range []struct {
		err   error
		fault bool
	}{
		{fault.New(fault.NotFound, "not found"), false},
		{errors.New("refused"), true},
	} {
		ctx, end := context.WithCancel(t.Context())
		var said bytes.Buffer
		f := &builds.Follower{
			Builds: followed{c.err}, Tables: followed{},
			Clock: &naps{left: 20, end: end}, Logger: slog.New(slog.NewTextHandler(&said, nil)),
		}
		f.Follow(ctx)
		if tells := bytes.Contains(said.Bytes(), []byte("build is not kept up")); tells != c.fault {
			t.Errorf("%v: it says %q", c.err, said.String())
		}
	}
}
