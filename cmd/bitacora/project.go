package main

import (
	"context"

	"github.com/spf13/cobra"

	"bitacora/adapters/postgres"
	"bitacora/projections"
)

func newProject() *cobra.Command {
	return command("project", "Keep the ClickHouse tables up with the log",
		"  bitacora project    # beside a serve on another machine; one of them works, the other stands by",
		cobra.NoArgs, func(ctx context.Context, h *house, _ []string) error { return h.project(ctx) })
}

// firstBuild is the name of the projections' first build.
const firstBuild = "b1"

// project follows every build that is to be followed until ctx ends.
func (h *house) project(ctx context.Context) error {
	if _, err := h.liveBuild(ctx); err != nil {
		return err
	}
	return h.follow(ctx, func(postgres.Standing) bool { return true })
}

// liveBuild is the build that readers see; in a new house it is the first.
func (h *house) liveBuild(ctx context.Context) (string, error) {
	if err := h.db.FirstBuild(ctx, firstBuild, projections.Version); err != nil {
		return "", err
	}
	return h.db.LiveBuild(ctx)
}
