package backup

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"bitacora/adapters/clickhouse"
	"bitacora/adapters/clickhouse/access"
	"bitacora/adapters/engines"
	"bitacora/adapters/postgres"
	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/command"
)

// NewMigrate is "bitacora migrate".
func NewMigrate() *cobra.Command {
	return command.Needing(command.NeedsLog, &cobra.Command{
		Use:   "migrate",
		Short: "Migrate the log's database, and admit analysts",
		Long: `Migrate the log's database. Every other command does so by itself. Before the first migration that the
former program cannot run with, the command makes a backup; if that fails, it changes nothing.
"bitacora serve --check-migrations" names the migrations.

On a ClickHouse server of your own, also make or renew the role analysts_bitacora: it reads the views
alone, within limits. If the program's user lacks the right, the command prints the SQL. With
BITACORA_ANALYST_PASSWORD there is a user analyst with the role; give it to others with GRANT. For a
database called clinica the names are analysts_clinica and analyst_clinica.`,
		Example: "  BITACORA_DATABASE_URL=postgres://… bitacora migrate",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			a, err := app.ConfigureFor(c)
			if err != nil {
				return err
			}
			return migrate(c.Context(), a)
		},
	})
}

func migrate(ctx context.Context, a *app.App) (err error) {
	if err := a.Begun(); err != nil {
		return err
	}
	if a.At, a.Release, err = engines.Use(ctx, a.Engines()); err != nil {
		return err
	}
	before, err := postgres.PendingMigrations(ctx, a.At.MigrationURL)
	if err == nil {
		var saved bool
		if saved, err = app.MigrateLog(ctx, a); saved {
			fmt.Println("a backup was made first: bitacora keys bundle writes the keys that open it")
		}
	}
	if err == nil {
		for _, name := range before.Names {
			fmt.Println("applied", name)
		}
		if len(before.Names) == 0 {
			fmt.Println("nothing to do")
		}
	}
	if err == nil && a.Config.ClickHouseURL != "" {
		if err = admitAnalysts(ctx, a); err != nil {
			err = fmt.Errorf("the log's database is as it should be, but analysts are not admitted: %w", err)
		}
	}
	return errors.Join(err, a.Close())
}

// admitAnalysts makes the analysts' role on a server of one's own, or says how to.
func admitAnalysts(ctx context.Context, a *app.App) (err error) {
	if a.Tables, err = clickhouse.OpenCluster(a.At.ClickHouseURL, a.Config.TablesCluster(), a.Clinic.Zone); err != nil {
		return err
	}
	views := a.Tables.ViewsDatabase()
	former, err := a.Tables.AdmitAnalysts(ctx, a.Config.AnalystPassword)
	switch {
	case errors.Is(err, clickhouse.ErrMayNotGrant):
		fmt.Printf("-- %v.\n-- To admit analysts, let who may run:\n%s;\n",
			clickhouse.ErrMayNotGrant, strings.Join(a.Tables.AnalystStatements(a.Config.AnalystPassword), ";\n"))
		if statement := access.Former(views); statement != "" {
			fmt.Printf("-- Where an earlier version made the role %s, also:\n-- %s;\n", access.Role(access.DefaultDatabase), statement)
		}
		return nil
	case err == nil:
		fmt.Println("admitted analysts: the role", access.Role(views))
	}
	if len(former) > 0 {
		fmt.Println(app.FormerAnalysts(views, former))
	}
	return err
}
