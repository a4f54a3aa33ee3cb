package serve

import (
	"context"
	"time"

	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/command"
)

// indexRetry is how long the indexing of older events waits after an error.
const indexRetry = time.Minute

// indexSubjects brings the events of before there was an index of subjects into it, once.
func indexSubjects(ctx context.Context, a *app.App) {
	for {
		err := a.DB.Log().IndexSubjects(ctx, nil)
		if err == nil || ctx.Err() != nil {
			return
		}
		a.Log.Error("subjects of older events cannot be found yet, trying again", "error", err, "after", indexRetry)
		if !command.Pause(ctx, indexRetry) {
			return
		}
	}
}
