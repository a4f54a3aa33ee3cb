package builds

import (
	"context"
	"log/slog"
	"time"

	"bitacora/projections"
)

// Renewer makes a new build whenever the live one was made by another version of the projections.
// The old one answers meanwhile.
type Renewer struct {
	Builds    StatusLister
	Exclusive Exclusive
	Rebuild   func(ctx context.Context) error
	Clock     projections.Clock
	Logger    *slog.Logger
}

// Run rebuilds whenever that is due, until ctx ends.
func (r Renewer) Run(ctx context.Context) {
	const pauseAfterFailure = 30 * time.Second
	for {
		pause := lookAgain
		if r.due(ctx) {
			r.Logger.Info("rebuilding: the live build was made by another version of the projections")
			err := r.Exclusive.Run(ctx, r.Rebuild)
			if err != nil && ctx.Err() == nil {
				r.Logger.Error("the rebuild failed, trying again later", "error", err)
				pause = pauseAfterFailure
			} else if ctx.Err() == nil {
				r.Logger.Info("rebuilt: the new build is live")
			}
		}
		if !r.Clock.Sleep(ctx, pause) {
			return
		}
	}
}

// due says whether the live build was made by another version.
func (r Renewer) due(ctx context.Context) bool {
	list, err := r.Builds.BuildStatuses(ctx)
	if err != nil {
		return false
	}
	for _, s := range list {
		if s.State == Live {
			return s.Version != projections.Version
		}
	}
	return false
}
