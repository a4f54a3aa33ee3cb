package main

import (
	"context"
	"io"
	"time"

	"bitacora/projections"
	"bitacora/projections/builds"
)

// renew makes a new build whenever the live one was made by another version of the
// projections, until ctx ends. The old one answers meanwhile.
func (a *app) renew(ctx context.Context) error {
	const pauseAfterFailure = 30 * time.Second
	for {
		rest := time.Second
		if a.rebuildDue(ctx) {
			a.log.Info("rebuilding: the live build was made by another version of the projections")
			err := a.besideFollowers(ctx, func(ctx context.Context) error {
				r := &rebuild{app: a, options: standardRebuild(), report: &reporter{out: io.Discard}}
				return r.run(ctx)
			})
			if err != nil && ctx.Err() == nil {
				a.log.Error("the rebuild failed, trying again later", "error", err)
				rest = pauseAfterFailure
			} else if ctx.Err() == nil {
				a.log.Info("rebuilt: the new build is live")
			}
		}
		if !pause(ctx, rest) {
			return nil
		}
	}
}

// rebuildDue says whether the live build was made by another version.
func (a *app) rebuildDue(ctx context.Context) bool {
	list, err := a.db.BuildStatuses(ctx)
	if err != nil {
		return false
	}
	for _, s := range list {
		if s.State == builds.Live {
			return s.Version != projections.Version
		}
	}
	return false
}
