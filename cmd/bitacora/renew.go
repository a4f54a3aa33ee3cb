package main

import (
	"context"
	"io"
	"time"

	"bitacora/projections"
)

// renew makes a new build whenever the live one was made by another version of the
// projections, until ctx ends. The old one answers meanwhile.
func (h *house) renew(ctx context.Context) error {
	const pauseAfterFailure = 30 * time.Second
	for {
		rest := lookAgain
		if h.rebuildDue(ctx) {
			h.log.Info("rebuilding: the live build was made by another version of the projections")
			err := h.besideFollowers(ctx, func(ctx context.Context) error {
				r := &rebuild{house: h, options: standardRebuild(), tell: &teller{out: io.Discard}}
				return r.run(ctx)
			})
			if err != nil && ctx.Err() == nil {
				h.log.Error("the rebuild failed, trying again later", "error", err)
				rest = pauseAfterFailure
			} else if ctx.Err() == nil {
				h.log.Info("rebuilt: the new build is live")
			}
		}
		if !pause(ctx, rest) {
			return nil
		}
	}
}

// rebuildDue says whether the live build was made by another version.
func (h *house) rebuildDue(ctx context.Context) bool {
	list, err := h.db.Standing(ctx)
	if err != nil {
		return false
	}
	for _, s := range list {
		if s.State == projections.IsLive {
			return s.Version != projections.Version
		}
	}
	return false
}
