package enginestest_test

import (
	"testing"

	"github.com/jackc/pgx/v5"

	"bitacora/adapters/engines/enginestest"
)

func TestMain(m *testing.M) { enginestest.Main(m) }

func TestPostgresIsFresh(t *testing.T) {
	for range 2 {
		conn, err := pgx.Connect(t.Context(), enginestest.Postgres(t))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := conn.Exec(t.Context(), "CREATE TABLE proof (id int)"); err != nil {
			t.Error(err)
		}
		if err := conn.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}
}
