package postgres

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"bitacora/domain/fault"
	"bitacora/schema"
)

// Advisory locks belong to one database; this one keeps two migrations of it apart.
const migrationLock = 7310575211900611

// migration is a file of schema/postgres. Programs that know goesWith, where it names one, go on beside
// it without knowing it.
type migration struct{ name, text, sha256, goesWith string }

// goesWithLine stands in a migration that changes nothing which the programs before it use.
var goesWithLine = regexp.MustCompile(`(?m)^-- Programs that know (\S+) go on beside it\.$`)

// digestLine stands in a migration that a function has left which a later one replaces: databases know it
// by its digest of before.
var digestLine = regexp.MustCompile(`(?m)^-- Digest: ([0-9a-f]{64})$`)

func migrations() ([]migration, error) {
	names, err := fs.Glob(schema.Postgres, "postgres/*.sql")
	if err != nil {
		return nil, fmt.Errorf("list migrations: %w", err)
	}
	all := make([]migration, len(names))
	for i, name := range names {
		text, err := schema.Postgres.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("read migration: %w", err)
		}
		sum := sha256.Sum256(text)
		all[i] = migration{name: name[len("postgres/"):], text: string(text), sha256: hex.EncodeToString(sum[:])}
		if line := goesWithLine.FindSubmatch(text); line != nil {
			all[i].goesWith = string(line[1])
		}
		if line := digestLine.FindSubmatch(text); line != nil {
			all[i].sha256 = string(line[1])
		}
	}
	return all, nil
}

// SchemaVersion is the name of the last migration that the program knows.
func SchemaVersion() (string, error) {
	all, err := migrations()
	if err != nil {
		return "", err
	}
	return all[len(all)-1].name, nil
}

// Migrate brings the database that url names up to this program: it applies the files of
// schema/postgres that were not applied yet, in name order, each in its own transaction.
// It connects as the owner of the tables, not as the writer. Several programs may migrate
// at once. The names of the files it applied are returned.
func Migrate(ctx context.Context, url string) (applied []string, err error) {
	return MigrateAfter(ctx, url, func(context.Context, Pending) error { return nil })
}

// MigrateAfter is Migrate where something is to be done before the first file is applied. An error of
// before leaves the database as it was. Nobody else migrates it meanwhile.
func MigrateAfter(ctx context.Context, url string, before func(context.Context, Pending) error) (applied []string, err error) {
	all, err := migrations()
	if err != nil {
		return nil, err
	}
	return migrate(ctx, url, all, before)
}

// Pending is what [Migrate] would do to a database.
type Pending struct {
	// Names are the files to be applied, in order; none where the program finds all that it knows.
	Names []string
	// Parting are those beside which the program that the database was last migrated by cannot go on:
	// once they are applied, there is no way back but a backup. An empty database has none.
	Parting []string
	// FirstEvent and Head are those of the log, Bytes the size of the database.
	FirstEvent string
	Head       int64
	Bytes      int64
}

// PendingMigrations says what [Migrate] would do, and changes nothing.
func PendingMigrations(ctx context.Context, url string) (p Pending, err error) {
	conn, err := ConnectTo(ctx, url)
	if err != nil {
		return p, fmt.Errorf("connect to look for migrations: %w", err)
	}
	defer conn.Close(context.WithoutCancel(ctx))
	all, err := migrations()
	if err != nil {
		return p, err
	}
	done, err := appliedMigrations(ctx, conn)
	if err == nil {
		err = agree(all, done)
	}
	if err != nil {
		return p, err
	}
	return pendingOn(ctx, conn, all, done)
}

func pendingOn(ctx context.Context, q querier, wanted []migration, done map[string]migration) (p Pending, err error) {
	p.Names, p.Parting = lacking(wanted, done)
	if len(done) == 0 || len(p.Names) == 0 {
		return p, nil
	}
	err = q.QueryRow(ctx, query("migration_pending")).Scan(&p.FirstEvent, &p.Head, &p.Bytes)
	return p, fault.Wrap(err, "look at the log before migrations")
}

// lacking are the migrations that a database lacks, and those of them beside which a program that knows
// what was applied cannot go on.
func lacking(wanted []migration, done map[string]migration) (names, parting []string) {
	for _, m := range wanted {
		if _, ok := done[m.name]; ok {
			continue
		}
		names = append(names, m.name)
		if _, goesOn := done[m.goesWith]; !goesOn && len(done) > 0 {
			parting = append(parting, m.name)
		}
	}
	return names, parting
}

// chainAll chains the events that were appended before there was a chain, a bounded number in each
// transaction: others append meanwhile.
func chainAll(ctx context.Context, conn *pgx.Conn) error {
	for {
		var head, chained, unchained int64
		err := conn.QueryRow(ctx, query("chain_ends")).Scan(&head, &chained, &unchained)
		if err == nil && chained < head {
			_, err = conn.Exec(ctx, "SELECT chain_events()")
		}
		if err != nil {
			return fmt.Errorf("chain the log: %w", err)
		}
		if chained >= head {
			return nil
		}
	}
}

// MigrateTo is Migrate as far as a list of [AppliedMigrations].
func MigrateTo(ctx context.Context, url string, list []string) error {
	wanted, err := known(list)
	if err != nil {
		return err
	}
	_, err = migrate(ctx, url, wanted, func(context.Context, Pending) error { return nil })
	return err
}

// CheckMigrations reports why this program cannot make the tables of a list of [AppliedMigrations].
func CheckMigrations(list []string) error {
	_, err := known(list)
	return err
}

