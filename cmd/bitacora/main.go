// Command bitacora runs the clinic's website, chat assistant and dashboard, and everything
// an operator does with the log underneath. Files of one command begin alike.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"bitacora/adapters/engines"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	root := newRoot()
	strictly(root)
	c, err := root.ExecuteContextC(ctx)
	interrupted := ctx.Err() != nil
	stop()
	os.Exit(reportEnd(os.Stderr, c, err, interrupted))
}

// reportEnd writes why a command failed, and gives its exit code.
func reportEnd(w io.Writer, c *cobra.Command, err error, interrupted bool) (code int) {
	ended, hasEnded := engines.HasEnded(c.Context())
	if err == nil && (interrupted || !hasEnded || c.Context().Err() == nil) {
		return 0
	}
	var m misuse
	switch {
	case errors.Is(err, errFound):
		return exitFound
	case interrupted && !errors.Is(err, errInterrupted):
		fmt.Fprintln(w, "bitacora: interrupted:", left(c))
	case hasEnded:
		fmt.Fprintf(w, "bitacora: %v: %s\n", ended, left(c))
	default:
		fmt.Fprintln(w, "bitacora:", err)
		if errors.As(err, &m) {
			return exitMisused
		}
	}
	return exitFailed
}

// Templates are of the whole process, and tests make many trees of commands at once.
func init() { cobra.AddTemplateFunc("versionText", versionText) }

func newRoot() *cobra.Command {
	root := group(&cobra.Command{
		Use:   "bitacora",
		Short: "A dental clinic's website, chat assistant and dashboard over one event log",
		Long: `A dental clinic's website, chat assistant and dashboard over one event log.

Every command finds the databases by itself: the servers that the environment names, the
embedded engines of a running "bitacora serve" with the same data directory, or engines that
it starts for its own duration. "bitacora serve --help" has every setting.

Exit codes: 0 done, 1 failed, 2 wrong usage or configuration, 3 a check found something.`,
		Version:       "of this program",
		SilenceUsage:  true,
		SilenceErrors: true,
	},
		newInit(), newServe(), newChat(), newAssistant(), newProject(), newMigrate(), newImport(), newDemo(), newStaff(), newAudit(), newClinic(), newContent(), newDoctor(), newHealth(), newLog(),
		newRebuild(), newVerify(), newRollback(), newProjections(), newTables(), newCluster(), newParked(), newKpis(), newQuery(), newSummary(), newBackup(), newRestore(), newKeys(),
		newPrivacy(), newRetention(),
	)
	root.PersistentFlags().String(configFlag, "", "configuration file (default: "+configVariable+", else "+localConfig+")")
	root.PersistentPreRunE = func(c *cobra.Command, _ []string) error { return nameConfig(c) }
	root.SetVersionTemplate("{{versionText}}")
	root.SetFlagErrorFunc(misused)
	countMisuse(root)
	asOwner(root)
	completing(root)
	return root
}

// strictly adds the commands that cobra has of its own, and lets them refuse words that they do not know.
func strictly(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		switch c.Name() {
		case "completion":
			group(c)
		case "help":
			c.Args = func(_ *cobra.Command, given []string) error {
				of, rest, err := root.Find(given)
				if err == nil && len(rest) > 0 && of.HasSubCommands() {
					err = unknownCommand(of, rest[0])
				}
				return err
			}
		default:
			continue
		}
		countMisuse(c)
	}
}
