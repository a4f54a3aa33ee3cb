package main

import (
	"context"

	"github.com/spf13/cobra"

	"bitacora/projections/builds"
)

func newProject() *cobra.Command {
	return command("project", "Keep the ClickHouse tables up with the log",
		"  bitacora project    # beside a serve on another machine; one of them works, the other stands by",
		cobra.NoArgs, func(ctx context.Context, h *app, _ []string) error { return project(ctx, h) })
}

// project follows every build that is to be followed until ctx ends.
func project(ctx context.Context, h *app) error {
	if _, err := builds.LiveOrFirst(ctx, h.db); err != nil {
		return err
	}
	h.builds.follower.Follow(ctx)
	return nil
}
