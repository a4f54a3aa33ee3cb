package clickhouse

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strconv"
	"strings"

	"bitacora/domain/fault"
	"bitacora/schema"
)

//go:embed builds/distributed.sql
var distributedSQL string

// CreateBuild makes the tables of a build, named for example "b1", where they do not
// exist yet, with the zone of those that do. On a cluster it makes none on a node that lost them,
// see [ErrLost].
func (db *DB) CreateBuild(ctx context.Context, build string) error {
	list, err := db.holdings(ctx, build)
	if err == nil {
		err = db.lost(build, list)
	}
	if err == nil {
		whole, zone := db.whole(list), db.zone
		for _, h := range list {
			zone = cmp.Or(h.origin.Zone, zone)
		}
		err = db.each(ctx, func(ctx context.Context, n *node) error {
			if !whole[n] && isFilled(list) {
				return nil // it is away, or filled later, see [Copies.Prepare]
			}
			if !whole[n] {
				if err := db.createRows(ctx, n, build, zone); err != nil {
					return err
				}
			}
			return db.distribute(ctx, n, build)
		})
	}
	return fault.Wrap(err, "create build "+build)
}

// createRows makes the tables of a build with a node's own rows.
func (db *DB) createRows(ctx context.Context, n *node, build, zone string) error {
	if err := db.createDatabase(ctx, n, db.local(n, build)); err != nil {
		return err
	}
	return db.runFiles(ctx, n, "clickhouse/table_*.sql", build, db.local(n, build), zone, func(s string) string { return s })
}

// createDatabase makes one for a node's own rows. That of a cluster has a comment, which tells whose
// rows they are.
func (db *DB) createDatabase(ctx context.Context, n *node, database string) error {
	statement := "CREATE DATABASE IF NOT EXISTS " + database
	if db.cluster.Name != "" {
		statement += " COMMENT '" + db.rowsOf(n) + "'"
	}
	return n.exec(ctx, statement)
}

// distribute makes the tables by which a node of a cluster reads all shards.
func (db *DB) distribute(ctx context.Context, n *node, build string) error {
	if db.cluster.Name == "" {
		return nil
	}
	if err := n.exec(ctx, "CREATE DATABASE IF NOT EXISTS "+db.Database(build)); err != nil {
		return err
	}
	for _, c := range comparedTables {
		statement := strings.NewReplacer("{database}", db.Database(build), "{local}", db.local(n, build), "{table}", c.table,
			"{cluster}", "'"+db.cluster.Name+"'", "{subject}", c.subject).Replace(distributedSQL)
		if err := n.exec(ctx, statement); err != nil {
			return fmt.Errorf("distribute %s: %w", c.table, err)
		}
	}
	return nil
}

// rowsOf names the rows that a node holds, and who copied them to it.
func (db *DB) rowsOf(n *node) string {
	rows := fmt.Sprintf("shard %d of %d of the cluster %s", n.place.shard, db.shards(), db.cluster.Name)
	if db.cluster.Keeper {
		rows += " with Keeper"
	}
	return rows
}

// DropBuild removes a build and everything in it. Views that still point at it fail from
// then on, so publish those of another build first.
func (db *DB) DropBuild(ctx context.Context, build string) error {
	if !buildName.MatchString(build) {
		return fmt.Errorf("drop build: %q is no build name", build)
	}
	db.zones.Delete(build)
	err := db.each(ctx, func(ctx context.Context, n *node) error {
		for _, name := range db.databases(build) {
			if err := n.exec(ctx, "DROP DATABASE IF EXISTS "+name+" SYNC"); err != nil {
				return err
			}
		}
		return nil
	})
	return fault.Wrap(err, "drop build "+build)
}

// What the names of databases beside a build's own end in: those of a node's rows, and of a copy that an earlier
// version of this program left unfinished.
const shardSuffix, copySuffix = "_shard", "_refill"

// Database is the name of a build's database, as it is read.
func (db *DB) Database(build string) string { return db.views + "_" + build }

