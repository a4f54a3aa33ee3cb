package main

import (
	"context"

	"github.com/spf13/cobra"

	"bitacora/projections"
)

func newProject() *cobra.Command {
	return command("project", "Keep the ClickHouse tables up with the log",
		"  bitacora project    # beside a serve on another machine; one of them works, the other stands by",
		cobra.NoArgs, func(ctx context.Context, h *app, _ []string) error { return h.project(ctx) })
}

// firstBuild is the name of the projections' first build.
const firstBuild = "b1"

// project follows every build that is to be followed until ctx ends.
func (a *app) project(ctx context.Context) error {
	if _, err := a.liveBuild(ctx); err != nil {
		return err
	}
	a.builds.follower.Follow(ctx)
	return nil
}

// liveBuild is the build that readers see; in a new house it is the first.
func (a *app) liveBuild(ctx context.Context) (string, error) {
	if err := a.db.FirstBuild(ctx, firstBuild, projections.Version); err != nil {
		return "", err
	}
	return a.db.LiveBuild(ctx)
}
