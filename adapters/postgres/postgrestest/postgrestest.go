// Package postgrestest opens the log's database for tests.
package postgrestest

import (
	"log/slog"
	"testing"

	"bitacora/adapters/postgres"
)

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
