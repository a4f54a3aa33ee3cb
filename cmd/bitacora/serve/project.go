package serve

import (
	"context"

	"github.com/spf13/cobra"

	"bitacora/cmd/bitacora/app"
	"bitacora/projections/builds"
)

// NewProject is "bitacora project".
func NewProject() *cobra.Command {
	return app.Command("project", "Keep the ClickHouse tables up with the log",
		"  bitacora project    # beside a serve on another machine; one of them works, the other stands by",
		cobra.NoArgs, func(ctx context.Context, a *app.App, _ []string) error { return project(ctx, a) })
}

// project follows every build that is to be followed until ctx ends.
func project(ctx context.Context, a *app.App) error {
	if _, err := builds.LiveOrFirst(ctx, a.DB); err != nil {
		return err
	}
	a.Builds.Follower.Follow(ctx)
	return nil
}
