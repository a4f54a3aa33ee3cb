package main

import (
	"fmt"
	"maps"
	"net"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/jackc/pgx/v5"

	"bitacora/adapters/engines/enginestest"
	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/doctor"
	"bitacora/cmd/bitacora/settings"
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
	c := settings.Config{DatabaseURL: u.String(), DatabasePassword: anyPassword, ClickHouseURL: "http://app@host:8123/bitacora", TablesPassword: anyPassword}
	settings := (&app.App{Config: c}).Engines()
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

// TestServersAreNamedByAddressesOfIPv6 next to one another, and get the password that stands apart.
func TestServersAreNamedByAddressesOfIPv6(t *testing.T) {
	c, err := settings.Load([]string{
		"BITACORA_DATABASE_URL=postgres://app@[fd00::1]:5432,[fd00::2]:5433,b.example/bitacora", "BITACORA_DATABASE_PASSWORD=" + anyPassword, "BITACORA_KEYS_DIR=/keys",
		"BITACORA_CLICKHOUSE_URL=http://app@[fd00::1]:8123,[fd00::2]:8123/bitacora", "BITACORA_CLICKHOUSE_PASSWORD=" + anyPassword, "BITACORA_CLICKHOUSE_CLUSTER=clinics",
	})
	if err != nil {
		t.Fatal(err)
	}
	settings := (&app.App{Config: c}).Engines()
	log, err := pgx.ParseConfig(settings.DatabaseURL)
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]bool{net.JoinHostPort(log.Host, fmt.Sprint(log.Port)): true}
	for _, f := range log.Fallbacks {
		named[net.JoinHostPort(f.Host, fmt.Sprint(f.Port))] = true
	}
	if want := map[string]bool{"[fd00::1]:5432": true, "[fd00::2]:5433": true, "b.example:5432": true}; !maps.Equal(named, want) || log.Password != anyPassword {
		t.Errorf("PostgreSQL is asked at %v with %q", named, log.Password)
	}
	tables, err := clickhouse.ParseDSN(settings.ClickHouseURL)
	if want := []string{"[fd00::1]:8123", "[fd00::2]:8123"}; err != nil || !slices.Equal(tables.Addr, want) || tables.Auth.Password != anyPassword {
		t.Errorf("ClickHouse is asked at %v with %q, %v", tables.Addr, tables.Auth.Password, err)
	}
	if at := doctor.HostOf(settings.DatabaseURL); at != "[fd00::1]:5432,[fd00::2]:5433,b.example" {
		t.Errorf("the doctor looks at %s", at)
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
		if _, err := settings.Load(environ); err == nil || !strings.Contains(err.Error(), name+": needs") {
			t.Errorf("%v: %v", environ, err)
		}
	}
}
