// Package update replaces an installed release by a newer one, and returns to the former if that fails.
package update

import (
	"errors"
	"os"
	"time"

	"github.com/spf13/cobra"

	"bitacora/cmd/bitacora/command"
)

// New is "bitacora update".
func New() *cobra.Command {
	return command.Group(&cobra.Command{
		Use:   "update",
		Short: "Replace the installed release by a newer one",
	}, newCheck(), newApply())
}

func newCheck() *cobra.Command {
	var u updater
	c := &cobra.Command{
		Use:   "check ARCHIVE",
		Short: "Report what an update would do, and change nothing",
		Long: `Report what an update would do, and change nothing: whether the archive is signed by a key of the
releases, whether it is newer, which migrations it brings, whether the former release can go on after them, and
about how long the dashboard's tables take if they are made anew. Visitors are served meanwhile. A disk
without room for the release or for the backup is named.
The archive's signature lies beside it, ARCHIVE.minisig.

Exit code 3: after the update only a backup leads back.`,
		Example: "  bitacora update check bitacora-1.2.0-linux-amd64.tar.gz",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, given []string) error {
			candidate, err := u.open(c.Context(), given[0], os.TempDir)
			if err != nil {
				return err
			}
			defer candidate.discard()
			if err := u.report(c.Context(), candidate); err != nil {
				return err
			}
			if candidate.parting {
				return command.ErrFound
			}
			return nil
		},
	}
	u.flags(c)
	command.Needing(command.NeedsNothing, c)
	command.WhenLeft(c, command.LeavesAll)
	return c
}

func newApply() *cobra.Command {
	var u updater
	var noWayBack bool
	c := &cobra.Command{
		Use:   "apply ARCHIVE",
		Short: "Install a release, restart with it, and return to the former if it does not serve visitors",
		Long: `Install a release, restart with it, and return to the former if it does not serve visitors. The command
checks the archive as "update check" does, makes a backup, unpacks the release beside the installed
one, changes the link, restarts and waits until the program is ready. If it is not ready in time, the
command changes the link back and restarts again.

If the former release cannot go on after the new one's migrations, the command does nothing without
--no-way-back. With it, only the backup leads back.`,
		Example: "  bitacora update apply bitacora-1.2.0-linux-amd64.tar.gz",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, given []string) error {
			held, err := u.alone()
			if err != nil {
				return err
			}
			defer held.Close()
			candidate, err := u.open(c.Context(), given[0], u.beside)
			if err != nil {
				return err
			}
			defer candidate.discard()
			if err := u.report(c.Context(), candidate); err != nil {
				return err
			}
			if candidate.parting && !noWayBack {
				return errors.New("nothing was changed: with --no-way-back the update is made all the same, and only the backup leads back")
			}
			return u.apply(c.Context(), candidate)
		},
	}
	u.flags(c)
	c.Flags().StringVar(&u.restart, "restart", "systemctl restart bitacora", "command that restarts the program")
	c.Flags().DurationVar(&u.patience, "patience", 30*time.Second, "how long the new release may take until it is ready")
	c.Flags().BoolVar(&noWayBack, "no-way-back", false, "also update if the former release cannot go on afterwards")
	command.Needing(command.NeedsNothing, c)
	command.WhenLeft(c, command.LeavesAll)
	return c
}
