package main

import (
	"context"

	"github.com/spf13/cobra"

	"bitacora/projections/builds"
)

func newProject() *cobra.Command {
	return command("project", "Keep the ClickHouse tables up with the log",
		"  bitacora project    # beside a serve on another machine; one of them works, the other stands by",
		cobra.NoArgs, func(ctx context.Context, a *app, _ []string) error { return project(ctx, a) })
}

// project follows every build that is to be followed until ctx ends.
func project(ctx context.Context, a *app) error {
	if _, err := builds.LiveOrFirst(ctx, a.db); err != nil {
		return err
	}
	a.builds.follower.Follow(ctx)
	return nil
}
