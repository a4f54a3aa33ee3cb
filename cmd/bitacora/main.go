// Command bitacora runs the clinic's website, chat assistant and dashboard, and everything
// an operator does with the log underneath. Files of one command begin alike.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
)

// Exit codes.
const (
	exitFailed  = 1 // the command could not do its work
	exitMisused = 2 // the command line or the configuration is wrong
	exitFound   = 3 // the command worked, and what it looked at is not in order
)

// errFound is returned by commands that check something and found a fault, after they
// said so.
var errFound = errors.New("not in order")

// misuse is a mistake in the command line or the configuration.
type misuse struct{ error }

func (m misuse) Unwrap() error { return m.error }

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	c, err := newRoot().ExecuteContextC(ctx)
	interrupted := ctx.Err() != nil
	stop()
	if err == nil {
		return
	}
	var m misuse
	switch {
	case errors.Is(err, errFound):
		os.Exit(exitFound)
	case interrupted && !errors.Is(err, errInterrupted):
		fmt.Fprintln(os.Stderr, "bitacora: interrupted:", left(c))
		os.Exit(exitFailed)
	case errors.As(err, &m):
		fmt.Fprintln(os.Stderr, "bitacora:", err)
		os.Exit(exitMisused)
	default:
		fmt.Fprintln(os.Stderr, "bitacora:", err)
		os.Exit(exitFailed)
	}
}

func newRoot() *cobra.Command {
	cobra.AddTemplateFunc("versionText", versionText)
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
		newRebuild(), newVerify(), newRollback(), newProjections(), newCluster(), newParked(), newKpis(), newQuery(), newSummary(), newBackup(), newRestore(), newKeys(),
		newPrivacy(), newRetention(),
	)
	root.PersistentFlags().String(configFlag, "", "configuration file (default: "+configVariable+", else "+localConfig+")")
	root.PersistentPreRunE = func(c *cobra.Command, _ []string) error { return nameConfig(c) }
	root.SetVersionTemplate("{{versionText}}")
	root.SetFlagErrorFunc(misused)
	countMisuse(root)
	completing(root)
	return root
}

// misused says where to look up what a command takes.
func misused(c *cobra.Command, err error) error {
	return misuse{fmt.Errorf("%w (see %s --help)", err, c.CommandPath())}
}

// countMisuse makes every complaint about arguments one about the command line.
func countMisuse(c *cobra.Command) {
	if args := c.Args; args != nil {
		c.Args = func(c *cobra.Command, given []string) error {
			if err := args(c, given); err != nil {
				return misused(c, err)
			}
			return nil
		}
	}
	for _, sub := range c.Commands() {
		countMisuse(sub)
	}
}

// group is a command that only has others below it. By itself it shows its help.
func group(c *cobra.Command, commands ...*cobra.Command) *cobra.Command {
	c.DisableFlagsInUseLine = true
	c.SuggestionsMinimumDistance = 2
	c.Args = func(c *cobra.Command, given []string) error {
		if len(given) == 0 {
			return nil
		}
		err := fmt.Errorf("unknown command %q for %q", given[0], c.CommandPath())
		if near := c.SuggestionsFor(given[0]); len(near) > 0 {
			err = fmt.Errorf("%w, did you mean %q?", err, near[0])
		}
		return err
	}
	c.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
	c.AddCommand(commands...)
	return c
}

// command is a subcommand that works on the clinic's databases.
func command(use, short, example string, args cobra.PositionalArgs, work func(context.Context, *app, []string) error) *cobra.Command {
	return &cobra.Command{
		Use: use, Short: short, Example: example,
		Args: args,
		RunE: func(c *cobra.Command, given []string) error {
			a, err := openApp(c)
			if err != nil {
				return err
			}
			return errors.Join(work(c.Context(), a, given), a.close())
		},
	}
}

// needs is the annotation that says which databases a command works on: without it, on both.
const needs = "needs"

const (
	needsLog     = "log"
	needsNothing = "nothing"
)

// logCommand is a subcommand that works on the log alone: where no serve runs, ClickHouse stays away, and
// its port may be taken.
func logCommand(use, short, example string, args cobra.PositionalArgs, work func(context.Context, *app, []string) error) *cobra.Command {
	return needing(needsLog, command(use, short, example, args, work))
}

func needing(what string, c *cobra.Command) *cobra.Command {
	c.Annotations = map[string]string{needs: what}
	return c
}
