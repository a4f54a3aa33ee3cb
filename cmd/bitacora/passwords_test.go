package main

import (
	"net/url"
	"strings"
	"testing"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/jackc/pgx/v5"

	"bitacora/adapters/engines/enginestest"
)

// anyPassword has what URLs, shells, SQL and Compose files give a meaning to.
const anyPassword = `a@b:c/d#e%f %41 $HOME ${x} "q" 'p' \ ñ?&=+;`

func TestAPasswordApartHasAnyCharacter(t *testing.T) {
	at := enginestest.Postgres(t)
	conn, err := pgx.Connect(t.Context(), at)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	const user = "of_any_password"
	if _, err := conn.Exec(t.Context(), "CREATE ROLE "+user+" LOGIN PASSWORD '"+strings.ReplaceAll(anyPassword, "'", "''")+"'"); err != nil {
		t.Fatal(err)
	}
	defer conn.Exec(t.Context(), "DROP ROLE "+user)
	u, err := url.Parse(at)
	if err != nil {
		t.Fatal(err)
	}
	u.User = url.User(user)
	c := config{DatabaseURL: u.String(), DatabasePassword: anyPassword, ClickHouseURL: "http://app@host:8123/bitacora", TablesPassword: anyPassword}
	settings := (&app{config: c}).engines()
	signedIn, err := pgx.Connect(t.Context(), settings.DatabaseURL)
	if err != nil {
		t.Fatal(err)
	}
	defer signedIn.Close(t.Context())
	options, err := clickhouse.ParseDSN(settings.ClickHouseURL)
	if err != nil || options.Auth.Password != anyPassword || options.Auth.Username != "app" {
		t.Errorf("ClickHouse is asked as %q with %q, %v", options.Auth.Username, options.Auth.Password, err)
	}
}

func TestAPasswordApartNeedsItsURL(t *testing.T) {
	for _, environ := range [][]string{
		{"BITACORA_DATABASE_PASSWORD=x"},
		{"BITACORA_CLICKHOUSE_PASSWORD=x"},
		{"BITACORA_DATABASE_PASSWORD=x", "BITACORA_DATABASE_URL=postgres://host/bitacora", "BITACORA_KEYS_DIR=/keys"},
		{"BITACORA_DATABASE_PASSWORD=x", "BITACORA_DATABASE_URL=postgres://u:y@host/bitacora", "BITACORA_KEYS_DIR=/keys"},
	} {
		name, _, _ := strings.Cut(environ[0], "=")
		if _, err := loadConfig(environ); err == nil || !strings.Contains(err.Error(), name+": needs") {
			t.Errorf("%v: %v", environ, err)
		}
	}
}
