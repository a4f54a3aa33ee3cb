// Command bitacora runs the clinic's website, chat assistant and dashboard, and everything
// an operator does with the log underneath. Each package below has the commands of one theme.
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
	"bitacora/cmd/bitacora/accounts"
	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/assistant"
	"bitacora/cmd/bitacora/backup"
	"bitacora/cmd/bitacora/command"
	"bitacora/cmd/bitacora/content"
	"bitacora/cmd/bitacora/doctor"
	"bitacora/cmd/bitacora/eventlog"
	"bitacora/cmd/bitacora/privacy"
	"bitacora/cmd/bitacora/serve"
	"bitacora/cmd/bitacora/settings"
	"bitacora/cmd/bitacora/setup"
	"bitacora/cmd/bitacora/tables"
	"bitacora/cmd/bitacora/update"
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
	ended, hasEnded := engines.HasEnded(c.Context(), err)
	if err == nil && (interrupted || !hasEnded || c.Context().Err() == nil) {
		return 0
	}
	var m command.MisuseError
	switch {
	case errors.Is(err, command.ErrFound):
		return command.ExitFound
	case interrupted && !errors.Is(err, command.ErrInterrupted):
		fmt.Fprintln(w, "bitacora: interrupted:", command.Left(c))
	case hasEnded:
		fmt.Fprintf(w, "bitacora: %v: %s\n", ended, command.Left(c))
	default:
		fmt.Fprintln(w, "bitacora:", err)
		if errors.As(err, &m) {
			return command.ExitMisused
		}
	}
	return command.ExitFailed
}

// Templates are of the whole process, and tests make many trees of commands at once.
func init() { cobra.AddTemplateFunc("versionText", app.VersionText) }

func newRoot() *cobra.Command {
	root := command.Group(&cobra.Command{
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
		setup.NewInit(), serve.New(), assistant.NewAssistant(), serve.NewProject(), backup.NewMigrate(), eventlog.NewImport(), setup.NewDemo(), accounts.New(), accounts.NewAnalyst(), eventlog.NewAudit(), content.NewClinic(), content.NewContent(), doctor.New(), serve.NewHealth(), eventlog.NewLog(),
		tables.NewRebuild(), tables.NewVerify(), tables.NewRollback(), tables.NewProjections(), tables.NewTables(), tables.NewCluster(), eventlog.NewParked(), eventlog.NewKpis(), eventlog.NewQuery(), eventlog.NewExport(), serve.NewSummary(), backup.NewBackup(), backup.NewRestore(), backup.NewKeys(), update.New(),
		privacy.NewPrivacy(), privacy.NewRetention(),
	)
	root.PersistentFlags().String(settings.ConfigFlag, "", "configuration file (default: "+settings.ConfigVariable+", else "+settings.LocalConfig+")")
	root.PersistentPreRunE = func(c *cobra.Command, _ []string) error { return settings.NameConfig(c) }
	root.SetVersionTemplate("{{versionText}}")
	root.SetFlagErrorFunc(command.MisusedCommand)
	command.CountMisuse(root)
	setup.AsOwner(root)
	return root
}

// strictly adds the commands that cobra has of its own, and lets them refuse words that they do not know.
func strictly(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		switch c.Name() {
		case "completion":
			command.Group(c)
		case "help":
			c.Args = func(_ *cobra.Command, given []string) error {
				of, rest, err := root.Find(given)
				if err == nil && len(rest) > 0 && of.HasSubCommands() {
					err = command.UnknownCommand(of, rest[0])
				}
				return err
			}
		default:
			continue
		}
		command.CountMisuse(c)
	}
}
