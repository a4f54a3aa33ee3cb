package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"bitacora/adapters/engines"
	"bitacora/adapters/postgres"
)

func newMigrate() *cobra.Command {
	return &cobra.Command{
		Use:     "migrate",
		Short:   "Bring the log's database to the shape this program knows",
		Long:    "Bring the log's database to the shape this program knows. Every other command does so by itself.",
		Example: "  BITACORA_DATABASE_URL=postgres://… bitacora migrate",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			h, err := furnish()
			if err != nil {
				return err
			}
			return h.migrate(c.Context())
		},
	}
}

func (h *house) migrate(ctx context.Context) (err error) {
	if h.at, h.release, err = engines.Use(ctx, h.engines()); err != nil {
		return err
	}
	applied, err := postgres.Migrate(ctx, h.at.DatabaseURL)
	for _, name := range applied {
		fmt.Println("applied", name)
	}
	if err == nil && len(applied) == 0 {
		fmt.Println("nothing to do")
	}
	return errors.Join(err, h.close())
}
