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
BITACORA_ANALYST_PASSWORD there is a user analyst who has the role; give it to others with GRANT.`,
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
	if a.tables, err = clickhouse.Open(a.config.ClickHouseURL, a.clinic.Zone); err != nil {
		return err
	}
	err = a.tables.AdmitAnalysts(ctx, a.config.AnalystPassword)
	switch {
	case errors.Is(err, clickhouse.ErrMayNotGrant):
		fmt.Printf("-- %v.\n-- To admit analysts, let who may run:\n%s;\n",
			clickhouse.ErrMayNotGrant, strings.Join(a.tables.AnalystStatements(a.config.AnalystPassword), ";\n"))
		return nil
	case err == nil:
		fmt.Println("admitted analysts: the role", access.Role)
	}
	return err
}

// analystsRenewer keeps what analysts may do on a server of one's own as this program declares it.
func analystsRenewer(tables *clickhouse.DB, password string, logger *slog.Logger) func(context.Context) {
	return func(ctx context.Context) {
		err := tables.AdmitAnalysts(ctx, password)
		switch {
		case errors.Is(err, clickhouse.ErrMayNotGrant):
			logger.Info("analysts are not admitted: bitacora migrate prints the SQL for who may", "error", err)
		case err != nil:
			logger.Warn("analysts cannot be admitted", "error", err)
		}
	}
}
