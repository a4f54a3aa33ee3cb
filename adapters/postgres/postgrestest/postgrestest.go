// Package postgrestest opens the log's database for tests.
package postgrestest

import (
	"context"
	"log/slog"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"bitacora/adapters/engines/enginestest"
	"bitacora/adapters/postgres"
)

// migrated is copied, since migrating each test's database takes three times as long. Its second connection
// finds the caches of the catalogue missing and writes them, which spares that to the first one of each copy.
var migrated = enginestest.PostgresTemplate{Prepare: func(ctx context.Context, url string) error {
	if _, err := postgres.Migrate(ctx, url); err != nil {
		return err
	}
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}
	return conn.Close(ctx)
}}

// copies holds the URLs of databases that need no migration.
var copies sync.Map

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
	copies.Store(url, true)
	return url
}

// Open migrates a database, unless [Database] made it, and opens it until the test ends.
func Open(t testing.TB, url string, key postgres.KeyStore) *postgres.DB {
	t.Helper()
	if _, copied := copies.Load(url); !copied {
		if _, err := postgres.Migrate(t.Context(), url); err != nil {
			t.Fatal(err)
		}
	}
	db, err := postgres.Open(t.Context(), url, key, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	return db
}