func known(list []string) (wanted []migration, err error) {
	all, err := migrations()
	if err != nil {
		return nil, err
	}
	for _, line := range list {
		name, sum, _ := strings.Cut(line, " ")
		i := slices.IndexFunc(all, func(m migration) bool { return m.name == name })
		if i < 0 {
			return nil, fmt.Errorf("the backup was made by a newer program (%s), this one knows %s: restore it with that one, or a newer one", LastMigration(list), strings.TrimSuffix(all[len(all)-1].name, ".sql"))
		}
		if all[i].sha256 != sum {
			return nil, fmt.Errorf("the backup was made by another program: its migration %s has another content", name)
		}
		wanted = append(wanted, all[i])
	}
	return wanted, nil
}

// LastMigration is the name of the last one of a list of [AppliedMigrations].
func LastMigration(list []string) string {
	if len(list) == 0 {
		return ""
	}
	name, _, _ := strings.Cut(list[len(list)-1], " ")
	return strings.TrimSuffix(name, ".sql")
}

// AppliedMigrations lists the migrations of a database with their digests.
func AppliedMigrations(ctx context.Context, q querier) (list []string, err error) {
	done, err := appliedMigrations(ctx, q)
	for name, m := range done {
		list = append(list, name+" "+m.sha256)
	}
	slices.Sort(list)
	return list, err
}

// migrate applies some of the migrations that the program knows, see [MigrateAfter].
func migrate(ctx context.Context, url string, wanted []migration, before func(context.Context, Pending) error) (applied []string, err error) {
	conn, err := ConnectTo(ctx, url)
	if err != nil {
		return nil, fmt.Errorf("connect to migrate: %w", err)
	}
	defer conn.Close(context.WithoutCancel(ctx))
	if _, err := conn.Exec(ctx, "SELECT pg_advisory_lock($1)", int64(migrationLock)); err != nil {
		return nil, fmt.Errorf("lock for migration: %w", err)
	}
	done, err := appliedMigrations(ctx, conn)
	if err != nil {
		return nil, err
	}
	all, err := migrations()
	if err != nil {
		return nil, err
	}
	if err := agree(all, done); err != nil {
		return nil, err
	}
	p, err := pendingOn(ctx, conn, wanted, done)
	if err == nil && len(p.Names) > 0 {
		err = before(ctx, p)
	}
	if err != nil {
		return nil, err
	}
	for _, m := range wanted {
		if _, ok := done[m.name]; ok {
			continue
		}
		if err := m.apply(ctx, conn); err != nil {
			return applied, err
		}
		applied = append(applied, m.name)
	}
	if len(wanted) < len(all) { // of an older dump
		return applied, nil
	}
	return applied, chainAll(ctx, conn)
}

func (m migration) apply(ctx context.Context, conn *pgx.Conn) error {
	err := pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		// The simple protocol takes a file of many statements.
		if _, err := tx.Conn().PgConn().Exec(ctx, m.text).ReadAll(); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, "INSERT INTO schema_migrations (name, sha256) VALUES ($1, $2)", m.name, m.sha256)
		if err == nil && m.goesWith != "" {
			_, err = tx.Exec(ctx, "UPDATE schema_migrations SET goes_with = $2 WHERE name = $1", m.name, m.goesWith)
		}
		return err
	})
	if err != nil && sqlState(err) == "42501" {
		return fmt.Errorf("apply migration %s (the user must own the database, see BITACORA_MIGRATION_URL, and, the first time, be allowed to create roles): %w", m.name, err)
	}
	return fault.Wrap(err, "apply migration "+m.name)
}

// querier is what a pool, a connection and a transaction have in common.
type querier interface {
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

// appliedMigrations gives every file that was applied, by name, without its text.
func appliedMigrations(ctx context.Context, q querier) (map[string]migration, error) {
	var exists bool
	if err := q.QueryRow(ctx, "SELECT to_regclass('schema_migrations') IS NOT NULL").Scan(&exists); err != nil {
		return nil, fmt.Errorf("look for migrations: %w", err)
	}
	done := map[string]migration{}
	if !exists {
		return done, nil
	}
	rows, err := q.Query(ctx, "SELECT name, sha256, coalesce(to_jsonb(m) ->> 'goes_with', '') FROM schema_migrations m") // a column that older ones lack
	if err != nil {
		return nil, fmt.Errorf("read migrations: %w", err)
	}
	var m migration
	_, err = pgx.ForEachRow(rows, []any{&m.name, &m.sha256, &m.goesWith}, func() error {
		done[m.name] = m
		return nil
	})
	return done, fault.Wrap(err, "read migrations")
}

// agree refuses a database that another version of the program has migrated, but for migrations of a
// newer one that this one goes on beside.
func agree(all []migration, done map[string]migration) error {
	known := map[string]bool{}
	for _, m := range all {
		known[m.name] = true
		if there, ok := done[m.name]; ok && there.sha256 != m.sha256 {
			return fmt.Errorf("migration %s was applied to this database with another content", m.name)
		}
	}
	for name, m := range done {
		if !known[name] && !known[m.goesWith] {
			return fmt.Errorf("this database was migrated by a newer program: migration %s is unknown here", name)
		}
	}
	return nil
}

func checkMigrated(ctx context.Context, pool *pgxpool.Pool) error {
	all, err := migrations()
	if err != nil {
		return err
	}
	done, err := appliedMigrations(ctx, pool)
	if err != nil {
		return err
	}
	if err := agree(all, done); err != nil {
		return err
	}
	for _, m := range all {
		if _, ok := done[m.name]; !ok {
			return fmt.Errorf("%w: migration %s is missing (bitacora migrate applies it)", ErrNotMigrated, m.name)
		}
	}
	return nil
}
