package tables

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/command"
	"bitacora/projections/builds"
)

// NewVerify is "bitacora verify".
func NewVerify() *cobra.Command {
	var against string
	var asJSON bool
	c := app.Command("verify [BUILD]", "Compare a build with the log, or with a second build, at the same position",
		"  bitacora verify                  # the live build against the log\n  bitacora verify b4 --against b3",
		cobra.MaximumNArgs(1), func(ctx context.Context, a *app.App, args []string) error {
			return a.Builds.Exclusive.Run(ctx, func(ctx context.Context) error {
				build, err := a.DB.LiveBuild(ctx)
				if err != nil {
					return err
				}
				if len(args) == 1 {
					build = args[0]
				}
				if against == build {
					return command.Misuse(fmt.Errorf("build %s cannot be held against itself", build))
				}
				v, err := a.Builds.Verifier.Verify(ctx, build, against)
				if err != nil {
					return err
				}
				return PrintVerification(v, asJSON)
			})
		})
	command.WhenLeft(c, command.LeavesAll)
	c.Long = `Compare a build with the log, or with a second build, at the same position.

The build rests meanwhile; events wait in the log. For the comparison with the log, the command replays
the log into temporary tables, and counts it once more message by message. It names differing rows
(exit code 3). Texts of erased people are first removed from the tables, not named.`
	c.Flags().StringVar(&against, "against", "", "another build; default: the log")
	c.Flags().BoolVar(&asJSON, "json", false, "the result as JSON")
	return c
}

// PrintVerification prints a comparison; its error is [command.ErrFound] where something differs.
func PrintVerification(v builds.Verification, asJSON bool) error {
	if asJSON {
		if err := json.NewEncoder(os.Stdout).Encode(v); err != nil {
			return err
		}
	} else {
		fmt.Println(app.VerificationText(v))
	}
	if v.Differs() {
		return command.ErrFound
	}
	return nil
}
