package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"bitacora/projections/builds"
)

func newVerify() *cobra.Command {
	var against string
	var asJSON bool
	c := command("verify [BUILD]", "Compare a build with the log, or with a second build, at the same position",
		"  bitacora verify                  # the live build against the log\n  bitacora verify b4 --against b3",
		cobra.MaximumNArgs(1), func(ctx context.Context, a *app, args []string) error {
			return a.builds.exclusive.Run(ctx, func(ctx context.Context) error {
				build, err := a.db.LiveBuild(ctx)
				if err != nil {
					return err
				}
				if len(args) == 1 {
					build = args[0]
				}
				if against == build {
					return misuse{fmt.Errorf("build %s cannot be held against itself", build)}
				}
				v, err := a.builds.verifier.Verify(ctx, build, against)
				if err != nil {
					return err
				}
				return printVerification(v, asJSON)
			})
		})
	whenLeft(c, leavesAll)
	c.Long = `Compare a build with the log, or with a second build, at the same position.

The build rests meanwhile; events wait in the log. For the comparison with the log, the command replays
the log into temporary tables, and counts it once more message by message. It names differing rows
(exit code 3). Texts of erased people are first removed from the tables, not named.`
	c.Flags().StringVar(&against, "against", "", "another build; default: the log")
	c.Flags().BoolVar(&asJSON, "json", false, "the result as JSON")
	return c
}

func printVerification(v builds.Verification, asJSON bool) error {
	if asJSON {
		if err := json.NewEncoder(os.Stdout).Encode(v); err != nil {
			return err
		}
	} else {
		fmt.Println(verificationText(v))
	}
	if v.Differs() {
		return errFound
	}
	return nil
}
