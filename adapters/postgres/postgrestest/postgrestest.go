// Package postgrestest opens the log's database for tests.
package postgrestest

import (
	"context"
	"log/slog"
	"testing"

	"github.com/jackc/pgx/v5"

	"bitacora/adapters/engines/enginestest"
	"bitacora/adapters/postgres"
)

// migrated is copied, since migrating each test's database takes three times as long.
var migrated = enginestest.PostgresTemplate{Prepare: func(ctx context.Context, url string) error {
	_, err := postgres.Migrate(ctx, url)
	return err
}}

// Database returns the URL of a migrated database without a log, which is dropped when the test ends.
func Database(t testing.TB) string {
	t.Helper()
	url := migrated.Copy(t)
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.WithoutCancel(t.Context()))
	// Each database has an epoch of its own, as if it had been migrated by itself.
	if _, err := conn.Exec(t.Context(), "UPDATE log_epoch SET epoch = gen_random_uuid()"); err != nil {
		t.Fatal(err)
	}
	return url
}

// Open migrates a database and opens it until the test ends.
func Open(t testing.TB, url string, key postgres.KeyStore) *postgres.DB {
	t.Helper()
	if _, err := postgres.Migrate(t.Context(), url); err != nil {
		t.Fatal(err)
	}
	db, err := postgres.Open(t.Context(), url, key, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	return db
}
