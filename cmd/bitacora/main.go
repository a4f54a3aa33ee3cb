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
	"slices"
	"strings"
	"syscall"

	"github.com/agnivade/levenshtein"
	"github.com/spf13/cobra"

	"bitacora/adapters/engines"
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
	c.Args = onlySubcommands
	c.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
	c.AddCommand(commands...)
	return c
}

// onlySubcommands refuses every word that is none.
func onlySubcommands(c *cobra.Command, given []string) error {
	if len(given) == 0 {
		return nil
	}
	return unknownCommand(c, given[0])
}

func unknownCommand(c *cobra.Command, word string) error {
	err := fmt.Errorf("unknown command %q for %q", word, c.CommandPath())
	if near := meant(c, word); near != "" {
		err = fmt.Errorf("%w, did you mean %q?", err, near)
	}
	return err
}

// meant is the subcommand of which a word is a slip: a letter in three is wrong, or two changed places,
// or it is shortened. Empty, it is none.
func meant(c *cobra.Command, word string) string {
	word = strings.ToLower(word)
	for _, sub := range c.Commands() {
		name := sub.Name()
		if levenshtein.ComputeDistance(word, name) <= max(1, len(name)/3) || letters(word) == letters(name) || shortens(word, name) {
			return name
		}
	}
	return ""
}

// letters are those of a word in their order.
func letters(word string) string { return string(slices.Sorted(slices.Values([]byte(word)))) }

// shortens says whether a word is a name without some of its letters, the first excepted.
func shortens(word, name string) bool {
	if word == "" || word[0] != name[0] {
		return false
	}
	for i := range len(name) {
		if word != "" && word[0] == name[i] {
			word = word[1:]
		}
	}
	return word == ""
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
