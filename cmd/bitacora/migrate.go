package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"github.com/spf13/cobra"

	"bitacora/adapters/clickhouse"
	"bitacora/adapters/clickhouse/access"
	"bitacora/adapters/engines"
	"bitacora/adapters/postgres"
)

func newMigrate() *cobra.Command {
	return needing(needsLog, &cobra.Command{
		Use:   "migrate",
		Short: "Bring the log's database to the shape this program knows, and admit analysts",
		Long: `Bring the log's database to the shape this program knows. Every other command does so by itself.

On a ClickHouse server of your own, also make or renew the role analysts_bitacora: to read the views and
nothing else, within limits. Where the program's user may not, the SQL for who may is printed. With
BITACORA_ANALYST_PASSWORD there is a user analyst who has the role; give it to others with GRANT. Where
BITACORA_CLICKHOUSE_URL names another database, clinica, they are analysts_clinica and analyst_clinica.`,
		Example: "  BITACORA_DATABASE_URL=postgres://… bitacora migrate",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			a, err := configureFor(c)
			if err != nil {
				return err
			}
			return migrate(c.Context(), a)
		},
	})
}

func migrate(ctx context.Context, a *app) (err error) {
	if err := a.begun(); err != nil {
		return err
	}
	if a.at, a.release, err = engines.Use(ctx, a.engines()); err != nil {
		return err
	}
	applied, err := postgres.Migrate(ctx, a.at.MigrationURL)
	for _, name := range applied {
		fmt.Println("applied", name)
	}
	if err == nil && len(applied) == 0 {
		fmt.Println("nothing to do")
	}
	if err == nil && a.config.ClickHouseURL != "" {
		err = admitAnalysts(ctx, a)
	}
	return errors.Join(err, a.close())
}

// admitAnalysts makes the analysts' role on a server of one's own, or says how to.
func admitAnalysts(ctx context.Context, a *app) (err error) {
	if a.tables, err = clickhouse.OpenCluster(a.at.ClickHouseURL, a.config.cluster(), a.clinic.Zone); err != nil {
		return err
	}
	views := a.tables.ViewsDatabase()
	former, err := a.tables.AdmitAnalysts(ctx, a.config.AnalystPassword)
	switch {
	case errors.Is(err, clickhouse.ErrMayNotGrant):
		fmt.Printf("-- %v.\n-- To admit analysts, let who may run:\n%s;\n",
			clickhouse.ErrMayNotGrant, strings.Join(a.tables.AnalystStatements(a.config.AnalystPassword), ";\n"))
		if statement := access.Former(views); statement != "" {
			fmt.Printf("-- Where an earlier version made the role %s, also:\n-- %s;\n", access.Role(access.DefaultDatabase), statement)
		}
		return nil
	case err == nil:
		fmt.Println("admitted analysts: the role", access.Role(views))
	}
	if len(former) > 0 {
		fmt.Println(formerAnalysts(views, former))
	}
	return err
}

// formerAnalysts says what to do for those who had the views by the role of all clinics.
func formerAnalysts(views string, former []string) string {
	before, now := access.Role(access.DefaultDatabase), access.Role(views)
	return fmt.Sprintf("the role %s reads nothing of this clinic any more, and %s had it: GRANT %s TO those of them who are its analysts",
		before, strings.Join(former, ", "), now)
}

// analystsRenewer keeps what analysts may do on a server of one's own as this program declares it.
func analystsRenewer(tables *clickhouse.DB, password string, logger *slog.Logger) func(context.Context) {
	return func(ctx context.Context) {
		former, err := tables.AdmitAnalysts(ctx, password)
		if len(former) > 0 {
			logger.Warn(formerAnalysts(tables.ViewsDatabase(), former))
		}
		switch {
		case errors.Is(err, clickhouse.ErrMayNotGrant):
			logger.Info("analysts are not admitted: bitacora migrate prints the SQL for who may", "error", err)
		case err != nil:
			logger.Warn("analysts cannot be admitted", "error", err)
		}
	}
}
