package clickhouse

import (
	"context"
	"fmt"
	"io/fs"
	"strings"

	"bitacora/schema"
)

// CreateBuild makes the tables of a build, named for example "b1", where they do not
// exist yet.
func (db *DB) CreateBuild(ctx context.Context, build string) error {
	if err := db.run(ctx, "CREATE DATABASE IF NOT EXISTS {database}", build); err != nil {
		return fmt.Errorf("create build %s: %w", build, err)
	}
	if err := db.runFiles(ctx, "clickhouse/table_*.sql", build); err != nil {
		return fmt.Errorf("create build %s: %w", build, err)
	}
	return nil
}

// PublishViews points the analysts' views at a build. Each view changes over at once.
func (db *DB) PublishViews(ctx context.Context, build string) error {
	if err := db.run(ctx, "CREATE DATABASE IF NOT EXISTS {views}", build); err != nil {
		return fmt.Errorf("publish views of %s: %w", build, err)
	}
	if err := db.runFiles(ctx, "clickhouse/view_*.sql", build); err != nil {
		return fmt.Errorf("publish views of %s: %w", build, err)
	}
	return nil
}

// DropBuild removes a build and everything in it. Views that still point at it fail from
// then on, so publish those of another build first.
func (db *DB) DropBuild(ctx context.Context, build string) error {
	if err := db.run(ctx, "DROP DATABASE IF EXISTS {database} SYNC", build); err != nil {
		return fmt.Errorf("drop build %s: %w", build, err)
	}
	return nil
}

// Database is the name of a build's database.
func (db *DB) Database(build string) string { return db.views + "_" + build }

// ViewsDatabase is the name of the analysts' database.
func (db *DB) ViewsDatabase() string { return db.views }

// runFiles executes the files that a pattern names, in the order of their names.
func (db *DB) runFiles(ctx context.Context, pattern, build string) error {
	files, err := fs.Glob(schema.ClickHouse, pattern)
	if err != nil {
		return fmt.Errorf("list %s: %w", pattern, err)
	}
	for _, file := range files {
		statement, err := schema.ClickHouse.ReadFile(file)
		if err != nil {
			return fmt.Errorf("read %s: %w", file, err)
		}
		if err := db.run(ctx, string(statement), build); err != nil {
			return fmt.Errorf("run %s: %w", file, err)
		}
	}
	return nil
}

// run executes a statement with the names of the databases filled in. They are identifiers that
// were checked, and a zone that Go could load.
func (db *DB) run(ctx context.Context, statement, build string) error {
	if !buildName.MatchString(build) {
		return fmt.Errorf("%q is no build name", build)
	}
	c, err := db.server()
	if err != nil {
		return err
	}
	return c.Exec(ctx, strings.NewReplacer(
		"{database}", db.Database(build),
		"{views}", db.views,
		"{zone}", db.zone,
	).Replace(statement))
}

var quoted = strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace
