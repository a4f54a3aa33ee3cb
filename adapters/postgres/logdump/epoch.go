package logdump

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"bitacora/adapters/postgres"
)

// AdoptEpoch gives the log of a restored or copied database an epoch of its own and notes
// the cluster it lives in now. The named projections go on under the new epoch, from the end of
// the log at most: builds that the caller found to hold nothing that the log does not, and what
// keeps no tables. All others have to be rebuilt. It connects as the owner of the tables.
func AdoptEpoch(ctx context.Context, url string, names []string) (epoch string, err error) {
	conn, err := postgres.ConnectTo(ctx, url)
	if err != nil {
		return "", fmt.Errorf("connect to adopt epoch: %w", err)
	}
	defer conn.Close(context.WithoutCancel(ctx))
	err = pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		err := tx.QueryRow(ctx, `UPDATE log_epoch SET adopted_from = epoch, epoch = gen_random_uuid(),
			cluster = (SELECT system_identifier FROM pg_control_system()) RETURNING epoch::text`).Scan(&epoch)
		if err != nil {
			return err
		}
		for _, sql := range []string{
			`UPDATE projection_checkpoints SET epoch = $1::uuid, token = 0, hold_at = NULL, hold_until = NULL,
				position = least(position, (SELECT coalesce(max(position), 0) FROM events)) WHERE projection = ANY ($2)`,
			"UPDATE projection_builds SET epoch = $1::uuid WHERE name = ANY ($2)",
		} {
			if _, err := tx.Exec(ctx, sql, epoch, names); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return "", fmt.Errorf("adopt epoch: %w", ownerAsked(err))
	}
	return epoch, nil
}

// ownerAsked says who may do what was refused.
func ownerAsked(err error) error {
	if refused, ok := errors.AsType[*pgconn.PgError](err); ok && refused.Code == "42501" {
		return fmt.Errorf("%w: the owner of the tables may, see BITACORA_MIGRATION_URL", err)
	}
	return err
}
