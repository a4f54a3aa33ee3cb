package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"
)

func newRollback() *cobra.Command {
	return command("rollback [BUILD]", "Let readers see the build before again",
		"  bitacora rollback       # the latest build that is kept\n  bitacora rollback b3", cobra.MaximumNArgs(1), rollback)
}

func rollback(ctx context.Context, a *app, args []string) error {
	build := ""
	if len(args) == 1 {
		build = args[0]
		if live, err := a.db.LiveBuild(ctx); err == nil && live == build {
			fmt.Printf("build %s is live already\n", build)
			return nil
		}
	}
	return a.builds.exclusive.Run(ctx, func(ctx context.Context) error {
		live, kept, err := a.builds.rollback.Run(ctx, build, actOfOperator)
		if err != nil {
			return err
		}
		fmt.Printf("build %s is live, %s is kept\n", live, kept)
		return nil
	})
}
