package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
)

var (
	sqlBuildLive     = query("build_live")
	sqlBuildRegister = query("build_register")
	sqlBuildRetire   = query("build_retire")
	sqlBuildSetLive  = query("build_set_live")
)

// LiveBuild names the build that readers see, or gives [ErrNotFound] before the first one
// is set live.
func (db *DB) LiveBuild(ctx context.Context) (string, error) {
	var name string
	err := db.pool.QueryRow(ctx, sqlBuildLive).Scan(&name)
	if errors.Is(err, pgx.ErrNoRows) {
		err = ErrNotFound
	}
	if err != nil {
		return "", fmt.Errorf("find live build: %w", err)
	}
	return name, nil
}

// RegisterBuild makes a build known. It changes nothing about one that is.
func (db *DB) RegisterBuild(ctx context.Context, name string) error {
	if _, err := db.pool.Exec(ctx, sqlBuildRegister, name); err != nil {
		return fmt.Errorf("register build %s: %w", name, err)
	}
	return nil
}

// SetLive switches readers to a registered build at once; the one before is kept.
func (db *DB) SetLive(ctx context.Context, name string) error {
	err := pgx.BeginFunc(ctx, db.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, sqlBuildRetire, name); err != nil {
			return err
		}
		tag, err := tx.Exec(ctx, sqlBuildSetLive, name)
		if err == nil && tag.RowsAffected() == 0 {
			err = ErrNotFound
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("set build %s live: %w", name, err)
	}
	return nil
}