// local is the name of the database with a node's own rows of a build. It is no build's name. Where
// the program writes replicas itself each copy has its own, by which a node asks for rows of another
// shard: of that shard's replicas only the one of the same copy has it, so that no other one answers.
func (db *DB) local(n *node, build string) string {
	switch {
	case db.cluster.Name == "":
		return db.Database(build)
	case db.cluster.Keeper:
		return db.Database(build) + shardSuffix
	}
	return db.Database(build) + shardSuffix + strconv.FormatUint(uint64(n.place.replica), 10)
}

// databases are all that a build may have on a node, also on one that was a server alone before, or
// is one again.
func (db *DB) databases(build string) []string {
	names := []string{db.Database(build), db.Database(build) + shardSuffix, db.Database(build) + copySuffix}
	for replica := range db.replicas() {
		names = append(names, db.Database(build)+shardSuffix+strconv.FormatUint(uint64(replica+1), 10))
	}
	return names
}

// ViewsDatabase is the name of the analysts' database.
func (db *DB) ViewsDatabase() string { return db.views }

// runFiles executes the files that a pattern names on a node, in the order of their names, for the
// tables of a build in a database, in a zone, as edit leaves them.
func (db *DB) runFiles(ctx context.Context, n *node, pattern, build, database, zone string, edit func(string) string) error {
	files, err := fs.Glob(schema.ClickHouse, pattern)
	if err != nil {
		return fmt.Errorf("list %s: %w", pattern, err)
	}
	for _, file := range files {
		statement, err := db.rendered(n, file, build, database, zone)
		if err != nil {
			return err
		}
		if err := n.exec(ctx, edit(statement)); err != nil {
			return fmt.Errorf("run %s: %w", file, err)
		}
	}
	return nil
}

// rendered is a file with the names of the databases filled in. They are identifiers that were
// checked, and a zone that Go could load.
func (db *DB) rendered(n *node, file, build, database, zone string) (string, error) {
	if !buildName.MatchString(build) {
		return "", fmt.Errorf("%q is no build name", build)
	}
	statement, err := schema.ClickHouse.ReadFile(file)
	if err != nil {
		return "", fmt.Errorf("read %s: %w", file, err)
	}
	text := strings.NewReplacer("{cohort of days}", cohortOfDays, "{applied}", strings.Replace(appliedSQL, "FROM applied", "FROM {local}.applied", 1)).
		Replace(meanings(shown(string(statement))))
	text = strings.NewReplacer("{database}", database, "{local}", db.local(n, build), "{views}", db.views, "{zone}", zone, "{opening}", opening(db.Opening)).Replace(text)
	return db.cluster.adapt(text, strings.TrimSuffix(strings.TrimPrefix(path.Base(file), "table_"), ".sql"), db.local(n, build)), nil
}

var (
	mergingEngine = regexp.MustCompile(`ENGINE = ((?:Aggregating|Replacing)MergeTree)(?:\(([^)]*)\))?`)
	viewSettings  = "SETTINGS do_not_merge_across_partitions_select_final = 1"
	tableSettings = "fsync_after_insert = 1"
)

// ownWords are the tables that every node writes of itself, so that they are not replicated.
var ownWords = map[string]bool{"applied": true, "build": true}

// adapt makes what is declared for one server what a cluster needs. Views ask the shards for what
// each holds, and where there is a Keeper it knows a table by its shard and its name: not by that of
// its database, which has another one while it is filled. Rows that were removed and are written again
// are no repetition there.
func (c Cluster) adapt(statement, table, local string) string {
	if c.Name == "" {
		return statement
	}
	statement = strings.Replace(statement, viewSettings, viewSettings+", distributed_product_mode = 'local'", 1)
	if !c.Keeper || ownWords[table] {
		return statement
	}
	statement = strings.Replace(statement, tableSettings, "replicated_deduplication_window = 0, "+tableSettings, 1)
	return mergingEngine.ReplaceAllStringFunc(statement, func(engine string) string {
		parts := mergingEngine.FindStringSubmatch(engine)
		args := fmt.Sprintf("'/clickhouse/tables/{shard}/%s/%s', '{replica}'", local, table)
		if parts[2] != "" {
			args += ", " + parts[2]
		}
		return fmt.Sprintf("ENGINE = Replicated%s(%s)", parts[1], args)
	})
}

var quoted = strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace
