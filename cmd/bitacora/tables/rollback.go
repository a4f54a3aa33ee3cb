package tables

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"bitacora/cmd/bitacora/app"
)

// NewRollback is "bitacora rollback".
func NewRollback() *cobra.Command {
	return app.Command("rollback [BUILD]", "Let readers see the build before again",
		"  bitacora rollback       # the latest build that is kept\n  bitacora rollback b3", cobra.MaximumNArgs(1), rollback)
}

func rollback(ctx context.Context, a *app.App, args []string) error {
	build := ""
	if len(args) == 1 {
		build = args[0]
		if live, err := a.DB.LiveBuild(ctx); err == nil && live == build {
			fmt.Printf("build %s is live already\n", build)
			return nil
		}
	}
	return a.Builds.Exclusive.Run(ctx, func(ctx context.Context) error {
		live, kept, err := a.Builds.Rollback.Run(ctx, build, app.ActOfOperator)
		if err != nil {
			return err
		}
		fmt.Printf("build %s is live, %s is kept\n", live, kept)
		return nil
	})
}
